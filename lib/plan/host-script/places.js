'use strict';

/** Where settings are kept over a restart; 90 comes late, so that what a distribution sets does not win. */
const SYSCTL_FILE = '/etc/sysctl.d/90-mongosh-tune.conf';
const UNIT = 'mongosh-tune-host.service';
const UNIT_FILE = `/etc/systemd/system/${UNIT}`;
const SCRIPT_FILE = '/etc/mongosh-tune-host.sh';

const UNIT_NAME = /^[\w@.:\\-]+\.service$/;

/** @param {string | null} unit @returns {{ folder: string, file: string } | null} null where mongod is no service of systemd */
function dropInOf(unit) {
  if (unit === null || !UNIT_NAME.test(unit)) return null;
  const folder = `/etc/systemd/system/${unit}.d`;
  return { folder, file: `${folder}/90-mongosh-tune.conf` };
}

const DIRECTIVES = Object.freeze(/** @type {Record<string, string>} */ ({ nofile: 'LimitNOFILE', nproc: 'LimitNPROC' }));

/** @param {string} target `nofile` @param {string} to @returns {string} as systemd writes it */
const directiveOf = (target, to) => `${DIRECTIVES[target]}=${to.replaceAll('unlimited', 'infinity')}`;

module.exports = { SYSCTL_FILE, UNIT, UNIT_FILE, SCRIPT_FILE, dropInOf, directiveOf };
