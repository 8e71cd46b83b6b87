'use strict';

const { parseCpuList } = require('./pure/cpu-list');
const { HostFileError } = require('./snapshot');
const { ifThere, serverFile, statusIn } = require('./process-files');
const { processorTimes } = require('./processor-times');

/**
 * @import { Subject } from './part'
 * @import { Governor } from './pure/host'
 * @import { Gathered } from './snapshot'
 */

const FOLDER = '/sys/devices/system/cpu';

/** @param {Gathered} snapshot @returns {Promise<number[]>} the numbers of those that are online */
const onlineIn = async (snapshot) =>
  [...(await processorTimes(snapshot)).each.keys()].sort((a, b) => a - b);

/**
 * @param {Gathered} snapshot
 * @returns {Promise<number>} threads of one core have the same list of siblings
 */
async function coresIn(snapshot) {
  const siblings = (/** @type {number} */ cpu) =>
    snapshot.text(`${FOLDER}/cpu${cpu}/topology/thread_siblings_list`);
  return new Set(await Promise.all((await onlineIn(snapshot)).map(siblings))).size;
}

/**
 * @param {Gathered} snapshot
 * @param {Subject} subject
 * @returns {Promise<number[]>} where mongod may run
 */
async function allowedIn(snapshot, subject) {
  const path = serverFile(subject, 'status');
  const allowed = parseCpuList((await statusIn(snapshot, path)).Cpus_allowed_list ?? '');
  if (allowed === null || allowed.length === 0)
    throw new HostFileError(`${path} names no processors`);
  return (await onlineIn(snapshot)).filter((cpu) => allowed.includes(cpu));
}

/**
 * @param {Gathered} snapshot
 * @returns {Promise<Governor[]>} none where the system does not set the
 *   clock: in most virtual machines, on IBM Z
 */
async function governorsIn(snapshot) {
  const policies = ((await ifThere(snapshot.list(`${FOLDER}/cpufreq`))) ?? []).filter((name) =>
    /^policy\d+$/.test(name),
  );
  // Linux 3.10 has them with each processor.
  const folders =
    policies.length > 0
      ? policies.map((name) => `${FOLDER}/cpufreq/${name}`)
      : (await onlineIn(snapshot)).map((cpu) => `${FOLDER}/cpu${cpu}/cpufreq`);
  const found = await Promise.all(
    folders.map(async (folder) => {
      const target = `${folder}/scaling_governor`;
      const text = await ifThere(snapshot.text(target));
      return text === null ? [] : [{ target, governor: text.trim() }];
    }),
  );
  return found.flat();
}

/** @param {Gathered} snapshot @returns {Promise<string | undefined>} `intel_pstate` */
async function frequencyDriverIn(snapshot) {
  const [first] = await governorsIn(snapshot);
  return first && (await snapshot.text(first.target.replace(/governor$/, 'driver'))).trim();
}

module.exports = { onlineIn, coresIn, allowedIn, governorsIn, frequencyDriverIn };
