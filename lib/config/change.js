'use strict';

const { literal } = require('../base/pure/literal');
const { SETTINGS, SETTING_NAMES, GROUPS } = require('./setting-table');

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

module.exports = { settingsOf, byGroup, pick, showChange };
