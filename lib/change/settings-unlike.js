'use strict';

const { settingsOf } = require('../config/change');
const { quotedIn } = require('../config/config-layers');
const { configuredOf } = require('../config/read-back');
const { LARGEST_PERCENT, SETTINGS, SETTING_NAMES } = require('../config/setting-table');
const { effective } = require('../config/thresholds');

/**
 * @import { Change, SettingName } from '../base/types'
 * @import { Settings } from './types'
 */

/** Whether a change is in effect, and what of it is not known. */

/**
 * Compares the asked values with those that are in effect now.
 * @param {Change} change @param {Settings} now
 * @param {string | null} [last] the last string that was sent: nothing was set since while the server shows it
 * @returns {{ other: SettingName[], unknown: SettingName[] }} the settings of the change that are
 *   not in effect, and those of which that is not known any more
 */
function settingsUnlike(change, { config, drift, timeline, history }, last) {
  const accepted = timeline.findLast((event) => event.kind === 'set');
  const quoted = quotedIn(accepted?.config ?? history.engineConfig?.configString ?? '');
  // The number of threads changes by itself, and reported percents are rounded.
  const isMoving = (/** @type {SettingName} */ setting) =>
    setting !== 'cacheSizeGB' &&
    quoted[setting] === undefined &&
    drift.some((one) => one.setting === setting);
  const unlike = settingsOf(change).filter(
    (setting) =>
      SETTINGS[setting].key !== null &&
      configuredOf(config, setting) !== change[setting] &&
      !isShownSo(config[setting], change[setting]) &&
      !isMoving(setting),
  );
  const isUnknown = (/** @type {SettingName} */ setting) =>
    configuredOf(config, setting) === null ||
    isShownOtherwise(setting, change, config) ||
    isShownAsMade(setting, change, config);
  return {
    other: unlike.filter((setting) => !isUnknown(setting)),
    // Without getParameter no setting can be known.
    unknown: [null, last].includes(history.lastString) ? [] : unlike.filter(isUnknown),
  };
}

/**
 * Says whether the server shows what was asked, where no record has the value.
 * @param {Settings['config'][SettingName]} known @param {number} [asked]
 */
const isShownSo = ({ set, value }, asked) => set === null && value === asked;

/**
 * Says whether the server shows what WiredTiger makes of the asked value, which others may lead to as well.
 * @param {SettingName} setting @param {Change} change @param {Settings['config']} config
 */
function isShownAsMade(setting, change, config) {
  const { set, value } = config[setting];
  const { [setting]: asked = 0 } = change;
  if (set !== null || value === null) return false;
  return asked <= LARGEST_PERCENT && value === madeOf(change, config)[setting];
}

/**
 * @param {Change} change @param {Settings['config']} config what the server shows of the others
 * @returns {Partial<Record<SettingName, number | null>>}
 */
function madeOf(change, config) {
  const shown = SETTING_NAMES.map((setting) => [setting, config[setting].value]);
  return effective({ ...Object.fromEntries(shown), ...change }).percent;
}

/**
 * Says whether the server shows a setting in another unit: bytes are shown as percent.
 * @param {SettingName} setting @param {Change} change @param {Settings['config']} config
 */
const isShownOtherwise = (setting, { [setting]: asked = 0 }, config) =>
  config[setting].set === null && asked > LARGEST_PERCENT;

module.exports = { isShownAsMade, settingsUnlike };
