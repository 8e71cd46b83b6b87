'use strict';

const { percent, shortPercent } = require('../../base/pure/units');
const { defineMachineRule } = require('../rule');
const { FULL_RATIO } = require('../../signals/cpus');
const { sources, man, measured } = require('../sources');

// On a full machine most of the busy time is not mongod's from this share on (heuristic).
const OTHERS_RATIO = 0.5;
const OTHERS =
  'Other programs use the CPU time: move backups, agents and load generators to another machine.';
const UNKNOWN_USER =
  'Check what else runs on the machine: move backups, agents and load generators to another ' +
  'one. If mongod itself uses most of it, tune.who() names the queries.';

module.exports = defineMachineRule({
  id: 'cpu-load',
  aliases: ['cpu-full'],
  area: 'machine',
  title: 'All CPUs of the machine busy',
  why:
    'mongod shares its CPUs with the system, other programs, and often its own clients. With ' +
    'all CPUs busy, everything takes longer, also what looks like a wait for the cache. More ' +
    'eviction threads or connections only compete for CPU time.',
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
    `Warning: ${shortPercent(FULL_RATIO)} or more of CPU time used. Information instead, if mongod ` +
    `alone uses more than ${shortPercent(OTHERS_RATIO)} of that (tune.host only).`,
  source: sources(measured('machine'), man('proc_stat', 5), man('proc_pid_stat', 5)),
  advice: UNKNOWN_USER,
  whenNot:
    'The CPUs are those of the whole machine: for a container its own limit counts. Not in a ' +
    'test that runs server and clients on one machine.',
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
    full: ({ busyRatio, othersRatio, allowedRatio }) =>
      othersRatio !== null || (allowedRatio ?? busyRatio) < OTHERS_RATIO * busyRatio
        ? OTHERS
        : UNKNOWN_USER,
    'full-by-mongod': () =>
      'mongod itself uses the CPU time: tune.who() names the queries. Reduce operations or their ' +
      'cost, or add CPUs.',
  },
});

/**
 * Says how busy the CPUs are, and which processes cause that, as far as it is known.
 * @param {{
 *   busyRatio: number, serverRatio: number | null, othersRatio: number | null,
 *   allowedRatio: number | null
 * }} values `allowedRatio`: mongod's share of the CPUs it may run on
 */
function load({ busyRatio, serverRatio, othersRatio, allowedRatio }) {
  const used = `${percent(busyRatio)} of CPU time used`;
  if (serverRatio !== null)
    return `${used}: ${percent(serverRatio)} by mongod, ${percent(othersRatio)} by other programs.`;
  return allowedRatio === null ? `${used}.` : `${used}, ${percent(allowedRatio)} by mongod.`;
}
