'use strict';

const { visible } = require('../../base/pure/printable');

/**
 * @import { HostSetting, HostFix } from '../../base/types'
 */

/**
 * Makes the commands of one finding for a person who reads them: as root, one a line. For all
 * findings together the script of hostScript() is better, since it reads before it writes.
 *
 * @typedef {{ rule: string, pid: number | null, unit: string | null }} About `rule`: the rule of
 *   the finding; `pid`, `unit`: mongod's
 * @typedef {{ apply: string | null, persist: string | null, undo: string | null }} ScriptTexts null
 *   where nothing can be scripted; `undo` takes
 *   back what `persist` has written too
 */

/**
 * Makes the commands that set, keep and revert what one finding advises.
 * @param {readonly HostFix[]} given
 * @param {About} about
 * @returns {ScriptTexts}
 */
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

/**
 * Joins the lines of a script, where there are any.
 * @param {readonly (string | null)[]} lines
 */
function joined(lines) {
  const some = lines.filter((line) => line !== null);
  return some.length === 0 ? null : some.join('\n');
}

/**
 * Makes the command that sets one setting now.
 * @param {HostSetting} setting
 * @param {About} about
 * @returns {string | null}
 */
function commandFor({ kind, target, to }, { pid }) {
  if (kind === 'sysctl') return `sysctl -w ${quote(`${target}=${to}`)}`;
  if (kind === 'sys') return `echo ${quote(to)} > ${quote(target)}`;
  return pid === null ? null : `prlimit --pid ${pid} --${target}=${to}`;
}

/**
 * Makes the command that keeps one setting over a restart.
 * @param {HostSetting} setting not of kind `sys`
 * @param {About} about
 * @returns {string | null}
 */
function keepingOf({ kind, target, to }, { unit }) {
  if (kind === 'sysctl') return `echo ${quote(`${target} = ${to}`)} >> ${SYSCTL_FILE}`;
  const dropIn = dropInOf(unit, target);
  return dropIn === null
    ? null
    : `mkdir -p ${quote(dropIn.folder)} && printf '[Service]\\n%s\\n' ` +
        `${directiveOf(target, to)} > ${quote(dropIn.file)} && systemctl daemon-reload`;
}

/**
 * Makes the command that no longer keeps the setting.
 * @param {HostSetting} setting not of kind `sys`
 * @param {About} about
 * @returns {string | null}
 */
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
 * Whether a unit can keep the setting: systemd's own syntax must not change the path, and
 * interrupts (below /proc) get other numbers at the next start.
 * @param {string} target
 */
const isKept = (target) => target.startsWith('/sys/') && quote(target) === target;

/**
 * Makes the unit that writes values below /sys at every start of the machine: no file of settings
 * reaches them.
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

/**
 * Makes the command that removes the unit.
 * @param {readonly HostSetting[]} settings
 * @param {About} about
 */
function noUnitFor(settings, { rule }) {
  if (settings.length === 0) return [];
  const { name, file } = unitFileOf(rule);
  return [`[ ! -e ${file} ] || { systemctl disable ${name}; rm ${file}; }`];
}

/**
 * Targets that a script may set: names come from the machine, and a device may have any name.
 * @type {Readonly<Record<HostSetting['kind'], RegExp>>}
 */
const TARGETS = Object.freeze({
  sysctl: /^[a-z]\w*(?:[./][\w-]+(?:[.:@-][\w-]+)*)+$/,
  sys: /^\/(?:sys|proc)\/[^=]+$/,
  limit: /^(?:nofile|nproc)$/,
});
const VALUES = Object.freeze({
  sysctl: /^[\w.,:+ \t-]*$/,
  sys: /^/,
  limit: /^(?:\d+|unlimited)(?::(?:\d+|unlimited))?$/,
});
// A control character would end the line of a script, and dots would lead a path elsewhere.
const LEADS_ELSEWHERE = /(?:^|\/)\.\.?(?:\/|$)/;
const isUsable = (/** @type {string} */ text) =>
  visible(text) === text && !LEADS_ELSEWHERE.test(text);

/** @param {HostFix} fix @returns {boolean} */
const isScriptable = ({ set, back }) =>
  [set, back].every(
    ({ kind, target, to }) =>
      TARGETS[kind]?.test(target) && VALUES[kind].test(to) && isUsable(target) && isUsable(to),
  );

/**
 * Keeps each setting once, in the order in which they are given: two rules may advise the same.
 * @param {readonly HostFix[]} fixes
 * @returns {{ fixes: HostFix[], leftOut: HostFix[] }}
 */
function sorted(fixes) {
  const seen = new Set();
  const once = fixes.filter(({ set }) => {
    const name = `${set.kind} ${set.target}`;
    return seen.has(name) ? false : seen.add(name);
  });
  return { fixes: once.filter(isScriptable), leftOut: once.filter((fix) => !isScriptable(fix)) };
}

/**
 * Settings are kept in this file over a restart. Its name sorts behind the files of a distribution
 * and 99-sysctl.conf, which is /etc/sysctl.conf. host-script.sh has the same name.
 */
const SYSCTL_FILE = '/etc/sysctl.d/99-zz-mongosh-tune.conf';
const UNITS = '/etc/systemd/system';

const UNIT_NAME = /^[\w@.:\\-]+\.service$/;

/**
 * Names the drop-in of mongod's unit that holds its limits.
 * @param {string | null} unit
 * @param {string} [target] only this limit
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
 * Names the unit that writes settings below /sys at every start.
 * @param {string} rule
 * @returns {{ name: string, file: string }} the unit that keeps what one finding sets
 */
function unitFileOf(rule) {
  const name = `mongosh-tune-${rule}.service`;
  return { name, file: `${UNITS}/${name}` };
}

const DIRECTIVES = Object.freeze(
  /** @type {Record<string, string>} */ ({ nofile: 'LimitNOFILE', nproc: 'LimitNPROC' }),
);

/** @param {string} target `nofile` @param {string} to @returns {string} a line in systemd's form */
const directiveOf = (target, to) =>
  `${DIRECTIVES[target]}=${to.replaceAll('unlimited', 'infinity')}`;

const PLAIN = /^[\w./:=,+@%-]+$/;

/**
 * Quotes a text as one word of a POSIX shell, whatever it contains.
 * @param {string} text
 * @returns {string}
 */
const quote = (text) => (PLAIN.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

/**
 * Makes a text safe for a comment: it must not end the line.
 * @param {string} text
 * @returns {string}
 */
const comment = (text) => visible(text.replace(/[\r\n]+/g, ' '));

module.exports = { textsOf, sorted, dropInOf, directiveOf, quote, comment };
