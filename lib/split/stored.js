'use strict';

/**
 * Servers before 5.0 store no field whose name begins with `$`, as those of a filter of an index or
 * of a validator do: such a name is written down with another sign, the fullwidth one.
 *
 * @typedef {import('./state').Split} Split
 */

const SIGN = '$';
const STAND_IN = '\uFF04';

/** @param {Split} split @returns {Split} as it is written down */
const stored = (split) => withNames(split, SIGN, STAND_IN);

/** @param {any} document @returns {Split} as it was before */
const loaded = (document) => withNames(document, STAND_IN, SIGN);

/** @param {Split} split @param {string} from @param {string} to @returns {Split} */
function withNames(split, from, to) {
  const { options, indexes } = split;
  return { ...split, options: renamed(options, from, to), indexes: renamed(indexes, from, to) };
}

/** @param {any} value @param {string} from @param {string} to @returns {any} */
function renamed(value, from, to) {
  if (Array.isArray(value)) return value.map((one) => renamed(one, from, to));
  if (!isDocument(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name.startsWith(from) ? to + name.slice(1) : name,
      renamed(one, from, to),
    ]),
  );
}

/**
 * Dates, patterns and the driver's classes are values. A document's prototype has none of its own,
 * in whatever context it was made.
 * @param {any} value
 */
function isDocument(value) {
  if (typeof value !== 'object' || value === null || value._bsontype) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

module.exports = { stored, loaded };
