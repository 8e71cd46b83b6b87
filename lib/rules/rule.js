'use strict';

/**
 * @import { Bottleneck, Finding } from '../base/pure/finding'
 * @import { HostValue, HostValues } from '../host/pure/host'
 * @import { HostFix } from '../base/types'
 * @import { Metric } from '../server/pure/metrics'
 * @import { Row } from '../server/pure/replica-set'
 * @import { SetView } from '../server/pure/types'
 * @import { CollectionValue, CollectionValues } from './types'
 */

/**
 * A rule judges a few numbers and answers with data: a status, a code for what it found, and the
 * values of its message. It gets what it declared and nothing else: the type checker refuses any
 * other name, and the runner passes no other.
 *
 * @typedef {'cache' | 'checkpoint' | 'concurrency' | 'disk' | 'eviction' | 'history' | 'machine' |
 *   'memory' | 'settings' | 'version'} EngineArea what an engine rule is about, for tables
 * @typedef {EngineArea | 'host' | 'members' | 'collections' |
 *   'recording'} Area
 * @typedef {{ readonly [name in Metric]: number } & { readonly 'disk.name': string }} EngineValues
 * @typedef {keyof EngineValues} EngineValue
 */

/**
 * @template {string} [C=string]
 * @template {object} [V=object]
 * @typedef {{
 *   status: 'ok' | 'info' | 'warning' | 'critical' | 'unknown', code: C, values: V,
 *   evidence?: Finding['evidence'], subject?: string, fixes?: readonly HostFix[]
 * }} Judgement `unknown`: cannot be known yet, or does not apply; `code`: what was
 *   found, in kebab case, unique within the rule; `values`: plain data
 *   with units in the names; `subject` joins the key of the finding; `fixes`: settings of the host
 *   in the order in which they are set, each with its way back
 */

/**
 * What all rules declare.
 * @template {string} C
 * @template {object} V
 * @typedef {{
 *   id: string, title: string, why: string, threshold: string, source: string, advice: string,
 *   whenNot: string, aliases?: readonly string[],
 *   messages: { readonly [code in C]: (values: V) => string },
 *   adviceFor?: { readonly [code in C]?: (values: V) => string }
 * }} Texts `messages`: one sentence for each code, with the number in it; `advice`: for warnings
 *   and worse, unless `adviceFor` has one for that code; `aliases`: ids of rules that became this one
 */

/**
 * @template {EngineValue} N
 * @template {EngineValue} W
 * @template {Readonly<Record<string, number>>} L
 * @template {string} C
 * @template {object} V
 * @typedef {Texts<C, V> & {
 *   area: EngineArea, needs: readonly N[], wants?: readonly W[],
 *   evidence?: readonly NoInfer<N | W>[],
 *   thresholds?: L, speaksFor?: readonly Bottleneck[],
 *   check(metrics: Pick<EngineValues, N> & Partial<Pick<EngineValues, W>>,
 *     thresholds: L): Judgement<C, V>
 * }} EngineDefinition `needs`: without one of these the answer is `unknown`; `wants`: used where
 *   known; `evidence`: those that the finding shows as they are; `speaksFor`: bottlenecks whose
 *   change this finding carries; `thresholds`: thresholds that a user may override, with the unit in
 *   the name; of one unit in the order from mild to severe
 */

/**
 * @template {HostValue} N
 * @template {HostValue} W
 * @template {string} C
 * @template {object} V
 * @typedef {Texts<C, V> & {
 *   alongside?: readonly Bottleneck[], needs: readonly N[], wants?: readonly W[],
 *   evidence?: readonly NoInfer<N | W>[],
 *   check(values: Pick<HostValues, N> & Partial<Pick<HostValues, W>>): Judgement<C, V>,
 *   aside?(values: Partial<Pick<HostValues, N | W>>): Judgement<C, Partial<NoInfer<V>>> | null
 * }} HostDefinition `aside`: asked first, and answers where the rule is not about this machine,
 *   whatever else is unknown; `alongside`: bottlenecks beside which tune.advise() shows the finding
 */

/**
 * A rule about the machine judges the same values from two sources: a window of the server's own
 * diagnostic data (tune.advise, tune.check) and the host itself (tune.host).
 * @typedef {HostValues & Record<Exclude<Metric, HostValue>, number>} MachineValues
 * @typedef {keyof MachineValues} MachineValue
 */

/**
 * @template {Metric & HostValue} N
 * @template {MachineValue} W
 * @template {Readonly<Record<string, number>>} L
 * @template {string} C
 * @template {object} V
 * @typedef {Texts<C, V> & {
 *   area: EngineArea, alongside?: readonly Bottleneck[], speaksFor?: readonly Bottleneck[],
 *   needs: readonly N[], wants?: readonly W[], evidence?: readonly NoInfer<N | W>[], thresholds?: L,
 *   check(values: Pick<HostValues, N> & Partial<Pick<MachineValues, W>>, thresholds: L):
 *     Judgement<C, V>
 * }} MachineDefinition `needs`: known to both sources
 */

