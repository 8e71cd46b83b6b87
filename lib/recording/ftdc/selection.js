'use strict';

const { ofDisk } = require('../../server/pure/system-counters');
const { columnOf } = require('./chunk');
const { SEPARATOR } = require('./layout');
const { wantedMetrics, meaningOf, EVERY } = require('./wanted');

/**
 * @import { Choose, Chunk } from './chunk'
 * @import { Layout } from './layout'
 * @import { Wanted } from './wanted'
 */

/**
 * Which columns of a chunk our metrics are made of. All others are passed over undecoded.
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
   * @returns {Record<string, Float64Array>} under our names and in our units
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
 * Where the paths we look for are.
 * @param {Layout} layout
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

/** @param {Wanted['terms'][number]} spellings @param {Map<string, number[]>} places */
function firstPresent(spellings, places) {
  const spelling = spellings.find(({ path }) => places.has(path));
  return spelling === undefined
    ? []
    : /** @type {number[]} */ (places.get(spelling.path)).map((index) => ({
        index,
        scale: spelling.scale,
      }));
}

/**
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

module.exports = { Selection };
