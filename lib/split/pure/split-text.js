'use strict';

const { count, duration } = require('../../base/pure/units');
const { OLD_READ_PHASES, READY_PHASES } = require('./phase-table');
const { labelled, wrap } = require('../../text/wrap');

/**
 * @import { Ink, Tone } from '../../base/types'
 * @import { Row } from './types'
 */

/**
 * @typedef {{
 *   at: Date, documents: number, differences: number, pending?: number,
 *   ids?: { id: unknown, where: string }[]
 * }} Verified
 * @typedef {{ command: string, dryRun: boolean, splits: Row[], confirm: string | null }} Splits
 */

/** @type {Readonly<Record<string, { say: string, tone: Tone }>>} */
const PHASES = Object.freeze({
  planned: { say: 'not copied yet', tone: 'faint' },
  created: { say: 'the target is prepared', tone: 'accent' },
  copying: { say: 'copying', tone: 'accent' },
  indexing: { say: 'building the indexes', tone: 'accent' },
  following: { say: 'copied; ready for the cutover', tone: 'good' },
  cutting: { say: 'cutover in progress', tone: 'warn' },
  draining: { say: 'cutover in progress, applying the last changes', tone: 'warn' },
  switching: { say: 'cutover in progress, the target gets its name', tone: 'warn' },
  switched: { say: 'moved; the old data is kept for a rollback', tone: 'good' },
  aborting: { say: 'abort in progress', tone: 'warn' },
  aborted: { say: 'aborted', tone: 'faint' },
  'cutting-back': { say: 'rollback in progress', tone: 'warn' },
  'draining-back': { say: 'rollback in progress, applying the last changes', tone: 'warn' },
  'switching-back': { say: 'rollback in progress, the source gets its name', tone: 'warn' },
  'rolled-back': { say: 'rolled back; the target refuses every operation', tone: 'warn' },
  finished: { say: 'finished', tone: 'faint' },
});
const BLOCKED = 'BLOCKED: neither name takes writes';

/** @param {Splits} data @param {Ink} ink @returns {string} */
function renderSplits({ splits, dryRun, confirm, command }, ink) {
  if (splits.length === 0)
    return command === 'tune.split.status'
      ? 'There is no split on this server. tune.split.plan({ source, target }) plans one.'
      : 'No split is in a phase for that; tune.split.status() lists all.';
  const over = command === 'tune.split.status' && splits.length > 1 ? splits.filter(isOver) : [];
  return [
    ...(dryRun ? [ink('DRY RUN: nothing was sent', 'accent'), ''] : []),
    ...splits
      .filter((row) => !over.includes(row))
      .flatMap((row) => [
        ...head(row, ink),
        ...(row.does ? row.does.flatMap((line) => wrap(line, '    ', '  - ')) : details(row, ink)),
        '',
      ]),
    ...ended(over).map((line) => ink(line, 'faint')),
    ...(confirm ? labelled('apply:  ', confirm, (text) => ink(text, 'strong')) : []),
  ]
    .join('\n')
    .trimEnd();
}

/** @param {Row} row */
const isOver = ({ phase, next }) => (phase === 'finished' || phase === 'aborted') && !next;
/** Of those that are over; the rest is in the answer. Half a screen; project heuristic. */
const MAX_ENDED = 5;

/**
 * In short: there is nothing left to do.
 * @param {Row[]} rows the newest last
 * @returns {string[]}
 */
function ended(rows) {
  if (rows.length === 0) return [];
  const shown = rows.toSorted((a, b) => Number(b.since) - Number(a.since)).slice(0, MAX_ENDED);
  return [
    ...shown.flatMap((row) =>
      wrap(
        `${row.from} → ${row.into}, ${row.id}: ${stateOf(row).say}, ${time(row.since)}`,
        '    ',
        '  ',
      ),
    ),
    ...wrap(
      `${rows.length > shown.length ? `and ${count(rows.length - shown.length)} that ended before; ` : ''}tune.split.status(id) ` +
        'shows one in full',
      '  ',
    ),
  ];
}

/** @param {Row} row @returns {typeof PHASES[string]} */
function stateOf(row) {
  const state = special(row) ?? PHASES[row.phase] ?? { say: row.phase, tone: 'warn' };
  if (row.open?.length)
    return { say: `${row.open.map(unexpected).join('; ')}; ${state.say}`, tone: 'bad' };
  return row.blocked ? { say: `${BLOCKED}; ${state.say}`, tone: 'bad' } : state;
}

/** @param {{ ns: string, isFree: boolean }} name where a view of the split is due */
const unexpected = ({ ns, isFree }) =>
  isFree
    ? `${ns} DOES NOT REFUSE: a write makes a new collection there`
    : `${ns} TAKES WRITES into a new collection that is not part of the data: stop them, rename it`;

/** @param {Row} row @param {Ink} ink @returns {string[]} */
function head(row, ink) {
  const { id, from, into } = row;
  const { say, tone } = stateOf(row);
  return [
    ...wrap(`${from} → ${into}`, '  ', ''),
    ...wrap(`${id}: ${say}`, '  ').map((line) => ink(line, tone)),
  ];
}

/**
 * Where the phase alone would say what is not so.
 * @param {Row} row
 * @returns {typeof PHASES[string] | null}
 */
function special({ phase, mode, history, from }) {
  if (phase === 'switched' && mode === 'offline')
    return { say: 'moved; the old data is kept until finish', tone: 'good' };
  if (phase === 'finished' && history.some((one) => one.phase === 'rolled-back'))
    return { say: `finished; rolled back, the data is in ${from}`, tone: 'faint' };
  return null;
}

