'use strict';

const { SETTINGS, SETTING_NAMES } = require('../setting-table');

/**
 * `position`: offset in the text checked; `when` it goes wrong: while the server runs, when it
 * starts, or always. An error is what the server refuses, or what hurts it for certain; a warning
 * is what it accepts and what may hurt.
 * @typedef {'error' | 'warning'} Level
 * @typedef {'runtime' | 'start' | 'always'} When
 * @typedef {{
 *   level: Level, key: string | null, say: string, position: number | null, todo: string,
 *   when: When
 * }} Problem
 */

/**
 * @param {Level} level
 * @returns {(key: string | null, position: number | null, say: string, todo: string, when?: When)
 *   => Problem}
 */
const maker =
  (level) =>
  // eslint-disable-next-line max-params -- one line of a table of findings
  (key, position, say, todo, when = 'always') => ({ level, key, say, position, todo, when });

/**
 * Names settings by WiredTiger's keys, which authors of a configuration string know.
 * @param {string} say
 * @returns {string}
 */
const inKeys = (say) =>
  SETTING_NAMES.reduce(
    (text, setting) =>
      text.replaceAll(new RegExp(`\\b${setting}\\b`, 'g'), SETTINGS[setting].key ?? setting),
    say,
  );

module.exports = { error: maker('error'), warning: maker('warning'), inKeys };
