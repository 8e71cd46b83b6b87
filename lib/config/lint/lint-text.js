'use strict';

const { many } = require('../../base/pure/units');
const { visible } = require('../../base/pure/printable');
const { WORD, headed, marked } = require('../../text/layout');
const { MIN, wrap } = require('../../text/wrap');

/**
 * @import { Ink } from '../../base/types'
 */

/**
 * @typedef {{
 *   level: string, key: string | null, say: string, position: number | null, todo: string,
 *   line: number | null
 * }} Problem
 */

/** The indentation of a remark's text. */
const INDENT = ' '.repeat(WORD);
/** A longer line does not fit beside the number of the line. */
const WIDEST = MIN - WORD - 8;

/**
 * @param {{
 *   ok: boolean, problems: readonly Problem[], version: string, kind: string, file: string | null
 * }} data
 * @param {string} content the checked text
 * @param {Ink} ink
 * @returns {string}
 */
function renderLint({ ok, problems, version, kind, file }, content, ink) {
  const errors = problems.filter(({ level }) => level === 'error').length;
  const what = file ?? (kind === 'file' ? 'mongod.conf' : 'configuration string');
  return [
    `${ink(visible(what), 'strong')}  for MongoDB ${visible(version)}`,
    headed('RESULT', ink) +
      (ok ? ink('valid', 'good') : ink('not valid', 'bad')) +
      counts(errors, problems.length - errors),
    ...problems.flatMap((problem) => [...excerpt(content, problem, ink), ...words(problem, ink)]),
  ].join('\n');
}

/** @param {number} errors @param {number} warnings */
function counts(errors, warnings) {
  const parts = [
    ...(errors > 0 ? [many(errors, 'error')] : []),
    ...(warnings > 0 ? [many(warnings, 'warning')] : []),
  ];
  return parts.length === 0 ? ', no warnings' : `, ${parts.join(', ')}`;
}

/** @param {Problem} problem @param {Ink} ink */
const words = ({ level, say, todo }, ink) => [
  ...marked(level === 'error' ? 'error' : 'warning', `${say}.`, ink),
  ...wrap(`→ ${todo}`, ' '.repeat(WORD + 2), ' '.repeat(WORD)),
];

/**
 * Prints the line with a mark under the place of the problem.
 * @param {string} content
 * @param {Problem} problem
 * @param {Ink} ink
 * @returns {string[]}
 */
function excerpt(content, { position, line }, ink) {
  if (position === null || line === null) return [];
  const start = content.lastIndexOf('\n', position - 1) + 1;
  const text = content.slice(start).split('\n')[0];
  if (text.trim() === '') return [];
  const column = position - start;
  const from = Math.max(0, Math.min(column - WIDEST / 2, text.length - WIDEST));
  const shown = text.slice(from, from + WIDEST);
  const number = content.includes('\n') ? `${line}: ` : '';
  return [
    ink(`${INDENT}${number}${placed(shown)}`, 'faint'),
    `${INDENT}${' '.repeat(number.length + column - from)}${ink('^', 'bad')}`,
  ];
}

/**
 * Makes a text safe to print, each character in its place: the mark below it counts them.
 * @param {string} text
 */
const placed = (text) =>
  [...text].map((char) => (visible(char) === char ? char : ' '.repeat(char.length))).join('');

module.exports = { renderLint };
