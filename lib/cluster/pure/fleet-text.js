'use strict';

const { count, duration, UNKNOWN } = require('../../base/pure/units');
const { SEVERE } = require('../../base/pure/finding');
const { visible } = require('../../base/pure/visible');
const { MARKS } = require('../../text/tones');
const { table } = require('../../text/table');
const { wrap, WIDTH } = require('../../text/wrap');

/**
 * @import { Ink } from '../../base/types'
 * @import { Row } from './types'
 */

const BOTTLENECK_WIDTH = 16;
const NAME_WIDTH = 26;
/** Beside the mark and the gaps. */
const WHAT_WIDTH = WIDTH - NAME_WIDTH - BOTTLENECK_WIDTH - 7;
/** Characters for the list of rules. */
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
    `${ink(`${count(servers)} ${servers === 1 ? 'server' : 'servers'}`, 'strong')}  ` +
      `${ink(`in ${duration(seconds * 1000)}`, 'faint')}`,
    ...summary('found', { ...statuses, ...without(states, 'examined') }),
    ...summary('bottlenecks', bottlenecks),
    ...summary('versions', versions),
    '',
    table(
      [
        { head: '' },
        { head: 'server', width: NAME_WIDTH },
        { head: 'bottleneck', width: BOTTLENECK_WIDTH },
        { head: 'what', width: WHAT_WIDTH },
      ],
      shown.map((row) => line(row, ink)),
      ink,
    ),
    ...(rows.length > shown.length
      ? wrap(rest(rows.slice(limit)), '   ').map((text) => ink(text, 'faint'))
      : []),
    ...notes.flatMap((note) => wrap(note, '      ', 'note: ')).map((text) => ink(text, 'faint')),
  ].join('\n');
}

/** @param {string} what @param {Record<string, number>} counts @returns {string[]} */
function summary(what, counts) {
  const words = Object.entries(counts).map(([name, number]) => `${count(number)} ${name}`);
  return words.length === 0 ? [] : wrap(words.join(', '), '             ', what.padEnd(13));
}

/** @param {Record<string, number>} counts @param {string} name */
const without = (counts, name) =>
  Object.fromEntries(Object.entries(counts).filter(([key]) => key !== name));

/** @param {Row} row @param {Ink} ink @returns {string[]} */
function line({ name, status, state, bottleneck, findings, error }, ink) {
  const { mark, tone } = MARKS[status];
  return [
    ink(mark, tone),
    cut(name, NAME_WIDTH),
    bottleneck ?? (state === 'examined' ? UNKNOWN : state),
    cut(error === null ? rulesOf(findings) : error.why, WHAT_WIDTH),
  ];
}

/** @param {Row['findings']} findings the gravest first */
function rulesOf(findings) {
  const more = findings.length - RULES_NAMED;
  return `${findings
    .slice(0, RULES_NAMED)
    .map(({ rule }) => rule)
    .join(', ')}${more > 0 ? `, +${more}` : ''}`;
}

/**
 * @param {string} text that a server or a file tells
 * @param {number} width
 * @returns {string} one line of the table
 */
function cut(text, width) {
  const safe = visible(text);
  return safe.length > width ? `${safe.slice(0, width - 1)}…` : safe;
}

/** @param {readonly Row[]} rows that are not shown */
function rest(rows) {
  const severe = rows.filter(
    ({ status, state }) => SEVERE.includes(status) || state !== 'examined',
  ).length;
  return (
    `${count(rows.length)} more, ` +
    `${severe === 0 ? 'none of them a warning' : `${count(severe)} of them no better than a warning`}: ` +
    '{ limit } shows them, .rows has all.'
  );
}

module.exports = { renderFleet };
