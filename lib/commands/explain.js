'use strict';

const { TuneError } = require('../base/pure/errors');
const { show } = require('../base/pure/options');
const { loadAllRules } = require('../observe/load-rules');
const { isNamed } = require('../rules/define-rule');
const { nearest } = require('../base/pure/nearest');
const { report } = require('../text/report');

/**
 * @import { Context } from '../base/context'
 * @import { Report } from '../text/report'
 */

/**
 * @typedef {{
 *   rule: string, area: string, title: string, why: string, threshold: string, source: string,
 *   advice: string, whenNot: string, needs: readonly string[], wants: readonly string[],
 *   limits: Readonly<Record<string, number>>, aliases: readonly string[]
 * }} Explanation `aliases`: ids of rules that became this one
 */

/**
 * Why a rule exists, from where on it speaks, where that comes from, what to do, and when not to.
 * @param {Context} _ctx
 * @param {string | { rule: string }} [subject] the name of a rule, or a finding
 * @returns {Explanation & Report}
 * @throws {TuneError} TUNE-10004 without a name, TUNE-10003 for a name that no rule has
 */
function explain(_ctx, subject) {
  const name = nameOf(subject);
  const found = findRule(name);
  const { renderExplanation } = require('../rules/explain-text');
  const {
    id,
    area,
    title,
    why,
    threshold,
    source,
    advice,
    whenNot,
    needs,
    wants,
    limits,
    aliases,
  } = found;
  const data = {
    rule: id,
    area,
    title,
    why,
    threshold,
    source,
    advice,
    whenNot,
    needs,
    wants,
    limits,
    aliases,
  };
  return report(data, (ink) => renderExplanation(data, ink, name));
}

/** @param {unknown} subject @returns {string} */
function nameOf(subject) {
  const name =
    subject !== null && typeof subject === 'object'
      ? /** @type {Record<string, unknown>} */ (subject).rule
      : subject;
  if (typeof name === 'string') return name;
  const allowed = loadAllRules().map(({ id }) => id);
  if (subject === undefined)
    throw new TuneError(
      'TUNE-10004',
      `tune.explain needs the name of a rule, such as tune.explain("${allowed[0]}").`,
      { allowed },
    );
  throw new TuneError(
    'TUNE-10003',
    `tune.explain: ${show(subject)} names no rule. Rules: ${allowed.join(', ')}.`,
    { value: subject, allowed },
  );
}

/** @param {string} name */
function findRule(name) {
  const rules = loadAllRules();
  const found = rules.find((rule) => isNamed(rule, name));
  if (found !== undefined) return found;
  const allowed = rules.map(({ id }) => id);
  const like = likely(name, rules)
    .map((each) => `"${each}"`)
    .join(' or ');
  throw new TuneError(
    'TUNE-10003',
    `There is no rule ${show(name)}.${like === '' ? '' : ` Did you mean ${like}?`} Rules: ` +
      `${allowed.join(', ')}.`,
    { value: name, allowed },
  );
}

/**
 * @param {string} name
 * @param {ReturnType<typeof loadAllRules>} rules
 * @returns {string[]} one misspelt, those of which it is a part, those that speak for it as a
 *   bottleneck
 */
function likely(name, rules) {
  const misspelt = nearest(
    name,
    rules.map(({ id }) => id),
  );
  const others = rules.filter(
    ({ id, speaksFor }) =>
      (name.length > 2 && id.includes(name.toLowerCase())) ||
      speaksFor.some((each) => each === name),
  );
  return [...new Set([...(misspelt === null ? [] : [misspelt]), ...others.map(({ id }) => id)])];
}

module.exports = { explain };
