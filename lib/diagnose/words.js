'use strict';

/** A threshold in a sentence: `20 %`, `2.5 %`. A measured figure keeps its digit (units.percent). @param {number} ratio */
const whole = (ratio) => `${Number((ratio * 100).toFixed(1))} %`;

module.exports = { whole };