/** @param {Row} row @param {Ink} ink @returns {string[]} */
function details(row, ink) {
  const { heldBy, verified, next, nextBack } = row;
  return [
    ...wrap(figures(row), '  '),
    ...keptUp(row, ink),
    ...kept(row),
    ...(verified
      ? wrap(
          `verified ${time(verified.at)}: ${count(verified.documents)} documents, ` +
            `${verified.differences === 0 ? 'no difference' : `${count(verified.differences)} differ${named(verified)}`}${pendingOf(verified)}`,
          '  ',
        ).map((line) => ink(line, verified.differences === 0 ? 'good' : 'bad'))
      : []),
    ...refusing(row).map((line) => ink(line, 'bad')),
    ...oldReads(row).map((line) => ink(line, 'warn')),
    ...(heldBy
      ? wrap(`in use by ${heldBy.who}, lease until ${time(heldBy.until)}`, '  ').map((line) =>
          ink(line, 'faint'),
        )
      : []),
    ...(next ? labelled('  next:  ', next, (text) => ink(text, 'strong')) : []),
    ...(nextBack ? labelled('  or:    ', nextBack, (text) => text) : []),
  ];
}

/** @param {Row} row */
function figures(row) {
  const { phase, copied, documents, changesApplied, pendingConflicts, throttledMs = 0 } = row;
  const size =
    `${phase === 'copying' && copied > 0 ? `${count(copied)} of ` : ''}about ` +
    `${count(documents)} ${documents === 1 ? 'document' : 'documents'}`;
  return (
    `${size}, ${count(changesApplied)} ${changesApplied === 1 ? 'change' : 'changes'} ` +
    `applied${pendingConflicts > 0 ? `, ${count(pendingConflicts)} pending (unique conflict)` : ''}; ` +
    `${took(row)}${throttledMs > 0 ? `, throttled for ${duration(throttledMs)}` : ''}`
  );
}

/**
 * Without a shell nothing is applied, so the time it is complete up to counts, and how far the
 * oplog reaches back.
 * @param {Row} row
 * @param {Ink} ink
 * @returns {string[]}
 */
function keptUp({ id, from, into, phase, mode, broughtOverAt, oplogFrom = null, heldBy }, ink) {
  if (!broughtOverAt || heldBy || mode !== 'online' || !READY_PHASES.includes(phase)) return [];
  const [written, place, by] =
    phase === 'following' ? [from, into, 'cutover'] : [into, `the old data of ${from}`, 'rollback'];
  const until = `${place} has what was written to ${written} until ${time(broughtOverAt)}`;
  if (oplogFrom !== null && oplogFrom > broughtOverAt)
    return wrap(
      `${until}; the oplog no longer has the rest: tune.split.resume("${id}", { restart: true, ` +
        'confirm: true })',
      '  ',
    ).map((line) => ink(line, 'bad'));
  return wrap(
    `${until}; ${by} or resume applies the ` +
      `rest${oplogFrom === null ? '' : ` (the oplog reaches back to ${time(oplogFrom)})`}`,
    '  ',
  );
}

/** What takes disk until finish, and where to find it. @param {Row} row @returns {string[]} */
function kept({ phase, from, into, renamedTo, stagingName }) {
  if (phase === 'switched')
    return wrap(`kept until finish: ${renamedTo}, the old data of ${from}`, '  ');
  if (phase === 'rolled-back')
    return wrap(`kept until finish: ${stagingName}, the data that ${into} had`, '  ');
  return [];
}

/** @param {Verified} verified */
const pendingOf = ({ pending = 0 }) =>
  pending > 0 ? `, ${count(pending)} pending: written since the last resume` : '';

/** @param {Verified} verified */
const named = ({ ids = [], differences }) =>
  ids.length === 0
    ? ''
    : `: _id ${ids
        .slice(0, MAX_NAMED)
        .map(({ id, where }) => `${JSON.stringify(id)} (${WHERE[where] ?? where})`)
        .join(', ')}${differences > MAX_NAMED ? ' …' : ''}`;
/** All are in the data of the answer, up to a hundred. */
const MAX_NAMED = 5;
const WHERE = Object.freeze(
  /** @type {Record<string, string>} */ ({
    source: 'only in the side that counts',
    target: 'only in the other',
    both: 'not the same',
  }),
);

/** Where the name that should refuse does not. @param {Row} row @returns {string[]} */
function refusing({ phase, from, into, viewInPlace = null, nameTaken }) {
  if (viewInPlace !== false) return [];
  const name = phase === 'rolled-back' ? into : from;
  return wrap(
    nameTaken
      ? `a collection that another session made has the name ${name}: what is written to it is ` +
          `not in ${name === from ? into : from}`
      : `the view at ${name}, which refused every operation, was dropped by another session: a ` +
          `write to ${name} makes a new collection`,
    '  ',
  );
}

/** Where the old name answers with old data. @param {Row} row @returns {string[]} */
function oldReads({ from, into, phase, reads, cutAt }) {
  if (reads !== 'view' || !cutAt || !OLD_READ_PHASES.includes(phase)) return [];
  return wrap(
    `reads of ${from} are answered with old data, of ${time(cutAt)} or of the last ` +
      `tune.split.resume() or attempt to roll back: writes to ${into} are not in it`,
    '  ',
  );
}

/** @param {Row} row */
const took = ({ history, since }) =>
  `started ${time(history[0].at)}, in this phase since ${time(since)}`;

/** To the second, as mongosh reads it. @param {Date} at */
const time = (at) => at.toISOString().replace(/\.\d+Z$/, 'Z');

module.exports = { renderSplits };
