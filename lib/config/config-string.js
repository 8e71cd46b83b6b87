'use strict';

const { SETTINGS } = require('./setting-table');
const { settingsOf } = require('./change');
const { printEngineConfig } = require('./engine-config');
const { GiB, MiB } = require('../base/pure/units');

/**
 * @import { SettingName, Change } from '../base/types'
 */

/**
 * WiredTiger accepts no fractions: whole megabytes, or bytes where another session had set an odd
 * number of them.
 * @param {number} gb
 */
function cacheSize(gb) {
  const bytes = Math.round(gb * GiB);
  return bytes % MiB === 0 ? `${bytes / MiB}M` : String(bytes);
}

/**
 * @param {Change} change
 * @returns {string} `cache_size=2048M,eviction=(threads_min=4)`; what is not WiredTiger's is left
 *   out
 */
function configStringOf(change) {
  return printEngineConfig(
    settingsOf(change).flatMap((setting) => {
      const { key, unit } = SETTINGS[setting];
      const value = /** @type {number} */ (change[setting]);
      return key === null
        ? []
        : [
            /** @type {[string, string]} */ ([
              key,
              unit === 'GB' ? cacheSize(value) : String(value),
            ]),
          ];
    }),
  );
}

module.exports = { configStringOf };
