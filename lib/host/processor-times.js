'use strict';

const { HostFileError } = require('./snapshot');
const { span } = require('./part');

/**
 * @import { Gathered } from './snapshot'
 */

const PATH = '/proc/stat';

/**
 * @typedef {{ busy: number, iowait: number, softirq: number, steal: number, total: number }} Times
 *   ticks since start, or shares of the time between two samples
 * @typedef {{ all: Times, each: Map<number, Times> }} Processors `each`: by number, those that are
 *   online
 */

/** @param {Gathered} snapshot @returns {Promise<Processors>} proc_stat(5) */
async function processorTimes(snapshot) {
  const lines = [...(await snapshot.text(PATH)).matchAll(/^cpu(\d*)((?: +\d+){8,})$/gm)];
  const rows = lines.map(
    ([, number, ticks]) =>
      /** @type {const} */ ([number, timesOf(ticks.trim().split(/ +/).map(Number))]),
  );
  const all = rows.find(([number]) => number === '')?.[1];
  if (all === undefined || rows.length < 2)
    throw new HostFileError(`${PATH} is not as it should be`);
  return {
    all,
    each: new Map(
      rows.filter(([number]) => number !== '').map(([number, times]) => [Number(number), times]),
    ),
  };
}

/** @param {readonly number[]} ticks guest time is in user time already @returns {Times} */
function timesOf([user, nice, system, idle, iowait, irq, softirq, steal]) {
  const busy = user + nice + system + irq + softirq + steal;
  return { busy, iowait, softirq, steal, total: busy + idle + iowait };
}

/**
 * @param {readonly Gathered[]} snapshots
 * @returns {Promise<Processors>} shares of the time between the first sample and the last one
 */
async function processorShares(snapshots) {
  const [first, last] = span(snapshots);
  const [before, after] = [await processorTimes(first), await processorTimes(last)];
  const each = [...after.each].filter(([cpu]) => before.each.has(cpu)).sort(([a], [b]) => a - b);
  return {
    all: sharesOf(before.all, after.all),
    each: new Map(
      each.map(([cpu, times]) => [
        cpu,
        sharesOf(/** @type {Times} */ (before.each.get(cpu)), times),
      ]),
    ),
  };
}

/** @param {Times} before @param {Times} after @returns {Times} */
function sharesOf(before, after) {
  const total = after.total - before.total;
  // The kernel's iowait may run backwards (proc_stat(5)); a processor that was off meanwhile has no
  // time at all.
  const share = (/** @type {'busy' | 'iowait' | 'softirq' | 'steal'} */ name) =>
    total <= 0 ? 0 : Math.min(1, Math.max(0, (after[name] - before[name]) / total));
  return {
    busy: share('busy'),
    iowait: share('iowait'),
    softirq: share('softirq'),
    steal: share('steal'),
    total,
  };
}

module.exports = { processorTimes, processorShares };
