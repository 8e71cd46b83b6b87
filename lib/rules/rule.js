'use strict';

/**
 * @import { Bottleneck, Finding } from '../base/pure/finding'
 * @import { HostFix, HostValue, HostValues } from '../host/pure/host'
 * @import { Metric } from '../server/pure/metrics'
 * @import { Row, SetPlace } from '../server/pure/replica-set'
 */

/**
 * A rule judges a few numbers and answers with data: a status, a code for what it found, and the
 * values that its message is made of. It gets what it declared and nothing else: the type checker
 * refuses any other name, and the runner hands over no other.
 *
 * @typedef {'cache' | 'checkpoint' | 'concurrency' | 'disk' | 'eviction' | 'history' | 'machine' |
 *   'memory' | 'settings' | 'version'} EngineArea what an engine rule is about, for tables
 * @typedef {EngineArea | 'host' | 'members'} Area
 * @typedef {{ readonly [name in Metric]: number } & { readonly 'disk.name': string }} EngineValues
 * @typedef {keyof EngineValues} EngineValue
 * @typedef {Omit<SetPlace, 'members' | 'notes'> & { rows: readonly Row[] }} SetLook a set with what
 *   was seen at each member
 */

/**
 * @template {string} [C=string]
 * @template {object} [V=object]
 * @typedef {{
 *   status: 'ok' | 'info' | 'warning' | 'critical', code: C, values: V,
 *   evidence?: Finding['evidence'], subject?: string, fixes?: readonly HostFix[]
 * }} Judgement `code`: what was found, in kebab case, unique within the rule; `values`: plain data
 *   with units in the names; `subject` joins the key of the finding; `fixes`: settings of the host
 *   in the order in which they are set, each with its way back
 */

/**
 * What all rules declare.
 * @template {string} C
 * @template {object} V
 * @typedef {{
 *   id: string, title: string, why: string, threshold: string, source: string, advice: string,
 *   whenNot: string, messages: { readonly [code in C]: (values: V) => string },
 *   adviceFor?: { readonly [code in C]?: (values: V) => string }
 * }} Texts `messages`: one sentence for each code, with the number in it; `advice`: for warnings
 *   and worse, unless `adviceFor` has one for that code
 */

/**
 * @template {EngineValue} N
 * @template {EngineValue} W
 * @template {Readonly<Record<string, number>>} L
 * @template {string} C
 * @template {object} V
 * @typedef {Texts<C, V> & {
 *   area: EngineArea, needs: readonly N[], wants?: readonly W[],
 *   limits?: L, speaksFor?: readonly Bottleneck[],
 *   check(metrics: Pick<EngineValues, N> & Partial<Pick<EngineValues, W>>,
 *     limits: L): Judgement<C, V>
 * }} EngineDefinition `needs`: without one of these the answer is `unknown`; `wants`: used where
 *   known; `speaksFor`: bottlenecks whose change this finding carries; `limits`: thresholds that a
 *   user may override, with the unit in the name; of one unit in the order from mild to severe
 */

/**
 * @template {HostValue} N
 * @template {HostValue} W
 * @template {string} C
 * @template {object} V
 * @typedef {Texts<C, V> & {
 *   alongside?: readonly Bottleneck[], needs: readonly N[], wants?: readonly W[],
 *   check(values: Pick<HostValues, N> & Partial<Pick<HostValues, W>>): Judgement<C, V>,
 *   aside?(values: Partial<Pick<HostValues, N | W>>): Judgement<C, Partial<NoInfer<V>>> | null
 * }} HostDefinition `aside`: asked first, and answers where the rule is not about this machine,
 *   whatever else is unknown; `alongside`: bottlenecks beside which tune.advise() shows the finding
 */

/**
 * @template {string} C
 * @template {object} V
 * @typedef {Texts<C | 'fine', V> & {
 *   needs: readonly (keyof Row)[], isBetween?: boolean,
 *   check(set: SetLook, known: readonly Row[]): readonly Judgement<C, V>[]
 * }} MemberDefinition `needs`: what must be known of a member to be judged; `isBetween`: it
 *   compares, so that one member alone is not judged; `check` gets the members of which that is
 *   known, and returns nothing where all is well, which is the message `fine`
 */

/**
 * Rules as the runner and the pages see them.
 * @typedef {Omit<Texts<string, never>, 'adviceFor'> & {
 *   area: Area, limits: Readonly<Record<string, number>>, speaksFor: readonly Bottleneck[],
 *   alongside: readonly Bottleneck[],
 *   adviceFor: { readonly [code: string]: ((values: never) => string) | undefined }
 * }} AnyRule
 * @typedef {AnyRule & {
 *   about: 'engine', needs: readonly EngineValue[], wants: readonly EngineValue[],
 *   check(metrics: never, limits: never): Judgement
 * }} Rule
 * @typedef {AnyRule & {
 *   about: 'host', needs: readonly HostValue[], wants: readonly HostValue[],
 *   check(values: never): Judgement, aside?(values: never): Judgement | null
 * }} HostRule
 * @typedef {AnyRule & {
 *   about: 'members', needs: readonly (keyof Row)[], wants: readonly never[], isBetween: boolean,
 *   check(set: SetLook, known: readonly Row[]): readonly Judgement[]
 * }} MemberRule
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
 * A rule about the engine.
 * @template {EngineValue} N
 * @template {string} C
 * @template {object} V
 * @template {EngineValue} [W=never]
 * @template {Readonly<Record<string, number>>} [L={}]
 * @param {EngineDefinition<N, W, L, C, V>} definition
 * @returns {Rule}
 */
const defineRule = (definition) => complete({ ...definition, about: 'engine' });

/**
 * A rule about the machine.
 * @template {HostValue} N
 * @template {string} C
 * @template {object} V
 * @template {HostValue} [W=never]
 * @param {HostDefinition<N, W, C, V>} definition
 * @returns {HostRule}
 */
const defineHostRule = (definition) => complete({ ...definition, about: 'host', area: 'host' });

/**
 * A rule about the members of a replica set.
 * @template {string} C
 * @template {object} V
 * @param {MemberDefinition<C, V>} definition
 * @returns {MemberRule}
 */
const defineMemberRule = (definition) =>
  complete({ isBetween: false, ...definition, about: 'members', area: 'members' });

/**
 * A rule with everything that may be left out filled in.
 * @template {{ id: string, needs: readonly string[], limits?: object }} R
 * @param {R} rule
 * @throws {TypeError} when a text is missing: a mistake of the rule's author, met as soon as the
 *   file is loaded
 */
function complete(rule) {
  const texts = /** @type {Readonly<Record<string, unknown>>} */ (rule);
  const empty = TEXTS.filter((name) => `${texts[name] ?? ''}`.trim() === '');
  if (empty.length > 0) throw new TypeError(`rule ${rule.id}: no ${empty.join(', no ')}`);
  if (rule.needs.length === 0)
    throw new TypeError(`rule ${rule.id}: needs nothing, so it judges nothing`);
  const limits = Object.freeze({ ...rule.limits });
  return Object.freeze({ wants: [], speaksFor: [], alongside: [], adviceFor: {}, ...rule, limits });
}

module.exports = { defineRule, defineHostRule, defineMemberRule };
