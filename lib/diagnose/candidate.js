'use strict';

/**
 * @import { Bottleneck } from '../base/pure/finding'
 * @import { Metric, Metrics } from '../server/pure/metrics'
 */

/**
 * A mechanism that could be the bottleneck. Each examines the readings for itself. `score`: share
 * of the clients' time (or of all time, for stalls) that it accounts for, 0 to 1; 0 is "nothing
 * speaks for it". `against`: what contradicts it; a candidate that is contradicted is never chosen.
 *
 * @typedef {{ metric: string, value: number, say: string }} Evidence
 * @typedef {{ score: number, because: string, evidence: Evidence[], against: string[] }} Case
 * @typedef {{ name: Bottleneck, examine(metrics: Metrics): Case }}
 *   Candidate
 */

/** How many pieces of evidence a verdict shows. */
const MAX_EVIDENCE = 3;

/** @type {Readonly<Case>} */
const NO_CASE = Object.freeze({ score: 0, because: '', evidence: [], against: [] });

/**
 * The strongest pieces of evidence that are known, strongest first.
 * @param {Metrics} metrics
 * @param {readonly (readonly [Metric, (value: number) => string])[]} list
 * @returns {Evidence[]}
 */
function evidenceOf(metrics, list) {
  return list
    .flatMap(([metric, say]) => {
      const value = metrics[metric];
      return value === undefined ? [] : [{ metric, value, say: say(value) }];
    })
    .slice(0, MAX_EVIDENCE);
}

/** @param {readonly (readonly [boolean, string])[]} list @returns {string[]} what holds */
const holding = (list) => list.filter(([holds]) => holds).map(([, say]) => say);

/** For ordering: what nothing contradicts comes first, then the higher score. @param {Case} it */
const weight = ({ score, against }) => (score === 0 ? 0 : score + (against.length === 0 ? 1 : 0));

/** @param {Case} it @returns {boolean} something speaks for it, and nothing against it */
const isActive = ({ score, against }) => score > 0 && against.length === 0;

module.exports = { NO_CASE, evidenceOf, holding, weight, isActive };
