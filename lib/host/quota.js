'use strict';

const { HostFileError } = require('./snapshot');
const { latest, span } = require('./part');
const { groupsOf, tightest, numbersIn } = require('./cgroup');

/**
 * @import { Tightest } from './cgroup'
 * @import { Subject } from './part'
 * @import { Gathered } from './snapshot'
 */

/**
 * @param {Gathered} snapshot
 * @param {Subject} subject
 * @returns {Promise<Tightest | null>} `limit`: cores' worth of time that
 *   mongod's groups allow it
 */
async function quotaOf(snapshot, subject) {
  const groups = await groupsOf(snapshot, subject, 'cpu');
  return tightest(groups, async (folder) => {
    const [quota, period] =
      groups.version === 2
        ? ((await numbersIn(snapshot, `${folder}/cpu.max`)) ?? [])
        : [
            ...((await numbersIn(snapshot, `${folder}/cpu.cfs_quota_us`)) ?? []),
            ...((await numbersIn(snapshot, `${folder}/cpu.cfs_period_us`)) ?? []),
          ];
    // NaN: the word max of version 2; -1: none in version 1.
    return quota > 0 && period > 0 ? quota / period : null;
  });
}

/**
 * @param {Gathered} snapshot
 * @param {string} folder
 * @returns {Promise<{ periods: number, throttled: number }>}
 */
async function throttleCounts(snapshot, folder) {
  const path = `${folder}/cpu.stat`;
  const text = await snapshot.text(path);
  const [periods, throttled] = ['nr_periods', 'nr_throttled'].map((name) =>
    Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1] ?? NaN),
  );
  if (!(periods >= 0 && throttled >= 0))
    throw new HostFileError(`${path} tells nothing of throttling`);
  return { periods, throttled };
}

/** Reads the counts of this moment. @param {Gathered} snapshot @param {Subject} subject */
async function snapThrottle(snapshot, subject) {
  const quota = await quotaOf(snapshot, subject);
  return quota && throttleCounts(snapshot, quota.folder);
}

/**
 * @param {readonly Gathered[]} snapshots
 * @param {Subject} subject
 * @returns {Promise<number>} share of the periods in which the quota was used up before their end
 */
async function throttledRatio(snapshots, subject) {
  const quota = await quotaOf(latest(snapshots), subject);
  if (quota === null) return 0;
  const [first, last] = span(snapshots);
  const [before, after] = [
    await throttleCounts(first, quota.folder),
    await throttleCounts(last, quota.folder),
  ];
  const periods = after.periods - before.periods;
  return periods <= 0 ? 0 : (after.throttled - before.throttled) / periods;
}

module.exports = { quotaOf, snapThrottle, throttledRatio };
