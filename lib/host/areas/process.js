'use strict';

const { HostFileError, latest } = require('../snapshot');
const { serverFile, statusIn } = require('../process-files');

/**
 * @import { Area } from '../snapshot'
 * @import { Limit } from '../pure/host'
 */

/** The limits of mongod's process, and what it uses of them. @type {Area} */
const AREA = {
  values(snapshots, subject) {
    const snapshot = latest(snapshots);
    const limit = (/** @type {string} */ name) => async () =>
      limitIn(await snapshot.text(serverFile(subject, 'limits')), name);
    return {
      'process.files': limit('Max open files'),
      'process.processes': limit('Max processes'),
      'process.openFiles': async () => (await snapshot.list(serverFile(subject, 'fd'))).length,
      'process.threads': async () => {
        const { Threads: threads } = await statusIn(snapshot, serverFile(subject, 'status'));
        return threads === undefined ? undefined : Number(threads);
      },
      'process.maps': async () =>
        (await snapshot.text(serverFile(subject, 'maps'))).trim().split('\n').length,
      'process.unit': async () => unitIn(await snapshot.text(serverFile(subject, 'cgroup'))),
    };
  },
};

/**
 * Reads one limit of the process.
 * @param {string} text proc_pid_limits(5)
 * @param {string} name
 * @returns {Limit}
 */
function limitIn(text, name) {
  const [, soft, hard] =
    new RegExp(`^${name} +(\\d+|unlimited) +(\\d+|unlimited)`, 'm').exec(text) ?? [];
  if (soft === undefined)
    throw new HostFileError(`the limits of the process do not list "${name}"`);
  const toNumber = (/** @type {string} */ word) => (word === 'unlimited' ? null : Number(word));
  return { soft: toNumber(soft), hard: toNumber(hard) };
}

/**
 * @param {string} cgroup
 * @returns {string | undefined} the systemd unit in which it runs; the unit of a user's manager
 *   does not count
 */
const unitIn = (cgroup) =>
  [...cgroup.matchAll(/([^/\n]+\.service)(?=\/|$)/gm)]
    .map(([, unit]) => unit)
    .findLast((unit) => !unit.startsWith('user@'));

module.exports = AREA;
