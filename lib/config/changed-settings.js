'use strict';

const { SETTING_NAMES } = require('./setting-table');
const { figure, UNKNOWN } = require('../base/pure/units');

/**
 * @import { Config } from './types'
 */

/**
 * @param {Config | null} before null: not known @param {Config} after
 * @returns {string[]} `evictionDirtyTrigger 20 → 15`, one of each setting that is another one now
 */
function changesBetween(before, after) {
  if (before === null) return [];
  return SETTING_NAMES.filter((setting) => before[setting].value !== after[setting].value).map(
    (setting) => `${setting} ${show(before[setting].value)} → ${show(after[setting].value)}`,
  );
}

/** @param {number | null} value */
const show = (value) => (value === null ? UNKNOWN : figure(value));

module.exports = { changesBetween };
