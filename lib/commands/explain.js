'use strict';

const { defineCommand } = require('../base/pure/command');
const { TuneError } = require('../base/pure/errors');
const { show } = require('../base/pure/options');
const { loadAllRules } = require('../rules/registry');
const { isNamed } = require('../rules/rule');
const { nearest } = require('../base/pure/nearest');
const { report } = require('../text/report');

/**
 * @import { Report } from '../text/report'
 * @import { Context } from '../base/types'
 * @import { Explanation } from './types'
 */

module.exports = defineCommand({
  name: 'explain',
  group: 'Diagnose',
  order: 4,
  takes: ['text'],
  usage: 'tune.explain(rule)',
  summary: 'Explains a rule: why, thresholds, fix, exceptions',
  examples: ['tune.explain("dirty-ratio")', 'tune explain dirty-ratio'],
  changes: 'nothing',
  words: () => loadAllRules().map(({ id }) => id),
  run: explain,
});

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
  const { renderExplanation } = require('../rules/rule-text');
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
    thresholds,
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
    thresholds,
    aliases,
  };
  return report(data, (ink) => renderExplanation(data, ink, name));
}

/** The name of the rule that is meant. @param {unknown} subject @returns {string} */
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

/** The rule of a name. @param {string} name */
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
 * The rules that may be meant by a name that no rule has.
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
