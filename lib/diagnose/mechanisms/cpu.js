'use strict';

const { percent } = require('../../base/pure/units');
const { NO_CASE, evidenceOf, holding } = require('../candidate');
const { isReadingGrave, isEvictionGrave } = require('../../signals/losses');
const { isAtLimit } = require('../../signals/workers');
const { areReadsSlow, doReadsReachDisk, areReadsSlowedByMachine } = require('../../signals/reads');
const { isStalled } = require('../../signals/standstill');
const { isJournalWaitedFor } = require('../../signals/journal');
const {
  BUSY_RATIO,
  STEAL_RATIO,
  ownRatio,
  isCpuBusy,
  isMachineShared,
  busyWords,
} = require('../../signals/processors');
const { LEAST_QUEUED } = require('../../signals/queue');
const { PHRASES } = require('../../signals/phrases');

/** @typedef {import('../candidate').Readings} Readings */

/**
 * The processors are the limit: of mongod alone, or of everything on its machine.
 * @type {import('../candidate').Candidate}
 */
module.exports = {
  name: 'cpu',
  examine(readings) {
    const [own, all] = [ownRatio(readings), readings['system.cpuRatio'] ?? 0];
    if (own < BUSY_RATIO / 2 && all < BUSY_RATIO) return NO_CASE;
    return {
      score: Math.min(1, Math.max(own, all)),
      because: `${because(readings)}${stolen(readings)}.`,
      evidence: evidenceOf(readings, [
        ...(isMachineShared(readings) ? [PHRASES.machine] : []),
        readings['process.machineRatio'] === undefined ? PHRASES.cpu : PHRASES.cpuOfAll,
        PHRASES.cores,
        PHRASES.reading,
        PHRASES.waiting,
      ]),
      against: against(readings),
    };
  },
};

/** @param {Readings} readings */
const against = (readings) =>
  holding([
    [!isCpuBusy(readings) && !isMachineShared(readings), busyWords(readings)],
    [
      isMachineShared(readings) && (readings['clients.queued'] ?? 0) >= LEAST_QUEUED,
      'operations queue for tickets or locks',
    ],
    [isMachineShared(readings) && isJournalWaitedFor(readings), 'clients wait for the journal'],
    [
      isMachineShared(readings) && isStalled(readings),
      'the server stood still, which busy processors alone do not explain',
    ],
    [
      isReadingGrave(readings) &&
        (doReadsReachDisk(readings) ||
          (areReadsSlow(readings) && !areReadsSlowedByMachine(readings))),
      'clients wait for pages from the disk',
    ],
    [isEvictionGrave(readings) && isAtLimit(readings), 'clients evict at a limit of the cache'],
  ]);

/** @param {Readings} readings */
function because(readings) {
  const {
    'process.cpuRatio': allowed,
    'process.machineRatio': own = allowed,
    'system.cpuRatio': all,
  } = readings;
  if (!isMachineShared(readings))
    return (
      `mongod keeps ${percent(ownRatio(readings))} of the ` +
      `processors${ownRatio(readings) === own ? '' : ' that it may use'} busy, and the cache ` +
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

/** @param {Readings} readings */
const stolen = ({ 'system.stealRatio': steal = 0 }) =>
  steal < STEAL_RATIO
    ? ''
    : `; other virtual machines take ${percent(steal)} of the processors' time (steal)`;
