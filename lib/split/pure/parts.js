'use strict';

const { percent } = require('../../base/pure/units');
const { quoted } = require('../../base/pure/printable');

/**
 * @import { By, Drawn, Part, Remark, Sample } from './definitions'
 * @import { SeenCollection } from './types'
 */

/**
 * Divides one collection into several, for applications that can route, and shows what each part
 * would hold, from a sample.
 * @typedef {{ names: string[], holds: string[], members: Drawn[][] }} Cut `members`: the documents
 *   of the sample in each part
 */

/** Share of the sample: the newest documents show where the next ones will go; heuristic. */
const NEWEST_RATIO = 0.05;
/** Share of the newest documents: a part with this much takes the writes alone; heuristic. */
const ONE_SIDED_RATIO = 0.9;
/** Times its share: a part with this much is no balance; heuristic. */
const UNEVEN_TIMES = 1.5;

/**
 * @param {SeenCollection} collection
 * @param {By} by
 * @param {readonly string[]} into databases, taken in turn
 * @param {Sample} sample
 * @returns {{ parts: Part[], route: string | null, warnings: Remark[] }}
 */
function partsFor(collection, by, into, sample) {
  const names = Array.from(
    { length: by.parts },
    (_, i) => `${into[i % into.length]}.${collection.name}_${i + 1}`,
  );
  const cut =
    by.kind === 'hash' ? byHash(by, names, sample.drawn) : byRange(by, names, sample.drawn);
  const growing = grows(cut, sample.drawn);
  const documents = sample.documents ?? collection.documents;
  const parts = cut.names.map((ns, i) => {
    const ratio = share(cut.members[i].length, sample.drawn.length);
    const ofBytes = share(sum(cut.members[i]), sum(sample.drawn));
    const times = (/** @type {number | null} */ value, /** @type {number} */ by_) =>
      value === null ? null : Math.round(value * by_);
    return {
      ns,
      holds: cut.holds[i],
      documents: times(documents, ratio),
      bytes: times(collection.bytes, ofBytes),
      ratio,
      writtenBytesPerSec: growing ? null : times(collection.writtenBytesPerSec, ofBytes),
    };
  });
  return {
    parts,
    route: by.kind === 'hash' ? routeOf(names) : null,
    warnings: [...remarks(collection, by, sample.drawn), ...shape(by, parts, growing)],
  };
}

/** @param {By} by @param {string[]} names @param {Drawn[]} drawn @returns {Cut} */
function byHash({ field, parts }, names, drawn) {
  const members = names.map((_, i) => drawn.filter(({ key }) => hashOf(key) % parts === i));
  return { names, holds: names.map((_, i) => `hash of ${field} % ${parts} = ${i}`), members };
}

/**
 * Divides by bounds that halve, third … the bytes; never between two equal values.
 * @param {By} by
 * @param {string[]} names
 * @param {Drawn[]} drawn
 * @returns {Cut}
 */
function byRange({ field, parts }, names, drawn) {
  const total = sum(drawn);
  /** @type {number[]} */ const starts = [0];
  let seen = 0;
  drawn.forEach((one, i) => {
    const wanted = (total * starts.length) / parts;
    if (i > 0 && seen >= wanted && starts.length < parts && one.key !== drawn[i - 1].key)
      starts.push(i);
    seen += one.bytes;
  });
  const bounds = starts.slice(1).map((i) => drawn[i].shown);
  // These documents sort before all values, but "<" does not find them.
  const without = drawn.some(({ missing, shown }) => missing || shown === 'null')
    ? `, or null, or no ${field}`
    : '';
  return {
    names: names.slice(0, starts.length),
    holds: starts.map(
      (_, i) =>
        [
          ...(i > 0 ? [`${field} >= ${bounds[i - 1]}`] : []),
          ...(i < bounds.length ? [`${field} < ${bounds[i]}${i === 0 ? without : ''}`] : []),
        ].join(' and ') || 'all',
    ),
    members: starts.map((from, i) => drawn.slice(from, starts[i + 1])),
  };
}

