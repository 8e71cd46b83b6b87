'use strict';

const { keyTable } = require('../engine-keys');
const { defaultsFor } = require('../config-layers');
const { checkKeys } = require('./check-keys');
const { checkOrders, nothing, unsafeIn } = require('./check-settings');
const { checkBlockCache, checkLevels, checkStatistics } = require('./check-late');
const { dangersIn } = require('./dangers');
const { error } = require('./problem');

/**
 * @import { Raw } from '../thresholds'
 * @import { Problem } from './problem'
 */

/**
 * @typedef {{
 *   version: string, at: 'runtime' | 'start', base?: Raw,
 *   memoryBytes?: number | null
 * }} Place where the
 *   string is to be used; `base`: the settings it is added to, mongod's defaults if left out;
 *   `memoryBytes`: what the server may use, if that is known
 */

/**
 * @param {string} text a WiredTiger configuration string
 * @param {Place} place
 * @returns {Problem[]} in the order of the text
 */
function lintString(text, { version, at, base = defaultsFor(null), memoryBytes = null }) {
  const nul = text.indexOf('\0');
  if (nul !== -1)
    return [error(null, nul, 'mongod accepts no string with a NUL character', 'Remove it.')];
  const table = keyTable(version, at);
  const other = keyTable(version, at === 'runtime' ? 'start' : 'runtime');
  const problems = [
    ...nothing(text),
    ...checkKeys({ table, other, at, version, whole: text }),
    ...checkOrders({ text, version, at, base }),
    ...unsafeIn(text, base, memoryBytes),
    ...dangersIn(text, at),
    ...checkLevels(text, version),
    ...checkStatistics(text),
    ...checkBlockCache(text),
  ];
  return problems.sort((a, b) => (a.position ?? Infinity) - (b.position ?? Infinity));
}

module.exports = { lintString };
