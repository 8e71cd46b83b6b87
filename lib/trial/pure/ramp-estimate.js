'use strict';

const { loweredBy, limitsAfter, levelsOf, LEVEL_WORDS } = require('../../change/pure/levels');
const { effective } = require('../../config/thresholds');
const { GiB, bytes, count } = require('../../base/pure/units');

/**
 * @import { Kind, Levels } from '../../change/pure/levels'
 * @import { Change } from '../../base/types'
 * @import { Raw } from '../../config/thresholds'
 * @import { Counters } from '../../server/pure/counters'
 */

/**
 * Estimates a switch to a smaller cache or a lower trigger: how much has to leave the cache first.
 * @typedef {{
 *   to: 'A' | 'B', basis: 'now' | 'max', usedBytes: number | null, dirtyBytes: number | null,
 *   updatesBytes: number | null, minSeconds: number | null, maxSeconds: number
 * }} GoingDown bytes above what the setting allows, null where that setting allows no less, or
 *   nobody knows; `basis`:
 *   of what is in the cache now, or of what the other setting lets into it at most; `minSeconds`:
 *   null where the disk
 *   decides it alone
 */

/**
 * Seconds of a switch without a wait, with its samples and read-backs, and the longest time of a
 * ramp.
 */
const SWITCH_SECONDS = Object.freeze({ plain: 1, longestRamp: 60 });
/**
 * Seconds between two steps (change/ramp-down.js), and the share of the size that a step leaves.
 */
const RAMP_STEP = Object.freeze({ seconds: 0.3, ratio: 0.87 });

/**
 * @param {{ A: Change, B: Change, raw: Raw, live: Counters }} known `raw`: every current setting,
 *   which is A
 * @returns {GoingDown[]} empty where neither way lowers anything
 */
function rampEstimateOf({ A, B, raw, live }) {
  const withB = { ...raw, ...B };
  const levels = levelsOf(live);
  const max = maxLevels(withB);
  return [
    ...oneWay({ to: 'B', basis: 'now', from: raw, change: B }, levels),
    ...oneWay({ to: 'A', basis: 'max', from: withB, change: A }, max),
  ];
}

/** @param {Raw} raw @returns {Levels} the most that its triggers let into the cache */
function maxLevels(raw) {
  const { percent } = effective(raw);
  const of = (/** @type {number | null} */ value) =>
    typeof raw.cacheSizeGB !== 'number' || value === null
      ? null
      : (value / 100) * raw.cacheSizeGB * GiB;
  return {
    usedBytes: of(percent.evictionTrigger),
    dirtyBytes: of(percent.evictionDirtyTrigger),
    updatesBytes: of(percent.evictionUpdatesTrigger),
  };
}

/**
 * @param {{ to: 'A' | 'B', basis: 'now' | 'max', from: Raw, change: Change }} way
 * @param {Levels} levels @returns {GoingDown[]}
 */
function oneWay({ to, basis, from, change }, levels) {
  const limits = limitsAfter(from, change);
  if (limits.length === 0) return [];
  const above = (/** @type {Kind} */ kind) => {
    const [limit, level] = [limits.find((one) => one.kind === kind), levels[`${kind}Bytes`]];
    return limit === undefined || level === null ? null : Math.max(0, level - limit.belowBytes);
  };
  return [
    {
      to,
      basis,
      usedBytes: above('used'),
      dirtyBytes: above('dirty'),
      updatesBytes: above('updates'),
      minSeconds: minSeconds(from, change, levels),
      maxSeconds: SWITCH_SECONDS.longestRamp,
    },
  ];
}

/**
 * @param {Raw} from
 * @param {Change} change
 * @param {Levels} levels
 * @returns {number | null}
 */
function minSeconds(from, change, { usedBytes }) {
  const clean = loweredBy(from, change).find(({ isClean }) => isClean);
  if (clean === undefined || usedBytes === null) return null;
  const steps = Math.ceil(
    Math.log(clean.toBytes / Math.min(usedBytes, clean.fromBytes)) / Math.log(RAMP_STEP.ratio),
  );
  return Math.max(0, steps) * RAMP_STEP.seconds;
}

/**
 * @param {GoingDown} way
 * @param {Change} change the change of that switch
 * @returns {string} the sentence that is printed before the trial is confirmed
 */
function rampEstimateWords({ to, basis, minSeconds, maxSeconds, ...above }, change) {
  const parts = /** @type {Kind[]} */ (Object.keys(LEVEL_WORDS)).flatMap((kind) => {
    const over = above[`${kind}Bytes`];
    return over === null || over === 0 ? [] : [`${bytes(over)} ${LEVEL_WORDS[kind]}`];
  });
  const what = change.cacheSizeGB === undefined ? 'a lower trigger' : 'a smaller cache';
  const known =
    parts.length === 0
      ? ''
      : ` It evicts what is above the limits of ${to} first, ${basis === 'now' ? 'now' : 'at most'} ` +
        `${parts.join(', ')}.`;
  const time =
    minSeconds === null
      ? `at most ${count(maxSeconds)} s`
      : `${count(minSeconds)} s to ${count(maxSeconds)} s`;
  return `Each switch to ${to} sets ${what} in steps (${time}) and may block clients.${known}`;
}

module.exports = { rampEstimateOf, rampEstimateWords, SWITCH_SECONDS };
