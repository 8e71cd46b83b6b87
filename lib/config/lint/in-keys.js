'use strict';

const { KNOBS, KNOB_NAMES } = require('../knobs');

/**
 * Whoever writes a configuration string knows WiredTiger's names.
 * @param {string} say
 * @returns {string}
 */
const inKeys = (say) =>
  KNOB_NAMES.reduce(
    (text, knob) => text.replaceAll(new RegExp(`\\b${knob}\\b`, 'g'), KNOBS[knob].key ?? knob),
    say,
  );

module.exports = { inKeys };
