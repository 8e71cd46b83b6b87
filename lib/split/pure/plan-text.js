'use strict';

const { bytes, duration, roughly, many } = require('../../base/pure/units');
const { visible } = require('../../base/pure/visible');
const { codeLines, wrap } = require('../../text/wrap');
const { gauge } = require('../../text/bars');
const { callLines, firstLine, headed, marked, part } = require('../../text/layout');
const { titledTable } = require('../../text/table');

/**
 * @import { Ink, Tone } from '../../base/types'
 * @import { SplitPlan } from './types'
 */

const COLUMNS = Object.freeze([
  { head: '    method' },
  ...['documents', 'data', 'disk', 'written/s', 'copy ~', 'indexes ~'].map((head) => ({
    head,
    align: /** @type {const} */ ('right'),
  })),
]);
const PART_COLUMNS = Object.freeze(
  ['  documents ~', 'data ~', 'written/s ~'].map((head) => ({
    head,
    align: /** @type {const} */ ('right'),
  })),
);
const TONES = Object.freeze(
  /** @type {Record<string, Tone>} */ ({ yes: 'good', no: 'warn', unknown: 'faint' }),
);
const METHODS = Object.freeze({ out: '$out', ranges: '$merge' });

/** @param {SplitPlan} plan @param {Ink} ink @returns {string} */
function renderSplitPlan(plan, ink) {
  const { id, unknown } = plan;
  return [
    firstLine(plan, `${ink('PLAN ONLY: nothing was changed', 'accent')}  ${visible(id)}`, ink),
    ...part('PLAN', headline(plan), ink),
    ...benefitLines(plan, ink),
    ...blockerLines(plan, ink),
    ...moveLines(plan, ink),
    ...partLines(plan, ink),
    ...costLines(plan, ink),
    ...stayLines(plan, ink),
    ...warningLines(plan, ink),
    ...unknown.flatMap((line) => marked('unknown', line, ink)),
    ...next(plan, ink),
  ].join('\n');
}

/** @param {SplitPlan} plan */
const headline = ({ from, into, by, moves, parts, mode }) =>
  by === null
    ? `${from} → ${into.join(', ')}, ${many(moves.length, 'collection')}, ${mode}`
    : `${many(parts.length, 'part')} by ${by.kind} of ${by.field}` +
      `${parts.length === 0 ? '' : ', estimated from a sample'}`;

/** @param {SplitPlan} plan @param {Ink} ink */
function benefitLines({ worthIt, because, loads, balancedBy, moves }, ink) {
  const all = loads.reduce((sum, { before }) => sum + before, 0);
  const unit = balancedBy === 'written' ? '/s' : '';
  const share = (/** @type {number} */ value) => (all === 0 ? 0 : value / all);
  const width = Math.max(0, ...loads.map(({ database }) => visible(database).length));
  return [
    ...part('BENEFIT', worthIt.toUpperCase(), ink, TONES[worthIt]),
    ...wrap(because, '  '),
    ...(moves.length === 0 || all === 0
      ? []
      : loads.map(
          ({ database, before, after }) =>
            `  ${visible(database).padEnd(width)}  ${ink(gauge(share(after)), 'accent')}  ` +
            `${balancedBy === 'written' ? 'written' : 'data'} ` +
            `${bytes(before)}${unit} → ${bytes(after)}${unit}`,
        )),
  ];
}

/** @param {SplitPlan} plan @param {Ink} ink */
function blockerLines(plan, ink) {
  const all = remarksOf(plan, 'blockers');
  return [
    ...part('BLOCKERS', all.length === 0 ? 'none' : String(all.length), ink),
    ...all.flatMap((text) => marked('critical', text, ink)),
  ];
}

/** @param {SplitPlan} plan @param {Ink} ink */
function warningLines(plan, ink) {
  const all = remarksOf(plan, 'warnings');
  return all.length === 0
    ? []
    : [
        ...part('WARNINGS', String(all.length), ink),
        ...all.flatMap((text) => marked('warning', text, ink)),
      ];
}

/**
 * Remarks on a collection begin with its name.
 * @param {SplitPlan} plan
 * @param {'blockers' | 'warnings'} kind
 */
