'use strict';

const { percent } = require('../../base/pure/units');
const { defineMachineRule } = require('../define-machine-rule');
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
  limits: { fullRatio: FULL_RATIO },
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
      'cpu.busyRatio': all,
      'cpu.serverRatio': own,
      'process.cpuRatio': allowed,
      'pressure.cpuShare': pressure,
      'cpu.logical': logical,
    },
    { fullRatio },
  ) {
    const others = own === undefined ? null : Math.max(0, all - own);
    const say = `${percent(all)} of the processors' time is used${usersOf(own, others, allowed)}.`;
    const evidence = {
      'cpu.busyRatio': all,
      'cpu.serverRatio': own ?? null,
      'process.cpuRatio': allowed ?? null,
      'pressure.cpuShare': pressure ?? null,
      'cpu.logical': logical ?? null,
    };
    if (all < fullRatio) return { status: 'ok', say, evidence };
    if (others === null || others >= OTHERS_RATIO * all)
      return { status: 'warning', say, evidence };
    return {
      status: 'info',
      say,
      evidence,
      advice: 'mongod itself fills the CPUs: fewer or cheaper operations, or more CPUs.',
    };
  },
});

/**
 * Who uses the CPUs, as far as it is known.
 * @param {number | undefined} own share of all CPUs
 * @param {number | null} others share of all CPUs
 * @param {number | undefined} allowed mongod's share of the CPUs it may run on
 */
function usersOf(own, others, allowed) {
  if (own !== undefined && others !== null)
    return `: ${percent(own)} by mongod, ${percent(others)} by everything else`;
  return allowed === undefined ? '' : `, and mongod uses ${percent(allowed)}`;
}
