'use strict';

const { many, percent } = require('../../base/pure/units');

/**
 * @import { CauseCandidate, CauseCase } from '../cause'
 * @import { Metrics } from '../../server/pure/metrics'
 */

/**
 * Reads that a primary sends again to the other members, so that their caches hold the same pages: one
 * in a hundred by default. Fewer in a second are no load (heuristic).
 */
const MANY_MIRRORED = 100;
/** Share of the reads of this member: below half of it, others are the load (heuristic). */
const MIRRORED_SHARE = 0.5;
const MIRROR_REMEDY =
  'Return to the default on the primary: db.adminCommand({ setParameter: 1, mirrorReads: { ' +
  'samplingRate: 0.01 } }).';

/**
 * On a secondary, which counts what it was sent (6.2 and later).
 * @param {Metrics} metrics
 * @returns {CauseCase | null}
 */
function receivedReads(metrics) {
  const { 'mirrored.processedPerSec': received = 0, 'ops.readsPerSec': reads = 0 } = metrics;
  const share = received / Math.max(received, reads);
  if (received < MANY_MIRRORED || share < MIRRORED_SHARE) return null;
  return {
    say: `the primary mirrors its reads here: they are ${percent(share)} of the reads`,
    share,
    evidence: [`${many(received, 'mirrored read')}/s received`],
    remedy: MIRROR_REMEDY,
  };
}

/** On a primary, whose CPUs send them. @param {Metrics} metrics @returns {CauseCase | null} */
function sentReads(metrics) {
  const { 'mirrored.sentPerSec': sent = 0, 'ops.readsPerSec': reads = 0 } = metrics;
  if (sent < MANY_MIRRORED || sent < MIRRORED_SHARE * reads) return null;
  return {
    say: `reads are mirrored to the other members: ${many(sent, 'read')}/s are sent again`,
    share: null,
    evidence: [`${many(sent, 'mirrored read')}/s sent, ${many(reads, 'read')}/s answered`],
    remedy: MIRROR_REMEDY,
  };
}

/** @type {CauseCandidate} */
const mirroredReads = {
  kind: 'mirrored-reads',
  of: ['cpu', 'cache-read', 'disk', 'concurrency', 'unknown'],
  examine: (metrics) => receivedReads(metrics) ?? sentReads(metrics),
};

module.exports = { mirroredReads };
