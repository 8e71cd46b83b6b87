'use strict';

const { DEFAULT_SYNCDELAY_SECONDS } = require('../server/pure/facts');
const { bytes, duration, percent, MS_PER_SECOND, shortPercent } = require('../base/pure/units');
const { sizeCache } = require('../sizing/cache');
const { cacheEffectWords } = require('../sizing/cache-effect');
const { sizeDirty, sizeUpdates, sizeEvictionThreads } = require('../sizing/eviction');
const { dirtyLimit } = require('../signals/dirty-limit');
const { aboutDevice, isDeviceAtLimit, areReadsTheLimit } = require('../signals/disk');
const { isMemoryFull, isTargetLowered, needBytes } = require('../signals/cache');
const { isThrottlingSevere, WAY_BACK_OF_VOTE } = require('../signals/history');
const {
  isByWriteback,
  isOtherThanWriteback,
  isEarlyAlready,
  alreadyEarly,
  writebackRemedy,
  USUAL,
  isStalled,
  isIntervalShort,
} = require('../signals/stalls');
const { poolRemedy } = require('../signals/holders');
const { starvedPool } = require('./causes/tickets');
const { warmingOf } = require('../signals/warming');

/**
 * @import { Bottleneck } from '../base/pure/finding'
 * @import { Metrics } from '../server/pure/metrics'
 * @import { Sizing } from '../sizing/cache'
 * @import { Warming } from '../signals/warming'
 */

// An empty list would end all sessions of the user: so end them one by one (tried on 6.0.5; other
// users' sessions need clusterAdmin or hostManager).
const OLD_TRANSACTIONS = 'db.currentOp({ "transaction.timeOpenMicros": { $gt: 1e7 } })';

/**
 * What to do where no setting of WiredTiger helps.
 * @satisfies {Partial<Record<Bottleneck | 'lag', string[]>>}
 */
const WITHOUT_SETTING = Object.freeze({
  disk: [
    'No WiredTiger setting makes a disk faster. Check its limits (IOPS, MB/s), and what else ' +
      'uses it.',
  ],
  cpu: [
    'No cache setting makes CPUs faster. Check for missing indexes (tune.who() names the queries), ' +
      'and for other programs on the machine.',
  ],
  concurrency: [
    'Find long operations and lock holders: db.currentOp({ waitingForLock: true }). More ' +
      'tickets do not make a slow operation faster.',
  ],
  lag: [
    'Find the member that lags or is down: rs.printSecondaryReplicationInfo(), rs.status(). ' +
      'Run tune.advise() on it: its disk, CPUs or network is the limit, not this server.',
    'An arbiter acknowledges no write. If a data-bearing member stays down for long in a set with ' +
      'an arbiter, remove its vote (rs.reconfig with votes: 0, priority: 0).',
    WAY_BACK_OF_VOTE,
  ],
  history: [
    `Find long-running transactions: ${OLD_TRANSACTIONS}`,
    'An idle transaction has no opid: end its session by the lsid shown, ' +
      'db.adminCommand({ killSessions: [lsid] }). To end all of them, which rolls back their work: ' +
      `${OLD_TRANSACTIONS}.inprog.forEach(({ lsid }) => db.adminCommand({ killSessions: [lsid] }))`,
    'On a replica set check for a lagging member as well: rs.printSecondaryReplicationInfo().',
  ],
  checkpoint: [
    'A checkpoint writes all dirty data. Check the write rate of the disk first. A shorter ' +
      'interval needs storage.syncPeriodSecs and a restart, and did not help in tests.',
  ],
});

const OF_PROBING =
  'Here more tickets may help: CPUs, disk and cache are idle, and throughput probing gives out few.';

// By default the kernel begins to write back late, at 10% of memory, and in one burst. 64 and 512
// MiB made stalls of 3 to 6 s ones of 1 to 2 s, 16 and 128 MiB on a disk of 25 MB/s
// ones of 1 s (docs/evidence/stalls.md).
const WRITE_BACK_EARLY = 'sysctl -w vm.dirty_background_bytes=67108864 vm.dirty_bytes=536870912';
const LATE =
  'By default the kernel writes dirty page cache late and in one burst, and every sync waits ' +
  'for it.';
const WRITING_BACK = Object.freeze({
  isWhy: [
    `${LATE} Start writeback earlier: ${WRITE_BACK_EARLY} (64 and 512 MiB; a quarter of both on ` +
      'a disk slower than 50 MB/s). Other dirty thresholds and a shorter checkpoint interval ' +
      'did not help in tests.',
  ],
  mayBeWhy: [`${LATE} If writes come in bursts, start writeback earlier: ${WRITE_BACK_EARLY}`],
});

