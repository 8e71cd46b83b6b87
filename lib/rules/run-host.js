'use strict';

const { judge } = require('./run');

/**
 * @import { Finding } from '../base/pure/finding'
 * @import { HostFix, HostPart } from '../host/pure/host'
 * @import { HostRule } from './define-host-rule'
 */

/**
 * @typedef {Finding & { fixes: readonly HostFix[] }} HostFinding
 */

/**
 * @param {readonly HostRule[]} rules @param {HostPart} host
 * @returns {HostFinding[]} one of each rule, in the order of the rules; an unknown one says why
 */
const judgeHost = (rules, host) => rules.map((rule) => judgeOne(rule, host));

/** @param {HostRule} rule @param {HostPart} host @returns {HostFinding} */
function judgeOne(rule, { values, unknown }) {
  /** @type {readonly HostFix[]} */
  let fixes = [];
  const check = (/** @type {any} */ known, /** @type {HostRule['limits']} */ limits) => {
    const judgement = rule.check(known, limits);
    fixes = judgement.fixes ?? [];
    return judgement;
  };
  const aside = rule.aside?.(values) ?? null;
  const asked = aside === null ? { ...rule, check } : { ...rule, needs: [], check: () => aside };
  const [finding] = judge([/** @type {any} */ (asked)], /** @type {any} */ (values));
  if (finding.status !== 'unknown') return { ...finding, fixes };
  const missing = rule.needs.filter((name) => values[name] === undefined);
  const why = [
    ...new Set(missing.map((name) => unknown[name]).filter((reason) => reason !== undefined)),
  ];
  return {
    ...finding,
    say: `Not known: ${missing.join(', ')}${why.length > 0 ? ` (${why.join('; ')})` : ''}.`,
    fixes,
  };
}

module.exports = { judgeHost };
