'use strict';

const { defineCommand } = require('../base/pure/command');
const { TuneError } = require('../base/pure/errors');
const { show } = require('../base/pure/options');
const { loadAllRules } = require('../rules/registry');
const { isNamed } = require('../rules/rule');
const { nearest } = require('../base/pure/nearest');
const { report } = require('../text/report');
const { ERROR_CODES, codeNamed, explainError } = require('./pure/error-text');

/**
 * @import { Report } from '../text/report'
 * @import { Context } from '../base/types'
 * @import { ErrorExplanation, Explanation } from './types'
 */

module.exports = defineCommand({
  name: 'explain',
  group: 'Diagnose',
  order: 4,
  takes: ['text'],
  usage: 'tune.explain(ruleOrCode)',
  summary: 'Explains a rule or the code of an error',
  details:
    'Of a rule: why it matters, its thresholds, the fix, exceptions. Of an error: what it means, ' +
    'its usual cause, what to do',
  examples: [
    'tune.explain("dirty-ratio")',
    'tune explain dirty-ratio',
    'tune.explain("TUNE-20005")',
  ],
  changes: 'nothing',
  words: () => [...loadAllRules().map(({ id }) => id), ...ERROR_CODES],
  run: explain,
});

/**
 * Why a rule exists, from where on it speaks, where that comes from, what to do, and when not to;
 * or what an error means.
 * @param {Context} _ctx
 * @param {string | { rule: string } | { code: string }} [subject] the name of a rule or the code
 *   of an error; a finding or an error
 * @returns {(Explanation | ErrorExplanation) & Report}
 * @throws {TuneError} TUNE-10004 without a name, TUNE-10003 for a name of no rule and no error
 */
function explain(_ctx, subject) {
  const name = nameOf(subject);
  const code = codeNamed(name);
  return code === null ? explainRule(name) : explainCode(code);
}

/** @param {Parameters<typeof explainError>[0]} code @returns {ErrorExplanation & Report} */
function explainCode(code) {
  const { renderError } = require('./pure/error-text');
  const data = explainError(code);
  return report(data, (ink) => renderError(data, ink));
}

/** @param {string} name @returns {Explanation & Report} */
function explainRule(name) {
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

/** Finds the name of the rule or the error. @param {unknown} subject @returns {string} */
function nameOf(subject) {
  const { rule, code } = /** @type {Record<string, unknown>} */ (subject ?? {});
  const name = subject !== null && typeof subject === 'object' ? (rule ?? code) : subject;
  if (typeof name === 'string') return name;
  const allowed = loadAllRules().map(({ id }) => id);
  if (subject === undefined)
    throw new TuneError(
      'TUNE-10004',
      `tune.explain needs the name of a rule or the code of an error, such as ` +
        `tune.explain("${allowed[0]}") or tune.explain("${ERROR_CODES[0]}").`,
      { allowed },
    );
  throw new TuneError(
    'TUNE-10003',
    `tune.explain: ${show(subject)} names neither a rule nor an error. tune.rules() lists all rules.`,
    { value: subject, allowed },
  );
}

/** Finds the rule with a name. @param {string} name */
function findRule(name) {
  const rules = loadAllRules();
  const found = rules.find((rule) => isNamed(rule, name));
  if (found !== undefined) return found;
  if (/^tune-\d/i.test(name))
    throw new TuneError('TUNE-10003', `There is no error ${show(name)} in this release.`, {
      value: name,
      allowed: ERROR_CODES,
    });
  const allowed = rules.map(({ id }) => id);
  const like = likely(name, rules)
    .map((each) => `"${each}"`)
    .join(' or ');
  const isBottleneck = rules.some(({ speaksFor }) => speaksFor.some((each) => each === name));
  throw new TuneError(
    'TUNE-10003',
    isBottleneck
      ? `${show(name)} is a bottleneck, and tune.explain() explains rules. Its rules: ${like}.`
      : `There is no rule ${show(name)}.${like === '' ? '' : ` Did you mean ${like}?`} ` +
          'tune.rules() lists all.',
    { value: name, allowed },
  );
}

/**
 * Finds the rules that may be meant by a name that no rule has.
 * @param {string} name
 * @param {ReturnType<typeof loadAllRules>} rules
 * @returns {string[]} a similar name, names that contain it, or the rules of a bottleneck
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
