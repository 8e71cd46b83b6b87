'use strict';

const { isTrouble, severestFirst } = require('../base/pure/finding');
const { hasData } = require('../server/pure/replica-set');
const { HOST_WORDS } = require('../host/pure/host');
const { METRIC_WORDS, MEMBER_WORDS, COLLECTION_WORDS } = require('../server/pure/metric-words');

/**
 * @import { Finding } from '../base/pure/finding'
 * @import { HostPart } from '../host/pure/host'
 * @import { Metrics } from '../server/pure/metrics'
 * @import { Trend } from '../series/trends'
 * @import { RecordingRule } from './recording-rule'
 * @import { AnyRule, CollectionRule, HostRule, Judgement, MemberRule, Rule } from './rule'
 * @import { CollectionValues } from './types'
 * @import { SetView } from '../server/pure/types'
 */

/**
 * @param {readonly Rule[]} rules
 * @param {Metrics} metrics
 * @returns {Finding[]} one of each rule, in the order of the rules
 */
const judge = (rules, metrics) =>
  rules.map((rule) =>
    judgeValues(rule, metrics, {}, (known) =>
      rule.check(/** @type {never} */ (known), /** @type {never} */ (rule.thresholds)),
    ),
  );

/**
 * @param {readonly HostRule[]} rules
 * @param {HostPart} host
 * @returns {Finding[]} one of each rule, in the order of the rules; an unknown one has the reason
 */
const judgeHost = (rules, { values, unknown }) =>
  rules.map((rule) => {
    const aside = rule.aside?.(/** @type {never} */ (values)) ?? null;
    return aside === null
      ? judgeValues(rule, values, unknown, (known) =>
          rule.check(/** @type {never} */ (known), /** @type {never} */ (rule.thresholds)),
        )
      : findingOf(rule, aside);
  });

/**
 * @param {readonly MemberRule[]} rules
 * @param {SetView} set
 * @returns {Finding[]} what needs a person first; of each rule at least one, where it is about this
 *   set at all
 */
const judgeMembers = (rules, set) =>
  severestFirst(rules.flatMap((rule) => judgeMembersBy(rule, set)));

/**
 * @param {readonly CollectionRule[]} rules
 * @param {Partial<CollectionValues>} values
 * @param {Readonly<Record<string, string>>} unknown why a value is not there
 * @returns {Finding[]} one of each rule, what needs a person first
 */
const judgeCollections = (rules, values, unknown) =>
  severestFirst(
    rules.map((rule) =>
      judgeValues(rule, values, unknown, (known) => rule.check(/** @type {never} */ (known))),
    ),
  );

/** @param {{ role: string | null }} row */
const isStandalone = ({ role }) => role === 'standalone';

/**
 * @param {readonly RecordingRule[]} rules
 * @param {readonly Trend[]} trends
 * @returns {Finding[]} of each rule at least one
 */
const judgeRecording = (rules, trends) =>
  rules.flatMap((rule) => attempt(rule, () => foundOrFine(rule, rule.check(trends))));

/** @param {MemberRule} rule @param {SetView} set @returns {Finding[]} */
function judgeMembersBy(rule, set) {
  const rows = set.rows.filter(hasData);
  const min = rule.isBetween ? 2 : 1;
  if (rows.length < min || (rule.isOfSet && rows.every(isStandalone))) return [];
  const known = rows.filter((row) => rule.needs.every((name) => row[name] !== null));
  const subject = set.shard ?? set.name ?? undefined;
  if (known.length < min) return [unknownOf(rule, rule.needs, [], subject)];
  return attempt(rule, () => foundOrFine(rule, rule.check(set, known), subject));
}

/** @param {AnyRule} rule @param {readonly Judgement[]} found @param {string} [subject] */
const foundOrFine = (rule, found, subject) =>
  found.length > 0
    ? found.map((judgement) => findingOf(rule, judgement))
    : [findingOf(rule, { status: 'ok', code: 'fine', values: {}, subject })];

/**
 * @param {Rule | HostRule | CollectionRule} rule
 * @param {Readonly<Record<string, unknown>>} values
 * @param {Readonly<Record<string, string>>} unknown why a value is not known
 * @param {(known: Readonly<Record<string, unknown>>) => Judgement} check
 * @returns {Finding}
 */
