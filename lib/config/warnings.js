'use strict';

const { SETTINGS, toRatio } = require('./setting-table');
const { notRestorable, effective, PAIRS } = require('./thresholds');
const { pick, settableIn, settingsOf } = require('./change');
const { compareVersions } = require('../base/pure/version');
const { GiB, MiB, bytes, count, figure, many, percent } = require('../base/pure/units');
const { cacheCautions, thresholdCautions, LARGEST_MEMORY_SHARE } = require('./safety');

/**
 * @import { EngineGauges } from './types'
 * @import { Change } from '../base/types'
 * @import { Raw } from './thresholds'
 */

/**
 * @typedef {{
 *   asked: Change, change: Change, before: Raw, live: EngineGauges,
 *   memoryBytes: number | null, cores: number | null, version?: string | null
 * }} Plan
 *   `asked`: as typed; `change`: what remains to be done
 */

/** The manual's default share; a larger cache suits a server that does nothing else. */
const DEFAULT_MEMORY_SHARE = 0.5;

/**
 * mongod starts this many on every machine, however few its cores: most of the time they wait for
 * the disk.
 */
const USUAL_THREADS = Number(SETTINGS.evictionThreadsMax.wtDefault);

/** This ends a remark on a value that needs no call. */
const NOT_SENT = ': not sent.';

/** @param {Plan} plan @returns {string[]} what a person should know before confirming */
const warningsFor = (plan) => CHECKS.flatMap((check) => check(plan));

const CHECKS = Object.freeze(
  /** @type {((plan: Plan) => string[])[]} */ ([
    ({ asked, change, before }) => {
      const same = settingsOf(asked).filter(
        (setting) =>
          change[setting] === undefined &&
          before[setting] !== undefined &&
          SETTINGS[setting].key !== null,
      );
      return same.length === 0
        ? []
        : [
            `${same.map((setting) => `${setting} is already ${figure(Number(before[setting]))}`).join(', ')}` +
              NOT_SENT,
          ];
    },
    ({ asked, change }) =>
      asked.cacheSizeGB === undefined ||
      change.cacheSizeGB === undefined ||
      asked.cacheSizeGB === change.cacheSizeGB
        ? []
        : [
            `WiredTiger accepts whole MiB: cacheSizeGB ${asked.cacheSizeGB} becomes ` +
              `${count((change.cacheSizeGB * GiB) / MiB)} MiB.`,
          ],
    ({ change, live }) => {
      const [to, used, now] = [
        (change.cacheSizeGB ?? Infinity) * GiB,
        live['cache.usedBytes'],
        live['cache.maxBytes'],
      ];
      if (now === undefined || to >= now) return [];
      const evicts =
        used !== undefined && used > to
          ? [
              `At least ${bytes(used - to)} of the ${bytes(used)} in the cache is evicted on the way.`,
            ]
          : [];
      return [
        ...evicts,
        'Resident memory shrinks late, or only at a restart: the allocator keeps freed pages.',
      ];
    },
    ({ change, memoryBytes }) => {
      const cacheBytes = (change.cacheSizeGB ?? 0) * GiB;
      if (change.cacheSizeGB !== undefined && memoryBytes === null)
        return ['RAM of the host is not known (hostInfo): the size is not checked against it.'];
      if (memoryBytes === null || cacheBytes <= memoryBytes * DEFAULT_MEMORY_SHARE) return [];
      return [
        `The cache uses ${percent(cacheBytes / memoryBytes)} of ` +
          `RAM${cacheBytes > memoryBytes * LARGEST_MEMORY_SHARE ? ', more than is safe' : ''}: ` +
          'connections, sorts, index builds and the page cache share the rest.',
      ];
    },
    // A user may force a size below the safe one; the check above warns of its share of the memory.
    ({ change }) => cacheCautions(change.cacheSizeGB, null).map(({ say }) => `${say}.`),
    ({ change, before }) =>
      thresholdCautions({ ...before, ...change }, settingsOf(change)).map(
        ({ say, todo }) => `${say}. ${todo}`,
      ),
    ({ change, before, cores }) => {
      const threads = change.evictionThreadsMax ?? 0;
      return cores === null ||
        threads <= Math.max(cores, USUAL_THREADS) ||
        threads <= (before.evictionThreadsMax ?? 0)
        ? []
        : [
            `${threads} eviction threads compete with application threads for ${many(cores, 'CPU')}.`,
          ];
    },
    ({ live }) =>
      live['checkpoint.running']
        ? ['A checkpoint is running: the call waits until it ends, without a timeout.']
        : [],
    ({ change, before }) => moved(before, change),
    ({ change, before }) =>
      effective({ ...before, ...change })
        .mended.filter(
          ({ setting, say }) => change[setting] !== undefined && !say.includes('0 means half'),
        )
        .map(({ say }) => `${say}.`),
    ({ change, before }) => {
      const sent = pick(
        change,
        settingsOf(change).filter((setting) => SETTINGS[setting].key !== null),
      );
      const left = notRestorable(settableIn(before), sent);
      const unknown = [...left.unknown, ...left.blocked];
      return unknown.length === 0
        ? []
        : [
            `Current value unknown, so tune.undo() cannot restore it: ${unknown.join(', ')}. It ` +
              'keeps the new value until tune.apply() changes it or the server restarts.',
          ];
    },
    ({ change, before }) => {
      const { percent: after } = effective({ ...before, ...change });
      return PAIRS.flatMap((pair) => {
        const given = pair.find((setting) => change[setting] !== undefined);
        const unknown = pair.find((setting) => after[setting] === null);
        return given === undefined || unknown === undefined || given === unknown
          ? []
          : [
              `${unknown} is not known, so its order with ${given} is not checked: set both ` +
                'together.',
            ];
      });
    },
    ({ asked, version = null }) =>
      asked.syncdelaySeconds === undefined
        ? []
        : [isAtLeast(version, SYNCDELAY_LIVE_SINCE) ? syncdelayLive(asked) : SYNCDELAY_AT_START],
    ({ change, live, version = null }) =>
      isAtLeast(version, ABORTS_SINCE) ? abortsBeside(change.evictionDirtyTrigger, live) : [],
  ]),
);

