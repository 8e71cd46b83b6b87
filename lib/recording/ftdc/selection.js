'use strict';

const {
  ofDisk,
  SYSTEM_COUNTERS,
  DISK_COUNTERS,
  MOUNT_COUNTERS,
  ROLES,
} = require('../../server/pure/system-counters');
const { COUNTERS } = require('../../server/pure/counters');
const { columnOf } = require('./chunk');
const { SEPARATOR } = require('./layout');

/**
 * @import { Choose, Chunk } from './chunk'
 * @import { Layout } from './layout'
 * @import { MemberCounter } from '../../server/pure/counters'
 */

/**
 * Selects the columns of a chunk from which counters are made; all others are skipped undecoded.
 *
 * @typedef {{ name: string, parts: { index: number, scale: number }[] }} Found what a wanted metric
 *   is the sum of, by index in the layout
 */

class Selection {
  constructor() {
    /** @type {WeakMap<Layout, Found[]>} */
    this.found = new WeakMap();
  }

  /** @type {Choose} */
  choose = (layout) => {
    const places = placesOf(layout);
    const found = wantedMetrics().flatMap(({ name, terms, isOfDisk }) => {
      const parts = terms.flatMap((spellings) => firstPresent(spellings, places));
      if (isOfDisk)
        return parts.map((part) => ({
          name: ofDisk(/** @type {any} */ (name), diskOf(layout.paths[part.index])),
          parts: [part],
        }));
      return parts.length === 0 ? [] : [{ name, parts }];
    });
    this.found.set(layout, found);
    return Int32Array.from(
      new Set(found.flatMap(({ parts }) => parts.map(({ index }) => index))),
    ).sort();
  };

  /**
   * @param {Chunk} chunk
   * @returns {Record<string, Float64Array>} with our names and units
   */
  columns(chunk) {
    const rows = new Map(Array.from(chunk.metrics, (index, row) => [index, row]));
    const column = (/** @type {number} */ index) =>
      columnOf(chunk, /** @type {number} */ (rows.get(index)));
    return Object.fromEntries(
      (this.found.get(chunk.layout) ?? []).map(({ name, parts }) => [name, sumOf(parts, column)]),
    );
  }
}

/** @param {string} path of a counter of a disk */
const diskOf = (path) => /** @type {string} */ (path.split(SEPARATOR).at(-2));

/**
 * Finds the places of the wanted paths.
 * @param {Layout} layout
 * @returns {Map<string, number[]>} several indexes where a path has a `*`
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
    // The first of two equal paths counts.
    else if (path.includes(EVERY) && rank === place.rank) place.indexes.push(index);
  });
  return new Map([...places].map(([path, { indexes }]) => [path, indexes]));
}

/** @param {Wanted['terms'][number]} spellings @param {Map<string, number[]>} places */
function firstPresent(spellings, places) {
  const spelling = spellings.find(({ paths }) => paths.every((path) => places.has(path)));
  return spelling === undefined
    ? []
    : spelling.paths.flatMap((path) =>
        /** @type {number[]} */ (places.get(path)).map((index) => ({
          index,
          scale: spelling.scale,
        })),
      );
}

/**
 * Adds up the columns of a counter.
 * @param {Found['parts']} parts
 * @param {(index: number) => Float64Array} column
 * @returns {Float64Array}
 */
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

/**
 * What a recording is read for, and the meaning of the paths in it. It is made when the first
 * recording is read, not when this file is loaded.
 *
 * @typedef {{
 *   name: string, terms: readonly (readonly WantedSpelling[])[],
 *   isOfDisk?: boolean
 * }} Wanted a sum of
 *   terms, each by the first of its spellings that is present; `isOfDisk`: one of each disk or mount instead
 * @typedef {{ paths: readonly string[], scale: number }} WantedSpelling `paths` add up
 * @typedef {{ path: string, rank: number }} Meaning a path without its role, and how far behind
 *   others it comes
 */

const EVERY = '*';
/** Layouts change, but mostly have the same paths: the meaning of each path is found once. */
const MAX_REMEMBERED = 20_000;

/**
 * @type {{
 *   wanted: Wanted[], known: Map<string, Meaning>, prefixes: string[],
 *   meanings: Map<string, Meaning | null>
 * } | null}
 */
let tables = null;

