'use strict';

const { visible } = require('../../base/pure/printable');
const { marked } = require('../../text/layout');
const { wrap } = require('../../text/wrap');

/**
 * @import { Ink, PolicyRules, PolicySource } from '../../base/types'
 */

/** Each rule as a sentence. */
const SENTENCES = Object.freeze(
  /** @type {{ [K in keyof PolicyRules]-?: (value: NonNullable<PolicyRules[K]>) => string | null }} */ ({
    readOnly: (value) => (value ? 'Nothing may be changed.' : null),
    allowCommands: (value) => `Only these commands run: ${list(value)}.`,
    denyCommands: (value) => `These commands do not run: ${list(value)}.`,
    changeHosts: (value) => `Only these hosts may be changed: ${list(value)}.`,
    changeHoursUtc: (value) =>
      `Changes are allowed ${list(value)}, in UTC by the clock of this computer.`,
    ticket: (value) =>
      `A change needs a ticket that matches ${visible(value)}: { confirm: true, ticket: "…" }.`,
  }),
);

/**
 * @param {{ readOnly: boolean, sources: readonly PolicySource[], places: readonly string[] }} data
 * @param {Ink} ink
 * @returns {string}
 */
function renderPolicy({ readOnly, sources, places }, ink) {
  if (sources.length === 0)
    return [
      `${ink('No policy', 'strong')} limits tune here: only the privileges of the user on the server.`,
      ...wrap(`A policy would be read from ${places.map(visible).join(', ')}.`, '  '),
    ].join('\n');
  const verdict = readOnly ? 'tune may change nothing here' : 'tune is limited here';
  return [ink(verdict, 'strong'), ...sources.flatMap((source) => linesOf(source, ink))].join('\n');
}

/** @param {PolicySource} source @param {Ink} ink */
const linesOf = ({ from, rules, fault }, ink) => [
  ink(visible(from), 'faint'),
  ...(fault === null
    ? []
    : marked(
        'critical',
        `The file cannot be used, so nothing is changed: ${visible(fault)}.`,
        ink,
      )),
  ...Object.entries(rules)
    .map(([key, value]) => /** @type {any} */ (SENTENCES)[key](value))
    .flatMap((sentence) => (sentence === null ? [] : wrap(sentence, '  '))),
];

/** @param {readonly string[]} texts */
const list = (texts) => texts.map(visible).join(', ') || 'none';

module.exports = { renderPolicy };
