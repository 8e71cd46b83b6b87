'use strict';

const { judge } = require('./run');

/**
 * @typedef {import('../host/pure/host').HostFix} HostFix
 * @typedef {import('../host/pure/host').HostPart} HostPart
 * @typedef {import('./define-host-rule').HostRule} HostRule
 * @typedef {import('../base/pure/finding').Finding & { fixes: readonly HostFix[] }} HostFinding
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
  const check = (/** @type {any} */ known) => {
    const judgement = rule.check(known);
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
