'use strict';

const { many } = require('../base/pure/units');
const { callText } = require('../base/pure/printable');
const { SETTINGS } = require('./setting-table');
const { WORD, callLines, firstLine, marked, noteLines, part } = require('../text/layout');
const { wrap } = require('../text/wrap');

/**
 * @import { Ink } from '../base/types'
 * @import { Drift } from './drift'
 */

/**
 * @typedef {{
 *   host: string | null, version: string | null, file: string | null, fileRead: boolean,
 *   comparedWith: readonly string[], drift: readonly Drift[], notes: readonly string[]
 * }} Drifted
 */

/** The indentation of a remark's text. */
const INDENT = ' '.repeat(WORD);
/**
 * The headings of the parts, the names of the two values, and what to do.
 * @type {readonly { kind: Drift['kind'], head: string, other: string, todo: string }[]}
 */
const PARTS = Object.freeze([
  {
    kind: 'file',
    head: 'mongod.conf differs from the options the server was started with',
    other: 'in the file',
    todo: 'The file takes effect at the next start. Correct it, or restart the server.',
  },
  {
    kind: 'command-line',
    head: 'Options on the command line differ from mongod.conf',
    other: 'in the file',
    todo: 'The command line wins. Keep each option in one place.',
  },
  {
    kind: 'runtime',
    head: 'Set at run time, lost at the next restart',
    other: 'at start',
    todo:
      'Keep: tune.mongodConf() prints the lines. Revert: tune.undo() where tune set it, else ' +
      'tune.apply() with the value at start; other parameters with setParameter.',
  },
  {
    kind: 'members',
    head: 'Other members have other values',
    other: 'there',
    todo: 'After an election the set behaves differently. Give all members the same values.',
  },
]);

/**
 * @param {Drifted} data
 * @param {Ink} ink
 * @returns {string} the drift by kind, each value beside the other one
 */
function renderDrift(data, ink) {
  const { drift, notes } = data;
  return [
    firstLine(data, '', ink),
    ...part('COMPARED', against(data), ink),
    ...part(
      'DRIFT',
      drift.length === 0 ? 'none' : many(drift.length, 'difference'),
      ink,
      drift.length === 0 ? 'good' : 'warn',
    ),
    ...PARTS.flatMap((part) =>
      partLines(
        part,
        drift.filter(({ kind }) => kind === part.kind),
        ink,
      ),
    ),
    ...noteLines(notes, ink),
  ].join('\n');
}

/** @param {Drifted} data */
function against({ file, fileRead, comparedWith }) {
  const others =
    comparedWith.length === 0
      ? []
      : [`${comparedWith.length} other ${comparedWith.length === 1 ? 'member' : 'members'}`];
  const files = fileRead ? [String(file)] : [];
  return `running settings with ${inWords(['start-up options', ...files, ...others])}`;
}

/** @param {readonly string[]} names @returns {string} `a, b and c` */
const inWords = (names) =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;

/**
 * @param {typeof PARTS[0]} part
 * @param {readonly Drift[]} rows
 * @param {Ink} ink
 * @returns {string[]}
 */
function partLines({ kind, head, other, todo }, rows, ink) {
  if (rows.length === 0) return [];
  return [
    ...marked('warning', head, ink),
    ...rows.flatMap(({ name, running, other: value, hosts }) =>
      wrap(
        `${name}: running ${running}, ${hosts.length === 0 ? other : `on ${hosts.join(', ')}:`} ` +
          value,
        `${INDENT}  `,
        INDENT,
      ),
    ),
    ...wrap(`→ ${todo}`, `${INDENT}  `, INDENT),
    ...callLines([['Dry run', kind === 'runtime' ? revertCall(rows) : null]], ink),
  ];
}

/**
 * Makes the call that restores the values at start, where all of them are plain numbers.
 * @param {readonly Drift[]} rows
 * @returns {string | null} a call for a dry run
 */
function revertCall(rows) {
  const own = rows.filter(({ name }) => Object.hasOwn(SETTINGS, name));
  return own.length === 0 || own.some(({ other }) => !/^\d+%?$/.test(other))
    ? null
    : callText('apply', Object.fromEntries(own.map(({ name, other }) => [name, parseInt(other)])));
}

module.exports = { renderDrift };