/** @param {string | null} version @param {string} since */
const isAtLeast = (version, since) => version !== null && compareVersions(version, since) >= 0;

/** Since this release checkpointer.cpp reads syncdelay at the beginning of each pause. */
const SYNCDELAY_LIVE_SINCE = '8.0.0';
const SYNCDELAY_AT_START =
  'syncdelay cannot be set live: setParameter accepts and reports it, but checkpoints ' +
  'keep the start-up interval (seen on 6.0). Set storage.syncPeriodSecs in mongod.conf ' +
  '(see conf) and restart.';
/** @param {Change} asked */
const syncdelayLive = ({ syncdelaySeconds }) =>
  'tune does not set syncdelay. From 8.0 on a running server takes it from its next pause between ' +
  `checkpoints on: db.adminCommand({ setParameter: 1, syncdelay: ${syncdelaySeconds} }). To keep it, ` +
  'set storage.syncPeriodSecs in mongod.conf (see conf).';

/**
 * Since this release mongod aborts the oldest transactions when the cache is stuck and more than
 * this share is dirty. It knows the start-up parameter only
 * (wiredtiger_cache_pressure_monitor.cpp).
 */
const ABORTS_SINCE = '8.2.0';
const ABORTS_RATIO = 0.2;
/**
 * @param {number | undefined} trigger percent, or bytes above 100
 * @param {EngineGauges} live
 * @returns {string[]}
 */
function abortsBeside(trigger, { 'cache.maxBytes': maxBytes = NaN }) {
  if (trigger === undefined) return [];
  const ratio = toRatio(trigger, maxBytes);
  if (ratio === ABORTS_RATIO) return [];
  const effect =
    ratio < ABORTS_RATIO
      ? 'with a lower trigger they never come'
      : 'between that and a higher trigger they may come early';
  return [
    `The cache-pressure aborts of mongod (from 8.2 on) keep their own limit of ${ABORTS_RATIO * 100}% ` +
      `dirty, unless wiredTigerEvictionDirtyMaxGB was set at start: ${effect}. The conf sets both.`,
  ];
}

/**
 * Names updates thresholds of 0: they are half of the dirty ones, and move with them.
 * @param {Raw} before
 * @param {Change} change
 * @returns {string[]}
 */
function moved(before, change) {
  const [was, is] = [effective(before).percent, effective({ ...before, ...change }).percent];
  return /** @type {const} */ (['evictionUpdatesTarget', 'evictionUpdatesTrigger']).flatMap(
    (setting) =>
      change[setting] !== undefined || was[setting] === is[setting] || was[setting] === null
        ? []
        : [
            `${setting} changes with it, from ${figure(Number(was[setting]))}% to ` +
              `${is[setting] === null ? '?' : figure(is[setting])}%.`,
          ],
  );
}

module.exports = { ABORTS_SINCE, NOT_SENT, warningsFor };
