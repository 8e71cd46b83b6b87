'use strict';

/**
 * Parts that the map of counters is made of.
 *
 * @typedef {{ path: readonly string[], plus?: readonly (readonly string[])[], scale?: number }} Spelling
 *   `scale` turns the server's unit into ours; `plus`: the figure is `path` and these added up, and
 *   known only where all of them are
 * @typedef {{ kind: 'counter' | 'gauge', spellings: readonly Spelling[] }} Definition
 */

/** @param {string} section @param {readonly string[]} names @param {number} [scale] */
const wt = (section, names, scale) =>
  names.map((name) => ({ path: ['wiredTiger', section, name], scale }));
const cache = (/** @type {string[]} */ ...names) => wt('cache', names);
const at = (/** @type {string} */ dotted, scale = 1) => [{ path: dotted.split('.'), scale }];
/**
 * A figure that a release reports in parts.
 * @param {...readonly Spelling[]} parts each with one spelling
 * @returns {Spelling[]}
 */
const added = (...parts) => {
  const [first, ...others] = parts.map(([part]) => part);
  return [{ ...first, plus: others.map(({ path }) => path) }];
};
/** @param {readonly Spelling[][]} spellings @returns {Definition} */
const counter = (...spellings) => ({ kind: 'counter', spellings: spellings.flat() });
/** @param {readonly Spelling[][]} spellings @returns {Definition} */
const gauge = (...spellings) => ({ kind: 'gauge', spellings: spellings.flat() });
/**
 * A checkpoint figure: 8.0 moved it to a section of its own and dropped the prefix.
 * @param {string} name
 * @param {number} [scale]
 */
const checkpoint = (name, scale) => [
  ...wt('checkpoint', [name], scale),
  ...wt('transaction', [`transaction checkpoint ${name}`], scale),
];
/**
 * 8.3 split the tickets into two pools; what clients ordinarily wait for is the pool of normal
 * priority.
 * @param {'read' | 'write'} side
 * @param {string} field 7.0 and older: concurrentTransactions; 8.0: queues.execution
 */
const ticket = (side, field) => [
  ...at(`queues.execution.${side}.normalPriority.${field}`),
  ...at(`queues.execution.${side}.${field}`),
  ...at(`wiredTiger.concurrentTransactions.${side}.${field}`),
];
const HUNDREDTHS = 0.01; // 9.0 tells its thresholds in percent multiplied by 100
/**
 * 9.0 spells the two of the fill with "cache", and those of dirty and update data without.
 * @param {string} name
 */
const threshold = (name) =>
  gauge(
    wt(
      'cache',
      [
        `eviction threshold ${name} multiplied by 100 for precision`,
        `eviction threshold cache ${name} multiplied by 100 for precision`,
      ],
      HUNDREDTHS,
    ),
  );
/** Clients that wait for a ticket of one pool. @param {'read' | 'write'} side @param {string} pool */
const queued = (side, pool) => at(`queues.execution.${side}.${pool}.queueLength`);
/** @param {'read' | 'write'} side */
const delinquent = (side) =>
  at(`queues.execution.${side}.normalPriority.totalAcquisitionDelinquencyMillis`);
/** @param {string} name @returns {Spelling[]} */
const spill = (name) => [{ path: ['spillWiredTiger', 'cache', name] }];
const MIB = 2 ** 20;
/** The time moved from thread-yield to cache in 8.0 under the same name. @param {string} name */
const threadTime = (name) => [...cache(name), ...wt('thread-yield', [name])];
/**
 * One class of WiredTiger's own latency histograms. 8.0 put a class before the first, so that the
 * number of each rose by one: the label tells which it is, the number does not.
 * @param {'read' | 'write'} side
 * @param {string} label
 * @param {number} number until 7.0
 */
const latency = (side, label, number) =>
  counter(
    wt(
      'perf',
      [number + 1, number].map(
        (bucket) => `file system ${side} latency histogram (bucket ${bucket}) - ${label}`,
      ),
    ),
  );

module.exports = {
  MIB,
  wt,
  cache,
  at,
  counter,
  gauge,
  added,
  checkpoint,
  ticket,
  threshold,
  queued,
  delinquent,
  spill,
  threadTime,
  latency,
};
