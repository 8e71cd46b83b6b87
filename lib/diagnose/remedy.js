'use strict';

const { bytes, percent } = require('../base/pure/units');
const { sizeCache } = require('../sizing/cache');
const { cacheEffectWords } = require('../sizing/cache-effect');
const { sizeDirty } = require('../sizing/dirty');
const { sizeEvictionThreads } = require('../sizing/eviction-threads');
const { dirtyLimit } = require('../signals/dirty-limit');
const { aboutDevice, isDeviceAtLimit, areReadsTheTrouble } = require('../signals/disk');
const { isMemoryFull, isTargetLowered } = require('../signals/cache');
const { isThrottlingSevere } = require('../signals/history');
const {
  isByWriteback,
  isOtherThanWriteback,
  isEarlyAlready,
  alreadyEarly,
  writebackRemedy,
  USUAL,
  isStalled,
} = require('../signals/stalls');
const { whole } = require('../signals/words');

/**
 * @import { Bottleneck } from '../base/pure/finding'
 * @import { Metrics } from '../server/pure/metrics'
 * @import { Sizing } from '../sizing/cache'
 */

// An empty list of sessions would end all of one's own: so one by one (tried on 6.0.5; other users'
// sessions need clusterAdmin or hostManager).
const OLD_TRANSACTIONS = 'db.currentOp({ "transaction.timeOpenMicros": { $gt: 1e7 } })';

/**
 * What to do where no knob of WiredTiger is the answer.
 * @satisfies {Partial<Record<Bottleneck | 'lag', string[]>>}
 */
const WITHOUT_SETTING = Object.freeze({
  disk: [
    'No WiredTiger setting makes a disk faster. Look at what else uses it, and at its limits ' +
      '(IOPS, MB/s).',
  ],
  cpu: [
    'No cache setting makes CPUs faster. Look for missing indexes and for what else ' +
      'runs on the machine.',
  ],
  concurrency: [
    'Look for long operations and for what holds locks: db.currentOp({ waitingForLock: true ' +
      '}). More tickets do not make a slow operation faster.',
  ],
  lag: [
    'Look for the member that lags or is gone: rs.printSecondaryReplicationInfo(), ' +
      'rs.status(). What it is short of (disk, CPUs, network) is there, not here: ' +
      'tune.advise() on it. An arbiter confirms no write: where a data-bearing member will be ' +
      'away for long beside one, take its vote away meanwhile (rs.reconfig with votes: 0, ' +
      'priority: 0).',
  ],
  history: [
    `Find the transactions that are open for long: ${OLD_TRANSACTIONS}`,
    'An idle one has no opid: what ends it is to end its session, by the lsid shown: ' +
      'db.adminCommand({ killSessions: [lsid] }). All that are found: ' +
      `${OLD_TRANSACTIONS}.inprog.forEach(({ lsid }) => db.adminCommand({ killSessions: [lsid] }))`,
    'On a replica set look for a lagging member as well: rs.printSecondaryReplicationInfo().',
  ],
  checkpoint: [
    "A checkpoint writes what is dirty, all at once. Look at the disk's write rate first; a " +
      'shorter interval needs storage.syncPeriodSecs and a restart, and did not help where it ' +
      'was measured.',
  ],
});

// By default the kernel begins to write back late, at 10% of memory, and in one burst. 64 and 512
// MiB (IBM-Z) made stalls of 3 to 6 s ones of 1 to 2 s, 16 and 128 MiB on a disk of 25 MB/s
// ones of 1 s (docs/evidence/stalls.md).
const WRITE_BACK_EARLY = 'sysctl -w vm.dirty_background_bytes=67108864 vm.dirty_bytes=536870912';
const LATE =
  'By default the kernel writes back late and in one burst, and whoever waits for the disk ' +
  'then waits for all of it.';
const WRITING_BACK = Object.freeze({
  isWhy: [
    `${LATE} Let it begin early: ${WRITE_BACK_EARLY} (64 and 512 MiB; a quarter of both on a ` +
      'disk slower than 50 MB/s). Other dirty thresholds and a shorter checkpoint interval ' +
      'were tried in vain.',
  ],
  mayBeWhy: [`${LATE} Where writes come in bursts, let it begin early: ${WRITE_BACK_EARLY}`],
});

