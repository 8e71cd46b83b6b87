'use strict';

const { nearest } = require('../../base/pure/nearest');
const { MS_PER_DAY } = require('../../base/pure/units');
const { isNamed } = require('../../rules/rule');

/**
 * @import { Finding } from '../../base/pure/finding'
 */

/** Separates findings that raise no alarm: those of the baseline, and suppressed ones. */

/**
 * Finds what is worse than it was: a server that is known to be slow must alarm when it gets
 * slower.
 *
 * @typedef {Readonly<Record<string, 'warning' | 'critical'>>} Known what was found then, by key
 */

/** @param {readonly Finding[]} findings @returns {Known} */
const knownOf = (findings) =>
  Object.fromEntries(
    findings.flatMap(({ key, status }) =>
      status === 'warning' || status === 'critical' ? [[key, status]] : [],
    ),
  );

/**
 * Findings that are new or worse since the baseline.
 * @param {readonly Finding[]} findings that need a person
 * @param {Known} known
 * @returns {{ findings: Finding[], inBaseline: Finding[], gone: string[] }} `gone`: what was then and is
 *   no more
 */
function sinceThen(findings, known) {
  const isKnown = (/** @type {Finding} */ { key, status }) =>
    Object.hasOwn(known, key) && (status === 'warning' || status === known[key]);
  const keys = new Set(findings.map(({ key }) => key));
  return {
    findings: findings.filter((finding) => !isKnown(finding)),
    inBaseline: findings.filter(isKnown),
    gone: Object.keys(known).filter((key) => !keys.has(key)),
  };
}

/**
 * Findings that are known and accepted: each by its key, with a reason, and until a day.
 *
 * @typedef {{ key: string, reason: string, until: string, untilMs: number }} Suppression `until`: as it
 *   was written
 * @typedef {{ id: string, aliases: readonly string[] }} Named a rule
 * @typedef {Finding & { reason: string, until: string }} Suppressed
 */

const DAY = /^\d{4}-\d\d-\d\d$/;
/** The offset is required: without it the moment would differ from machine to machine. */
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;
const FIELDS = Object.freeze(['key', 'reason', 'until']);
const EXPIRED = 'suppression';

/**
 * Checks a user's list of suppressions.
 * @param {unknown} given `[{ key: "tickets", reason: "nightly import", until: "2026-12-31" }]`; a
 *   day counts to its end, UTC
 * @param {readonly Named[]} rules that there are; a former id means the rule it became
 * @returns {{ suppressions: Suppression[] } | { wrong: string, value: unknown }}
 */
function readSuppressions(given, rules) {
  if (!Array.isArray(given))
    return {
      wrong:
        'it must be a list, such as [{ key: "tickets", reason: "nightly import", until: ' +
        '"2026-12-31" }]',
      value: given,
    };
  /** @type {Suppression[]} */
  const suppressions = [];
  for (const [i, one] of given.entries()) {
    const wrong = whatIsWrong(one, rules);
    if (wrong !== null) return { wrong: `entry ${i + 1}: ${wrong}`, value: one };
    suppressions.push({
      key: currentKey(one.key, rules),
      reason: one.reason.trim(),
      until: textOf(one.until),
      untilMs: endOf(textOf(one.until)),
    });
  }
  const twice = suppressions.find(
    ({ key }, i) => suppressions.findIndex((other) => other.key === key) < i,
  );
  return twice === undefined
    ? { suppressions }
    : { wrong: `${twice.key} is there twice`, value: twice.key };
}

/** @param {any} one @param {readonly Named[]} rules @returns {string | null} */
function whatIsWrong(one, rules) {
  if (one === null || typeof one !== 'object' || Array.isArray(one))
    return 'it must have key, reason and until';
  const strange = Object.keys(one).find((name) => !FIELDS.includes(name));
  if (strange !== undefined) return `there is no "${strange}"; it has key, reason and until`;
  const empty = FIELDS.slice(0, 2).find(
    (name) => typeof one[name] !== 'string' || one[name].trim() === '',
  );
  if (empty !== undefined)
    return `${empty === 'key' ? 'key: which finding' : 'reason: why it may be silent'} is missing`;
  const rule = ruleOf(one.key);
  if (ruleNamed(rule, rules) === undefined)
    return `there is no rule "${rule}"${meant(rule, rules)}`;
  return Number.isNaN(endOf(textOf(one.until)))
    ? 'until must be a day such as 2026-12-31, or a moment such as 2026-12-31T06:00:00Z'
    : null;
}

