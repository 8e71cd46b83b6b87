'use strict';

const { settingsIn } = require('../effective-config');
const { settingsOf } = require('../change');
const { SETTINGS } = require('../setting-table');
const { parseEngineConfig, lookUp } = require('../engine-config');
const { cautionsFor } = require('../cautions');
const { inKeys } = require('./in-keys');
const { warning } = require('./problem');

/**
 * @import { Raw } from '../thresholds'
 * @import { Problem } from './problem'
 */

/**
 * Values that the server takes, and that are not safe.
 * @param {string} text
 * @param {Raw} base the settings it is added to
 * @param {number | null} memoryBytes
 * @returns {Problem[]}
 */
function unsafeIn(text, base, memoryBytes) {
  const given = settingsIn(text);
  const { entries } = parseEngineConfig(text);
  return cautionsFor({ ...base, ...given }, settingsOf(given), memoryBytes).map(
    ({ setting, say, todo }) => {
      const key = String(SETTINGS[setting].key);
      return warning(key, lookUp(entries, key)?.value?.position ?? null, inKeys(say), todo);
    },
  );
}

module.exports = { unsafeIn };