/** @type {Readonly<Partial<Record<Bottleneck, (metrics: Metrics) => Sizing>>>} */
const REMEDIES = Object.freeze({
  'cache-read': cureReading,
  'cache-dirty': (metrics) =>
    besides(cureDirty(metrics), isDeviceAtLimit(metrics) ? aboutDevice(metrics) : ''),
  'eviction-threads': sizeEvictionThreads,
  disk: (metrics) =>
    besides(
      { change: null, explain: explainDisk(metrics) },
      isStalled(metrics) ? '' : aboutDevice(metrics),
    ),
  checkpoint: (metrics) => ({
    change: null,
    explain: [
      ...WITHOUT_SETTING.checkpoint,
      ...(isByWriteback(metrics) ? writebackRemedy(metrics) : []),
    ],
  }),
  history: (metrics) => ({ change: null, explain: explainHistory(metrics) }),
  cpu: () => ({ change: null, explain: [...WITHOUT_SETTING.cpu] }),
  concurrency: () => ({ change: null, explain: [...WITHOUT_SETTING.concurrency] }),
});

/**
 * The one change whose mechanism is the bottleneck, or what to do instead.
 * @param {Bottleneck} bottleneck @param {Metrics} metrics
 * @returns {Sizing}
 */
const findRemedy = (bottleneck, metrics) =>
  REMEDIES[bottleneck]?.(metrics) ?? { change: null, explain: [] };

/**
 * The finding about the machine, first.
 * @param {Sizing} sizing
 * @param {string} device
 * @returns {Sizing}
 */
const besides = ({ change, explain }, device) => ({
  change,
  explain: device === '' ? explain : [device.trim(), ...explain],
});

/** @param {Metrics} metrics @returns {string[]} */
const explainHistory = (metrics) => [
  ...WITHOUT_SETTING[isThrottlingSevere(metrics) ? 'lag' : 'history'],
];

/** Reads are not what the kernel writes back. @param {Metrics} metrics @returns {string[]} */
function explainDisk(metrics) {
  if (isByWriteback(metrics)) return [...writebackRemedy(metrics), ...WITHOUT_SETTING.disk];
  if (isStalled(metrics) && !isOtherThanWriteback(metrics))
    return [
      ...(isEarlyAlready(metrics, USUAL.limit) ? alreadyEarly(metrics) : WRITING_BACK.isWhy),
      ...WITHOUT_SETTING.disk,
    ];
  if (!areReadsTheTrouble(metrics))
    return [
      ...WITHOUT_SETTING.disk,
      ...(isEarlyAlready(metrics, USUAL.limit) ? [] : WRITING_BACK.mayBeWhy),
    ];
  const full =
    `There are ${bytes(metrics['data.bytes'])} of data for ` +
    `${bytes(metrics['host.memoryBytes'])} of memory: more memory, or less data read, is the cure.`;
  return [...(isMemoryFull(metrics) ? [full] : []), ...WITHOUT_SETTING.disk];
}

/** The size, and what it and others would change. @param {Metrics} metrics @returns {Sizing} */
function cureReading(metrics) {
  if (isTargetLowered(metrics)) return raiseTarget(metrics);
  const { change, explain } = sizeCache(metrics, 'read');
  const effect = cacheEffectWords(metrics);
  return { change, explain: effect === null ? explain : [...explain, effect] };
}

// WiredTiger's defaults (dist/api_data.py).
const FILL_DEFAULTS = Object.freeze({ evictionTarget: 80, evictionTrigger: 95 });

/** The cache that is there, before a larger one. @param {Metrics} metrics @returns {Sizing} */
function raiseTarget({ 'config.targetRatio': target, 'cache.usedRatioMax': used }) {
  const now =
    target === undefined
      ? `The cache is at most ${percent(used)} full, and clean pages leave it all the same: ` +
        'somebody seems to have lowered its target'
      : `The target of the cache is ${whole(target)}`;
  return {
    change: { ...FILL_DEFAULTS },
    explain: [
      `${now}; the default is ${FILL_DEFAULTS.evictionTarget}%. Return to ` +
        `${FILL_DEFAULTS.evictionTarget}/${FILL_DEFAULTS.evictionTrigger}: that is a larger ` +
        'cache without more memory. Then look again.',
    ],
  };
}

/**
 * A lowered trigger goes back to its default; else the cache comes first, since its gain was the
 * larger one, and the thresholds second.
 * @param {Metrics} metrics
 * @returns {Sizing}
 */
function cureDirty(metrics) {
  if (dirtyLimit(metrics).isLowered) return sizeDirty(metrics);
  const cache = sizeCache(metrics, 'write');
  if (cache.change !== null) return cache;
  const dirty = sizeDirty(metrics);
  return { change: dirty.change, explain: [...cache.explain, ...dirty.explain] };
}

module.exports = { findRemedy };
