'use strict';

const { defineRule } = require('./define-rule');

/**
 * @import { Bottleneck } from '../base/pure/finding'
 * @import { HostFix, HostValue, HostValues } from '../host/pure/host'
 * @import { Judgement, Rule, RuleDefinition } from './define-rule'
 */

/**
 * A rule about the machine: like any other, but it looks at values of the host, and brings the
 * settings that cure what it finds.
 *
 * @typedef {Judgement & { fixes?: readonly
 *   HostFix[] }} HostJudgement `fixes`: in the order in
 *   which they are set, each with its way back
 */

/**
 * @template {HostValue} N
 * @template {HostValue} [W=never]
 * @typedef {Omit<RuleDefinition<never>, 'needs' | 'wants' | 'check' |
 *   'speaksFor'> & { alongside?: readonly Bottleneck[], needs: readonly
 *   N[], wants?: readonly W[], check(values: Pick<HostValues, N> & Partial<Pick<HostValues, W>>):
 *   HostJudgement, aside?(values: Partial<Pick<HostValues, N | W>>): HostJudgement | null }}
 *   HostRuleDefinition `aside`: asked first, and answers where the rule is not about this machine,
 *   whatever else is unknown; `alongside`:
 *   the verdicts of tune.advise() beside which it shows the finding
 */

/**
 * As the runner and the pages see it.
 * @typedef {Omit<Rule, 'needs' | 'wants' | 'check'> & { alongside: readonly
 *   Bottleneck[], needs: readonly HostValue[], wants: readonly
 *   HostValue[], check(values: Partial<HostValues>, limits: Rule['limits']):
 *   HostJudgement, aside?(values: Partial<HostValues>): HostJudgement | null }} HostRule
 */

/**
 * @template {HostValue} N
 * @template {HostValue} [W=never]
 * @param {HostRuleDefinition<N, W>} definition
 * @returns {HostRule}
 * @throws {TypeError} when a text is missing: a mistake of the rule's author
 */
const defineHostRule = (definition) =>
  /** @type {any} */ (defineRule(/** @type {any} */ ({ alongside: [], ...definition })));

module.exports = { defineHostRule };
