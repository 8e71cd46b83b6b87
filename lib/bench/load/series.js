'use strict';

/**
 * How finely completions are counted: fine enough for stalls of half a second, coarse enough for
 * hours.
 */
const SLOT_MS = 100;

module.exports = { SLOT_MS };
