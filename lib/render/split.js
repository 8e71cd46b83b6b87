'use strict';

const { count, duration } = require('../model/units');
const { labelled } = require('./code-lines');
const { wrap } = require('./wrap');

/**
 * @typedef {import('./report').Ink} Ink
 * @typedef {{ at: Date, documents: number, differences: number, ids?: { id: unknown, where: string }[] }} Verified
 * @typedef {{
 *   id: string, from: string, into: string, phase: string, mode: string, method: string, documents: number, copied: number, changesBroughtOver: number, parked: number,
 *   since: Date, history: { phase: string, at: Date }[], aside: string, working: string, verified: Verified | null, broughtOverAt?: Date | null, oplogFrom?: Date | null, heldBackMs?: number,
 *   viewInPlace?: boolean | null, nameTaken?: boolean | null, reads?: 'refused' | 'view', cutAt?: Date | null, heldBy: { who: string, until: Date } | null, next: string | null, orBack: string | null, does: string[] | null
 * }} Row
 * @typedef {{ command: string, dryRun: boolean, splits: Row[], confirm: string | null }} Splits
 */

/** @type {Readonly<Record<string, { say: string, tone: import('./report').Tone }>>} */
const PHASES = Object.freeze({
  planned: { say: 'nothing is copied yet', tone: 'faint' }, created: { say: 'the target is prepared', tone: 'accent' }, copying: { say: 'being copied', tone: 'accent' },
  indexing: { say: 'the indexes are being built', tone: 'accent' }, following: { say: 'copied; ready for the cutover', tone: 'good' },
  cutting: { say: 'being cut over', tone: 'warn' }, draining: { say: 'cut off; the last writes are being brought over', tone: 'warn' }, switching: { say: 'cut off; the target gets its name', tone: 'warn' },
  switched: { say: 'moved; the old data is kept for a rollback', tone: 'good' }, aborting: { say: 'being given up', tone: 'warn' }, aborted: { say: 'given up; the source is as it was', tone: 'faint' },
  'cutting-back': { say: 'being taken back', tone: 'warn' }, 'draining-back': { say: 'being taken back', tone: 'warn' }, 'switching-back': { say: 'being taken back', tone: 'warn' },
  'rolled-back': { say: 'taken back; the new name refuses every operation', tone: 'warn' }, finished: { say: 'finished', tone: 'faint' },
});

/** @param {Splits} data @param {Ink} ink @returns {string} */
function renderSplits({ splits, dryRun, confirm, command }, ink) {
  if (splits.length === 0) return command === 'tune.split.status' ? 'This server knows of no split. tune.split.plan({ from, into }) plans one.' : 'No split is waiting for that; tune.split.status() lists those there are.';
  const over = command === 'tune.split.status' && splits.length > 1 ? splits.filter(isOver) : [];
  return [
    ...(dryRun ? [ink('this is only shown; nothing was changed', 'accent'), ''] : []),
    ...splits.filter((row) => !over.includes(row)).flatMap((row) => [...head(row, ink), ...(row.does ? row.does.flatMap((line) => wrap(line, '    ', '  - ')) : details(row, ink)), '']),
    ...ended(over).map((line) => ink(line, 'faint')),
    ...(confirm ? labelled('to do it:  ', confirm, (text) => ink(text, 'strong')) : []),
  ].join('\n').trimEnd();
}

/** @param {Row} row */
const isOver = ({ phase }) => phase === 'finished' || phase === 'aborted';
/** Of those that are over; the rest is in the answer. Half a screen; ours. */
const MOST_ENDED = 5;

/** Shortly: there is nothing left to do. @param {Row[]} rows the newest last @returns {string[]} */
function ended(rows) {
  if (rows.length === 0) return [];
  const shown = rows.toSorted((a, b) => Number(b.since) - Number(a.since)).slice(0, MOST_ENDED);
  return [
    ...shown.flatMap((row) => wrap(`${row.from} → ${row.into}, ${row.id}: ${stateOf(row).say}, ${time(row.since)}`, '    ', '  ')),
    ...wrap(`${rows.length > shown.length ? `and ${count(rows.length - shown.length)} that ended before; ` : ''}tune.split.status(id) tells more of one`, '  '),
  ];
}

/** @param {Row} row */
const stateOf = (row) => special(row) ?? PHASES[row.phase] ?? { say: row.phase, tone: 'warn' };

/** @param {Row} row @param {Ink} ink @returns {string[]} */
function head(row, ink) {
  const { id, from, into } = row;
  const { say, tone } = stateOf(row);
  return [...wrap(`${from} → ${into}`, '  ', ''), ...wrap(`${id}: ${say}`, '  ').map((line) => ink(line, tone))];
}

/** Where the phase alone would say what is not so. @param {Row} row @returns {typeof PHASES[string] | null} */
function special({ phase, mode, history, from }) {
  if (phase === 'switched' && mode === 'offline') return { say: 'moved; the old data is kept until finish', tone: 'good' };
  if (phase === 'finished' && history.some((one) => one.phase === 'rolled-back')) return { say: `finished; it was taken back, and the data is in ${from}`, tone: 'faint' };
  return null;
}

