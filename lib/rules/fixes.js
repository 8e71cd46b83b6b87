'use strict';

/**
 * @import { HostFix } from '../host/pure/host'
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
  'a disk may have another name after the next start: to keep it, a udev rule that knows the ' +
  'disk is safer';

module.exports = { setSysctl, writeFile, NAMES_CHANGE };
