'use strict';

const { bytes, count, duration, roughly, UNKNOWN } = require('../../base/pure/units');
const { visible } = require('../../base/pure/visible');
const { codeLines, wrap } = require('../../text/wrap');
const { gauge } = require('../../text/bars');
const { titledTable } = require('../../text/table');

/**
 * @import { Ink, Tone } from '../../base/types'
 * @import { Remark } from './definitions'
 * @import { SplitPlan } from './types'
 */

const COLUMNS = Object.freeze([
  { head: 'by' },
  ...['documents', 'data', 'on disk', 'written/s', 'copy ~', 'indexes ~'].map((head) => ({
    head,
    align: /** @type {const} */ ('right'),
  })),
]);
const PART_COLUMNS = Object.freeze(
  ['documents ~', 'data ~', 'written/s ~'].map((head) => ({
    head,
    align: /** @type {const} */ ('right'),
  })),
);
const TONES = Object.freeze(
  /** @type {Record<string, Tone>} */ ({ yes: 'good', no: 'warn', unknown: 'faint' }),
);
const METHODS = Object.freeze({ out: '$out', ranges: '$merge in ranges' });

/** @param {SplitPlan} plan @param {Ink} ink @returns {string} */
function renderSplitPlan(plan, ink) {
  return [
    `${ink(visible(plan.host ?? UNKNOWN), 'strong')}  ` +
      `${ink('a plan, nothing was changed', 'accent')}  ${visible(plan.id)}`,
    ...wrap(headline(plan), ''),
    '',
    `worth it: ${ink(plan.worthIt, TONES[plan.worthIt])}`,
    ...wrap(plan.because, '  '),
    ...moveLines(plan, ink),
    ...partLines(plan, ink),
    ...loadLines(plan, ink),
    ...stayLines(plan),
    ...remarkLines(plan, ink),
    ...plan.unknown.flatMap((line) => wrap(line, '   ', '?  ')).map((line) => ink(line, 'faint')),
    ...next(plan, ink),
  ].join('\n');
}

/** @param {SplitPlan} plan */
function headline({ from, into, by, moves, parts, mode, estimateSeconds, diskBytes }) {
  if (by !== null)
    return (
      `${parts.length} parts by ${by.kind} of ` +
      `${by.field}${parts.length === 0 ? '' : ', estimated from a sample'}`
    );
  const size =
    moves.length === 0
      ? ''
      : `; about ${seconds(estimateSeconds)}, ${bytes(diskBytes)} more on disk until it is ` +
        'finished';
  return (
    `${from} into ${into.join(', ')}: ${count(moves.length)} ` +
    `${moves.length === 1 ? 'collection moves' : 'collections move'}, ${mode}${size}`
  );
}

/** @param {SplitPlan} plan @param {Ink} ink @returns {string[]} */
function moveLines({ moves }, ink) {
  if (moves.length === 0) return [];
  const rows = moves.map(
    ({
      ns,
      into,
      method,
      documents,
      bytes: size,
      diskBytes,
      writtenBytesPerSec,
      estimateSeconds: { copy, indexes },
    }) => ({
      title: `${ink(visible(ns), 'strong')} → ${ink(visible(into), 'strong')}`,
      cells: [
        METHODS[method],
        roughly(documents),
        bytes(size),
        bytes(diskBytes),
        bytes(writtenBytesPerSec),
        seconds(copy),
        seconds(indexes),
      ],
    }),
  );
  const reasons = [...new Set(moves.map(({ method, why }) => `${METHODS[method]}: ${why}.`))];
  return [
    '',
    ...titledTable(COLUMNS, rows, ink),
    ...reasons.flatMap((line) => wrap(line, '  ', '')),
  ];
}

/**
 * An estimated time: from ten seconds on in whole seconds.
 * @param {number | null} n
 */
function seconds(n) {
  if (n === null) return duration(null);
  return duration(n < 10 ? Math.round(n * 1000) : Math.round(n) * 1000);
}

