'use strict';

const { textOf } = require('../base/own-files');
const { quote, comment, sorted, dropInOf, directiveOf } = require('./pure/script-texts');
const { visible } = require('../base/pure/printable');
const { COMMANDS } = require('./root-files');

/**
 * @import { HostFix } from '../base/types'
 */

/**
 * Makes scripts for the machine of a server: one records it, one applies fixes. tune runs neither
 * of them.
 */

/** The part of the script that is the same for every server. */
const COLLECT = 'lib/host/collect.sh';

/**
 * The values that the connected server reports; with them the script finds it among several.
 * @typedef {{
 *   host: string | null, port: number | null, dbPath: string | null, version: string | null,
 *   cacheBytes: number | null
 * }} Preset
 */

/**
 * Makes the script that records a machine on which mongosh does not run.
 * @param {Preset} preset
 * @returns {string} a POSIX shell script that prints one JSON document, which host-file.js reads
 */
function collectingScript({ host, port, dbPath, version, cacheBytes }) {
  const line = (/** @type {string} */ text) => text.replace(/[^\x20-\x7e]+/g, '?');
  return `${[
    '#!/bin/sh',
    '# Writes host facts from Linux files, for a machine with ' +
      `mongod${host === null ? '' : ` (${line(host)})`} into one JSON document, for ` +
      'tune.host({ file }).',
    '# It needs no root (the user of mongod sees more), changes nothing, and sends nothing:',
    '#   sh tune-host-collect.sh > host.json        two samples, 1 s apart; add a number of ' +
      'seconds for more',
    '#   PID=1234 sh tune-host-collect.sh           selects one of several mongod; PORT= ' +
      'and DBPATH= work too',
    '# It omits passwords in arguments and configuration files. Of the environment it reads ' +
      'only GLIBC_TUNABLES.',
    '',
    '# Patterns and the program of awk are no text of the shell; what ls lists are numbers.',
    '# shellcheck disable=SC2016,SC2012',
    `WANTED_PORT=${port ?? ''}`,
    `WANTED_DBPATH=${quote(isPrintable(dbPath) ? dbPath : '')}`,
    `VERSION=${quote(isPrintable(version) ? version : '')}`,
    `CACHE_BYTES=${cacheBytes ?? ''}`,
    '',
    'commands() {',
    ...Object.entries(COMMANDS).map(
      ([name, args]) => `  run ${[name, ...args].map(quote).join(' ')}`,
    ),
    '}',
    '',
    textOf(COLLECT),
  ].join('\n')}`;
}

/**
 * Whether a text has no control characters, which would move the reader's cursor.
 * @param {string | null} text
 * @returns {text is string}
 */
const isPrintable = (text) => text !== null && visible(text) === text;

/**
 * @typedef {{ host: string, at: Date, pid: number | null, unit: string | null }} About
 * @typedef {{ rule: string, message: string, fixes: readonly HostFix[] }} Reason
 */

/**
 * The part of the script that is the same on every host: `one KIND TARGET TO BACK_KIND BACK_TARGET
 * BACK_TO` handles one setting. It keeps settings in three files, which may also have lines of
 * earlier scripts.
 */
const BODY = 'lib/host/host-script.sh';

/**
 * Makes one script for all advised settings: it shows, sets, keeps, and reverts them.
 * @param {readonly Reason[]} reasons @param {About} about
 * @returns {string} a POSIX shell script
 */
function hostScript(reasons, about) {
  const { fixes, leftOut } = sorted(reasons.flatMap((reason) => reason.fixes));
  const start = [
    ...head(reasons, about),
    ...leftOut.map(
      ({ set }) =>
        '# Omitted, because its name or value is not safe in a script: ' +
        `${comment(JSON.stringify(`${set.target} = ${set.to}`))}`,
    ),
    '',
  ];
  if (fixes.length === 0)
    return `${[...start, "echo 'No recommended setting can be set by a script.'"].join('\n')}\n`;
  return `${[
    ...start,
    'set -u',
    'LC_ALL=C',
    'export LC_ALL',
    '',
    ...variables(fixes, about),
    '',
    '# Names are taken as they are.',
    '# shellcheck disable=SC2016',
    'settings() {',
    ...lines(fixes, true),
    '}',
    '',
    '# shellcheck disable=SC2016',
    'settings_backwards() {',
    ...lines([...fixes].reverse()),
    '}',
    '',
    textOf(BODY),
  ].join('\n')}`;
}

/**
 * Explains what the script is, how to call it, and why it sets what.
 * @param {readonly Reason[]} reasons
 * @param {About} about
 */
function head(reasons, { host, at }) {
  return [
    '#!/bin/sh',
    `# Settings of the operating system for mongod on ${comment(host)}, recommended by ` +
      `mongosh-tune on ${at.toISOString()}.`,
    '# Read it before you run it.',
    '#',
    '#   sh tune-host.sh            shows current and recommended values; changes nothing',
    '#   sh tune-host.sh --apply    sets them now, until the next boot',
    '#   sh tune-host.sh --persist  makes them permanent: sysctl.d, a systemd unit, ' +
      'limits of the service',
    '#   sh tune-host.sh --undo     reverts both, in reverse order',
    '#',
    '# It restarts nothing (not even mongod), changes no data, and does not use sudo.',
    '# Why:',
    ...reasons
      .filter(({ fixes }) => fixes.length > 0)
      .map(({ rule, message }) => `#   ${comment(rule)}: ${comment(message)}`),
  ];
}

/**
 * Writes the part that differs from host to host.
 * @param {readonly HostFix[]} fixes
 * @param {About} about
 */
function variables(fixes, { pid, unit }) {
  const limits = fixes
    .filter(({ set }) => set.kind === 'limit')
    .map(({ set }) => directiveOf(set.target, set.to));
  return [
    `PID=${pid ?? ''}`,
    `DROP_IN=${quote(dropInOf(unit)?.file ?? '')}`,
    `BEFORE=${quote(dropInOf(unit) === null ? 'mongod.service' : (unit ?? ''))}`,
    `LIMITS=${quote(limits.join(' '))}`,
  ].map((line) => line.replace(/=''$/, '='));
}

/** @param {readonly HostFix[]} fixes @param {boolean} [withNotes] */
const lines = (fixes, withNotes = false) =>
  fixes.flatMap(({ set, back, note }) => [
    ...(withNotes && note !== undefined ? [`  # ${comment(note)}`] : []),
    `  one ${[set.kind, set.target, set.to, back.kind, back.target, back.to].map(quote).join(' ')}`,
  ]);

module.exports = { hostScript, collectingScript };
