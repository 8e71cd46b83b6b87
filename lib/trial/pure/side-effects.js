'use strict';

const { compare, pairsOf } = require('./compare');
const { decide } = require('./decide');
const { TRIAL_METRICS } = require('./metrics');
const { count } = require('../../base/pure/units');

/**
 * @import { TrialVerdict } from './decide'
 * @import { Block } from './figures'
 * @import { TrialMetric } from './metrics'
 */

/**
 * What B did to other metrics than the one that decides: a gain that others pay for, or one that
 * the chosen metric cannot show, such as the throughput of clients at a fixed rate.
 */

/**
 * Few, and each means something to the clients: of many figures one is always out of line by
 * chance.
 */
const EXAMINED = Object.freeze(
  /** @type {const} */ ([
    'opsPerSec',
    'readLatencyMs',
    'readP99Ms',
    'writeLatencyMs',
    'writeP99Ms',
  ]),
);

/**
 * @param {readonly Block[]} blocks
 * @param {TrialMetric} metric that decides
 * @param {TrialVerdict} verdict by it
 * @returns {string[]} one for each figure that says something else
 */
const sideEffects = (blocks, metric, verdict) =>
  EXAMINED.filter((other) => other !== metric).flatMap((other) => {
    const compared = compare(pairsOf(blocks, other));
    const says = decide(compared, other);
    if (compared === null || says === verdict || (says !== 'better' && says !== 'worse')) return [];
    const grown = compared.ratio > 1 ? 'higher' : 'lower';
    return [
      `Beside it ${TRIAL_METRICS[other].words} is ${grown}, between ×${count(compared.low)} ` +
        `and ×${count(compared.high)}: ${says}. One of several figures may be so by chance; a ` +
        `trial with metric: "${other}" tells.`,
    ];
  });

module.exports = { sideEffects };
