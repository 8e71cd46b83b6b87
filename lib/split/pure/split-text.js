'use strict';

const { callText, visible } = require('../../base/pure/printable');
const { count, duration, timeText, many } = require('../../base/pure/units');
const { callLines, dryRun, headed, marked, part } = require('../../text/layout');
const { MIN, wrap } = require('../../text/wrap');
const { OLD_READ_PHASES, READY_PHASES, isBeingUndone, restartVerb } = require('./phase-table');
const { stateOf } = require('./phase-words');
const { endedEarly } = require('./split-ended-early');
const {
  isCopyMissing,
  isGone,
  isReplaced,
  notActive,
  notBlocking,
  notFollowing,
} = require('./split-names-changed');
const { hasDifferences, isOverrun, nextLines, verbOf } = require('./split-next');

/**
 * @import { Ink } from '../../base/types'
 * @import { Row } from './types'
 */

/**
 * @typedef {{
 *   at: Date, documents: number, differences: number, pending?: number,
 *   ids?: { id: unknown, where: string }[]
 * }} Verified
 * @typedef {{ command: string, dryRun: boolean, splits: Row[], confirm: string | null }} Splits
 */

/** @param {Splits} data @param {Ink} ink @returns {string} */
function renderSplits({ splits, dryRun: isDry, confirm, command }, ink) {
  if (splits.length === 0)
    return command === 'tune.split.status'
      ? ['No split on this server.', ...callLines([['Plan', PLAN]], ink)].join('\n')
      : ['No split is in a phase for this command.', ...callLines([['Check', STATUS]], ink)].join(
          '\n',
        );
  const over = command === 'tune.split.status' && splits.length > 1 ? splits.filter(isOver) : [];
  return [
    ...(isDry ? [dryRun(ink)] : []),
    ...splits
      .filter((row) => !over.includes(row))
      .flatMap((row) => [
        ...head(row, ink),
        ...(row.does ? previewLines(row.does, ink) : details(row, ink)),
        ...(command === CUTOVER && isDry ? notCompared(row, ink) : []),
      ]),
    ...ended(over, ink),
    ...callLines([[verbOf(confirm), confirm]], ink),
  ].join('\n');
}

const PLAN = 'tune.split.plan({ source: "shop" })';
const STATUS = 'tune.split.status()';
const CUTOVER = 'tune.split.cutover';

/**
 * Warns before a cutover without a comparison: the cutover itself compares nothing.
 * @param {Row} row @param {Ink} ink
 */
const notCompared = ({ ownId: id, phase, verified }, ink) =>
  phase === 'following' && !verified
    ? marked(
        'warning',
        `Not compared yet: run ${callText('split.verify', id)} first, which compares all documents.`,
        ink,
      )
    : [];

/** Prints what would be done. @param {readonly string[]} does @param {Ink} ink */
const previewLines = (does, ink) =>
  does.flatMap((line, i) =>
    part(i === 0 ? 'WOULD DO' : '', `${does.length > 1 ? `${i + 1}. ` : ''}${line}`, ink),
  );

/** @param {Row} row */
const isOver = ({ phase, next }) => (phase === 'finished' || phase === 'aborted') && !next;
/** Largest number of ended splits shown, half a screen; the rest is in the answer. Project heuristic. */
const MAX_ENDED = 5;

/**
 * Prints ended splits in short: there is nothing left to do.
 * @param {Row[]} rows the newest last
 * @param {Ink} ink
 * @returns {string[]}
 */
function ended(rows, ink) {
  if (rows.length === 0) return [];
  const shown = rows.toSorted((a, b) => Number(b.since) - Number(a.since)).slice(0, MAX_ENDED);
  return [
    headed('ENDED', ink).trimEnd(),
    ...shown.flatMap((row) =>
      wrap(
        `${row.from} → ${row.into}: ${stateOf(row).say}, ${time(row.since)} (${row.id})` +
          `${row.kept ? `; kept: ${row.kept}` : ''}`,
        '    ',
        '  ',
      ).map((line) => ink(line, 'faint')),
    ),
    ...(rows.length > shown.length
      ? [ink(`  and ${count(rows.length - shown.length)} earlier`, 'faint')]
      : []),
    ...callLines([['Details', 'tune.split.status("<id>")']], ink),
  ];
}

/** Returns the state; where a comparison found differences, a repair comes first. @param {Row} row */
function stateNow(row) {
  const isRepairDue = row.phase === 'following' && hasDifferences(row) && !isCopyMissing(row);
  return isRepairDue
    ? { say: 'copied, to be repaired', tone: /** @type {const} */ ('bad') }
    : stateOf(row);
}

/** @param {Row} row @param {Ink} ink @returns {string[]} */
function head(row, ink) {
  const { id, from, into } = row;
  const { say, tone } = stateNow(row);
  const [move, ...more] = part('SPLIT', `${from} → ${into}`, ink);
  return [
    ...(move.length + id.length < MIN && more.length === 0
      ? [`${move}  ${ink(visible(id), 'faint')}`]
      : [move, ...more, ...part('', id, ink, 'faint')]),
    ...part('PHASE', `${say} (since ${time(row.since)})`, ink, tone),
  ];
}

/** @param {Row} row @param {Ink} ink @returns {string[]} */
function details(row, ink) {
  const { heldBy } = row;
  const bad = (/** @type {string | null} */ text) =>
    text === null ? [] : marked('critical', text, ink);
  return [
    ...part('PROGRESS', figures(row), ink),
    ...lag(row, ink),
    ...keptLines(row, ink),
    ...(isCopyMissing(row) ? [] : verification(row, ink)),
    ...bad(notActive(row)),
    ...bad(notFollowing(row)),
    ...bad(endedEarly(row)),
    ...bad(notBlocking(row)),
    ...(isCopyMissing(row) ? [] : oldReads(row, ink)),
    ...(heldBy
      ? part(
          'IN USE',
          `by ${heldBy.who}; if that stops, another shell may resume after ${time(heldBy.until)}`,
          ink,
          'faint',
        )
      : []),
    ...nextLines(row, ink),
  ];
}

