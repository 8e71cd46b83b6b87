'use strict';

const { visible } = require('../base/pure/printable');
const { SEVERE, STATUSES } = require('../base/pure/finding');
const { UNKNOWN } = require('../base/pure/units');
const { MARKS } = require('./tones');
const { labelled, wrap } = require('./wrap');

/**
 * @import { Status } from '../base/pure/finding'
 * @import { Ink, Tone } from '../base/types'
 */

/**
 * The parts of all screens: a first line with server and time, parts with their heads in one
 * column, calls behind a verb, and remarks behind a word of severity.
 */

/** The columns of a part's head, and of the verb before a call. */
const HEAD = 13;
/** Columns of a word of severity with the blanks around it. */
const WORD = 8;

/**
 * The first line: who, and when or how.
 * @param {{ host?: string | null, role?: string | null, version?: string | null }} who
 * @param {string} tail coloured, or ''
 * @param {Ink} ink
 */
const firstLine = ({ host, role, version }, tail, ink) =>
  [
    ink(visible(host ?? UNKNOWN), 'strong'),
    ...(role ? [visible(role)] : []),
    ...(version === undefined ? [] : [`MongoDB ${visible(version ?? UNKNOWN)}`]),
    ...(tail === '' ? [] : [tail]),
  ].join('  ');

/** The tail of the first line of what sent nothing. @param {Ink} ink @param {string} [what] */
const dryRun = (ink, what = 'nothing was changed') => ink(`DRY RUN: ${what}`, 'accent');

/**
 * A part of a screen: its head, and a text beside it.
 * @param {string} head
 * @param {string} text
 * @param {Ink} ink
 * @param {Tone | null} [tone] of the text
 * @returns {string[]}
 */
const part = (head, text, ink, tone = null) =>
  wrap(text, ' '.repeat(HEAD), head.padEnd(HEAD)).map((line, i) => {
    const [label, rest] = [line.slice(0, HEAD), line.slice(HEAD)];
    return (i === 0 ? headed(label, ink) : label) + (tone === null ? rest : ink(rest, tone));
  });

/** A head of a part, padded to its column. @param {string} head @param {Ink} ink */
const headed = (head, ink) => ink(head.trimEnd(), 'strong') + blanksAfter(head);

/** @param {string} head */
const blanksAfter = (head) => ' '.repeat(Math.max(1, HEAD - head.trimEnd().length));

/**
 * Commands to type, each behind what it does.
 * @param {readonly (readonly [string, string | null | undefined])[]} calls null: there is none
 * @param {Ink} ink
 * @returns {string[]}
 */
const callLines = (calls, ink) =>
  calls.flatMap(([verb, call]) =>
    call
      ? labelled(`  ${verb}`.padEnd(HEAD), call, (/** @type {string} */ text) =>
          ink(text, 'strong'),
        )
      : [],
  );

/**
 * A remark behind its word of severity, such as `  WARN  …`.
 * @param {Status} status
 * @param {string} text
 * @param {Ink} ink
 * @returns {string[]}
 */
function marked(status, text, ink) {
  const { word, tone } = MARKS[status];
  const first = `  ${word}`.padEnd(WORD);
  return wrap(text, ' '.repeat(WORD), first).map((line, i) =>
    i === 0 ? `  ${ink(word, tone)}${line.slice(word.length + 2)}` : line,
  );
}

/**
 * Findings, each behind its word of severity and its rule.
 * @param {readonly { status: Status, rule: string, message: string, advice?: string | null }[]} findings
 * @param {Ink} ink
 * @param {{ withAdvice?: boolean }} [options] `withAdvice`: what to do, on lines of its own
 * @returns {string[][]} the lines of each
 */
function findingRows(findings, ink, { withAdvice = false } = {}) {
  const width = Math.max(...findings.map(({ rule }) => rule.length));
  // Advice that several findings share is printed once, under the last of them.
  const isLast = (/** @type {string} */ advice, /** @type {number} */ i) =>
    findings.findLastIndex((finding) => finding.advice === advice) === i;
  return findings.map(({ status, rule, message, advice }, at) => {
    const { word, tone } = MARKS[status];
    const first = `  ${word}`.padEnd(WORD) + `${rule.padEnd(width)}  `;
    const indent = ' '.repeat(first.length);
    const lines = wrap(message, indent, first);
    return [
      `  ${ink(word, tone)}${lines[0].slice(word.length + 2)}`,
      ...lines.slice(1),
      ...(withAdvice && advice && isLast(advice, at)
        ? wrap(advice, `${indent}  `, `${indent}→ `)
        : []),
    ];
  });
}

