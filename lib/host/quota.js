'use strict';

const { HostFileError } = require('./snapshot');
const { latest, span } = require('./part');
const { groupsOf, tightest, numbersIn } = require('./cgroup');

/** @typedef {import('./snapshot').Look} Look @typedef {import('./part').Subject} Subject */

/**
 * @param {Look} look
 * @param {Subject} subject
 * @returns {Promise<import('./cgroup').Tightest | null>} `limit`: cores' worth of time that
 *   mongod's groups allow it
 */
async function quotaOf(look, subject) {
  const groups = await groupsOf(look, subject, 'cpu');
  return tightest(groups, async (folder) => {
    const [quota, period] =
      groups.version === 2
        ? ((await numbersIn(look, `${folder}/cpu.max`)) ?? [])
        : [
            ...((await numbersIn(look, `${folder}/cpu.cfs_quota_us`)) ?? []),
            ...((await numbersIn(look, `${folder}/cpu.cfs_period_us`)) ?? []),
          ];
    // NaN: the word max of version 2; -1: none in version 1.
    return quota > 0 && period > 0 ? quota / period : null;
  });
}

/**
 * @param {Look} look
 * @param {string} folder
 * @returns {Promise<{ periods: number, throttled: number }>}
 */
async function throttleCounts(look, folder) {
  const path = `${folder}/cpu.stat`;
  const text = await look.text(path);
  const [periods, throttled] = ['nr_periods', 'nr_throttled'].map((name) =>
    Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1] ?? NaN),
  );
  if (!(periods >= 0 && throttled >= 0))
    throw new HostFileError(`${path} tells nothing of throttling`);
  return { periods, throttled };
}

/** Reads the counts of this moment. @param {Look} look @param {Subject} subject */
async function snapThrottle(look, subject) {
  const quota = await quotaOf(look, subject);
  return quota && throttleCounts(look, quota.folder);
}

/**
 * @param {readonly Look[]} looks
 * @param {Subject} subject
 * @returns {Promise<number>} share of the periods in which the quota was used up before their end
 */
async function throttledRatio(looks, subject) {
  const quota = await quotaOf(latest(looks), subject);
  if (quota === null) return 0;
  const [first, last] = span(looks);
  const [before, after] = [
    await throttleCounts(first, quota.folder),
    await throttleCounts(last, quota.folder),
  ];
  const periods = after.periods - before.periods;
  return periods <= 0 ? 0 : (after.throttled - before.throttled) / periods;
}

module.exports = { quotaOf, snapThrottle, throttledRatio };
