'use strict';

const { literal } = require('../base/pure/printable');
const { SETTINGS, SETTING_NAMES, GROUPS } = require('./setting-table');
const { bytes } = require('../base/pure/units');

/**
 * @import { SettingName, Change } from '../base/types'
 */

/**
 * @param {Change} change
 * @returns {SettingName[]} the settings it sets itself, not those it inherits, in the order of the
 *   table
 */
const settingsOf = (change) =>
  SETTING_NAMES.filter(
    (setting) => Object.hasOwn(change, setting) && change[setting] !== undefined,
  );

/**
 * @param {Change} change
 * @returns {{ group: string, change: Change }[]} one part per group, in the order they are sent
 */
function byGroup(change) {
  return GROUPS.map((group) => ({
    group,
    change: pick(
      change,
      SETTING_NAMES.filter((setting) => SETTINGS[setting].group === group),
    ),
  })).filter((part) => settingsOf(part.change).length > 0);
}

/** @param {Change} change @param {readonly SettingName[]} settings @returns {Change} */
const pick = (change, settings) =>
  Object.fromEntries(
    settings
      .filter((setting) => Object.hasOwn(change, setting) && change[setting] !== undefined)
      .map((setting) => [setting, change[setting]]),
  );

/**
 * @param {Change} change
 * @returns {string} `{ cacheSizeGB: 2, evictionDirtyTrigger: 25 }`, as a person types it
 */
const showChange = (change) => literal(pick(change, settingsOf(change)));

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

module.exports = { settingsOf, byGroup, pick, showChange, showValue, changeWords };
