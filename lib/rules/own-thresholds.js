'use strict';

const { nearest } = require('../base/pure/nearest');
const { isNamed } = require('./rule');

/**
 * @import { Rule } from './rule'
 */

/**
 * Checks a user's own thresholds. A rule declares those that may differ from server to server; the
 * bottleneck is always found with the defaults.
 *
 * @typedef {{ say: string, value: unknown, allowed: unknown }} Wrong
 */

/** The units in the names of thresholds, and what can be one of them. */
const UNITS = Object.freeze([
  {
    ends: /(Ratio|Share)$/,
    allowed: 'a number above 0, at most 1',
    isRight: (/** @type {number} */ value) => value > 0 && value <= 1,
  },
  {
    ends: /(Ms|Seconds|Bytes|PerSec|Threads|Queued|Handles|Files|Score)$/,
    allowed: 'a number above 0',
    isRight: (/** @type {number} */ value) => value > 0,
  },
]);

/** @param {string} name @returns {typeof UNITS[number] | undefined} */
const unitOf = (name) => UNITS.find(({ ends }) => ends.test(name));

/**
 * @param {readonly Rule[]} rules
 * @param {unknown} own `{ 'checkpoint-duration': { longMs: 30000 } }`
 * @returns {Wrong | null} what no rule has, or what makes no sense
 */
function whatIsWrong(rules, own) {
  if (!isTable(own))
    return {
      say: 'it must be a table of rules, such as { "checkpoint-duration": { longMs: 30000 } }',
      value: own,
      allowed: 'a table of rules',
    };
  for (const [id, thresholds] of Object.entries(own)) {
    const wrong = wrongOfRule(rules, id, thresholds);
    if (wrong !== null) return wrong;
  }
  return null;
}

/**
 * @param {readonly Rule[]} rules
 * @param {string} id
 * @param {unknown} thresholds
 * @returns {Wrong | null}
 */
function wrongOfRule(rules, id, thresholds) {
  const rule = rules.find((candidate) => isNamed(candidate, id));
  const able = rules
    .filter((rule) => Object.keys(rule.thresholds).length > 0)
    .map((rule) => rule.id);
  if (rule === undefined)
    return { say: `there is no rule "${id}"${like(id, able)}`, value: id, allowed: able };
  const names = Object.keys(rule.thresholds);
  if (names.length === 0)
    return {
      say: `the rule ${id} has no threshold to change; these have: ${able.join(', ')}`,
      value: id,
      allowed: able,
    };
  if (!isTable(thresholds))
    return {
      say: `${id} must be a table of ${names.join(', ')}`,
      value: thresholds,
      allowed: names,
    };
  for (const [name, value] of Object.entries(thresholds)) {
    if (!names.includes(name))
      return {
        say: `the rule ${id} has no threshold "${name}"; it has ${names.join(', ')}`,
        value: name,
        allowed: names,
      };
    const unit = /** @type {typeof UNITS[number]} */ (unitOf(name));
    if (typeof value !== 'number' || !Number.isFinite(value) || !unit.isRight(value))
      return { say: `${id}.${name} must be ${unit.allowed}`, value, allowed: unit.allowed };
  }
  return wrongOrder(id, rule.thresholds, {
    ...rule.thresholds,
    .../** @type {Record<string, number>} */ (thresholds),
  });
}

/**
 * Finds thresholds in the wrong order: the severe one may not come before the mild one.
 * @param {string} id
 * @param {Rule['thresholds']} ours
 * @param {Rule['thresholds']} mixed
 * @returns {Wrong | null}
 */
function wrongOrder(id, ours, mixed) {
  const names = Object.keys(ours);
  for (const [i, mild] of names.entries()) {
    const severe = names
      .slice(i + 1)
      .find(
        (name) =>
          unitOf(name) === unitOf(mild) &&
          suffix(name) === suffix(mild) &&
          mixed[mild] > mixed[name],
      );
    if (severe !== undefined)
      return {
        say: `${id}.${mild} (${mixed[mild]}) must not be above ${severe} (${mixed[severe]})`,
        value: mixed[mild],
        allowed: `at most ${mixed[severe]}`,
      };
  }
  return null;
}

/** @param {string} name */
const suffix = (name) => /[A-Z][a-z]+$/.exec(name)?.[0];

/** @param {string} word @param {readonly string[]} names */
function like(word, names) {
  const meant = nearest(word, names);
  return meant === null ? '' : `; did you mean "${meant}"?`;
}

/** @param {unknown} value @returns {value is Record<string, unknown>} */
const isTable = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);

/**
 * @param {readonly Rule[]} rules
 * @param {Readonly<Record<string, Readonly<Record<string, number>>>>} own in order
 * @returns {readonly Rule[]}
 */
const withThresholds = (rules, own) =>
  rules.map((rule) => {
    const names = [...rule.aliases, rule.id].filter((name) => own[name] !== undefined);
    return names.length === 0
      ? rule
      : Object.freeze({
          ...rule,
          thresholds: Object.freeze(
            Object.assign({ ...rule.thresholds }, ...names.map((name) => own[name])),
          ),
        });
  });

module.exports = { whatIsWrong, withThresholds, unitOf };
