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
 * Examines a secondary, which counts the mirrored reads that it receives (6.2 and later).
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

/**
 * Examines a primary, whose CPUs send mirrored reads.
 * @param {Metrics} metrics
 * @returns {CauseCase | null}
 */
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

/** Documents in a second; fewer are no load (heuristic). */
const MANY_MOVED = 200;
/** Share of all documents that are read, or written (heuristic). */
const MOVED_SHARE = 0.3;

/**
 * @param {number} moved documents in a second @param {number} others those of clients
 * @returns {number | null} share of all; null: too few
 */
function shareMoved(moved, others) {
  const share = moved / (moved + others);
  return moved < MANY_MOVED || share < MOVED_SHARE ? null : share;
}

/**
 * Ranges of documents move from shard to shard: the donor reads them, the recipient writes them.
 * @type {CauseCandidate}
 */
const migrations = {
  kind: 'migrations',
  of: ['cache-read', 'cache-dirty', 'disk', 'checkpoint', 'eviction-threads', 'cpu', 'unknown'],
  examine(metrics) {
    const {
      'migrations.sentPerSec': sent = 0,
      'migrations.receivedPerSec': received = 0,
      'query.examinedPerSec': examined = 0,
      'documents.writtenPerSec': written = 0,
    } = metrics;
    const [ofReads, ofWrites] = [shareMoved(sent, examined), shareMoved(received, written)];
    const remedy =
      'Give the balancer a window at a quiet hour (activeWindow in config.settings); what is under ' +
      'way ends by itself.';
    if (ofWrites !== null && ofWrites >= (ofReads ?? 0))
      return {
        say: `documents of other shards arrive here: ${percent(ofWrites)} of all that is written`,
        share: ofWrites,
        evidence: [`${many(received, 'document')}/s arrive`],
        remedy,
      };
    return ofReads === null
      ? null
      : {
          say: `documents leave this shard for another: ${percent(ofReads)} of all that is read`,
          share: ofReads,
          evidence: [`${many(sent, 'document')}/s leave`],
          remedy,
        };
  },
};

module.exports = { migrations, mirroredReads };