/** @param {string} name @param {readonly Named[]} rules */
const ruleNamed = (name, rules) => rules.find((rule) => isNamed(rule, name));

/** @param {string} key may begin with a former id @param {readonly Named[]} rules */
const currentKey = (key, rules) =>
  key.replace(/^[^:]*/, (name) => ruleNamed(name, rules)?.id ?? name);

/**
 * The rule that a misspelt name may mean.
 * @param {string} rule
 * @param {readonly Named[]} rules
 */
function meant(rule, rules) {
  const name = nearest(
    rule,
    rules.map(({ id }) => id),
  );
  return name === null ? '' : `; did you mean "${name}"?`;
}

/** A Date of the shell is one of another realm. @param {unknown} until @returns {string} */
const textOf = (until) =>
  Object.prototype.toString.call(until) === '[object Date]' && !Number.isNaN(Number(until))
    ? new Date(Number(until)).toISOString()
    : String(until);

/**
 * The end of a suppression.
 * @param {string} until
 * @returns {number} ms; NaN for what is no moment, such as 2026-02-30
 */
function endOf(until) {
  if (!DAY.test(until))
    return MOMENT.test(until) && isDay(until.slice(0, 10)) ? Date.parse(until) : NaN;
  return isDay(until) ? Date.parse(until) + MS_PER_DAY : NaN;
}

/** @param {string} day 30 February is one of March to some @returns {boolean} */
const isDay = (day) =>
  !Number.isNaN(Date.parse(day)) && new Date(day).toISOString().startsWith(day);

/** @param {string} key */
const ruleOf = (key) => key.split(':')[0];

/**
 * Divides findings into those that are suppressed and the rest.
 * @param {readonly Finding[]} findings that need a person
 * @param {readonly Suppression[]} suppressions
 * @param {number} nowMs
 * @returns {{ findings: Finding[], suppressed: Suppressed[], unused: string[] }} `findings`: the rest,
 *   and one for each suppression that is over;
 *   `unused`: what suppressed nothing, as it should be, or because it is of no use
 */
function suppress(findings, suppressions, nowMs) {
  const [over, effective] = [
    suppressions.filter(({ untilMs }) => untilMs <= nowMs),
    suppressions.filter(({ untilMs }) => untilMs > nowMs),
  ];
  const suppressedBy = (/** @type {Finding} */ { key, rule }) =>
    effective.find((suppression) => suppression.key === key) ??
    effective.find((suppression) => suppression.key === rule);
  const suppressed = findings.flatMap((finding) => {
    const by = suppressedBy(finding);
    return by === undefined ? [] : [{ ...finding, reason: by.reason, until: by.until }];
  });
  const used = new Set(findings.map((finding) => suppressedBy(finding)?.key));
  return {
    findings: [
      ...findings.filter((finding) => suppressedBy(finding) === undefined),
      ...over.map(expired),
    ],
    suppressed,
    unused: effective.filter(({ key }) => !used.has(key)).map(({ key }) => key),
  };
}

/** @param {Suppression} suppress that is over @returns {Finding} */
const expired = ({ key, reason, until }) => ({
  rule: EXPIRED,
  area: 'check',
  status: 'warning',
  code: 'ended',
  values: { key, reason, until },
  message: `The suppression of ${key} ("${reason}") ended on ${until}.`,
  evidence: { key, until },
  advice:
    'Take it out of the list where its reason is gone; else give it a new end and a reason ' +
    'that holds.',
  change: null,
  source: 'the list of suppressions',
  fixes: [],
  key: `${EXPIRED}:${key}`,
});

module.exports = { readSuppressions, suppress, knownOf, sinceThen };
