'use strict';

const { effective } = require('../../config/thresholds');
const { LARGEST_PERCENT } = require('../../config/setting-table');
const { GiB, MB_PER_GB } = require('../../base/pure/units');
const { settingsOf } = require('../../config/change');
const { isBelow, loweredBy } = require('./levels');

/**
 * @import { Change } from '../../base/types'
 * @import { Raw, Threshold } from '../../config/thresholds'
 * @import { Levels, Lowered } from './levels'
 */

/**
 * Lowers a trigger, or the size of the cache, in steps under a load that holds the level up. The
 * values lie so little below the level that the disk soon drains the difference, because clients
 * are stopped until it has. Between two steps clients run: steps without a pause stop them as long
 * as one large step (docs/evidence/live-changes.md).
 * @typedef {{ levels: Levels, bytesPerSec: number | null }} Seen `bytesPerSec`: the present write
 *   rate of the cache, null where it is not known
 */

/**
 * Seconds of a pause that clients hardly notice; pauses measured without this care were 5 to 7 s.
 */
const LONGEST_PAUSE_SECONDS = 0.5;
/** Share of the level for a step, while the speed of the disk is unknown. */
const CAUTIOUS_RATIO = 0.1;
/**
 * Share of the trigger: a level at its trigger is seen up to 2% above it (20.4 of 20, 10.2 of 10)
 * while clients do run.
 */
const AT_TRIGGER_RATIO = 1.02;
/**
 * Share of the trigger below which clean pages leave without an effect on clients: eviction threads
 * alone drop them.
 */
const JUST_UNDER_RATIO = 0.97;
/**
 * Share of the trigger for a step: eviction threads keep the level at its target, 84% of it by
 * default, so a tenth costs no client.
 */
const CLEAN_STEP_RATIO = 0.9;

/**
 * @param {Raw} now every present setting
 * @param {Change} change the final values of one group
 * @param {Seen} seen
 * @returns {Change | null} the next values; null: the change itself is near enough
 */
function nextDown(now, change, seen) {
  const share = Math.min(...loweredBy(now, change).map((lowered) => shareOfWay(lowered, seen)));
  return share >= 1 ? null : valueAt(now, change, share);
}

/**
 * @param {Raw} now
 * @param {Change} change
 * @param {Levels} levels
 * @returns {boolean} whether the cache is at or below the triggers in effect (for clean pages far
 *   enough below that the next value blocks no client); an unknown level counts as below
 */
const isDrained = (now, change, levels) =>
  loweredBy(now, change).every(
    ({ kind, fromBytes, isClean }) =>
      (levels[`${kind}Bytes`] ?? 0) <=
      fromBytes * (isClean ? CLEAN_STEP_RATIO * JUST_UNDER_RATIO : AT_TRIGGER_RATIO),
  );

/**
 * @param {Lowered} lowered
 * @param {Seen} seen
 * @returns {number} the share of the way from the trigger in effect to the last one that may be set
 *   now; an unknown level delays nothing
 */
function shareOfWay({ kind, fromBytes, toBytes, isClean }, { levels, bytesPerSec }) {
  const seen = levels[`${kind}Bytes`];
  if (seen === null) return 1;
  const level = Math.min(seen, fromBytes);
  if (isClean)
    return (
      (fromBytes - Math.min(level / JUST_UNDER_RATIO, fromBytes * CLEAN_STEP_RATIO)) /
      (fromBytes - toBytes)
    );
  const step = bytesPerSec === null ? level * CAUTIOUS_RATIO : bytesPerSec * LONGEST_PAUSE_SECONDS;
  return (fromBytes - (level - step)) / (fromBytes - toBytes);
}

/**
 * @param {Raw} now
 * @param {Change} change
 * @param {number} share between 0 and 1
 * @returns {Change | null} the values, rounded up: a smaller step than allowed, but always a step
 */
function valueAt(now, change, share) {
  const between = (/** @type {number} */ from, /** @type {number} */ to) =>
    from + (to - from) * share;
  if (change.cacheSizeGB !== undefined) {
    const fromMB = /** @type {number} */ (now.cacheSizeGB) * MB_PER_GB;
    const sizeMB = Math.min(
      Math.ceil(between(fromMB, change.cacheSizeGB * MB_PER_GB)),
      Math.ceil(fromMB) - 1,
    );
    return sizeMB <= change.cacheSizeGB * MB_PER_GB ? null : { cacheSizeGB: sizeMB / MB_PER_GB };
  }
  const [from, to] = [effective(now).percent, effective({ ...now, ...change }).percent];
  // An unknown trigger may be as high as that.
  const fromOf = (/** @type {Threshold} */ setting) => from[setting] ?? LARGEST_PERCENT;
  const triggers = /** @type {Threshold[]} */ (settingsOf(change)).filter(
    (setting) => setting.endsWith('Trigger') && isBelow(to[setting], fromOf(setting)),
  );
  if (triggers.length === 0) return null;
  return Object.fromEntries(
    triggers.map((setting) => {
      const [was, is] = [fromOf(setting), /** @type {number} */ (to[setting])];
      return [
        setting,
        wholeValue(between(was, is), was, /** @type {number} */ (now.cacheSizeGB) * GiB),
      ];
    }),
  );
}

/**
 * Returns whole percent, or bytes where a percent is more than the step.
 * @param {number} percent
 * @param {number} was
 * @param {number} cacheBytes
 */
const wholeValue = (percent, was, cacheBytes) =>
  Math.ceil(percent) < was ? Math.ceil(percent) : Math.ceil((percent / 100) * cacheBytes);

/**
 * @typedef {{ atMs: number, writtenBytes: number | undefined }} Gathered `writtenBytes`: by the cache,
 *   since the server's start
 * @param {Gathered} earlier
 * @param {Gathered} later
 * @returns {number | null} bytes a second; null where they are not known, or nothing is written at
 *   all, which says nothing of the disk
 */
function writeRate(earlier, later) {
  const [bytes, seconds] = [
    (later.writtenBytes ?? NaN) - (earlier.writtenBytes ?? NaN),
    (later.atMs - earlier.atMs) / 1000,
  ];
  return bytes > 0 && seconds > 0 ? bytes / seconds : null;
}

module.exports = { nextDown, isDrained, writeRate };
