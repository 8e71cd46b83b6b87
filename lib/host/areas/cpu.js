'use strict';

const { HostFileError } = require('../snapshot');
const { latest, span } = require('../part');
const { serverFile } = require('../process-files');
const { processorTimes, processorShares } = require('../processor-times');
const { processorModel } = require('../processor-model');
const { onlineIn, coresIn, allowedIn, governorsIn, frequencyDriverIn } = require('../topology');
const { quotaOf, snapThrottle, throttledRatio } = require('../quota');

/** @typedef {import('../snapshot').Look} Look @typedef {import('../part').Subject} Subject */

/**
 * The processors: how many, how busy, and how much of them mongod may have.
 * @type {import('../part').Area}
 */
const AREA = {
  snap: (look, subject) =>
    Promise.allSettled([
      processorTimes(look),
      serverTicks(look, subject),
      snapThrottle(look, subject),
    ]),
  values(looks, subject) {
    const look = latest(looks);
    const share = (/** @type {'busy' | 'iowait' | 'steal'} */ name) => async () =>
      (await processorShares(looks)).all[name];
    return {
      'cpu.logical': async () => (await onlineIn(look)).length,
      'cpu.online': () => onlineIn(look),
      'cpu.cores': () => coresIn(look),
      'cpu.threadsPerCore': async () => (await onlineIn(look)).length / (await coresIn(look)),
      'cpu.model': async () => processorModel(await look.text('/proc/cpuinfo')),
      'cpu.allowed': async () => (await allowedIn(look, subject)).length,
      'cpu.allowedBusyRatio': () => allowedBusy(looks, subject),
      'cpu.hasQuota': async () => (await quotaOf(look, subject)) !== null,
      'cpu.quotaCores': async () => ((await quotaOf(look, subject)) ?? noQuota()).limit,
      'cpu.throttledRatio': () => throttledRatio(looks, subject),
      'cpu.busyRatio': share('busy'),
      'cpu.iowaitRatio': share('iowait'),
      'cpu.stealRatio': share('steal'),
      'cpu.busyOfEach': async () =>
        [...(await processorShares(looks)).each.values()].map(({ busy }) => busy),
      'cpu.serverRatio': () => serverRatio(looks, subject),
      'cpu.governors': () => governorsIn(look),
      'cpu.frequencyDriver': () => frequencyDriverIn(look),
    };
  },
};

/** @returns {never} */
function noQuota() {
  throw new HostFileError('no quota is set');
}

/**
 * @param {readonly Look[]} looks
 * @param {Subject} subject
 * @returns {Promise<number>} how busy the processors are on which mongod may run
 */
async function allowedBusy(looks, subject) {
  const [allowed, { each }] = [
    await allowedIn(latest(looks), subject),
    await processorShares(looks),
  ];
  const shares = allowed.flatMap((cpu) => each.get(cpu)?.busy ?? []);
  if (shares.length === 0)
    throw new HostFileError('none of the processors mongod may use was on all the time');
  return shares.reduce((sum, busy) => sum + busy, 0) / shares.length;
}

/**
 * @param {Look} look
 * @param {Subject} subject
 * @returns {Promise<number>} of the user and the system, all threads: proc_pid_stat(5)
 */
async function serverTicks(look, subject) {
  const path = serverFile(subject, 'stat');
  const text = await look.text(path);
  // The name stands in brackets and may hold anything; state is the first field behind it, utime
  // and stime the 12th and 13th.
  const [user, system] = text
    .slice(text.lastIndexOf(')') + 1)
    .trim()
    .split(' ')
    .slice(11, 13)
    .map(Number);
  if (!(user >= 0 && system >= 0)) throw new HostFileError(`${path} is not as it should be`);
  return user + system;
}

/**
 * @param {readonly Look[]} looks
 * @param {Subject} subject
 * @returns {Promise<number>} ticks of mongod among those of all processors: both count the same
 *   ticks
 */
async function serverRatio(looks, subject) {
  const [first, last] = span(looks);
  const { all } = await processorShares(looks);
  if (all.total <= 0) throw new HostFileError('no time passed between the looks');
  return Math.min(
    1,
    ((await serverTicks(last, subject)) - (await serverTicks(first, subject))) / all.total,
  );
}

module.exports = AREA;
