'use strict';

const { percent, capital } = require('../../base/pure/units');
const { NO_CASE, PHRASES, evidenceOf, whereTrue } = require('../evidence');
const { isReadingPagesSevere, isEvictionSevere, MIN_QUEUED } = require('../../signals/clients');
const { isAtLimit } = require('../../signals/eviction-threads');
const {
  areReadsSlow,
  doReadsReachDisk,
  areReadsSlowedByMachine,
  isJournalWaitedFor,
} = require('../../signals/disk');
const { isStalled } = require('../../signals/stalls');
const {
  BUSY_RATIO,
  STEAL_RATIO,
  ownRatio,
  isCpuBusy,
  isMachineShared,
  notBusyWords,
} = require('../../signals/cpus');
const { isPagingSevere, pagingWords } = require('../../signals/paging');

/**
 * @import { Metrics } from '../../server/pure/metrics'
 * @import { Candidate } from '../evidence'
 */

/**
 * The CPUs are the limit: of mongod alone, or of everything on its machine.
 * @type {Candidate}
 */
module.exports = {
  name: 'cpu',
  examine(metrics) {
    const [own, all] = [ownRatio(metrics), metrics['cpu.busyRatio'] ?? 0];
    if (own < BUSY_RATIO / 2 && all < BUSY_RATIO) return NO_CASE;
    return {
      score: Math.min(1, Math.max(own, all)),
      because: `${because(metrics)}${stolen(metrics)}.${aboutPages(metrics)}`,
      evidence: evidenceOf(metrics, [
        ...(isMachineShared(metrics) ? [PHRASES.cpuOfMachine] : []),
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
  whereTrue([
    [isPagingSevere(metrics), pagingWords(metrics)],
    [!isCpuBusy(metrics) && !isMachineShared(metrics), notBusyWords(metrics)],
    [
      isMachineShared(metrics) && (metrics['clients.queued'] ?? 0) >= MIN_QUEUED,
      'operations queue for tickets or locks',
    ],
    [
      isMachineShared(metrics) && isJournalWaitedFor(metrics),
      'application threads wait for the journal',
    ],
    [
      isMachineShared(metrics) && isStalled(metrics),
      'the server stalled, and busy CPUs alone do not explain that',
    ],
    [
      isReadingPagesSevere(metrics) &&
        (doReadsReachDisk(metrics) || (areReadsSlow(metrics) && !areReadsSlowedByMachine(metrics))),
      'application threads wait for pages from the disk',
    ],
    [
      isEvictionSevere(metrics) && isAtLimit(metrics),
      'busy CPUs do not explain why application threads evict at a trigger of the cache',
    ],
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
      `mongod uses ${percent(ownRatio(metrics))} of ` +
      `${ownRatio(metrics) === own ? 'CPU time' : 'the CPU time it may use'}, and application threads ` +
      'wait little for the cache'
    );
  const others =
    own === undefined
      ? ''
      : `, ${percent(own)} by mongod, the rest by other programs (such as clients on the same ` +
        'machine)';
  return `The CPUs of the machine are fully used: ${percent(all)} of CPU time${others}`;
}

/** @param {Metrics} metrics */
function aboutPages(metrics) {
  const said = pagingWords(metrics);
  return said === '' ? '' : ` ${capital(said)}.`;
}

/** @param {Metrics} metrics */
const stolen = ({ 'cpu.stealRatio': steal = 0 }) =>
  steal < STEAL_RATIO ? '' : `; other virtual machines take ${percent(steal)} (steal)`;