/** Everything that is wanted, and how to find it by a path. */
function makeTables() {
  const wanted = [...clocks(), ...ofServerStatus(), ...ofSystem(), ...ofEach()];
  /** @type {Map<string, Meaning>} */
  const known = new Map();
  for (const path of wanted.flatMap(({ terms }) => terms.flat().flatMap(({ paths }) => paths))) {
    [null, ...ROLES].forEach((role, i) =>
      known.set(role === null ? path : join([role, path]), { path, rank: i - 1 }),
    );
  }
  // Only the text before the `*` of a path matters; no path needs two of them.
  const prefixes = [
    ...new Set(
      [...known.keys()]
        .filter((path) => path.includes(EVERY))
        .map((path) => path.slice(0, path.indexOf(EVERY))),
    ),
  ];
  return { wanted, known, prefixes, meanings: new Map() };
}

/** @param {readonly string[]} path */
const join = (path) => path.join(SEPARATOR);

/** Times of replSetGetStatus. @type {readonly [MemberCounter, string[], number][]} */
const MEMBER_COUNTERS = Object.freeze([
  ['member.appliedAtMs', ['replSetGetStatus', 'optimes', 'lastAppliedWallTime'], 1],
  ['member.committedAtMs', ['replSetGetStatus', 'optimes', 'lastCommittedWallTime'], 1],
]);

/**
 * Names that no metric has: the clocks, and what a member of a replica set is.
 * @returns {Wanted[]}
 */
const clocks = () =>
  /** @type {[string, string[], number][]} */ ([
    ['at', ['serverStatus', 'localTime'], 1],
    ['uptimeMs', ['serverStatus', 'uptimeMillis'], 1],
    ['uptimeSeconds', ['serverStatus', 'uptime'], 1000],
    ['start', ['start'], 1],
    ['state', ['replSetGetStatus', 'myState'], 1],
    ...MEMBER_COUNTERS,
  ]).map(([name, path, scale]) => ({ name, terms: [[{ paths: [join(path)], scale }]] }));

/** @returns {Wanted[]} */
const ofServerStatus = () =>
  Object.entries(COUNTERS).map(([name, { spellings }]) => ({
    name,
    terms: [
      spellings.map(({ path, plus = [], scale = 1 }) => ({
        paths: [path, ...plus].map((one) => join(['serverStatus', ...one])),
        scale,
      })),
    ],
  }));

/** @returns {Wanted[]} */
const ofSystem = () =>
  Object.entries(SYSTEM_COUNTERS).map(([name, { terms }]) => ({
    name,
    terms: terms.map((spellings) =>
      spellings.map(({ path, scale = 1 }) => ({ paths: [join(path)], scale })),
    ),
  }));

/** Lists the metrics of each disk and of each mounted file system. @returns {Wanted[]} */
const ofEach = () =>
  [
    ...Object.entries(DISK_COUNTERS).map(([name, counter]) => ({
      name,
      section: 'disks',
      ...counter,
    })),
    ...Object.entries(MOUNT_COUNTERS).map(([name, counter]) => ({
      name,
      section: 'mounts',
      ...counter,
    })),
  ].map(({ name, section, field, scale }) => ({
    name,
    terms: [[{ paths: [join(['systemMetrics', section, EVERY, field])], scale }]],
    isOfDisk: true,
  }));

/** @returns {readonly Wanted[]} */
const wantedMetrics = () => (tables ??= makeTables()).wanted;

/** @param {string} path @returns {Meaning | null} null: not a wanted one */
function meaningOf(path) {
  const { known, prefixes, meanings } = (tables ??= makeTables());
  const remembered = meanings.get(path);
  if (remembered !== undefined) return remembered;
  const meaning = known.get(path) ?? known.get(generic(path, prefixes) ?? path) ?? null;
  if (meanings.size >= MAX_REMEMBERED) meanings.clear();
  meanings.set(path, meaning);
  return meaning;
}

/**
 * @param {string} path
 * @param {readonly string[]} prefixes
 * @returns {string | null} the same with a `*`, where such a one is wanted
 */
function generic(path, prefixes) {
  const prefix = prefixes.find((start) => path.startsWith(start));
  return prefix === undefined
    ? null
    : prefix + EVERY + path.slice(Math.max(prefix.length, path.indexOf(SEPARATOR, prefix.length)));
}

module.exports = { Selection };
