'use strict';

/**
 * The values in which several servers differ.
 * @typedef {{ host: string, values: Record<string, unknown> }} HostValues
 * @typedef {{ name: string, values: { text: string, hosts: string[] }[] }} Difference `values`: the
 *   most frequent first
 */

/** Shown for a server that does not have a value. */
const ABSENT = 'not set';

/**
 * Nested options as dotted names; a list is one value.
 * @param {Record<string, unknown>} options @param {string} [prefix]
 * @returns {Record<string, unknown>}
 */
function flatten(options, prefix = '') {
  return Object.fromEntries(
    Object.entries(options).flatMap(([name, value]) =>
      value !== null &&
      typeof value === 'object' &&
      !Array.isArray(value) &&
      Object.keys(value).length > 0
        ? Object.entries(
            flatten(/** @type {Record<string, unknown>} */ (value), `${prefix}${name}.`),
          )
        : [[`${prefix}${name}`, value]],
    ),
  );
}

/**
 * A value as text.
 * @param {unknown} value
 * @returns {string} the same for the same value
 */
function textOf(value) {
  if (value === undefined) return ABSENT;
  return typeof value === 'string' ? value : JSON.stringify(value, sorted);
}

/** @param {string} _name @param {unknown} value */
const sorted = (_name, value) =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;

/**
 * @param {readonly HostValues[]} reported flat values of each
 * @param {{ common?: boolean }} [how] `common`: only names that all of them have
 * @returns {Difference[]} in the order of the names
 */
function differences(reported, { common = false } = {}) {
  const names = [...new Set(reported.flatMap(({ values }) => Object.keys(values)))].sort();
  return names.flatMap((name) => {
    if (common && reported.some(({ values }) => values[name] === undefined)) return [];
    /** @type {Map<string, string[]>} */
    const groups = new Map();
    for (const { host, values } of reported)
      groups.set(textOf(values[name]), [...(groups.get(textOf(values[name])) ?? []), host]);
    const values = [...groups]
      .map(([text, hosts]) => ({ text, hosts }))
      .sort((a, b) => b.hosts.length - a.hosts.length);
    return values.length > 1 ? [{ name, values }] : [];
  });
}

module.exports = { flatten, textOf, differences, ABSENT };
