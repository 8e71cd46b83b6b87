'use strict';

const { count, duration } = require('../model/units');
const { labelled } = require('./code-lines');
const { wrap } = require('./wrap');

/**
 * @typedef {import('./report').Ink} Ink
 * @typedef {{
 *   id: string, from: string, into: string, phase: string, mode: string, method: string, documents: number, copied: number, changesBroughtOver: number, parked: number,
 *   since: Date, history: { phase: string, at: Date }[], aside: string, working: string, verified: { at: Date, documents: number, differences: number } | null,
 *   reads?: 'refused' | 'view', cutAt?: Date | null, heldBy: { who: string, until: Date } | null, next: string | null, orBack: string | null, does: string[] | null
 * }} Row
 * @typedef {{ command: string, dryRun: boolean, splits: Row[], confirm: string | null }} Splits
 */

/** @type {Readonly<Record<string, { say: string, tone: import('./report').Tone }>>} */
const PHASES = Object.freeze({
  planned: { say: 'nothing is copied yet', tone: 'faint' }, created: { say: 'the target is prepared', tone: 'accent' }, copying: { say: 'being copied', tone: 'accent' },
  indexing: { say: 'the indexes are being built', tone: 'accent' }, following: { say: 'copied; the target follows, ready for the cutover', tone: 'good' },
  cutting: { say: 'being cut over', tone: 'warn' }, draining: { say: 'cut off; the last writes are being brought over', tone: 'warn' }, switching: { say: 'cut off; the target gets its name', tone: 'warn' },
  switched: { say: 'moved; the old data is kept for a rollback', tone: 'good' }, aborting: { say: 'being given up', tone: 'warn' }, aborted: { say: 'given up; the source is as it was', tone: 'faint' },
  'cutting-back': { say: 'being taken back', tone: 'warn' }, 'draining-back': { say: 'being taken back', tone: 'warn' }, 'switching-back': { say: 'being taken back', tone: 'warn' },
  'rolled-back': { say: 'taken back; the new name refuses every operation', tone: 'warn' }, finished: { say: 'finished', tone: 'faint' },
});

/** @param {Splits} data @param {Ink} ink @returns {string} */
function renderSplits({ splits, dryRun, confirm, command }, ink) {
  if (splits.length === 0) return command === 'tune.split.status' ? 'This server knows of no split. tune.split.plan({ from, into }) plans one.' : 'No split is waiting for that; tune.split.status() lists those there are.';
  return [
    ...(dryRun ? [ink('this is only shown; nothing was changed', 'accent'), ''] : []),
    ...splits.flatMap((row) => [...head(row, ink), ...(row.does ? row.does.flatMap((line) => wrap(line, '    ', '  - ')) : details(row, ink)), '']),
    ...(confirm ? labelled('to do it:  ', confirm, (text) => ink(text, 'strong')) : []),
  ].join('\n').trimEnd();
}

/** @param {Row} row @param {Ink} ink @returns {string[]} */
function head({ id, from, into, phase }, ink) {
  const { say, tone } = PHASES[phase] ?? { say: phase, tone: 'warn' };
  return [...wrap(`${from} → ${into}`, '  ', ''), ...wrap(`${id}: ${say}`, '  ').map((line) => ink(line, tone))];
}

/** @param {Row} row @param {Ink} ink @returns {string[]} */
function details(row, ink) {
  const { documents, changesBroughtOver, parked, heldBy, verified, next, orBack } = row;
  return [
    ...wrap(`about ${count(documents)} documents, ${count(changesBroughtOver)} ${changesBroughtOver === 1 ? 'change' : 'changes'} brought over${parked > 0 ? `, ${count(parked)} wait for a value that another document still has` : ''}; ${took(row)}`, '  '),
    ...(verified ? wrap(`verified ${verified.at.toISOString()}: ${count(verified.documents)} documents, ${verified.differences === 0 ? 'no difference' : `${count(verified.differences)} differ`}`, '  ').map((line) => ink(line, verified.differences === 0 ? 'good' : 'bad')) : []),
    ...oldReads(row).map((line) => ink(line, 'warn')),
    ...(heldBy ? wrap(`worked on by ${heldBy.who}, whose lease is good until ${heldBy.until.toISOString()}`, '  ').map((line) => ink(line, 'faint')) : []),
    ...(next ? labelled('  next:  ', next, (text) => ink(text, 'strong')) : []),
    ...(orBack ? labelled('  or:    ', orBack, (text) => text) : []),
  ];
}

/** Where the old name answers with old data. @param {Row} row @returns {string[]} */
function oldReads({ from, into, phase, reads, cutAt }) {
  if (reads !== 'view' || !cutAt || !OLD_READS.includes(phase)) return [];
  return wrap(`reads of ${from} still answer, with what it was at ${cutAt.toISOString()} or when tune.split.resume() was last called: what is written to ${into} is not in it`, '  ');
}

const OLD_READS = Object.freeze(['draining', 'switching', 'switched', 'cutting-back', 'draining-back', 'switching-back']);

/** @param {Row} row */
const took = ({ history }) => `begun ${history[0].at.toISOString()}, ${duration(history[history.length - 1].at.getTime() - history[0].at.getTime())} until now`;

module.exports = { renderSplits };
