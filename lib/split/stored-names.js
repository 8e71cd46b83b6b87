'use strict';

const { isDocument } = require('./pure/definitions');

/**
 * @import { Split } from './types'
 */

/**
 * Stores field names that begin with `$`. Servers before 5.0 store no such field, as those of a
 * filter of an index or of a validator are: such a name is saved after another sign, the fullwidth
 * one. So is one that begins with that sign itself, which some applications use in the place of
 * `$`.
 */

const BEFORE = '\uFF04';

/**
 * @template {Partial<Split>} T
 * @param {T} split a split, or changes of one
 * @returns {T} the values as they are saved
 */
const stored = (split) =>
  withNames(split, (name) => (/^[$\uFF04]/.test(name) ? BEFORE + name : name));

/** @param {any} document @returns {Split} the split with its own names */
const loaded = (document) =>
  withNames(document, (name) => (name.startsWith(BEFORE) ? name.slice(BEFORE.length) : name));

/**
 * @template {Partial<Split>} T
 * @param {T} split @param {(name: string) => string} as
 * @returns {T}
 */
const withNames = (split, as) => ({
  ...split,
  ...('options' in split && { options: renamed(split.options, as) }),
  ...('indexes' in split && { indexes: renamed(split.indexes, as) }),
});

/** @param {any} value @param {(name: string) => string} as @returns {any} */
function renamed(value, as) {
  if (Array.isArray(value)) return value.map((one) => renamed(one, as));
  if (!isDocument(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [as(name), renamed(one, as)]),
  );
}

module.exports = { stored, loaded };
