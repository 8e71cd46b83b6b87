'use strict';

const { METRICS } = require('../../model/metrics');
const { SYSTEM_METRICS } = require('../../model/system-metrics');
const { SEPARATOR } = require('./layout');
const { columnOf } = require('./chunk');
const { ROLES } = require('./roles');

/**
 * Which columns of a chunk our metrics are made of. All others are passed over undecoded.
 *
 * @typedef {{ name: string, terms: readonly (readonly { path: string, scale: number }[])[] }} Wanted a sum of terms, each by the
 *   first of its spellings that is present
 * @typedef {{ name: string, parts: { index: number, scale: number }[] }} Found what a wanted metric is the sum of, by index in the layout
 * @typedef {import('../../model/stretch').Stretch} Stretch
 */

const EVERY = '*';

/** @param {readonly string[]} path */
const join = (path) => path.join(SEPARATOR);

/** @type {readonly Wanted[]} */
const WANTED = Object.freeze([
  // Names that no metric has: the clocks, and what a member of a replica set is.
  ...[['at', 'localTime'], ['uptimeMs', 'uptimeMillis']].map(([name, key]) => ({ name, terms: [[{ path: join(['serverStatus', key]), scale: 1 }]] })),
  { name: 'uptimeSeconds', terms: [[{ path: join(['serverStatus', 'uptime']), scale: 1000 }]] },
  { name: 'start', terms: [[{ path: 'start', scale: 1 }]] },
  { name: 'state', terms: [[{ path: join(['replSetGetStatus', 'myState']), scale: 1 }]] },
  ...Object.entries(METRICS).map(([name, { spellings }]) => ({
    name, terms: [spellings.map(({ path, scale = 1 }) => ({ path: join(['serverStatus', ...path]), scale }))],
  })),
  ...Object.entries(SYSTEM_METRICS).map(([name, { terms }]) => ({
    name, terms: terms.map((spellings) => spellings.map(({ path, scale = 1 }) => ({ path: join(path), scale }))),
  })),
]);

/** Every path we look for, also below a role: what it is without the role, and how far behind others it comes. */
const KNOWN = new Map(WANTED.flatMap(({ terms }) => terms.flat().flatMap(({ path }) => [
  [path, { path, rank: -1 }], ...ROLES.map((role, rank) => /** @type {const} */ ([join([role, path]), { path, rank }])),
])));
/** What stands before the `*` of a path; more than one of them in a path is not needed. */
const PREFIXES = Object.freeze([...new Set([...KNOWN.keys()].filter((path) => path.includes(EVERY)).map((path) => path.slice(0, path.indexOf(EVERY))))]);

/** Layouts change, but mostly hold the same paths: what each of them means is worked out once. */
const MOST_REMEMBERED = 20_000;
/** @type {Map<string, { path: string, rank: number } | null>} */
const MEANINGS = new Map();

class Selection {
  constructor() {
    /** @type {WeakMap<import('./layout').Layout, Found[]>} */
    this.found = new WeakMap();
  }

  /** @type {import('./chunk').Choose} */
  choose = (layout) => {
    const places = placesOf(layout);
    const found = WANTED.flatMap(({ name, terms }) => {
      const parts = terms.flatMap((spellings) => firstPresent(spellings, places));
      return parts.length === 0 ? [] : [{ name, parts }];
    });
    this.found.set(layout, found);
    return Int32Array.from(new Set(found.flatMap(({ parts }) => parts.map(({ index }) => index)))).sort();
  };

  /** @param {import('./chunk').Chunk} chunk @returns {Record<string, Float64Array>} under our names and in our units */
  columns(chunk) {
    const rows = new Map(Array.from(chunk.metrics, (index, row) => [index, row]));
    const column = (/** @type {number} */ index) => columnOf(chunk, /** @type {number} */ (rows.get(index)));
    return Object.fromEntries((this.found.get(chunk.layout) ?? []).map(({ name, parts }) => [name, sumOf(parts, column)]));
  }
}

/**
 * Where the paths we look for are.
 * @param {import('./layout').Layout} layout
 * @returns {Map<string, number[]>} more than one index where a path has a `*`
 */
function placesOf({ paths }) {
  /** @type {Map<string, { rank: number, indexes: number[] }>} */
  const places = new Map();
  paths.forEach((full, index) => {
    const meaning = meaningOf(full);
    if (meaning === null) return;
    const { path, rank } = meaning;
    const place = places.get(path);
    if (place === undefined || rank < place.rank) places.set(path, { rank, indexes: [index] });
    // Of two equal paths the first one counts.
    else if (path.includes(EVERY) && rank === place.rank) place.indexes.push(index);
  });
  return new Map([...places].map(([path, { indexes }]) => [path, indexes]));
}

/** @param {string} path @returns {{ path: string, rank: number } | null} null: not one that we look for */
function meaningOf(path) {
  const known = MEANINGS.get(path);
  if (known !== undefined) return known;
  const meaning = KNOWN.get(path) ?? KNOWN.get(generic(path) ?? path) ?? null;
  if (MEANINGS.size >= MOST_REMEMBERED) MEANINGS.clear();
  MEANINGS.set(path, meaning);
  return meaning;
}

/** @param {string} path @returns {string | null} the same with a `*`, where we look for such a one */
function generic(path) {
  const prefix = PREFIXES.find((start) => path.startsWith(start));
  return prefix === undefined ? null : prefix + EVERY + path.slice(Math.max(prefix.length, path.indexOf(SEPARATOR, prefix.length)));
}

/** @param {Wanted['terms'][number]} spellings @param {Map<string, number[]>} places */
function firstPresent(spellings, places) {
  const spelling = spellings.find(({ path }) => places.has(path));
  return spelling === undefined ? [] : /** @type {number[]} */ (places.get(spelling.path)).map((index) => ({ index, scale: spelling.scale }));
}

/** @param {Found['parts']} parts @param {(index: number) => Float64Array} column @returns {Float64Array} */
function sumOf(parts, column) {
  const [{ index, scale }] = parts;
  if (parts.length === 1 && scale === 1) return column(index);
  const sum = new Float64Array(column(index).length);
  for (const part of parts) {
    const values = column(part.index);
    for (let i = 0; i < sum.length; i++) sum[i] += values[i] * part.scale;
  }
  return sum;
}

module.exports = { Selection };
