'use strict';

/**
 * @import { HostFix, Limit } from '../host/pure/host'
 */

/** A limit of mongod's process as a setting, `soft:hard` as prlimit and systemd take it. */

// MongoDB manual, UNIX ulimit settings: open files and processes/threads.
const RECOMMENDED = 64000;
// Share of a limit in use from which the next wave of connections may meet it; ours.
const NEAR_RATIO = 0.8;

/** @param {number | null} n */
const word = (n) => (n === null ? 'unlimited' : String(n));

/**
 * @param {'nofile' | 'nproc'} target
 * @param {Limit} limit
 * @param {number} soft wanted
 * @returns {HostFix}
 */
function raiseLimit(target, limit, soft) {
  const hard = limit.hard === null ? null : Math.max(limit.hard, soft);
  return {
    set: { kind: 'limit', target, to: `${soft}:${word(hard)}` },
    back: { kind: 'limit', target, to: `${word(limit.soft)}:${word(limit.hard)}` },
    note:
      'Holds for the running process; to keep it, set it in the systemd unit (LimitNOFILE, ' +
      'LimitNPROC) and not only in limits.conf, which services do not read.',
  };
}

/** @param {number | undefined} used @param {Limit} limit @returns {boolean} */
const isNear = (used, { soft }) => used !== undefined && soft !== null && used >= NEAR_RATIO * soft;

module.exports = { raiseLimit, isNear, RECOMMENDED, NEAR_RATIO };
