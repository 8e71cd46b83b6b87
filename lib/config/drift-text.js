'use strict';

const { UNKNOWN } = require('../base/pure/units');
const { visible } = require('../base/pure/visible');
const { MARKS } = require('../text/tones');
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

/**
 * Which heading, what the two values are called, and what to do.
 * @type {readonly { kind: Drift['kind'], head: string, other: string, todo: string }[]}
 */
const PARTS = Object.freeze([
  {
    kind: 'file',
    head: 'mongod.conf differs from the start-up options',
    other: 'in the file',
    todo: 'The file applies after the next restart: correct it, or restart the server.',
  },
  {
    kind: 'command-line',
    head: 'the command line differs from mongod.conf',
    other: 'in the file',
    todo: 'The command line overrides the file: keep the option in one place.',
  },
  {
    kind: 'runtime',
    head: 'changed at run time',
    other: 'at start-up',
    todo:
      'Lost at the next restart: tune.mongodConf() shows the lines to make engine settings ' +
      'permanent.',
  },
  {
    kind: 'members',
    head: 'other members differ',
    other: 'there',
    todo: 'After an election the set behaves differently: use the same value on all members.',
  },
]);

/**
 * @param {Drifted} data
 * @param {Ink} ink
 * @returns {string} by kind, each value beside the other one
 */
function renderDrift(data, ink) {
  const { host, version, drift, notes } = data;
  return [
    `${ink(visible(host ?? UNKNOWN), 'strong')}  MongoDB ${visible(version ?? UNKNOWN)}  ` +
      `${ink(against(data), 'faint')}`,
    ...(drift.length === 0 ? ['', `${ink(MARKS.ok.mark, MARKS.ok.tone)}  no drift`] : []),
    ...PARTS.flatMap((part) =>
      partLines(
        part,
        drift.filter(({ kind }) => kind === part.kind),
        ink,
      ),
    ),
    ...(notes.length === 0
      ? []
      : [
          '',
          ...notes
            .flatMap((note) => wrap(note, '      ', 'note: '))
            .map((line) => ink(line, 'faint')),
        ]),
  ].join('\n');
}

/** @param {Drifted} data */
function against({ file, fileRead, comparedWith }) {
  const others =
    comparedWith.length === 0
      ? []
      : [`${comparedWith.length} other ${comparedWith.length === 1 ? 'member' : 'members'}`];
  return (
    'against ' +
    `${[...(fileRead ? [visible(String(file))] : []), 'its start-up', ...others].join(', ')}`
  );
}

/**
 * @param {typeof PARTS[0]} part
 * @param {readonly Drift[]} rows
 * @param {Ink} ink
 * @returns {string[]}
 */
function partLines({ head, other, todo }, rows, ink) {
  if (rows.length === 0) return [];
  return [
    '',
    `${ink(MARKS.warning.mark, MARKS.warning.tone)}  ${head}`,
    ...rows.flatMap(({ name, running, other: value, hosts }) => [
      `   ${ink(visible(name), 'strong')}`,
      ...wrap(`running: ${running}`, '       ', '     '),
      ...wrap(
        `${hosts.length === 0 ? other : `on ${hosts.join(', ')}`}: ${value}`,
        '       ',
        '     ',
      ),
    ]),
    ...wrap(todo, '   ').map((line) => ink(line, 'faint')),
  ];
}

module.exports = { renderDrift };
