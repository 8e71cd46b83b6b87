'use strict';

const { TuneError } = require('../base/pure/errors');
const { mapServerError } = require('../base/server-errors');
const { earlyEndOf } = require('./early-end');
const { SWITCH_SECONDS } = require('./pure/going-down');
const { goBack } = require('./switch');
const { othersEnd } = require('./others');

/**
 * @typedef {import('./experiment').Trial} Trial
 * @typedef {import('./early-end').EarlyEnd} EarlyEnd
 */

/** A connection that was lost comes back within seconds, if it does: an election, a proxy. */
const TRIES = 3;
const PAUSE_MS = 2000;

/**
 * Whatever ended a trial before its time: A is in force again, or the user learns how to get there.
 * @param {Trial} trial @param {Error} error what ended it
 * @returns {Promise<EarlyEnd>}
 * @throws {TuneError} what ended it, where that is for the user to see
 */
async function backToA(trial, error) {
  const { work } = trial;
  // The server itself refused: what it had taken of it was put back.
  if (isCode(error, 'TUNE-20008')) work.onItsWay = null;
  const early = await othersFirst(trial, earlyEndOf(error));
  if (early?.stays || early?.kind === 'gone') return early;
  const gone = await goOrSay(trial, early, error);
  if (gone) return gone;
  if (trial.broken) trial.broken.backMs ??= performance.now() - trial.broken.atMs;
  if (early === null)
    throw Object.assign(error, {
      message: `${error.message} The settings are as before the trial.`,
      id: work.id,
      undo: null,
    });
  return early;
}

/**
 * What somebody else has set of the same meanwhile is not taken for B, and not overwritten;
 * whatever they set may be what broke a limit.
 * @param {Trial} trial
 * @param {EarlyEnd | null} early
 * @returns {Promise<EarlyEnd | null>}
 */
async function othersFirst(trial, early) {
  if (early === null || early.stays || early.kind === 'gone' || trial.at === 'A') return early;
  const disturbed = await othersEnd(trial).catch(() => null);
  if (disturbed === null) return early;
  if (trial.broken) disturbed.message += ' A limit of the guard was broken then.';
  trial.broken = null;
  return disturbed;
}

/**
 * @param {Trial} trial
 * @param {EarlyEnd | null} early
 * @param {Error} error
 * @returns {Promise<EarlyEnd | null>} where there is no way back to go
 */
async function goOrSay(trial, early, error) {
  const longestSeconds = LONGEST_SECONDS[early?.kind ?? 'load'] ?? SWITCH_SECONDS.goingDown;
  try {
    await withRetries(() => goBack(trial, { longestSeconds }));
    return null;
  } catch (cause) {
    const found = earlyEndOf(mapServerError(cause, 'setParameter'));
    if (found?.kind === 'gone') return found;
    throw stranded(trial, early ?? error, /** @type {Error} */ (cause));
  }
}

/**
 * So long the way down may be gone in steps before it is gone at once. After Ctrl-C the shell waits
 * for a minute; B harms while the guard's way back lasts; and a level that did not fall for a
 * minute will not in another.
 */
const LONGEST_SECONDS = Object.freeze(
  /** @type {{ [kind in import('./early-end').EndKind]?: number }} */ ({
    interrupted: 20,
    guard: 10,
    level: 10,
  }),
);

/** @param {() => Promise<void>} act */
async function withRetries(act) {
  for (let left = TRIES; ; left -= 1) {
    try {
      return await act();
    } catch (error) {
      if (left === 0 || !isLost(error)) throw error;
      await new Promise((resolve) => {
        setTimeout(resolve, PAUSE_MS);
      });
    }
  }
}

/** @param {unknown} error */
const isLost = (error) => isCode(mapServerError(error, 'setParameter'), 'TUNE-20006');

/** @param {Trial} trial @param {Error} why @param {Error} cause @returns {TuneError} */
function stranded({ work: { id } }, why, cause) {
  const undo = `tune.undo("${id}", { confirm: true })`;
  return new TuneError(
    'TUNE-30010',
    `The trial ended (${why.message}), and the way back to the settings before it failed: ` +
      `${cause.message} ${undo} goes it.`,
    { cause, id, undo, value: id },
  );
}

/** @param {Error} error @param {import('../base/pure/errors').Code} code */
const isCode = (error, code) => error instanceof TuneError && error.code === code;

module.exports = { backToA };
