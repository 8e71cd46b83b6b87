'use strict';

/**
 * @import { Bottleneck } from '../base/pure/finding'
 * @import { Metric, Metrics } from '../server/pure/metrics'
 */

/**
 * A rule looks at a few readings and says one thing about them. It gets the readings it declared
 * and nothing else: the type checker refuses a look at any other, and the runner hands over no
 * other.
 *
 * @typedef {'cache' | 'checkpoint' | 'concurrency' | 'disk' | 'eviction' | 'history' | 'machine' |
 *   'memory' | 'settings' | 'version' | 'host'} Area what it is about, for tables; `host`: of host
 *   rules
 * @typedef {{
 *   status: 'ok' | 'info' | 'warning' | 'critical', say: string,
 *   evidence?: Record<string, number | string | boolean | null>, advice?: string, subject?: string
 * }} Judgement `say`: one sentence with the number in it; `advice` replaces the rule's own;
 *   `subject` joins the key of the finding
 */

/**
 * @template {Metric} N
 * @template {Metric | 'disk.name'} [W=never]
 * @template {string} [L=never]
 * @typedef {{
 *   id: string, area: Area, title: string, why: string, needs: readonly N[], wants?: readonly W[],
 *   threshold: string, limits?: Readonly<Record<L, number>>, source: string, advice: string,
 *   whenNot: string, speaksFor?: readonly Bottleneck[], aliases?: readonly string[],
 *   check(metrics: { readonly [name in N]: number } & { readonly [name in W]?: name extends
 *     'disk.name' ? string : number }, limits: { readonly [name in L]: number }): Judgement
 * }} RuleDefinition `needs`: without one of these the answer is `unknown`; `wants`: used where
 *   known; `speaksFor`: where one of
 *   these is the bottleneck, the change that cures it is this rule's too; `limits`: those of its
 *   thresholds that a server may have others of (`withLimits`),
 *   with the unit in the name; of one unit in the order from mild to grave; `aliases`: ids of
 *   rules that became this one
 */

/**
 * A rule as the runner and the pages see it.
 * @typedef {Omit<RuleDefinition<Metric, Metric>, 'area' | 'check' | 'wants' | 'speaksFor' |
 *   'limits' | 'aliases'> & {
 *   area: string, aliases: readonly string[], wants: readonly (Metric | 'disk.name')[],
 *   speaksFor: readonly Bottleneck[], limits: Readonly<Record<string, number>>,
 *   check(metrics: Metrics, limits: Readonly<Record<string, number>>): Judgement
 * }} Rule
 */

const TEXTS = /** @type {const} */ ([
  'id',
  'area',
  'title',
  'why',
  'threshold',
  'source',
  'advice',
  'whenNot',
]);

/**
 * @template {Metric} N
 * @template {Metric | 'disk.name'} [W=never]
 * @template {string} [L=never]
 * @param {RuleDefinition<N, W, L>} definition
 * @returns {Rule}
 * @throws {TypeError} when a text is missing: a mistake of the rule's author, met as soon as the
 *   file is loaded
 */
function defineRule(definition) {
  const empty = TEXTS.filter(
    (name) => typeof definition[name] !== 'string' || definition[name].trim() === '',
  );
  if (empty.length > 0) throw new TypeError(`rule ${definition.id}: no ${empty.join(', no ')}`);
  if (definition.needs.length === 0)
    throw new TypeError(`rule ${definition.id}: needs nothing, so it judges nothing`);
  return Object.freeze(
    /** @type {any} */ ({
      wants: [],
      speaksFor: [],
      aliases: [],
      ...definition,
      limits: Object.freeze({ ...definition.limits }),
    }),
  );
}

/**
 * Whether a rule goes by this name, or once did.
 * @param {{ id: string, aliases: readonly string[] }} rule
 * @param {string} name
 */
const isNamed = ({ id, aliases }, name) => id === name || aliases.includes(name);

module.exports = { defineRule, isNamed };
