'use strict';

/**
 * @import { Finding } from '../base/pure/finding'
 * @import { Metric, Metrics } from '../server/pure/metrics'
 * @import { Rule } from './define-rule'
 */

/**
 * @param {readonly Rule[]} rules @param {Metrics} metrics
 * @returns {Finding[]} one of each rule, in the order of the rules
 */
const judge = (rules, metrics) => rules.map((rule) => judgeOne(rule, metrics));

/** @param {Rule} rule @param {Metrics} metrics @returns {Finding} */
function judgeOne(rule, metrics) {
  const missing = rule.needs.filter((name) => metrics[name] === undefined);
  if (missing.length > 0)
    return finding(rule, { status: 'unknown', say: `Not known: ${missing.join(', ')}.` });
  try {
    return finding(rule, rule.check(pick(metrics, [...rule.needs, ...rule.wants]), rule.limits));
  } catch (cause) {
    // A defect of one rule must not take the other findings away.
    return finding(rule, {
      status: 'error',
      say: `The rule failed: ${/** @type {Error} */ (cause).message}`,
      advice: 'This is a defect of tune; please report it.',
    });
  }
}

/**
 * @param {Metrics} metrics
 * @param {readonly (Metric | 'disk.name')[]} names
 * @returns {Metrics} only what was declared, and only to read
 */
const pick = (metrics, names) =>
  Object.freeze(
    Object.fromEntries(
      names.filter((name) => metrics[name] !== undefined).map((name) => [name, metrics[name]]),
    ),
  );

/**
 * @param {Rule} rule
 * @param {{
 *   status: Finding['status'], say: string, evidence?: Finding['evidence'], advice?: string,
 *   subject?: string
 * }} judgement
 * @returns {Finding}
 */
function finding(rule, { status, say, evidence = {}, advice, subject }) {
  // What the rule advises in general is meant for trouble; a mere information says what it has to
  // say itself.
  const general = status === 'warning' || status === 'critical' ? rule.advice : null;
  return {
    rule: rule.id,
    area: rule.area,
    status,
    say,
    evidence,
    advice: advice ?? general,
    change: null,
    source: rule.source,
    key: subject === undefined ? rule.id : `${rule.id}:${subject}`,
  };
}

module.exports = { judge };