function judgeValues(rule, values, unknown, check) {
  const missing = rule.needs.filter((name) => values[name] === undefined);
  if (missing.length > 0) {
    const reasons = missing.map((name) => unknown[name]).filter((reason) => reason !== undefined);
    return unknownOf(rule, missing, [...new Set(reasons)]);
  }
  const known = pick(values, [...rule.needs, ...rule.wants]);
  return attempt(rule, () => [findingOf(rule, check(known), known)])[0];
}

/**
 * @param {Readonly<Record<string, unknown>>} values
 * @param {readonly string[]} names
 * @returns {Readonly<Record<string, unknown>>} only what was declared, and only to read
 */
const pick = (values, names) =>
  Object.freeze(
    Object.fromEntries(
      names.filter((name) => values[name] !== undefined).map((name) => [name, values[name]]),
    ),
  );

/**
 * A defect of one rule must not remove the other findings.
 * @param {AnyRule} rule
 * @param {() => Finding[]} findings
 * @returns {Finding[]}
 */
function attempt(rule, findings) {
  try {
    return findings();
  } catch (cause) {
    const error = /** @type {Error} */ (cause).message;
    return [
      {
        ...blank(rule),
        status: 'error',
        code: 'rule-failed',
        values: { error },
        message: `The rule failed: ${error}`,
        advice: 'This is a defect of tune. Please report it.',
      },
    ];
  }
}

/**
 * @param {AnyRule} rule
 * @param {readonly string[]} missing names of values
 * @param {readonly string[]} reasons
 * @param {string} [subject]
 * @returns {Finding}
 */
const unknownOf = (rule, missing, reasons, subject) => ({
  ...blank(rule, subject),
  status: 'unknown',
  code: 'not-known',
  values: { missing, reasons },
  message: `Not known: ${wordsOf(rule, missing)}${reasons.length > 0 ? ` (${reasons.join('; ')})` : ''}.`,
});

/** @type {Readonly<Record<string, string>>} */
const ALL_WORDS = Object.freeze({ ...METRIC_WORDS, ...HOST_WORDS });
/** @type {Readonly<Record<string, Readonly<Record<string, string>>>>} */
const OWN_WORDS = Object.freeze({ members: MEMBER_WORDS, collections: COLLECTION_WORDS });

/**
 * Names what is missing, in words instead of ids.
 * @param {AnyRule} rule
 * @param {readonly string[]} missing
 */
function wordsOf(rule, missing) {
  const words = OWN_WORDS[rule.area] ?? ALL_WORDS;
  return [...new Set(missing.map((name) => words[name] ?? name))].join(', ');
}

/**
 * @param {AnyRule} rule
 * @param {Judgement} judgement
 * @param {Readonly<Record<string, unknown>> | null} [input] of which the rule shows some as evidence
 * @returns {Finding}
 */
function findingOf(rule, { status, code, values, evidence, subject, fixes = [] }, input = null) {
  const known = /** @type {never} */ (values);
  // The general advice is for trouble; an information has an advice only where it is its own.
  const general = isTrouble({ status }) ? rule.advice : null;
  return {
    ...blank(rule, subject),
    status,
    code,
    values: { ...values },
    message: rule.messages[code](known),
    evidence: { ...shown(rule, input), ...evidence },
    advice: rule.adviceFor[code]?.(known) ?? general,
    fixes,
  };
}

/**
 * The inputs that a rule declares as evidence.
 * @param {AnyRule} rule
 * @param {Readonly<Record<string, unknown>> | null} input
 * @returns {Finding['evidence']}
 */
function shown(rule, input) {
  const known = /** @type {Finding['evidence'] | null} */ (input);
  if (known === null) return {};
  return Object.fromEntries(rule.evidence.map((name) => [name, known[name] ?? null]));
}

/** The fields that every finding of a rule has. @param {AnyRule} rule @param {string} [subject] */
const blank = (rule, subject) => ({
  rule: rule.id,
  area: rule.area,
  evidence: {},
  advice: null,
  change: null,
  source: rule.source,
  key: subject === undefined ? rule.id : `${rule.id}:${subject}`,
  fixes: [],
});

module.exports = { judge, judgeHost, judgeMembers, judgeCollections, judgeRecording };
