'use strict';

const { bytes, duration, roughly, many } = require('../../base/pure/units');
const { visible } = require('../../base/pure/printable');
const { codeLines, wrap } = require('../../text/wrap');
const { gauge } = require('../../text/bars');
const { fitSections } = require('../../text/fit');
const { firstLine, headed, marked, part, SCREEN_LINES } = require('../../text/layout');
const { titledTable } = require('../../text/table');
const { needsDisk, next, remarksOf } = require('./plan-next');

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
/** The methods, with the stage of an aggregation that each uses. */
const METHODS = Object.freeze({ out: 'out ($out)', ranges: 'ranges ($merge)' });

/**
 * @param {SplitPlan} plan
 * @param {Ink} ink
 * @param {{ isWhole?: boolean }} [how] `isWhole`: every row, on as many lines as needed
 * @returns {string} one screen, unless `isWhole`
 */
function renderSplitPlan(plan, ink, { isWhole = false } = {}) {
  const above = [
    firstLine(plan, `${ink('PLAN ONLY: nothing was changed', 'accent')}  ${visible(plan.id)}`, ink),
    ...part('PLAN', headline(plan), ink),
    ...benefitLines(plan, ink),
  ];
  const [parts, cost, below] = [partLines(plan, ink), costLines(plan, ink), next(plan, ink)];
  const fixed = above.length + parts.length + cost.length + below.length;
  const left = isWhole ? Infinity : SCREEN_LINES - fixed;
  const { blockers, moves, stays, warnings } = fitted(plan, left, ink);
  return [...above, ...blockers, ...moves, ...parts, ...cost, ...stays, ...warnings, ...below].join(
    '\n',
  );
}

/**
 * A section of the screen, of which not all rows may fit.
 * @typedef {{ head: string[], rows: string[][], foot?: string[] }} Section
 */

/** @type {Section} */
const NO_SECTION = Object.freeze({ head: [], rows: [] });

/**
 * Fits the sections whose rows share the remaining lines.
 * @param {SplitPlan} plan @param {number} left @param {Ink} ink
 */
function fitted(plan, left, ink) {
  const shownOf = (/** @type {Section[]} */ sections) =>
    fitSections(
      sections.map(({ rows }) => rows),
      left - sections.reduce((sum, { head, foot = [] }) => sum + head.length + foot.length, 0),
    );
  const [blockers, moves, warnings] = [
    blockerSection(plan, ink),
    moveSection(plan, ink),
    warningSection(plan, ink),
  ];
  // The most important section comes first.
  let sections = [blockers, moves, warnings, staySection(plan, ink)];
  if (shownOf(sections)[1] < moves.rows.length)
    sections = [blockers, shortMoveSection(plan, ink), warnings, shortStaySection(plan, ink)];
  if (warnings.rows.length > 0 && shownOf(sections)[2] === 0)
    sections = sections.with(2, shortWarningSection(plan, warnings, ink));
  const shown = shownOf(sections);
  const lines = sections.map((section, i) => sectionLines(section, shown[i], ink));
  return { blockers: lines[0], moves: lines[1], warnings: lines[2], stays: lines[3] };
}

/** @param {Section} section @param {number} shown @param {Ink} ink @returns {string[]} */
const sectionLines = ({ head, rows, foot = [] }, shown, ink) => [
  ...head,
  ...rows.slice(0, shown).flat(),
  ...(shown < rows.length
    ? [ink(`  ${hiddenWords(rows.length - shown, shown)}: tune.last.all()`, 'faint')]
    : []),
  ...foot,
];

/** @param {SplitPlan} plan */
const headline = ({ from, into, by, moves, parts, mode }) =>
  by === null
    ? `${from} → ${into.join(', ')}, ${many(moves.length, 'collection')}, ${mode}`
    : `${many(parts.length, 'part')} by ${by.kind} of ${by.field}` +
      `${parts.length === 0 ? '' : ', estimated from a sample'}`;

