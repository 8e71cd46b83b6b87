'use strict';

const { count, duration, UNKNOWN, many } = require('../../base/pure/units');
const { SEVERE } = require('../../base/pure/finding');
const { visible } = require('../../base/pure/printable');
const { WORD, callLines, noteLines, part } = require('../../text/layout');
const { MARKS } = require('../../text/tones');
const { screenWidth, wrap } = require('../../text/wrap');

/**
 * @import { Ink } from '../../base/types'
 * @import { Row } from './types'
 */

const BOTTLENECK_WIDTH = 16;
const NAME_WIDTH = 26;
/** Number of rules that a row names. */
const RULES_NAMED = 2;

/**
 * @param {{
 *   seconds: number, servers: number, examined: number, asked: number,
 *   statuses: Record<string, number>, states: Record<string, number>,
 *   bottlenecks: Record<string, number>, versions: Record<string, number>, rows: readonly Row[],
 *   notes: readonly string[]
 * }} data
 * @param {number} limit rows
 * @param {Ink} ink
 * @returns {string}
 */
function renderFleet(data, limit, ink) {
  const { rows, seconds, servers, statuses, states, bottlenecks, versions, notes } = data;
  const shown = rows.slice(0, limit);
  return [
    `${ink(many(servers, 'server'), 'strong')}  ` +
      `${ink(`in ${duration(seconds * 1000)}`, 'faint')}`,
    ...summary('FLEET', { ...statuses, ...without(states, 'examined') }, ink),
    ...summary('BOTTLENECKS', bottlenecks, ink),
    ...versionLines(versions, ink),
    ...shown.map((row) => line(row, ink)),
    ...(rows.length > shown.length
      ? wrap(rest(rows.slice(limit)), '  ').map((text) => ink(text, 'faint'))
      : []),
    ...noteLines(notes, ink),
    ...callLines([['All', 'tune.last.rows']], ink),
  ].join('\n');
}

/** @param {string} what @param {Record<string, number>} counts @param {Ink} ink */
function summary(what, counts, ink) {
  const words = Object.entries(counts).map(([name, number]) => `${count(number)} ${name}`);
  return words.length === 0 ? [] : part(what, words.join(', '), ink);
}

/** @param {Record<string, number>} versions @param {Ink} ink */
function versionLines(versions, ink) {
  const words = Object.entries(versions).map(([name, n]) => `${name} (${count(n)})`);
  return words.length === 0 ? [] : part('VERSIONS', words.join(', '), ink);
}

/** @param {Record<string, number>} counts @param {string} name */
const without = (counts, name) =>
  Object.fromEntries(Object.entries(counts).filter(([key]) => key !== name));

/** @param {Row} row @param {Ink} ink */
function line({ name, status, state, bottleneck, findings, error }, ink) {
  const { word, tone } = MARKS[status];
  const before = [
    cut(name, NAME_WIDTH).padEnd(NAME_WIDTH),
    (bottleneck ?? (state === 'examined' ? UNKNOWN : state)).padEnd(BOTTLENECK_WIDTH),
  ].join('  ');
  const what = cut(
    error === null ? rulesOf(findings) : error.why,
    screenWidth() - WORD - before.length - 2,
  );
  return `  ${ink(word, tone)}${' '.repeat(WORD - 2 - word.length)}${before}  ${what}`.trimEnd();
}

/** @param {Row['findings']} findings the most severe first */
function rulesOf(findings) {
  const more = findings.length - RULES_NAMED;
  return `${findings
    .slice(0, RULES_NAMED)
    .map(({ rule }) => rule)
    .join(', ')}${more > 0 ? `, +${more}` : ''}`;
}

/**
 * @param {string} text a text from a server or a file
 * @param {number} width
 * @returns {string} one line of the table
 */
function cut(text, width) {
  const safe = visible(text);
  return safe.length > width ? `${safe.slice(0, width - 1)}…` : safe;
}

/** @param {readonly Row[]} rows the rows that are not shown */
function rest(rows) {
  const severe = rows.filter(
    ({ status, state }) => SEVERE.includes(status) || state !== 'examined',
  ).length;
  return (
    `and ${count(rows.length)} more, ` +
    `${severe === 0 ? 'all without a warning' : `${count(severe)} of them with a warning or worse`}`
  );
}

module.exports = { renderFleet };
