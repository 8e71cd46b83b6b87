'use strict';

/**
 * @import { Difference } from '../base/pure/differences'
 * @import { Row } from '../server/pure/replica-set'
 */

/**
 * Members by a value that they have in common.
 * @typedef {{ name: string, hosts: string[] }} Group
 */

/** A value as long as a list of ciphers is cut: the sentence shall still be read. */
const LONGEST_VALUE = 60;
/** More hosts than these are counted. */
const NAMED_HOSTS = 3;

/**
 * @param {readonly Row[]} rows
 * @param {(row: Row) => string} nameOf
 * @returns {Group[]} the largest first
 */
function groups(rows, nameOf) {
  /** @type {Map<string, string[]>} */
  const found = new Map();
  for (const row of rows) found.set(nameOf(row), [...(found.get(nameOf(row)) ?? []), row.host]);
  return [...found]
    .map(([name, hosts]) => ({ name, hosts }))
    .sort((a, b) => b.hosts.length - a.hosts.length);
}

/** @param {readonly Group[]} found @returns {string} `4 on a:1 and b:2; 8 on c:3` */
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

/**
 * Of a setting, for each of its names that differs.
 * @param {Difference} difference
 */
const differs = ({ name, values }) => ({
  status: /** @type {const} */ ('warning'),
  subject: name,
  evidence: { values: values.length },
  say: `${name} differs: ${listed(values.map(({ text, hosts }) => ({ name: text, hosts })))}.`,
});

module.exports = { groups, listed, differs };
