'use strict';

const { KNOB_NAMES } = require('./knobs');
const { figure, UNKNOWN } = require('../base/pure/units');

/** @typedef {import('../server/pure/facts').Config} Config */

/**
 * @param {Config | null} before null: not known @param {Config} after
 * @returns {string[]} `evictionDirtyTrigger 20 → 15`, one of each setting that is another one now
 */
function changesBetween(before, after) {
  if (before === null) return [];
  return KNOB_NAMES.filter((knob) => before[knob].value !== after[knob].value).map(
    (knob) => `${knob} ${show(before[knob].value)} → ${show(after[knob].value)}`,
  );
}

/** @param {number | null} value */
const show = (value) => (value === null ? UNKNOWN : figure(value));

module.exports = { changesBetween };