const remarksOf = (plan, kind) => [
  ...plan.moves.flatMap((move) => move[kind].map(({ say }) => `${move.ns}: ${say}`)),
  ...plan[kind].map(({ say }) => say),
];

/** @param {SplitPlan} plan @param {Ink} ink @returns {string[]} */
function moveLines({ moves }, ink) {
  if (moves.length === 0) return [];
  const rows = moves.map((move) => ({
    title: `  ${ink(visible(move.ns), 'strong')} → ${ink(visible(move.into), 'strong')}`,
    cells: [
      `    ${METHODS[move.method]}`,
      roughly(move.documents),
      bytes(move.bytes),
      bytes(move.diskBytes),
      bytes(move.writtenBytesPerSec),
      seconds(move.estimateSeconds.copy),
      seconds(move.estimateSeconds.indexes),
    ],
  }));
  const reasons = [...new Set(moves.map(({ method, why }) => `${METHODS[method]}: ${why}.`))];
  return [
    headed('MOVE', ink).trimEnd(),
    ...titledTable(COLUMNS, rows, ink),
    ...reasons.flatMap((line) => wrap(line, '    ', '  ')).map((line) => ink(line, 'faint')),
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
    title: `  ${ink(visible(ns), 'strong')}  ${ink(gauge(ratio), 'accent')}  ${visible(holds)}`,
    cells: [`  ${roughly(documents)}`, bytes(size), bytes(writtenBytesPerSec)],
  }));
  return [
    headed('PARTS', ink).trimEnd(),
    ...titledTable(PART_COLUMNS, rows, ink),
    ...(route === null
      ? []
      : [
          ...part('ROUTING', 'the application calls this function to find the part', ink),
          ...route
            .split('\n')
            .flatMap((line) => codeLines(line, '  '))
            .map((line) => ink(line, 'accent')),
        ]),
  ];
}

/** @param {SplitPlan} plan @param {Ink} ink */
function costLines({ moves, estimateSeconds, diskBytes, mode }, ink) {
  if (moves.length === 0) return [];
  const pause =
    mode === 'offline'
      ? 'The source is blocked for all of it.'
      : 'At the cutover writes fail for about a second.';
  return part(
    'COST',
    `about ${seconds(estimateSeconds)}, ${bytes(diskBytes)} more disk on every member until ` +
      `finish. ${pause}`,
    ink,
  );
}

/** Those that were not asked for are no news. @param {SplitPlan} plan @param {Ink} ink */
function stayLines({ stays, from }, ink) {
  const reported = stays.filter(({ because }) => because !== 'not asked for');
  return reported.length === 0
    ? []
    : [
        ...part('STAYS', `${reported.length} in ${from}`, ink),
        ...reported.flatMap(({ ns, because }) => wrap(`${ns}: ${because}`, '    ', '  ')),
      ];
}

/**
 * Only a plan that helps, without a blocker, ends with the command to run it.
 * @param {SplitPlan} plan
 * @param {Ink} ink
 */
function next(plan, ink) {
  if (plan.moves.length === 0)
    return plan.parts.length === 0
      ? []
      : part('NEXT', 'the application moves and routes the documents; see plan.parts', ink);
  const blockers = remarksOf(plan, 'blockers').length;
  if (blockers > 0)
    return part(
      'NEXT',
      `remove the ${blockers === 1 ? 'blocker' : 'blockers'}, then plan again`,
      ink,
    );
  if (plan.worthIt === 'no')
    return part('NEXT', 'nothing to run: this move brings no benefit', ink);
  return [
    ...(plan.worthIt === 'unknown'
      ? part('NEXT', 'plan again under load; run it now only if you need the move anyway', ink)
      : [headed('NEXT', ink).trimEnd()]),
    ...callLines(
      [
        ['Keep', 'plan = tune.last'],
        ['Preview', 'tune.split.run(plan)'],
        ['Run', 'tune.split.run(plan, { confirm: true })'],
        ['Script', 'tune.split.script(plan)'],
      ],
      ink,
    ),
  ];
}

module.exports = { renderSplitPlan };
