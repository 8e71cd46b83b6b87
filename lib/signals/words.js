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
 * `1 thread`, `0.06 threads`, `4,323 pages`; a rate is `${many(n, 'page')}/s`.
 * @param {Known} n
 * @param {string} noun
 */
const many = (n, noun) => `${count(n)} ${count(n) === '1' ? noun : `${noun}s`}`;

/** A text as the beginning of a sentence. @param {string} text */
const capital = (text) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

module.exports = { whole, many, capital };
