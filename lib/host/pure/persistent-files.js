'use strict';

/**
 * Where settings are kept over a restart. The name comes late: behind what a distribution sets, and
 * behind 99-sysctl.conf, which is /etc/sysctl.conf.
 */
const SYSCTL_FILE = '/etc/sysctl.d/99-zz-mongosh-tune.conf';
const UNITS = '/etc/systemd/system';
const UNIT = 'mongosh-tune-host.service';
const UNIT_FILE = `${UNITS}/${UNIT}`;
/** What lies below /sys, a line each, and the script that writes it at the start of the machine. */
const LIST_FILE = '/etc/mongosh-tune-host.conf';
const BOOT_FILE = '/etc/mongosh-tune-host.sh';

const UNIT_NAME = /^[\w@.:\\-]+\.service$/;

/**
 * @param {string | null} unit @param {string} [target] of one limit alone
 * @returns {{ folder: string, file: string } | null} null where mongod is no service of systemd
 */
function dropInOf(unit, target) {
  if (unit === null || !UNIT_NAME.test(unit)) return null;
  const folder = `${UNITS}/${unit}.d`;
  return {
    folder,
    file: `${folder}/90-mongosh-tune${target === undefined ? '' : `-${target}`}.conf`,
  };
}

/**
 * @param {string} rule
 * @returns {{ name: string, file: string }} of the unit that keeps what one finding sets
 */
function unitFileOf(rule) {
  const name = `mongosh-tune-${rule}.service`;
  return { name, file: `${UNITS}/${name}` };
}

const DIRECTIVES = Object.freeze(
  /** @type {Record<string, string>} */ ({ nofile: 'LimitNOFILE', nproc: 'LimitNPROC' }),
);

/** @param {string} target `nofile` @param {string} to @returns {string} as systemd writes it */
const directiveOf = (target, to) =>
  `${DIRECTIVES[target]}=${to.replaceAll('unlimited', 'infinity')}`;

module.exports = {
  SYSCTL_FILE,
  UNIT,
  UNIT_FILE,
  LIST_FILE,
  BOOT_FILE,
  dropInOf,
  unitFileOf,
  directiveOf,
};