/**
 * @template {string} C
 * @template {object} V
 * @typedef {Texts<C | 'fine', V> & {
 *   needs: readonly (keyof Row)[], isBetween?: boolean, isOfSet?: boolean,
 *   check(set: SetView, known: readonly Row[]): readonly Judgement<C, V>[]
 * }} MemberDefinition `needs`: what must be known of a member to be judged; `isBetween`: it
 *   compares, so that one member alone is not judged; `isOfSet`: about replication, which a
 *   standalone server does not have; `check` gets the members of which that is
 *   known, and returns nothing where all is well, which is the message `fine`
 */

/**
 * @template {CollectionValue} N
 * @template {string} C
 * @template {object} V
 * @typedef {Texts<C, V> & {
 *   needs: readonly N[], check(values: Pick<CollectionValues, N>): Judgement<C, V>
 * }} CollectionDefinition
 */

/**
 * Rules as the runner and the pages see them.
 * @typedef {Omit<Texts<string, never>, 'adviceFor'> & {
 *   area: Area, aliases: readonly string[], thresholds: Readonly<Record<string, number>>,
 *   speaksFor: readonly Bottleneck[],
 *   alongside: readonly Bottleneck[],
 *   evidence: readonly string[],
 *   adviceFor: { readonly [code: string]: ((values: never) => string) | undefined }
 * }} AnyRule
 * @typedef {AnyRule & {
 *   about: 'engine', needs: readonly EngineValue[], wants: readonly EngineValue[],
 *   check(metrics: never, thresholds: never): Judgement
 * }} Rule
 * @typedef {AnyRule & {
 *   about: 'host', needs: readonly HostValue[], wants: readonly HostValue[],
 *   check(values: never, thresholds: never): Judgement, aside?(values: never): Judgement | null
 * }} HostRule
 * @typedef {AnyRule & {
 *   about: 'machine', needs: readonly MachineValue[], wants: readonly MachineValue[],
 *   window: Rule, host: HostRule
 * }} MachineRule `window`, `host`: the same rule as each source's runner takes it
 * @typedef {AnyRule & {
 *   about: 'members', needs: readonly (keyof Row)[], wants: readonly never[], isBetween: boolean,
 *   isOfSet: boolean,
 *   check(set: SetView, known: readonly Row[]): readonly Judgement[]
 * }} MemberRule
 * @typedef {AnyRule & {
 *   about: 'collections', needs: readonly CollectionValue[], wants: readonly never[],
 *   check(values: never): Judgement
 * }} CollectionRule
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
 * Defines a rule about the engine.
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
const defineHostRule = (definition) => complete({ area: 'host', ...definition, about: 'host' });

/**
 * A rule about the machine, one judgement whichever source the values come from.
 * @template {Metric & HostValue} N
 * @template {string} C
 * @template {object} V
 * @template {MachineValue} [W=never]
 * @template {Readonly<Record<string, number>>} [L={}]
 * @param {MachineDefinition<N, W, L, C, V>} definition
 * @returns {MachineRule}
 */
const defineMachineRule = (definition) =>
  joinSources(
    complete({ ...definition, about: 'engine' }),
    complete({ ...definition, about: 'host' }),
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
    about: 'machine',
    alongside: host.alongside,
    needs: union(window.needs, host.needs),
    wants: union(window.wants, host.wants),
    window,
    host,
  });

/**
 * @template {string} A
 * @template {string} B
 * @param {readonly A[]} one @param {readonly B[]} other
 * @returns {(A | B)[]} each once
 */
const union = (one, other) => [...new Set([...one, ...other])];

/**
 * A rule about the members of a replica set.
 * @template {string} C
 * @template {object} V
 * @param {MemberDefinition<C, V>} definition
 * @returns {MemberRule}
 */
const defineMemberRule = (definition) =>
  complete({ isBetween: false, isOfSet: false, ...definition, about: 'members', area: 'members' });

/**
 * A rule about the collections of a server, their indexes and its oplog.
 * @template {CollectionValue} N
 * @template {string} C
 * @template {object} V
 * @param {CollectionDefinition<N, C, V>} definition
 * @returns {CollectionRule}
 */
const defineCollectionRule = (definition) =>
  complete({ ...definition, about: 'collections', area: 'collections' });

/**
 * A rule with everything that may be left out filled in.
 * @template {{ id: string, needs: readonly string[], thresholds?: object }} R
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
  const thresholds = Object.freeze({ ...rule.thresholds });
  return Object.freeze({
    wants: [],
    speaksFor: [],
    alongside: [],
    aliases: [],
    evidence: [],
    adviceFor: {},
    ...rule,
    thresholds,
  });
}

/**
 * Whether a rule has this id, or once had it.
 * @param {{ id: string, aliases: readonly string[] }} rule
 * @param {string} id
 */
const isNamed = (rule, id) => rule.id === id || rule.aliases.includes(id);

module.exports = {
  defineRule,
  defineHostRule,
  defineMachineRule,
  joinSources,
  defineMemberRule,
  defineCollectionRule,
  complete,
  isNamed,
};
