'use strict';

/**
 * A threshold in a sentence: `20%`, `2.5%`. A measured figure keeps its digit (units.percent).
 * @param {number} ratio
 */
const whole = (ratio) => `${Number((ratio * 100).toFixed(1))}%`;

/** A text as the beginning of a sentence. @param {string} text */
const capital = (text) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

module.exports = { whole, capital };
