'use strict';

const { defineHostRule } = require('./define-host-rule');
const { defineRule } = require('./define-rule');

/**
 * @import { HostValue, HostValues } from '../host/pure/host'
 * @import { Metric } from '../server/pure/metrics'
 * @import { HostJudgement, HostRule } from './define-host-rule'
 * @import { Rule, RuleDefinition } from './define-rule'
 */

/**
 * A rule about the machine judges the same values from two sources: a window of the server's own
 * diagnostic data (tune.advise, tune.check) and the host itself (tune.host).
 *
 * @typedef {HostValues & Record<Exclude<Metric, HostValue>, number>} MachineValues
 * @typedef {keyof MachineValues} MachineValue
 * @typedef {Rule & Pick<HostRule, 'alongside'> & { about: 'machine', window: Rule, host: HostRule }}
 *   MachineRule `window`, `host`: the same rule as each source's runner wants it
 */

/**
 * @template {Metric & HostValue} N
 * @template {MachineValue} [W=never]
 * @template {string} [L=never]
 * @typedef {Omit<RuleDefinition<never, never, L>, 'needs' | 'wants' | 'check'> & {
 *   aliases: readonly string[], alongside?: HostRule['alongside'], needs: readonly N[],
 *   wants?: readonly W[], check(values: Pick<HostValues, N> & Partial<Pick<MachineValues, W>>,
 *   limits: { readonly [name in L]: number }): HostJudgement
 * }} MachineRuleDefinition `needs`: known to both sources; `aliases`: names of rules that became
 *   this one
 */

/**
 * One judgement of the same values, whichever source they come from.
 * @template {Metric & HostValue} N
 * @template {MachineValue} [W=never]
 * @template {string} [L=never]
 * @param {MachineRuleDefinition<N, W, L>} definition
 * @returns {MachineRule}
 * @throws {TypeError} when a text is missing: a mistake of the rule's author
 */
const defineMachineRule = (definition) =>
  joinSources(
    defineRule(/** @type {any} */ (definition)),
    defineHostRule(/** @type {any} */ (definition)),
  );

/**
 * Two judgements of one matter, where each source shows another side of it.
 * @param {Rule} window
 * @param {HostRule} host with the same texts
 * @returns {MachineRule}
 */
const joinSources = (window, host) =>
  Object.freeze({
    ...window,
    about: /** @type {const} */ ('machine'),
    alongside: host.alongside,
    needs: /** @type {any} */ (union(window.needs, host.needs)),
    wants: /** @type {any} */ (union(window.wants, host.wants)),
    window,
    host,
  });

/** @param {readonly string[]} one @param {readonly string[]} other */
const union = (one, other) => [...new Set([...one, ...other])];

module.exports = { defineMachineRule, joinSources };