/** @type {Readonly<Partial<Record<Bottleneck, (metrics: Metrics) => Sizing>>>} */
const RECOMMENDATIONS = Object.freeze({
  'cache-read': forReading,
  'cache-dirty': (metrics) =>
    besides(forDirty(metrics), isDeviceAtLimit(metrics) ? aboutDevice(metrics) : ''),
  'eviction-threads': sizeEvictionThreads,
  disk: (metrics) =>
    besides(
      {
        change: null,
        explain: warmingOf(metrics) ? explainWarming(metrics) : explainDisk(metrics),
      },
      isStalled(metrics) ? '' : aboutDevice(metrics),
    ),
  checkpoint: (metrics) => ({
    change: null,
    explain: [
      ...(isIntervalShort(metrics)
        ? [
            `Return to the default interval: set storage.syncPeriodSecs (or syncdelay) to ` +
              `${DEFAULT_SYNCDELAY_SECONDS} and restart.`,
          ]
        : WITHOUT_SETTING.checkpoint),
      ...(isByWriteback(metrics) ? writebackRemedy(metrics) : []),
    ],
  }),
  history: (metrics) => ({ change: null, explain: explainHistory(metrics) }),
  cpu: () => ({ change: null, explain: [...WITHOUT_SETTING.cpu] }),
  concurrency: (metrics) => ({
    change: null,
    explain:
      starvedPool(metrics) === null
        ? [...poolRemedy(metrics), ...WITHOUT_SETTING.concurrency]
        : [OF_PROBING],
  }),
});

/**
 * The one change whose mechanism is the bottleneck, or what to do instead.
 * @param {Bottleneck} bottleneck @param {Metrics} metrics
 * @returns {Sizing}
 */
const recommendationFor = (bottleneck, metrics) =>
  RECOMMENDATIONS[bottleneck]?.(metrics) ?? { change: null, explain: [] };

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
  if (!areReadsTheLimit(metrics))
    return [
      ...WITHOUT_SETTING.disk,
      ...(isEarlyAlready(metrics, USUAL.limit) ? [] : WRITING_BACK.mayBeWhy),
    ];
  const full =
    `There is more data (${bytes(metrics['data.bytes'])}) than RAM ` +
    `(${bytes(metrics['host.memoryBytes'])}): add RAM, or read less data.`;
  return [...(isMemoryFull(metrics) ? [full] : []), ...WITHOUT_SETTING.disk];
}

/** Whether the cache is too small shows once it is full. @param {Metrics} metrics @returns {string[]} */
function explainWarming(metrics) {
  const { seconds } = /** @type {Warming} */ (warmingOf(metrics));
  const [need, now] = [needBytes(metrics), Number(metrics['cache.maxBytes'])];
  return [
    `Wait until the cache is warm, about ${duration(seconds * MS_PER_SECOND)}, and run tune.advise() again.`,
    ...(need !== undefined && need > now
      ? [
          `The ${bytes(now)} cache will not hold all data: that takes ${bytes(need)}. If reads ` +
            'stay slow, a larger cache is the next step.',
        ]
      : []),
    ...WITHOUT_SETTING.disk,
  ];
}

/** The size, and what it and others would change. @param {Metrics} metrics @returns {Sizing} */
function forReading(metrics) {
  if (isTargetLowered(metrics)) return raiseTarget(metrics);
  const { change, explain } = sizeCache(metrics, 'read');
  const effect = cacheEffectWords(metrics);
  return {
    change,
    explain: [...explain, ...(effect === null ? [] : [effect]), ...poolRemedy(metrics)],
  };
}

// WiredTiger's defaults (dist/api_data.py).
const FILL_DEFAULTS = Object.freeze({ evictionTarget: 80, evictionTrigger: 95 });

/** The cache that is there, before a larger one. @param {Metrics} metrics @returns {Sizing} */
function raiseTarget({ 'config.targetRatio': target, 'cache.usedRatioMax': used }) {
  const now =
    target === undefined
      ? `eviction_target appears to be lowered: clean pages leave the cache at ${percent(used)} used`
      : `eviction_target is ${shortPercent(target)}`;
  return {
    change: { ...FILL_DEFAULTS },
    explain: [
      `${now}; the default is ${FILL_DEFAULTS.evictionTarget}%. Return to target ` +
        `${FILL_DEFAULTS.evictionTarget}%, trigger ${FILL_DEFAULTS.evictionTrigger}%: more cache ` +
        'is used without more RAM. Then run tune.advise() again.',
    ],
  };
}

/**
 * Sizes for dirty data. A lowered trigger is reset to its default, and that of update data rises
 * where it alone is the limit; else the cache comes first, since its gain was the larger one, and
 * the thresholds second.
 * @param {Metrics} metrics
 * @returns {Sizing}
 */
function forDirty(metrics) {
  if (dirtyLimit(metrics).isLowered) return sizeDirty(metrics);
  const updates = sizeUpdates(metrics);
  if (updates !== null) return updates;
  const cache = sizeCache(metrics, 'write');
  if (cache.change !== null) return cache;
  const dirty = sizeDirty(metrics);
  return { change: dirty.change, explain: [...cache.explain, ...dirty.explain] };
}

module.exports = { recommendationFor };
