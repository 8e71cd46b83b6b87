'use strict';

const { SETTINGS, SETTING_NAMES } = require('../setting-table');

/**
 * Authors of a configuration string know WiredTiger's names.
 * @param {string} say
 * @returns {string}
 */
const inKeys = (say) =>
  SETTING_NAMES.reduce(
    (text, setting) =>
      text.replaceAll(new RegExp(`\\b${setting}\\b`, 'g'), SETTINGS[setting].key ?? setting),
    say,
  );

module.exports = { inKeys };
