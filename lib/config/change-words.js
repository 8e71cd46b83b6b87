'use strict';

const { bytes } = require('../base/pure/units');
const { settingsOf } = require('./change');
const { SETTINGS } = require('./setting-table');

/**
 * @import { SettingName, Change } from '../base/types'
 */

/** @param {SettingName} setting @param {number | null | undefined} value @returns {string} `1 GiB` */
function showValue(setting, value) {
  if (value === undefined || value === null) return '?';
  const { unit } = SETTINGS[setting];
  if (unit === 'percent') return value > 100 ? bytes(value) : `${Number(value.toFixed(2))}%`;
  return { GB: `${Number(value.toFixed(3))} GiB`, threads: `${value}`, seconds: `${value} s` }[
    unit
  ];
}

/**
 * @param {Change} change
 * @param {Change | null} before the values that are known
 * @returns {string} `cacheSizeGB  0.25 GiB → 1 GiB`
 */
const changeWords = (change, before) =>
  settingsOf(change)
    .map((setting) => {
      const [old, next] = [before?.[setting], showValue(setting, change[setting])];
      return old === undefined || old === null
        ? `${setting}: ${next}`
        : `${setting}: ${showValue(setting, old)} → ${next}`;
    })
    .join(', ');

module.exports = { showValue, changeWords };