/** Lines of a screen: so many of a terminal of 24 stay in view above the prompt. */
const SCREEN_LINES = 24;

/**
 * Shows as many findings as fit; any screen shows one, and the others are named.
 * @param {readonly { status: Status, rule: string, message: string }[]} findings
 * @param {number} left how many lines the screen has left
 * @param {Ink} ink
 * @returns {string[]}
 */
function fittingRows(findings, left, ink) {
  const rows = findingRows(findings, ink);
  const shown = rows.length - hidden(rows, left);
  const others = findings
    .slice(shown)
    .map(({ status, rule }, at, all) =>
      status === all[at - 1]?.status ? rule : `${MARKS[status].word} ${rule}`,
    );
  return [...rows.slice(0, shown).flat(), ...restLines(others, ink)];
}

/**
 * Names the findings for which a screen has no lines.
 * @param {readonly string[]} names
 * @param {Ink} ink
 */
const restLines = (names, ink) =>
  names.length === 0
    ? []
    : wrap(`and ${names.length} more: ${counted(names)}`, '  ').map((line) => ink(line, 'faint'));

/**
 * Names, each once: `member-lag (14), member-state`.
 * @param {readonly string[]} names
 */
const counted = (names) =>
  [...new Set(names)]
    .map((name) => {
      const n = names.filter((one) => one === name).length;
      return n === 1 ? name : `${name} (${n})`;
    })
    .join(', ');

/**
 * Counts the rows for which the screen has no lines.
 * @param {readonly (readonly string[])[]} rows
 * @param {number} left
 */
function hidden(rows, left) {
  for (let shown = rows.length; shown > 1; shown -= 1) {
    const lines = rows.slice(0, shown).flat().length + (shown < rows.length ? 2 : 0);
    if (lines <= left) return rows.length - shown;
  }
  return Math.max(0, rows.length - 1);
}

/** @type {Readonly<Partial<Record<Status, string>>>} */
const COUNTED = Object.freeze({ unknown: 'without data' });

/**
 * Counts the findings of each status: those that need a person, then in parentheses the rest.
 * @param {readonly { status: Status }[]} findings
 * @param {Ink} ink
 */
function countsOf(findings, ink) {
  const counts = STATUSES.map((status) => ({
    status,
    n: findings.filter((finding) => finding.status === status).length,
  })).filter(({ n }) => n > 0);
  const text = (/** @type {boolean} */ isSevere) =>
    counts
      .filter(({ status }) => SEVERE.includes(status) === isSevere)
      .map(({ status, n }) => `${n} ${COUNTED[status] ?? MARKS[status].word}`)
      .join(', ');
  const rest = text(false) && ink(`  (${text(false)})`, 'faint');
  return `${text(true) || 'no CRIT, no WARN'}${rest}`;
}

/** @param {readonly string[]} notes @param {Ink} ink @returns {string[]} */
const noteLines = (notes, ink) =>
  notes
    .flatMap((note) => wrap(note, ' '.repeat(WORD), '  note  '))
    .map((line) => ink(line, 'faint'));

/**
 * A fragment of a file, under what it is for.
 * @param {string} what
 * @param {string} text
 * @param {Ink} ink
 * @returns {string[]}
 */
const fragment = (what, text, ink) =>
  [
    ...wrap(`${what}:`, '', ''),
    ...text
      .trimEnd()
      .split('\n')
      .map((line) => `  ${visible(line)}`),
  ].map((line) => ink(line, 'faint'));

module.exports = {
  HEAD,
  WORD,
  firstLine,
  dryRun,
  part,
  headed,
  callLines,
  marked,
  SCREEN_LINES,
  findingRows,
  fittingRows,
  restLines,
  countsOf,
  noteLines,
  fragment,
};
