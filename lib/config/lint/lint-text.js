'use strict';

const { visible } = require('../../base/pure/visible');

/**
 * @import { Ink } from '../../base/types'
 */

/**
 * @typedef {{
 *   level: string, key: string | null, say: string, position: number | null, todo: string,
 *   line: number | null
 * }} Problem
 */

/** A longer line does not fit beside its mark. */
const WIDEST = 120;

/**
 * @param {{
 *   ok: boolean, problems: readonly Problem[], version: string, kind: string, file: string | null
 * }} data
 * @param {string} content what was checked
 * @param {Ink} ink
 * @returns {string}
 */
function renderLint({ ok, problems, version, kind, file }, content, ink) {
  const errors = problems.filter(({ level }) => level === 'error').length;
  const warnings = problems.length - errors;
  const verdict = ok
    ? ink(warnings === 0 ? 'nothing to object to' : 'accepted', 'good')
    : ink(`${errors} error${errors === 1 ? '' : 's'}`, 'bad');
  return [
    `${visible(file ?? '') || (kind === 'file' ? 'mongod.conf' : 'configuration string')}, ` +
      `for MongoDB ${visible(version)}: ` +
      `${verdict}${warnings > 0 ? `, ${ink(`${warnings} warning${warnings === 1 ? '' : 's'}`, 'warn')}` : ''}`,
    ...problems.flatMap((problem) => [
      '',
      ...excerpt(content, problem, ink),
      ...words(problem, ink),
    ]),
  ].join('\n');
}

/** @param {Problem} problem @param {Ink} ink */
function words({ level, say, todo }, ink) {
  return [
    `${level === 'error' ? ink('✗', 'bad') : ink('!', 'warn')} ${visible(say)}.`,
    `  ${ink(visible(todo), 'accent')}`,
  ];
}

/**
 * The line with a mark under the place.
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
  const from = Math.max(0, column - WIDEST / 2);
  const shown = text.slice(from, from + WIDEST);
  const number = content.includes('\n') ? `${line}: ` : '';
  return [
    ink(`  ${number}${placed(shown)}`, 'faint'),
    `  ${' '.repeat(number.length + column - from)}${ink('^', 'bad')}`,
  ];
}

/**
 * What is safe to print, each character in its place: the mark below it counts them.
 * @param {string} text
 */
const placed = (text) =>
  [...text].map((char) => (visible(char) === char ? char : ' '.repeat(char.length))).join('');

module.exports = { renderLint };