/** @param {SplitPlan} plan @param {Ink} ink @returns {string[]} */
function partLines({ parts, route }, ink) {
  if (parts.length === 0) return [];
  const rows = parts.map(({ ns, holds, documents, bytes: size, writtenBytesPerSec, ratio }) => ({
    title: `${ink(visible(ns), 'strong')}  ${ink(gauge(ratio), 'accent')}  ${visible(holds)}`,
    cells: [roughly(documents), bytes(size), bytes(writtenBytesPerSec)],
  }));
  return [
    '',
    ...titledTable(PART_COLUMNS, rows, ink),
    ...(route === null
      ? []
      : [
          '',
          'the application asks it where a document is:',
          ...route
            .split('\n')
            .flatMap((line) => codeLines(line, '  '))
            .map((line) => ink(line, 'accent')),
        ]),
  ];
}

/** @param {SplitPlan} plan @param {Ink} ink @returns {string[]} */
function loadLines({ loads, balancedBy, moves }, ink) {
  if (moves.length === 0) return [];
  const all = loads.reduce((sum, { before }) => sum + before, 0);
  const width = Math.max(...loads.map(({ database }) => visible(database).length));
  const unit = balancedBy === 'written' ? '/s' : '';
  const line = (/** @type {string} */ database, /** @type {number} */ value) =>
    `  ${visible(database).padEnd(width)}  ` +
    `${ink(gauge(all === 0 ? 0 : value / all), 'accent')}  ${bytes(value)}${unit}`;
  return [
    '',
    balancedBy === 'written' ? 'written to disk' : 'data (nothing was written)',
    'before',
    ...loads.map(({ database, before }) => line(database, before)),
    'after',
    ...loads.map(({ database, after }) => line(database, after)),
  ];
}

/** Those that were not asked for are no news. @param {SplitPlan} plan */
function stayLines({ stays, from }) {
  const reported = stays.filter(({ because }) => because !== 'not asked for');
  return reported.length === 0
    ? []
    : [
        '',
        `stays in ${visible(from)}`,
        ...reported.flatMap(({ ns, because }) => wrap(`${ns}: ${because}`, '    ', '  ')),
      ];
}

/** @param {SplitPlan} plan @param {Ink} ink @returns {string[]} */
function remarkLines({ moves, blockers, warnings }, ink) {
  const show = (
    /** @type {Remark[]} */ remarks,
    /** @type {string} */ sign,
    /** @type {Tone} */ tone,
  ) =>
    remarks
      .flatMap(({ say }) => wrap(say, '   ', `${sign}  `))
      .map((line, i) => (i === 0 ? ink(line, tone) : line));
  const both = (/** @type {{ blockers: Remark[], warnings: Remark[] }} */ of) => [
    ...show(of.blockers, '✗', 'bad'),
    ...show(of.warnings, '!', 'warn'),
  ];
  const own = moves
    .filter((move) => move.blockers.length + move.warnings.length > 0)
    .flatMap((move) => ['', ink(visible(move.ns), 'strong'), ...both(move)]);
  const whole = both({ blockers, warnings });
  return [...own, ...(whole.length === 0 ? [] : ['', ink('as a whole', 'strong'), ...whole])];
}

/** @param {SplitPlan} plan @param {Ink} ink @returns {string[]} */
function next({ moves, blockers }, ink) {
  if (moves.length === 0) return [];
  const blocked = [...blockers, ...moves.flatMap((move) => move.blockers)].length;
  if (blocked > 0)
    return [
      '',
      ...wrap(
        `${blocked} ${blocked === 1 ? 'thing has' : 'things have'} to be settled first (✗); ` +
          'then plan again.',
        '',
      ),
    ];
  return [
    '',
    `apply:          ${ink('tune.split.run(plan, { confirm: true })', 'accent')}`,
    `or by hand:     ${ink('tune.split.script(plan)', 'accent')}`,
    '(keep it first: plan = tune.last)',
  ];
}

module.exports = { renderSplitPlan };