/** @param {Row} row @param {Ink} ink @returns {string[]} */
function details(row, ink) {
  const { heldBy, verified, next, orBack } = row;
  return [
    ...wrap(figures(row), '  '),
    ...keptUp(row, ink),
    ...(verified ? wrap(`verified ${time(verified.at)}: ${count(verified.documents)} documents, ${verified.differences === 0 ? 'no difference' : `${count(verified.differences)} differ${named(verified)}`}`, '  ').map((line) => ink(line, verified.differences === 0 ? 'good' : 'bad')) : []),
    ...refusing(row).map((line) => ink(line, 'bad')),
    ...oldReads(row).map((line) => ink(line, 'warn')),
    ...(heldBy ? wrap(`worked on by ${heldBy.who}, whose lease is good until ${time(heldBy.until)}`, '  ').map((line) => ink(line, 'faint')) : []),
    ...(next ? labelled('  next:  ', next, (text) => ink(text, 'strong')) : []),
    ...(orBack ? labelled('  or:    ', orBack, (text) => text) : []),
  ];
}

/** @param {Row} row */
function figures(row) {
  const { phase, copied, documents, changesBroughtOver, parked, heldBackMs = 0 } = row;
  const size = `${phase === 'copying' && copied > 0 ? `${count(copied)} of ` : ''}about ${count(documents)} ${documents === 1 ? 'document' : 'documents'}`;
  return `${size}, ${count(changesBroughtOver)} ${changesBroughtOver === 1 ? 'change' : 'changes'} brought over${parked > 0 ? `, ${count(parked)} wait for a value that another document still has` : ''}; ${took(row)}${heldBackMs > 0 ? `, ${duration(heldBackMs)} of it held back to leave room for the clients` : ''}`;
}

/** Nobody brings over what is written while no shell is at it; so it is said up to when it is done, and how long the rest can be found. @param {Row} row @param {Ink} ink @returns {string[]} */
function keptUp({ id, from, into, phase, mode, broughtOverAt, oplogFrom = null, heldBy }, ink) {
  if (mode !== 'online' || !broughtOverAt || heldBy || !TWO_SIDED.includes(phase)) return [];
  const [written, place, by] = phase === 'following' ? [from, into, 'cutover'] : [into, `the old data of ${from}`, 'rollback'];
  const until = `what was written to ${written} until ${time(broughtOverAt)} is in ${place}`;
  if (oplogFrom !== null && oplogFrom > broughtOverAt) return wrap(`${until}; what came after it is in the oplog no more: tune.split.resume("${id}", { again: true, confirm: true })`, '  ').map((line) => ink(line, 'bad'));
  return wrap(`${until}; ${by} or resume brings the rest, as long as it is in the oplog${oplogFrom === null ? '' : ` (which reaches back to ${time(oplogFrom)})`}`, '  ');
}

const TWO_SIDED = Object.freeze(['following', 'switched']);

/** @param {Verified} verified */
const named = ({ ids = [], differences }) => (ids.length === 0 ? '' : `: _id ${ids.slice(0, MOST_NAMED).map(({ id, where }) => `${JSON.stringify(id)} (${WHERE[where] ?? where})`).join(', ')}${differences > MOST_NAMED ? ' …' : ''}`);
/** All are in the data of the answer, up to a hundred. */
const MOST_NAMED = 5;
const WHERE = Object.freeze(/** @type {Record<string, string>} */ ({ source: 'only where it counts', target: 'only in the other', both: 'not the same' }));

/** Where the name that should refuse does not. @param {Row} row @returns {string[]} */
function refusing({ phase, from, into, viewInPlace = null, nameTaken }) {
  if (viewInPlace !== false) return [];
  const name = phase === 'rolled-back' ? into : from;
  return wrap(nameTaken ? `a collection that another session made has the name ${name}: what is written to it is not in ${name === from ? into : from}` : `the view at ${name}, which refused every operation, was dropped by another session: a write to ${name} makes a new collection`, '  ');
}

/** Where the old name answers with old data. @param {Row} row @returns {string[]} */
function oldReads({ from, into, phase, reads, cutAt }) {
  if (reads !== 'view' || !cutAt || !OLD_READS.includes(phase)) return [];
  return wrap(`reads of ${from} still answer, with what it was at ${time(cutAt)} or when tune.split.resume() was last called: what is written to ${into} is not in it`, '  ');
}

const OLD_READS = Object.freeze(['draining', 'switching', 'switched', 'cutting-back', 'draining-back', 'switching-back']);

/** @param {Row} row */
const took = ({ history, since }) => `begun ${time(history[0].at)}, in this state since ${time(since)}`;

/** To the second, as mongosh reads it. @param {Date} at */
const time = (at) => at.toISOString().replace(/\.\d+Z$/, 'Z');

module.exports = { renderSplits };
