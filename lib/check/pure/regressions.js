'use strict';

/**
 * @import { Finding, Status } from '../../base/pure/finding'
 */

/**
 * What is worse than it was: a server that is known to be slow shall alarm when it gets slower.
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
    findings: findings.filter((one) => !isKnown(one)),
    inBaseline: findings.filter(isKnown),
    gone: Object.keys(known).filter((key) => !keys.has(key)),
  };
}

module.exports = { knownOf, sinceThen };
