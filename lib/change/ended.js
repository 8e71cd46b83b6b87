'use strict';

const { readLastString } = require('../server/engine-history');
const { knobsOf, showChange } = require('../config/change');
const { TuneError } = require('../base/pure/errors');
const { accepted, close, checkServer } = require('./work');
const { forgetBack } = require('./roll-back');

/** @typedef {import('./work').Work} Work @typedef {import('./work').Change} Change */

/**
 * What ended it, with what is in force of the change. While a call was on its way nobody knows
 * whether it arrived, unless the server shows its string: else the journal stays open, which reads
 * "unknown".
 * @param {Work} work
 * @param {Error} error
 * @param {Error} [last] what failed last, where that was the way back
 * @returns {Promise<Error>}
 */
async function ended(work, error, last = error) {
  const { id, sent } = work;
  const open = await isOpen(work, last);
  if (last !== error) forgetBack(work, work.plan.before);
  const some = knobsOf(sent).length > 0;
  if (!open)
    close(work, {
      outcome: some || isCode(error, 'TUNE-30009') ? 'interrupted' : 'refused',
      after: some ? { ...sent } : null,
      verified: null,
      reason: error.message,
    });
  const undo = open || some ? `tune.undo("${id}", { confirm: true })` : null;
  // Of several members whoever goes from one to the next says what became of all.
  const message = work.plan.group
    ? error.message
    : [error.message, ...wordsOf({ sent, open, undo })].join(' ');
  return Object.assign(error, { message, id, sent, undo });
}

/** @param {{ sent: Change, open: boolean, undo: string | null }} end @returns {string[]} */
const wordsOf = ({ sent, open, undo }) => [
  inForceWords(sent),
  ...(open ? [NOT_KNOWN] : []),
  ...(undo ? [`${undo} takes it back.`] : []),
];

const NOT_KNOWN = 'Whether the last call is in force is not known; tune.config() shows what is.';

/**
 * @param {Work} work
 * @param {Error} error
 * @returns {Promise<boolean>} whether it is open what became of the last call
 */
async function isOpen(work, error) {
  if (isCode(error, 'TUNE-30005')) return true;
  if (work.onItsWay === null || isAnswer(error)) return false;
  const { step, atMs } = work.onItsWay;
  if (!(await arrived(work, step))) return true;
  accepted(work, step, { atMs, was: work.last });
  return false;
}

/** @param {Change} sent */
const inForceWords = (sent) =>
  knobsOf(sent).length > 0
    ? `In force of it: ${showChange(sent)}.`
    : 'Nothing of it is known to be in force.';

/** The server itself said no, or we never asked. @param {Error} error */
const isAnswer = (error) =>
  error instanceof TuneError && !isCode(error, 'TUNE-20006') && !isCode(error, 'TUNE-30009');

/** @param {Error} error @param {import('../base/pure/errors').Code} code */
const isCode = (error, code) => error instanceof TuneError && error.code === code;

/** @param {Work} work @param {{ config: string }} step */
async function arrived({ ctx, settings }, step) {
  try {
    await checkServer(ctx, settings);
    return (await readLastString(ctx.port)) === step.config;
  } catch {
    // The connection is gone: nothing can be learnt.
    return false;
  }
}

module.exports = { ended };