/** @param {SplitPlan} plan @param {Ink} ink */
function benefitLines(plan, ink) {
  const { worthIt, because, loads, balancedBy, moves, into } = plan;
  const all = loads.reduce((sum, { before }) => sum + before, 0);
  const unit = balancedBy === 'written' ? '/s' : '';
  const share = (/** @type {number} */ value) => (all === 0 ? 0 : value / all);
  const width = Math.max(0, ...loads.map(({ database }) => visible(database).length));
  return [
    ...part(
      'BENEFIT',
      worthIt.toUpperCase() +
        (needsDisk(plan) ? `, only if ${into.join(' or ')} gets another disk` : ''),
      ink,
      TONES[worthIt],
    ),
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

/** @param {SplitPlan} plan @param {Ink} ink @returns {Section} */
function blockerSection(plan, ink) {
  const all = remarksOf(plan, 'blockers');
  return {
    head: part('BLOCKERS', all.length === 0 ? 'none' : String(all.length), ink),
    rows: all.map((text) => marked('critical', text, ink)),
  };
}

/**
 * Prints warnings and unknown facts, which are as important.
 * @param {SplitPlan} plan @param {Ink} ink @returns {Section}
 */
function warningSection(plan, ink) {
  const all = remarksOf(plan, 'warnings');
  const unknown = plan.unknown.map((line) => marked('unknown', line, ink));
  return {
    head: all.length === 0 ? [] : part('WARNINGS', String(all.length), ink),
    rows: [...all.map((text) => marked('warning', text, ink)), ...unknown],
  };
}

/**
 * Prints the beginning of each warning where none fits, so that none is hidden above the command to
 * run.
 * @param {SplitPlan} plan @param {Section} whole @param {Ink} ink
 * @returns {Section}
 */
function shortWarningSection(plan, { rows }, ink) {
  const count = remarksOf(plan, 'warnings').length;
  return {
    head: count === 0 ? [] : part('WARNINGS', `${count}, in full: tune.last.all()`, ink),
    rows: rows.map(([first, ...more]) => [more.length === 0 ? first : first.replace(/\S+$/, '…')]),
  };
}

/** @param {SplitPlan} plan @param {Ink} ink @returns {Section} */
function moveSection({ moves }, ink) {
  if (moves.length === 0) return NO_SECTION;
  const rows = moves.map((move) => ({
    title: `  ${ink(visible(move.ns), 'strong')} → ${ink(visible(move.into), 'strong')}`,
    cells: [
      `    ${move.method}`,
      roughly(move.documents),
      bytes(move.bytes),
      bytes(move.diskBytes),
      bytes(move.writtenBytesPerSec),
      seconds(move.estimateSeconds.copy),
      seconds(move.estimateSeconds.indexes),
    ],
  }));
  const reasons = [...new Set(moves.map(({ method, why }) => `${METHODS[method]}: ${why}.`))];
  const [columns, ...lines] = titledTable(COLUMNS, rows, ink);
  return {
    head: [...part('COLLECTIONS', '~ estimated', ink, 'faint'), columns],
    rows: rows.map((_row, i) => lines.slice(2 * i, 2 * i + 2)),
    foot: reasons.flatMap((line) => wrap(line, '    ', '  ')).map((line) => ink(line, 'faint')),
  };
}

/** @param {number} hidden @param {number} shown */
const hiddenWords = (hidden, shown) => (shown === 0 ? `${hidden} not shown` : `and ${hidden} more`);

/**
 * Prints which collections move, which matters more than figures.
 * @param {SplitPlan} plan @param {Ink} ink @returns {Section}
 */
const shortMoveSection = ({ moves }, ink) => ({
  head: part('COLLECTIONS', 'figures of each collection: tune.last.all()', ink),
  rows: moves.map(({ ns, into, documents, bytes: size }) =>
    wrap(`${ns} → ${into}  ${roughly(documents)} documents, ${bytes(size)}`, '    ', '  '),
  ),
});

/**
 * Prints an estimated time, from ten seconds on in whole seconds.
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
      : 'At the cutover both names refuse reads and writes for about 1 s, up to 90 s behind a ' +
        'transaction; then only the source name does.';
  return part(
    'COST',
    `copying takes about ${seconds(estimateSeconds)}; ${bytes(diskBytes)} more disk on every member ` +
      `until tune.split.finish(). ${pause}`,
    ink,
  );
}

/**
 * Lists the collections that stay, without those that were not requested.
 * @param {SplitPlan} plan
 */
const reportedStays = ({ stays }) => stays.filter(({ because }) => because !== 'not requested');

/** Number of named collections that stay, on a screen without lines for the reasons. */
const STAYS_NAMED = 3;

/** @param {SplitPlan} plan @param {Ink} ink @returns {Section} */
function shortStaySection(plan, ink) {
  const names = reportedStays(plan).map(({ ns }) => ns);
  if (names.length === 0) return NO_SECTION;
  const more = names.length - STAYS_NAMED;
  const text = names.slice(0, STAYS_NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '');
  return { head: part('STAYS', `${text}: tune.last.all() shows why`, ink), rows: [] };
}

/** @param {SplitPlan} plan @param {Ink} ink @returns {Section} */
function staySection(plan, ink) {
  const { from } = plan;
  const reported = reportedStays(plan);
  if (reported.length === 0) return NO_SECTION;
  return {
    head: part('STAYS', `${reported.length} in ${from}`, ink),
    rows: reported.map(({ ns, because }) => wrap(`${ns}: ${because}`, '    ', '  ')),
  };
}

module.exports = { renderSplitPlan };
