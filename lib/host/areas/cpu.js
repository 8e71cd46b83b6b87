'use strict';

const { HostFileError, latest, span } = require('../snapshot');
const { serverFile, groupsOf, tightest, numbersIn } = require('../process-files');
const {
  processorTimes,
  processorShares,
  processorModel,
  onlineIn,
  coresIn,
  allowedIn,
  governorsIn,
  frequencyDriverIn,
} = require('../cpus');

/**
 * @import { Area, Gathered, Subject } from '../snapshot'
 * @import { Tightest } from '../process-files'
 */

/**
 * The CPUs: how many there are, how busy they are, and how much of them mongod may use.
 * @type {Area}
 */
const AREA = {
  snap: (snapshot, subject) =>
    Promise.allSettled([
      processorTimes(snapshot),
      serverTicks(snapshot, subject),
      snapThrottle(snapshot, subject),
    ]),
  values(snapshots, subject) {
    const snapshot = latest(snapshots);
    const share = (/** @type {'busy' | 'iowait' | 'steal'} */ name) => async () =>
      (await processorShares(snapshots)).all[name];
    return {
      'cpu.logical': async () => (await onlineIn(snapshot)).length,
      'cpu.online': () => onlineIn(snapshot),
      'cpu.cores': () => coresIn(snapshot),
      'cpu.threadsPerCore': async () =>
        (await onlineIn(snapshot)).length / (await coresIn(snapshot)),
      'cpu.model': async () => processorModel(await snapshot.text('/proc/cpuinfo')),
      'cpu.allowed': async () => (await allowedIn(snapshot, subject)).length,
      'cpu.allowedBusyRatio': () => allowedBusy(snapshots, subject),
      'cpu.hasQuota': async () => (await quotaOf(snapshot, subject)) !== null,
      'cpu.quotaCores': async () => ((await quotaOf(snapshot, subject)) ?? noQuota()).limit,
      'cpu.throttledRatio': () => throttledRatio(snapshots, subject),
      'cpu.busyRatio': share('busy'),
      'cpu.iowaitRatio': share('iowait'),
      'cpu.stealRatio': share('steal'),
      'cpu.busyOfEach': async () =>
        [...(await processorShares(snapshots)).each.values()].map(({ busy }) => busy),
      'cpu.serverRatio': () => serverRatio(snapshots, subject),
      'cpu.governors': () => governorsIn(snapshot),
      'cpu.frequencyDriver': () => frequencyDriverIn(snapshot),
    };
  },
};

/**
 * Explains why the number of cores is unknown.
 * @returns {never}
 */
function noQuota() {
  throw new HostFileError('no quota is set');
}

/**
 * Computes how busy the CPUs are that mongod may use.
 * @param {readonly Gathered[]} snapshots
 * @param {Subject} subject
 * @returns {Promise<number>} the mean over those CPUs
 */
async function allowedBusy(snapshots, subject) {
  const [allowed, { each }] = [
    await allowedIn(latest(snapshots), subject),
    await processorShares(snapshots),
  ];
  const shares = allowed.flatMap((cpu) => each.get(cpu)?.busy ?? []);
  if (shares.length === 0)
    throw new HostFileError('no CPU allowed for mongod was online all the time');
  return shares.reduce((sum, busy) => sum + busy, 0) / shares.length;
}

/**
 * Reads mongod's own CPU time since it started.
 * @param {Gathered} snapshot
 * @param {Subject} subject
 * @returns {Promise<number>} ticks in user and kernel mode, of all threads: proc_pid_stat(5)
 */
async function serverTicks(snapshot, subject) {
  const path = serverFile(subject, 'stat');
  const text = await snapshot.text(path);
  // The name is in brackets and may contain anything; state is the first field behind it, utime and
  // stime the 12th and 13th.
  const [user, system] = text
    .slice(text.lastIndexOf(')') + 1)
    .trim()
    .split(' ')
    .slice(11, 13)
    .map(Number);
  if (!(user >= 0 && system >= 0)) throw new HostFileError(`${path} has an unexpected format`);
  return user + system;
}

/**
 * Computes mongod's share of the time of all CPUs.
 * @param {readonly Gathered[]} snapshots
 * @param {Subject} subject
 * @returns {Promise<number>} the ticks of mongod divided by those of all CPUs
 */
async function serverRatio(snapshots, subject) {
  const [first, last] = span(snapshots);
  const { all } = await processorShares(snapshots);
  if (all.total <= 0) throw new HostFileError('no time passed between the samples');
  return Math.min(
    1,
    ((await serverTicks(last, subject)) - (await serverTicks(first, subject))) / all.total,
  );
}

/**
 * Finds the tightest CPU quota of mongod's control groups.
 * @param {Gathered} snapshot
 * @param {Subject} subject
 * @returns {Promise<Tightest | null>} `limit`: the quota, in cores
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
    // NaN: the word max of version 2; -1: no quota in version 1.
    return quota > 0 && period > 0 ? quota / period : null;
  });
}

/**
 * Counts how often a quota was used up, since the group was made.
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
    throw new HostFileError(`${path} does not report throttling`);
  return { periods, throttled };
}

/** Reads the counts at a sample. @param {Gathered} snapshot @param {Subject} subject */
async function snapThrottle(snapshot, subject) {
  const quota = await quotaOf(snapshot, subject);
  return quota && throttleCounts(snapshot, quota.folder);
}

/**
 * Computes how often the quota was used up between the first and the last sample.
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

module.exports = AREA;
