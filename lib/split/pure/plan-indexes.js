'use strict';

const { filterLosesOrder, losesOrder } = require('./definitions');

/**
 * @import { IndexSpec, Remark } from './definitions'
 */

/** Remarks on the indexes of a collection that moves. All are made again unchanged. */

/**
 * @param {string} kind
 * @returns {(spec: IndexSpec) => boolean} a check by the value of a key, such as "2dsphere"
 */
const keyed =
  (kind) =>
  ({ key }) =>
    Object.values(key ?? {}).includes(kind);
/** @param {string} option @returns {(spec: IndexSpec) => boolean} */
const having = (option) => (spec) => spec[option] !== undefined && spec[option] !== false;

/**
 * The meaning of a kind of index for a move.
 * @type {readonly { what: string, is: (spec: IndexSpec) => boolean, say: (names: string) => string
 *   }[]}
 */
const KINDS = Object.freeze([
  {
    what: 'ttl',
    is: having('expireAfterSeconds'),
    say: (names) =>
      `TTL index ${names}: documents also expire in the copy. A document that only ` +
      'one side has deleted so far counts as a difference',
  },
  {
    what: 'unique',
    is: having('unique'),
    say: (names) =>
      `Unique index ${names}: if a value moves from one document to another during ` +
      'the copy, both documents are pending and copied again',
  },
  {
    what: 'partial',
    is: having('partialFilterExpression'),
    say: (names) => `Partial index ${names}: kept with its filter`,
  },
  { what: 'sparse', is: having('sparse'), say: (names) => `Sparse index ${names}: kept sparse` },
  {
    what: 'hidden',
    is: having('hidden'),
    say: (names) => `Hidden index ${names}: stays hidden in the target`,
  },
  {
    what: 'index-collation',
    is: having('collation'),
    say: (names) => `Index ${names} with its own collation: kept with it`,
  },
  {
    what: 'text',
    is: keyed('text'),
    say: (names) =>
      `Text index ${names}: takes far longer to build than the estimate, and much more ` + 'memory',
  },
  {
    what: 'wildcard',
    is: ({ key }) => Object.keys(key ?? {}).some((field) => field.includes('$**')),
    say: (names) =>
      `Wildcard index ${names}: has a key for every field, so it takes longer to build than ` +
      'the estimate',
  },
  { what: 'hashed', is: keyed('hashed'), say: (names) => `Hashed index ${names}: kept` },
  {
    what: '2dsphere',
    is: keyed('2dsphere'),
    say: (names) =>
      `2dsphere index ${names}: takes longer to build than the estimate, one key for each cell`,
  },
  { what: '2d', is: keyed('2d'), say: (names) => `2d index ${names}: kept` },
]);
/** The kinds that createIndexes can make again. */
const KNOWN_KEYS = new Set(['text', 'hashed', '2dsphere', '2d']);
const OWN = '_id_';

/**
 * @param {readonly IndexSpec[]} specs
 * @param {unknown} [collation] the collation of the collection: its indexes have it unless they
 *   name another
 * @returns {Remark[]}
 */
function indexWarnings(specs, collation) {
  const same = JSON.stringify(collation);
  const own = specs
    .filter(({ name, clustered }) => name !== OWN && !clustered)
    .map((spec) =>
      JSON.stringify(spec.collation) === same ? { ...spec, collation: undefined } : spec,
    );
  return KINDS.flatMap(({ what, is, say }) => {
    const names = own.filter(is).map(({ name }) => name);
    return names.length === 0 ? [] : [{ what, say: `${say(names.join(', '))}.` }];
  });
}

/** @param {readonly IndexSpec[]} specs @returns {Remark[]} */
function indexBlockers(specs) {
  const strange = specs.filter(({ key }) =>
    Object.values(key ?? {}).some((kind) => typeof kind === 'string' && !KNOWN_KEYS.has(kind)),
  );
  return [
    ...strange.map(({ name, key }) => ({
      what: 'index-kind',
      say:
        `Index ${name} is of an unsupported kind (${Object.values(key).join(', ')}): ` +
        'drop it first, if the application does not need it.',
    })),
    ...specs
      .filter(({ key }) => losesOrder(key ?? {}))
      .map(({ name }) => ({
        what: 'index-order',
        say:
          `Index ${name} has several fields, one with a number as its name: ` +
          'JavaScript would put that one first. Drop it first, and create it again ' +
          'after the split.',
      })),
    ...specs
      .filter(({ partialFilterExpression }) => filterLosesOrder(partialFilterExpression))
      .map(({ name }) => ({
        what: 'index-order',
        say:
          `The filter of index ${name} contains a document with several fields, one ` +
          'with a number as its name: JavaScript would put that one first. Drop it ' +
          'first, and create it again after the split.',
      })),
  ];
}

module.exports = { indexWarnings, indexBlockers };
