'use strict';

const { quote } = require('./quote');
const { sorted } = require('./scriptable');
const { SYSCTL_FILE, unitFileOf, dropInOf, directiveOf } = require('./persistent-files');

/**
 * @import { HostFix, HostSetting } from './host'
 */

/**
 * The commands of one finding, for a person who reads them: as root, one a line. What all findings
 * want is better set by the script of hostScript(), which looks before it writes.
 *
 * @typedef {{ rule: string, pid: number | null, unit: string | null }} About `rule`: whose finding;
 *   `pid`, `unit`: mongod's
 * @typedef {{ apply: string | null, persist: string | null, undo: string | null }} ScriptTexts null
 *   where nothing can be scripted; `undo` takes
 *   back what `persist` has written too
 */

/** @param {readonly HostFix[]} given @param {About} about @returns {ScriptTexts} */
function textsOf(given, about) {
  const { fixes } = sorted(given);
  const kept = fixes
    .filter(({ set }) => set.kind === 'sys' && isKept(set.target))
    .map(({ set }) => set);
  const others = fixes.map(({ set }) => set).filter(({ kind }) => kind !== 'sys');
  return {
    apply: joined(fixes.map(({ set }) => commandFor(set, about))),
    persist: joined([...others.map((set) => keepingOf(set, about)), ...unitFor(kept, about)]),
    undo: joined([
      ...[...fixes].reverse().map(({ back }) => commandFor(back, about)),
      ...others.map((set) => forgettingOf(set, about)),
      ...noUnitFor(kept, about),
    ]),
  };
}

/** @param {readonly (string | null)[]} lines */
function joined(lines) {
  const some = lines.filter((line) => line !== null);
  return some.length === 0 ? null : some.join('\n');
}

/** @param {HostSetting} setting @param {About} about @returns {string | null} */
function commandFor({ kind, target, to }, { pid }) {
  if (kind === 'sysctl') return `sysctl -w ${quote(`${target}=${to}`)}`;
  if (kind === 'sys') return `echo ${quote(to)} > ${quote(target)}`;
  return pid === null ? null : `prlimit --pid ${pid} --${target}=${to}`;
}

/** @param {HostSetting} setting not of kind `sys` @param {About} about @returns {string | null} */
function keepingOf({ kind, target, to }, { unit }) {
  if (kind === 'sysctl') return `echo ${quote(`${target} = ${to}`)} >> ${SYSCTL_FILE}`;
  const dropIn = dropInOf(unit, target);
  return dropIn === null
    ? null
    : `mkdir -p ${quote(dropIn.folder)} && printf '[Service]\\n%s\\n' ` +
        `${directiveOf(target, to)} > ${quote(dropIn.file)} && systemctl daemon-reload`;
}

/** @param {HostSetting} setting not of kind `sys` @param {About} about @returns {string | null} */
function forgettingOf({ kind, target }, { unit }) {
  if (kind === 'sysctl')
    return (
      `[ ! -e ${SYSCTL_FILE} ] || sed -i ` +
      `${quote(`/^${target.replaceAll('.', '\\.').replaceAll('/', '\\/')} = /d`)} ` +
      `${SYSCTL_FILE}`
    );
  const dropIn = dropInOf(unit, target);
  return dropIn === null
    ? null
    : `[ ! -e ${quote(dropIn.file)} ] || { rm ${quote(dropIn.file)} && systemctl daemon-reload; }`;
}

/**
 * A unit has a language of its own, and interrupts (below /proc) have other numbers after the next
 * start.
 * @param {string} target
 */
const isKept = (target) => target.startsWith('/sys/') && quote(target) === target;

/**
 * No file of settings reaches what lies below /sys: a unit writes it at every start of the machine.
 * @param {readonly HostSetting[]} settings
 * @param {About} about
 */
function unitFor(settings, { rule, unit }) {
  if (settings.length === 0) return [];
  const { name, file } = unitFileOf(rule);
  return [
    `cat > ${file} <<'UNIT'`,
    '[Unit]',
    `Description=${rule} of mongosh-tune`,
    'After=sys-kernel-debug.mount',
    `Before=${dropInOf(unit) === null ? 'mongod.service' : unit}`,
    '[Service]',
    'Type=oneshot',
    ...settings.map(
      ({ target, to }) => `ExecStart=/bin/sh -c 'echo ${to} > ${target.replaceAll('%', '%%')}'`,
    ),
    '[Install]',
    'WantedBy=multi-user.target',
    'UNIT',
    `systemctl daemon-reload && systemctl enable ${name}`,
  ];
}

/** @param {readonly HostSetting[]} settings @param {About} about */
function noUnitFor(settings, { rule }) {
  if (settings.length === 0) return [];
  const { name, file } = unitFileOf(rule);
  return [`[ ! -e ${file} ] || { systemctl disable ${name}; rm ${file}; }`];
}

module.exports = { textsOf };
