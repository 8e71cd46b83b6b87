'use strict';

const { count } = require('../base/pure/units');

/**
 * @import { Known } from '../base/pure/units'
 */

/**
 * A threshold in a sentence: `20%`, `2.5%`. A measured figure keeps its digit (units.percent).
 * @param {number} ratio
 */
const whole = (ratio) => `${Number((ratio * 100).toFixed(1))}%`;

/**
 * `1 thread`, `0.06 threads`, `4,323 pages`.
 * @param {Known} n
 * @param {string} noun
 */
const many = (n, noun) => `${count(n)} ${count(n) === '1' ? noun : `${noun}s`}`;

module.exports = { whole, many };
