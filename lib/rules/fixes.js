'use strict';

/**
 * @import { Limit } from '../host/pure/host'
 * @import { HostFix } from '../base/types'
 */

/**
 * @param {string} target `vm.swappiness`
 * @param {string | number} to
 * @param {string | number} from
 * @returns {HostFix}
 */
const setSysctl = (target, to, from) => ({
  set: { kind: 'sysctl', target, to: `${to}` },
  back: { kind: 'sysctl', target, to: `${from}` },
});

/**
 * @param {string} target a file below /sys or /proc
 * @param {string | number} to
 * @param {string | number} from
 * @returns {HostFix}
 */
const writeFile = (target, to, from) => ({
  set: { kind: 'sys', target, to: `${to}` },
  back: { kind: 'sys', target, to: `${from}` },
});

/** Beside a setting of a disk. */
const NAMES_CHANGE =
  'disk names can change at the next boot: to persist the value, use a udev rule that ' +
  'identifies the disk';

// MongoDB manual, UNIX ulimit settings: open files and processes/threads.
const RECOMMENDED = 64000;
// Share of a limit in use from which the next wave of connections may meet it; heuristic.
const NEAR_RATIO = 0.8;

/** @param {number | null} n */
const limitText = (n) => (n === null ? 'unlimited' : String(n));

/**
 * @param {'nofile' | 'nproc'} target
 * @param {Limit} limit
 * @param {number} soft wanted
 * @returns {HostFix}
 */
function raiseLimit(target, limit, soft) {
  const hard = limit.hard === null ? null : Math.max(limit.hard, soft);
  return {
    set: { kind: 'limit', target, to: `${soft}:${limitText(hard)}` },
    back: { kind: 'limit', target, to: `${limitText(limit.soft)}:${limitText(limit.hard)}` },
    note:
      'Applies to the running process. To persist it, set LimitNOFILE or LimitNPROC in the ' +
      'systemd unit; services do not read limits.conf.',
  };
}

/** Whether the limit may soon be met. @param {number | null} used @param {Limit} limit */
const isNear = (used, { soft }) => used !== null && soft !== null && used >= NEAR_RATIO * soft;

module.exports = {
  setSysctl,
  writeFile,
  NAMES_CHANGE,
  raiseLimit,
  isNear,
  RECOMMENDED,
  NEAR_RATIO,
};
