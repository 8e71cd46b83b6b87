'use strict';

/** How far above its target the dirty part of a cache may be when the next, smaller size is taken. */
const ABOVE_TARGET = 4 / 3;
/** A step that takes away less than this is not worth its call. */
const SMALLEST_STEP = 0.9;
const MB_PER_GB = 1024;

/**
 * Sizes on the way down. Eviction keeps what is dirty near its target, a share of the present size; a size is only taken when
 * that is under its trigger there, so each step may go down by the ratio of target to trigger.
 * @param {{ from: number, to: number, percent: Record<string, number | null> }} cache GB
 * @returns {number[]} GB, whole megabytes; the last is `to`
 */
function shrinkSizes({ from, to, percent }) {
  const factor = Math.max(share(percent.evictionDirtyTarget, percent.evictionDirtyTrigger), share(percent.evictionUpdatesTarget, percent.evictionUpdatesTrigger)) * ABOVE_TARGET;
  /** @type {number[]} */
  const sizes = [];
  for (let size = from * factor; factor < SMALLEST_STEP && size > to; size *= factor) sizes.push(Math.ceil(size * MB_PER_GB) / MB_PER_GB);
  return [...sizes.filter((size) => size > to), to];
}

/** Not known: as with the defaults, 5 of 20. @param {number | null} target @param {number | null} trigger */
const share = (target, trigger) => (target === null || !trigger ? 0.25 : target / trigger);

module.exports = { shrinkSizes };
