'use strict';

const { textOf } = require('../base/own-files');
const { quote, comment, sorted, dropInOf, directiveOf } = require('./pure/script-texts');

/**
 * @import { HostFix } from '../base/types'
 */

/**
 * @typedef {{ host: string, at: Date, pid: number | null, unit: string | null }} About
 * @typedef {{ rule: string, message: string, fixes: readonly HostFix[] }} Reason
 */

/**
 * The part that is the same on every host: `one KIND TARGET TO BACK_KIND BACK_TARGET BACK_TO` handles
 * one setting. It keeps settings in three files, in which scripts of other days may have lines too.
 */
const BODY = 'lib/host/host-script.sh';

/**
 * One script for everything that is advised: it shows, sets, keeps, and takes back.
 * @param {readonly Reason[]} reasons @param {About} about
 * @returns {string} of a POSIX shell
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
 * What the script is, how to call it, and why it sets what.
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
 * What differs from host to host.
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

module.exports = { hostScript };
