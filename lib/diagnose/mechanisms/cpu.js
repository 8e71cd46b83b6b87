'use strict';

const { percent } = require('../../base/pure/units');
const { NO_CASE, evidenceOf, holding } = require('../candidate');
const { isReadingPagesSevere, isEvictionSevere } = require('../../signals/wait-time');
const { isAtLimit } = require('../../signals/eviction-threads');
const { areReadsSlow, doReadsReachDisk, areReadsSlowedByMachine } = require('../../signals/reads');
const { isStalled } = require('../../signals/stalls');
const { isJournalWaitedFor } = require('../../signals/journal');
const {
  BUSY_RATIO,
  STEAL_RATIO,
  ownRatio,
  isCpuBusy,
  isMachineShared,
  busyWords,
} = require('../../signals/cpus');
const { MIN_QUEUED } = require('../../signals/queue');
const { PHRASES } = require('../../signals/phrases');

/**
 * @import { Metrics } from '../../server/pure/metrics'
 * @import { Candidate } from '../candidate'
 */

/**
 * The processors are the limit: of mongod alone, or of everything on its machine.
 * @type {Candidate}
 */
module.exports = {
  name: 'cpu',
  examine(metrics) {
    const [own, all] = [ownRatio(metrics), metrics['cpu.busyRatio'] ?? 0];
    if (own < BUSY_RATIO / 2 && all < BUSY_RATIO) return NO_CASE;
    return {
      score: Math.min(1, Math.max(own, all)),
      because: `${because(metrics)}${stolen(metrics)}.`,
      evidence: evidenceOf(metrics, [
        ...(isMachineShared(metrics) ? [PHRASES.machine] : []),
        metrics['process.machineRatio'] === undefined ? PHRASES.cpu : PHRASES.cpuOfAll,
        PHRASES.cores,
        PHRASES.reading,
        PHRASES.waiting,
      ]),
      against: against(metrics),
    };
  },
};

/** @param {Metrics} metrics */
const against = (metrics) =>
  holding([
    [!isCpuBusy(metrics) && !isMachineShared(metrics), busyWords(metrics)],
    [
      isMachineShared(metrics) && (metrics['clients.queued'] ?? 0) >= MIN_QUEUED,
      'operations queue for tickets or locks',
    ],
    [isMachineShared(metrics) && isJournalWaitedFor(metrics), 'clients wait for the journal'],
    [
      isMachineShared(metrics) && isStalled(metrics),
      'the server stood still, which busy processors alone do not explain',
    ],
    [
      isReadingPagesSevere(metrics) &&
        (doReadsReachDisk(metrics) || (areReadsSlow(metrics) && !areReadsSlowedByMachine(metrics))),
      'clients wait for pages from the disk',
    ],
    [isEvictionSevere(metrics) && isAtLimit(metrics), 'clients evict at a limit of the cache'],
  ]);

/** @param {Metrics} metrics */
function because(metrics) {
  const {
    'process.cpuRatio': allowed,
    'process.machineRatio': own = allowed,
    'cpu.busyRatio': all,
  } = metrics;
  if (!isMachineShared(metrics))
    return (
      `mongod keeps ${percent(ownRatio(metrics))} of the ` +
      `processors${ownRatio(metrics) === own ? '' : ' that it may use'} busy, and the cache ` +
      'costs the clients little beside that: no cache setting makes processors faster'
    );
  const others =
    own === undefined
      ? ''
      : `, ${percent(own)} by mongod and the rest by the system and other programs, such as ` +
        'clients on the same machine';
  return (
    `The machine is full: ${percent(all)} of its processors' time is used${others}; no cache ` +
    'setting makes processors faster'
  );
}

/** @param {Metrics} metrics */
const stolen = ({ 'cpu.stealRatio': steal = 0 }) =>
  steal < STEAL_RATIO
    ? ''
    : `; other virtual machines take ${percent(steal)} of the processors' time (steal)`;
