'use strict';

const { MiB } = require('../../base/pure/units');
const { Damaged } = require('./bson');
const { Layout } = require('./layout');
const { DeltaReader } = require('./deltas');

/**
 * The samples of one chunk, column by column. `metrics[row]` is the index in the layout of what
 * `column(row)` holds. `exact`: the columns that leave the numbers a double can hold, by row.
 * @typedef {{
 *   samples: number, layout: Layout, reference: Buffer, metrics: Int32Array, values: Float64Array,
 *   exact: Map<number, BigInt64Array>
 * }} Chunk `values`: all columns one behind the other; `reference`: the first sample as a document
 * @typedef {(layout: Layout) => Int32Array} Choose the indexes wanted, in ascending order; asked
 *   once for each layout
 */

/** A chunk has 300 samples of a few thousand metrics, 3 MB or so; more than this is not one. */
const BIGGEST_INFLATED = 32 * MiB;
const MAX_VALUES = 2 ** 24;
const MAX_SAMPLES = 2 ** 15;
/**
 * zlib makes no byte shorter than to this part of it (https://zlib.net/zlib_tech.html): who
 * announces more has not packed it.
 */
const BEST_RATIO = 1032;
const COUNTS_BYTES = 8;
const MAX_LAYOUTS = 8;

/** @type {Choose} */
const everything = (layout) => Int32Array.from({ length: layout.count }, (_, i) => i);

class ChunkDecoder {
  /** @param {Choose} [choose] */
  constructor(choose = everything) {
    this.choose = choose;
    /**
     * The last ones, for servers go to and fro between a few.
     * @type {{ layout: Layout, metrics: Int32Array }[]}
     */
    this.known = [];
  }

  /**
   * @param {Buffer} data as in the field `data` of the chunk's document
   * @returns {Chunk}
   * @throws {Damaged}
   */
  decode(data) {
    const bytes = inflate(data);
    const referenceEnd = bytes.length < 4 ? 0 : bytes.readInt32LE(0);
    if (referenceEnd < 4 || referenceEnd + COUNTS_BYTES > bytes.length)
      throw new Damaged('no reference document');
    const reference = bytes.subarray(0, referenceEnd);
    const { layout, metrics } = this.layoutOf(reference);
    const deltas = bytes.readUInt32LE(referenceEnd + 4);
    if (bytes.readUInt32LE(referenceEnd) !== layout.count)
      throw new Damaged(
        `${bytes.readUInt32LE(referenceEnd)} metrics announced, ${layout.count} found`,
      );
    if (deltas >= MAX_SAMPLES || (deltas + 1) * layout.count > MAX_VALUES)
      throw new Damaged(`${deltas + 1} samples announced`);
    return {
      samples: deltas + 1,
      layout,
      reference,
      metrics,
      ...readColumns(new DeltaReader(bytes, referenceEnd + COUNTS_BYTES), {
        layout,
        reference,
        metrics,
        deltas,
      }),
    };
  }

  /** @param {Buffer} reference */
  layoutOf(reference) {
    const known = this.known.find(({ layout }) => layout.fits(reference));
    if (known !== undefined) return known;
    const layout = new Layout(reference);
    const made = { layout, metrics: this.choose(layout) };
    this.known = [made, ...this.known].slice(0, MAX_LAYOUTS);
    return made;
  }
}

/**
 * Unpacks a chunk.
 * @param {Buffer} data
 * @returns {Buffer}
 */
function inflate(data) {
  const length = data.length < 4 ? 0 : data.readUInt32LE(0);
  if (length === 0 || length > Math.min(BIGGEST_INFLATED, data.length * BEST_RATIO))
    throw new Damaged(`a chunk of ${length} bytes`);
  let bytes;
  try {
    // A buffer of the right size at once: inflating in zlib's own steps takes twice the time.
    bytes = require('node:zlib').inflateSync(data.subarray(4), {
      chunkSize: Math.max(length, 64),
      maxOutputLength: length,
    });
  } catch (cause) {
    throw new Damaged(`not zlib: ${/** @type {Error} */ (cause).message}`);
  }
  if (bytes.length !== length) throw new Damaged(`${bytes.length} of ${length} bytes`);
  return bytes;
}

/**
 * Adds up the deltas of the columns that were chosen.
 * @param {DeltaReader} reader
 * @param {{ layout: Layout, reference: Buffer, metrics: Int32Array, deltas: number }} what
 * @returns {{ values: Float64Array, exact: Map<number, BigInt64Array> }}
 */
function readColumns(reader, { layout, reference, metrics, deltas }) {
  const { bytes } = reader;
  const samples = deltas + 1;
  const values = new Float64Array(metrics.length * samples);
  /** @type {Map<number, BigInt64Array>} */
  const exact = new Map();
  let passed = 0;
  for (let row = 0; row < metrics.length; row++) {
    const index = metrics[row];
    const from = row * samples;
    reader.skip((index - passed) * deltas);
    const { at, zeros } = reader;
    values[from] = layout.firstValue(reference, index);
    if (!reader.fill(values, from, from + samples)) {
      Object.assign(reader, { at, zeros });
      exact.set(row, readExact(reader, layout.firstExact(reference, index), samples));
      values.set(Array.from(/** @type {BigInt64Array} */ (exact.get(row)), Number), from);
    }
    passed = index + 1;
    // Do not spend time on values that would be made up from missing bytes.
    if (reader.at > bytes.length) throw new Damaged('the numbers end too early');
  }
  reader.skip((layout.count - passed) * deltas);
  if (!reader.isExhausted) throw new Damaged('the numbers do not end with the chunk');
  return { values, exact };
}

/** @param {DeltaReader} reader @param {bigint} first @param {number} samples */
function readExact(reader, first, samples) {
  const column = new BigInt64Array(samples);
  column[0] = first;
  reader.fillExact(column, 0, samples);
  return column;
}

/** @param {Chunk} chunk @param {number} row @returns {Float64Array} a view, not a copy */
const columnOf = ({ values, samples }, row) => values.subarray(row * samples, (row + 1) * samples);

module.exports = { ChunkDecoder, columnOf };
