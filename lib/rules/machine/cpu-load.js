'use strict';

const { percent } = require('../../base/pure/units');
const { defineMachineRule } = require('../rule');
const { whole } = require('../../signals/words');
const { FULL_RATIO } = require('../../signals/cpus');

// Of the busy time of a full machine: from here on most of it is not mongod's (heuristic).
const OTHERS_RATIO = 0.5;

module.exports = defineMachineRule({
  id: 'cpu-load',
  aliases: ['cpu-full'],
  area: 'machine',
  title: 'All CPUs of the machine busy',
  why:
    'mongod shares its CPUs with the system, with other programs, and often with its own clients. ' +
    'On a full machine everything in it takes longer, also what looks like a wait for the cache, ' +
    'and more eviction threads or connections only take time from each other. It matters whether ' +
    'mongod itself fills the machine, or something that could run elsewhere.',
  needs: ['cpu.busyRatio'],
  wants: ['process.cpuRatio', 'pressure.cpuShare', 'cpu.serverRatio', 'cpu.logical'],
  evidence: [
    'cpu.busyRatio',
    'cpu.serverRatio',
    'process.cpuRatio',
    'pressure.cpuShare',
    'cpu.logical',
  ],
  thresholds: { fullRatio: FULL_RATIO },
  threshold:
    `${whole(FULL_RATIO)} or more of the CPU time is used: warning. Where mongod's own share of ` +
    `the machine is known (tune.host) and is more than ${whole(OTHERS_RATIO)} of that: information.`,
  source:
    'The share is a heuristic (docs/evidence/machine.md); proc_stat(5), proc_pid_stat(5) for what ' +
    'is counted',
  advice:
    'Check what else runs on the machine, and queries without an index. Backups, agents and ' +
    'clients that make load belong on another machine. More eviction threads make it worse.',
  whenNot:
    'The CPUs are those of the whole machine: a container may have its own share of them, and ' +
    'then its limit is what counts. Nor in a test where server and clients share one machine on ' +
    'purpose.',
  speaksFor: ['cpu'],
  alongside: ['cpu'],
  check(
    {
      'cpu.busyRatio': busyRatio,
      'cpu.serverRatio': serverRatio = null,
      'process.cpuRatio': allowedRatio = null,
    },
    { fullRatio },
  ) {
    const othersRatio = serverRatio === null ? null : Math.max(0, busyRatio - serverRatio);
    const values = { busyRatio, serverRatio, othersRatio, allowedRatio };
    if (busyRatio < fullRatio) return { status: 'ok', code: 'fine', values };
    return othersRatio === null || othersRatio >= OTHERS_RATIO * busyRatio
      ? { status: 'warning', code: 'full', values }
      : { status: 'info', code: 'full-by-mongod', values };
  },
  messages: {
    fine: (values) => load(values),
    full: (values) => load(values),
    'full-by-mongod': (values) => load(values),
  },
  adviceFor: {
    'full-by-mongod': () =>
      'mongod itself fills the CPUs: fewer or cheaper operations, or more CPUs.',
  },
});

/**
 * How busy the CPUs are, and by whom, as far as it is known.
 * @param {{
 *   busyRatio: number, serverRatio: number | null, othersRatio: number | null,
 *   allowedRatio: number | null
 * }} values `allowedRatio`: mongod's share of the CPUs it may run on
 */
function load({ busyRatio, serverRatio, othersRatio, allowedRatio }) {
  const used = `${percent(busyRatio)} of CPU time is used`;
  if (serverRatio !== null)
    return `${used}: ${percent(serverRatio)} by mongod, ${percent(othersRatio)} by everything else.`;
  return allowedRatio === null ? `${used}.` : `${used}, and mongod uses ${percent(allowedRatio)}.`;
}