/** @param {Row} row */
function figures(row) {
  const { phase, copied, documents, changesApplied, pendingConflicts, throttledMs = 0 } = row;
  const size =
    `${phase === 'copying' && copied > 0 ? `${count(copied)} of ` : ''}about ` +
    `${many(documents, 'document')}`;
  return (
    `${size}, ${many(changesApplied, 'change')} ` +
    `applied${pendingConflicts > 0 ? `, ${count(pendingConflicts)} pending (unique conflict)` : ''}` +
    `${throttledMs > 0 ? `, throttled for ${duration(throttledMs)}` : ''}`
  );
}

/**
 * Says whether later commands apply changes: there is something to apply, and a collection to apply it to.
 * @param {Row} row
 */
const isApplied = (row) =>
  !row.heldBy &&
  row.mode === 'online' &&
  READY_PHASES.includes(row.phase) &&
  !isBeingUndone(row) &&
  !(isGone(row) || isReplaced(row) || isCopyMissing(row));

/**
 * Prints the lag. Without a shell nothing is applied, so the time up to which the copy is complete counts, and how far
 * the oplog reaches back.
 * @param {Row} row
 * @param {Ink} ink
 * @returns {string[]}
 */
function lag(row, ink) {
  const { from, into, phase, broughtOverAt, readUntil, oplogFrom = null } = row;
  if (!broughtOverAt || !isApplied(row)) return [];
  const [written, place, by, way] =
    phase === 'following'
      ? [from, 'the copy', 'tune.split.cutover()', 'starts a new copy of']
      : [
          into,
          `the old data of ${from}`,
          'tune.split.rollback()',
          `compares all documents, and updates the old data of ${from} from`,
        ];
  const until = `writes to ${written} until ${time(broughtOverAt)} are in ${place}`;
  if (isOverrun({ broughtOverAt, readUntil, oplogFrom }))
    return [
      ...part('APPLIED', until, ink),
      ...marked(
        'critical',
        `The oplog lost later writes: ${by} is refused. "${restartVerb(row)}" ${way} ${written}, ` +
          'which stays active.',
        ink,
      ),
    ];
  return [
    ...part('APPLIED', `${until}; ${by} applies later writes if the oplog still holds them`, ink),
    ...(oplogFrom === null
      ? []
      : part('', `the oplog reaches back to ${time(oplogFrom)}`, ink, 'faint')),
  ];
}

/** Says what takes disk until finish, and where it is. @param {Row} row @param {Ink} ink */
function keptLines({ phase, from, into, kept }, ink) {
  if (!kept) return [];
  const what =
    { switched: `the old data of ${from}`, 'rolled-back': `the data that ${into} had` }[
      /** @type {string} */ (phase)
    ] ?? 'the copy: drop it or rename it by hand';
  return part('KEPT', `${kept}, ${what}`, ink);
}

/** @param {Row} row @param {Ink} ink */
function verification({ verified, mode, into, phase }, ink) {
  if (!verified) return [];
  const { at, documents, differences, pending = 0 } = verified;
  return [
    ...part(
      differences === 0 ? 'VERIFIED' : 'DIFFERENCES',
      `${differences === 0 ? 'no difference' : `${count(differences)} differ`} in ` +
        `${count(documents)} documents, ${time(at)}`,
      ink,
      differences === 0 ? 'good' : 'bad',
    ),
    ...(pending > 0
      ? part(
          '',
          `${many(pending, 'document')} written meanwhile, not compared` +
            `${phase === 'following' ? ': tune.split.cutover() applies them' : ''}`,
          ink,
          'faint',
        )
      : []),
    ...named(verified).flatMap((text) => part('', text, ink)),
    ...(differences > 0 && mode === 'offline'
      ? part(
          '',
          `Writes to ${into} since the cutover count as differences: nothing brings them to the old data.`,
          ink,
        )
      : []),
  ];
}

/** Names the first documents that differ. @param {Verified} verified @returns {string[]} */
const named = ({ ids = [], differences }) =>
  ids.length === 0
    ? []
    : [
        ...ids
          .slice(0, MAX_NAMED)
          .map(({ id, where }) => `_id ${JSON.stringify(id)}: ${WHERE[where] ?? where}`),
        ...(differences > MAX_NAMED ? [`and ${count(differences - MAX_NAMED)} more`] : []),
      ];
/** Number of documents that are named; up to a hundred are in the data of the answer. */
const MAX_NAMED = 5;
const WHERE = Object.freeze(
  /** @type {Record<string, string>} */ ({
    source: 'only in the active collection',
    target: 'only in the copy',
    both: 'differs',
  }),
);

/** Warns where the old name answers with old data. @param {Row} row @param {Ink} ink @returns {string[]} */
function oldReads({ from, into, phase, reads, cutAt }, ink) {
  if (reads !== 'view' || !cutAt || !OLD_READ_PHASES.includes(phase)) return [];
  return marked(
    'warning',
    `Reads of ${from} are allowed ({ reads: "view" }). They return old data, of ${time(cutAt)} or ` +
      `of the last tune.split.resume(), without later writes to ${into}. After ` +
      'tune.split.finish() they fail.',
    ink,
  );
}

/** @param {Date} at */
const time = (at) => `${timeText(at)} UTC`;

module.exports = { renderSplits };
