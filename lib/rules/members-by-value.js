'use strict';

/**
 * @import { Difference } from '../config/member-differences'
 * @import { Row } from '../server/pure/replica-set'
 */

/**
 * Members with the same value.
 * @typedef {{ name: string, hosts: string[] }} SameValue
 */

/** A value as long as a list of ciphers is shortened, so that the sentence can be read. */
const LONGEST_VALUE = 60;
/** At most this many hosts are named; more are counted. */
const NAMED_HOSTS = 3;

/**
 * @param {readonly Row[]} rows
 * @param {(row: Row) => string} nameOf
 * @returns {SameValue[]} the largest first
 */
function membersByValue(rows, nameOf) {
  /** @type {Map<string, string[]>} */
  const found = new Map();
  for (const row of rows) found.set(nameOf(row), [...(found.get(nameOf(row)) ?? []), row.host]);
  return [...found]
    .map(([name, hosts]) => ({ name, hosts }))
    .sort((a, b) => b.hosts.length - a.hosts.length);
}

/** @param {readonly SameValue[]} found @returns {string} `4 on a:1 and b:2; 8 on c:3` */
const listed = (found) =>
  found.map(({ name, hosts }) => `${short(name)} on ${hostList(hosts)}`).join('; ');

/** @param {string} text */
const short = (text) => (text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text);

/** @param {readonly string[]} hosts */
function hostList(hosts) {
  if (hosts.length > NAMED_HOSTS)
    return `${hosts.slice(0, NAMED_HOSTS - 1).join(', ')} and ${hosts.length - NAMED_HOSTS + 1} more`;
  return hosts.length === 1
    ? hosts[0]
    : `${hosts.slice(0, -1).join(', ')} and ${hosts[hosts.length - 1]}`;
}

/** @typedef {{ name: string, values: readonly SameValue[] }} Differing a setting, by its values */

/**
 * The judgement of a setting whose values differ.
 * @param {string} name
 * @param {readonly SameValue[]} values
 */
const difference = (name, values) => ({
  status: /** @type {const} */ ('warning'),
  code: /** @type {const} */ ('differs'),
  subject: name,
  values: { name, values },
  evidence: { values: values.length },
});

/** Describes a difference between options or parameters. @param {Difference} found */
const differenceOf = ({ name, values }) =>
  difference(
    name,
    values.map(({ text, hosts }) => ({ name: text, hosts })),
  );

/** The message of both. @param {Differing} values */
const differs = ({ name, values }) => `${name} differs: ${listed(values)}.`;

module.exports = { membersByValue, listed, difference, differenceOf, differs };
