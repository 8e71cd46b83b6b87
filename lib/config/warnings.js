'use strict';

const { KNOBS } = require('./knobs');
const { knobsOf } = require('./change');
const { inForce } = require('./thresholds');
const { MAX_EVICTION_THREADS } = require('./knobs');
const { GiB, bytes, figure, percent } = require('../base/pure/units');
const { cacheCautions, thresholdCautions, LARGEST_MEMORY_SHARE } = require('./cautions');

/**
 * @typedef {import('./knobs').Change} Change
 * @typedef {import('./thresholds').Raw} Raw
 * @typedef {{
 *   asked: Change, change: Change, before: Raw, live: import('../server/pure/counters').Metrics,
 *   memoryBytes: number | null, cores: number | null
 * }} Plan
 *   `asked`: as typed; `change`: what of it is left to do
 */

/** The manual's default share; more is for servers that do nothing else. */
const DEFAULT_MEMORY_SHARE = 0.5;

/**
 * mongod starts as many on every machine, however few its cores: most of the time they wait for the
 * disk.
 */
const USUAL_THREADS = Number(KNOBS.evictionThreadsMax.wtDefault);

/** @param {Plan} plan @returns {string[]} what a person should know before confirming */
const warningsFor = (plan) => CHECKS.flatMap((check) => check(plan));

const CHECKS = Object.freeze(
  /** @type {((plan: Plan) => string[])[]} */ ([
    ({ asked, change, before }) => {
      const same = knobsOf(asked).filter(
        (knob) =>
          change[knob] === undefined && before[knob] !== undefined && KNOBS[knob].key !== null,
      );
      return same.length === 0
        ? []
        : [
            'Already so: ' +
              `${same.map((knob) => `${knob} ${figure(Number(before[knob]))}`).join(', ')}.`,
          ];
    },
    ({ asked, change }) =>
      asked.cacheSizeGB === undefined ||
      change.cacheSizeGB === undefined ||
      asked.cacheSizeGB === change.cacheSizeGB
        ? []
        : [
            `WiredTiger takes whole megabytes: cacheSizeGB ${asked.cacheSizeGB} becomes ` +
              `${bytes(change.cacheSizeGB * GiB)}.`,
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
          ? [`${bytes(used)} are in the cache: ${bytes(used - to)} have to leave it.`]
          : [];
      return [
        ...evicts,
        'The memory of the process does not fall with the cache: the allocator keeps it ' +
          'until mongod restarts.',
      ];
    },
    ({ change, memoryBytes }) => {
      const cacheBytes = (change.cacheSizeGB ?? 0) * GiB;
      if (change.cacheSizeGB !== undefined && memoryBytes === null)
        return [
          'The memory of the host is not known (hostInfo), so the size is not checked against it.',
        ];
      if (memoryBytes === null || cacheBytes <= memoryBytes * DEFAULT_MEMORY_SHARE) return [];
      return [
        `The cache gets ${percent(cacheBytes / memoryBytes)} of the ` +
          `memory${cacheBytes > memoryBytes * LARGEST_MEMORY_SHARE ? ', forced' : ''}: ` +
          'connections, sorts, index builds and the file system cache must do with the rest.',
      ];
    },
    // Forced below what is safe; how much of the memory it is stands above.
    ({ change }) => cacheCautions(change.cacheSizeGB, null).map(({ say }) => `${say}.`),
    ({ change, before }) =>
      thresholdCautions({ ...before, ...change }, knobsOf(change)).map(
        ({ say, todo }) => `${say}. ${todo}`,
      ),
    ({ change, before, cores }) => {
      const threads = change.evictionThreadsMax ?? 0;
      return cores === null ||
        threads <= Math.max(cores, USUAL_THREADS) ||
        threads <= (before.evictionThreadsMax ?? 0)
        ? []
        : [`${threads} eviction threads on ${cores} cores take time from the clients.`];
    },
    ({ change }) =>
      Math.max(change.evictionThreadsMin ?? 0, change.evictionThreadsMax ?? 0) <=
      MAX_EVICTION_THREADS
        ? []
        : [
            `More than ${MAX_EVICTION_THREADS} eviction threads are refused by servers ` +
              'without WT-15039; whether this one has it can not be seen.',
          ],
    ({ live }) =>
      live['checkpoint.running']
        ? [
            'A checkpoint is running: the call waits until it is over, and no time limit ' +
              'ends the wait.',
          ]
        : [],
    ({ change, before }) => moved(before, change),
    ({ change, before }) =>
      inForce({ ...before, ...change })
        .mended.filter(
          ({ knob, say }) => change[knob] !== undefined && !say.includes('0 means half'),
        )
        .map(({ say }) => `${say}.`),
    ({ change, before }) => {
      const unknown = knobsOf(change).filter(
        (knob) => KNOBS[knob].key !== null && typeof before[knob] !== 'number',
      );
      return unknown.length === 0
        ? []
        : [
            `Not known as it is now, so not undone by tune.undo(): ${unknown.join(', ')}, ` +
              'which would stay as set here until tune.apply() sets another value or the ' +
              'server restarts.',
          ];
    },
    ({ asked }) =>
      asked.syncdelaySeconds === undefined
        ? []
        : [
            'syncdelay can not be set live: setParameter takes it and shows it, but ' +
              'checkpoints keep the interval of the start (seen on 6.0). It stands in conf as ' +
              'storage.syncPeriodSecs, for the next restart.',
          ],
  ]),
);

/**
 * Updates thresholds of 0 are half of the dirty ones, and go with them.
 * @param {Raw} before
 * @param {Change} change
 * @returns {string[]}
 */
function moved(before, change) {
  const [was, is] = [inForce(before).percent, inForce({ ...before, ...change }).percent];
  return /** @type {const} */ (['evictionUpdatesTarget', 'evictionUpdatesTrigger']).flatMap(
    (knob) =>
      change[knob] !== undefined || was[knob] === is[knob] || was[knob] === null
        ? []
        : [
            `${knob} moves with it, from ${figure(Number(was[knob]))} to ` +
              `${is[knob] === null ? '?' : figure(is[knob])} %.`,
          ],
  );
}

module.exports = { warningsFor };