/**
 * Computes FNV-1a of 32 bits over UTF-8: it takes a few lines in any language.
 * @param {string} text
 * @returns {number}
 */
function hashOf(text) {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text))
    hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash;
}

/** @param {string[]} names @returns {string} the same as a function for the application */
const routeOf = (names) =>
  [
    'const partOf = (value) => {',
    '  const text = value instanceof Date ? value.toISOString() : String(value);',
    '  let hash = 0x811c9dc5; // FNV-1a, 32 bits, over UTF-8',
    '  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, ' +
      '0x01000193) >>> 0;',
    `  return [${names.map(quoted).join(', ')}][hash % ${names.length}];`,
    '};',
  ].join('\n');

/**
 * @param {Cut} cut
 * @param {Drawn[]} drawn
 * @returns {boolean} whether the next documents go to one part
 */
function grows({ members }, drawn) {
  const born = drawn
    .filter(({ bornMs }) => bornMs !== null)
    .sort((a, b) => Number(b.bornMs) - Number(a.bornMs));
  const newest = new Set(born.slice(0, Math.ceil(born.length * NEWEST_RATIO)));
  return (
    members.length > 1 &&
    newest.size > 0 &&
    members.some(
      (part) => part.filter((one) => newest.has(one)).length >= newest.size * ONE_SIDED_RATIO,
    )
  );
}

/** @param {SeenCollection} collection @param {By} by @param {Drawn[]} drawn @returns {Remark[]} */
function remarks({ indexes }, { field }, drawn) {
  const missing = share(drawn.filter((one) => one.missing).length, drawn.length);
  const unique = (indexes ?? [])
    .filter(({ unique: is, key }) => is && !(field in key))
    .map(({ name }) => name);
  return [
    {
      what: 'queries',
      say:
        `A query without ${field} has to query every part and merge the results. An ` +
        `update that changes ${field} has to move the document.`,
    },
    ...(unique.length === 0
      ? []
      : [
          {
            what: 'unique',
            say:
              `Unique index ${unique.join(', ')}: it does not contain ${field}, so ` +
              'it is unique within a part only.',
          },
        ]),
    ...(field === '_id' ? [] : [{ what: 'unique', say: '_id is unique within a part only.' }]),
    ...(missing === 0
      ? []
      : [
          {
            what: 'missing',
            say: `${percent(missing)} of the documents have no ${field}: all of them go to one part.`,
          },
        ]),
  ];
}

/** @param {By} by @param {Part[]} parts @param {boolean} growing @returns {Remark[]} */
function shape({ kind, field, parts: wanted }, parts, growing) {
  const max = parts.reduce((a, b) => (b.ratio > a.ratio ? b : a));
  return [
    ...(growing
      ? [
          {
            what: 'growing',
            say:
              'The newest documents are all in one part: it would take every insert, ' +
              'so the split brings no benefit. ' +
              `${kind === 'range' ? `Split by hash: by: { hash: ${quoted(field)} }.` : 'Choose another field.'}`,
          },
        ]
      : []),
    ...(parts.length < wanted || max.ratio * wanted > UNEVEN_TIMES
      ? [
          {
            what: 'uneven',
            say:
              `Many documents share one ${field}: ${max.ns} would hold ${percent(max.ratio)} ` +
              'of ' +
              `them${parts.length < wanted ? `, and there are ${parts.length} parts, not ${wanted}` : ''}.`,
          },
        ]
      : []),
  ];
}

/** @param {readonly Drawn[]} drawn */
const sum = (drawn) => drawn.reduce((total, one) => total + one.bytes, 0);
/** @param {number} part @param {number} whole */
const share = (part, whole) => (whole === 0 ? 0 : part / whole);

module.exports = { partsFor, hashOf };
