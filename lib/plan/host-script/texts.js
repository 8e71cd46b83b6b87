'use strict';

const { quote } = require('./quote');
const { sorted } = require('./scriptable');
const { SYSCTL_FILE, dropInOf, directiveOf } = require('./places');

/**
 * The commands of one finding, for a person who reads them: as root, one a line.
 *
 * @typedef {import('../../model/host').HostFix} HostFix
 * @typedef {import('../../model/host').HostSetting} HostSetting
 * @typedef {{ pid: number | null, unit: string | null }} Process
 * @typedef {{ apply: string | null, persist: string | null, undo: string | null }} ScriptTexts null where nothing can be scripted
 */

/** @param {readonly HostFix[]} given @param {Process} process @returns {ScriptTexts} */
function textsOf(given, process) {
  const { fixes } = sorted(given);
  return {
    apply: joined(fixes.map(({ set }) => commandFor(set, process))),
    persist: joined(fixes.map(({ set }) => keepingOf(set, process))),
    undo: joined([...fixes].reverse().map(({ back }) => commandFor(back, process))),
  };
}

/** @param {readonly (string | null)[]} lines */
function joined(lines) {
  const some = lines.filter((line) => line !== null);
  return some.length === 0 ? null : some.join('\n');
}

/** @param {HostSetting} setting @param {Process} process @returns {string | null} */
function commandFor({ kind, target, to }, { pid }) {
  if (kind === 'sysctl') return `sysctl -w ${quote(`${target}=${to}`)}`;
  if (kind === 'sys') return `echo ${quote(to)} > ${quote(target)}`;
  return pid === null ? null : `prlimit --pid ${pid} --${target}=${to}`;
}

/** @param {HostSetting} setting @param {Process} process @returns {string | null} */
function keepingOf({ kind, target, to }, { unit }) {
  if (kind === 'sysctl') return `echo ${quote(`${target} = ${to}`)} >> ${SYSCTL_FILE}`;
  // No file of settings reaches it: a unit does, which tune.host().script() writes.
  if (kind === 'sys') return null;
  const dropIn = dropInOf(unit);
  return dropIn === null ? null : `mkdir -p ${quote(dropIn.folder)} && printf '[Service]\\n%s\\n' ${directiveOf(target, to)} > ${quote(dropIn.file)} && systemctl daemon-reload`;
}

module.exports = { textsOf };
