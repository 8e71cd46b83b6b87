'use strict';

const fs = require('node:fs');
const zlib = require('node:zlib');
const { GZIP_MAGIC } = require('../recording/recording-lines');
const { MiB } = require('../base/pure/units');
const { TuneError } = require('../base/pure/errors');
const { interrupted } = require('../base/context');

/**
 * Reads a file in blocks of whole lines, and unpacks it where it is gzipped.
 *
 * @typedef {{ fromMs: number, toMs: number }} Range ms since 1970; both ends belong to it
 * @typedef {{
 *   maxRest: number, signal: AbortSignal, damaged(error: Error): void
 * }} How `maxRest`: bytes of a line, behind which it is cut; `damaged`: the rest cannot be unpacked
 */

const BLOCK = MiB;
const NEWLINE = 0x0a;

/**
 * Finds the end of the line that begins at `at`: the last one of a file may have no end.
 * @param {Buffer} bytes
 * @param {number} at
 */
function endOfLine(bytes, at) {
  const found = bytes.indexOf(NEWLINE, at);
  return found < 0 ? bytes.length : found;
}

/**
 * @param {string} file
 * @param {How} how
 * @returns {AsyncGenerator<{ bytes: Buffer, isLast: boolean }, void>}
 * @throws {TuneError} TUNE-40002
 */
async function* byteBlocks(file, { maxRest, signal, damaged }) {
  let rest = Buffer.alloc(0);
  for await (const chunk of unpacked(file, damaged)) {
    if (signal.aborted) throw interrupted();
    const end = chunk.lastIndexOf(NEWLINE) + 1;
    if (end === 0) {
      rest = rest.length > maxRest ? rest : Buffer.concat([rest, chunk]);
      continue;
    }
    // The first line of a chunk continues the rest; all others are read where they are.
    const first = chunk.indexOf(NEWLINE) + 1;
    if (rest.length > 0)
      yield { bytes: Buffer.concat([rest, chunk.subarray(0, first)]), isLast: false };
    const bytes = rest.length > 0 ? chunk.subarray(first, end) : chunk.subarray(0, end);
    if (bytes.length > 0) yield { bytes, isLast: false };
    rest = Buffer.from(chunk.subarray(end));
  }
  if (rest.length > 0) yield { bytes: rest, isLast: true };
}

/**
 * @param {string} file
 * @param {(error: Error) => void} damaged
 * @returns {AsyncGenerator<Buffer, void>}
 */
async function* unpacked(file, damaged) {
  const isGzipped = await isGzip(file);
  const source = fs.createReadStream(file, { highWaterMark: BLOCK });
  if (!isGzipped) return yield* source;
  // The text that a killed writer had flushed is whole; only the end of the format is missing.
  const gunzip = source.pipe(
    zlib.createGunzip({ finishFlush: zlib.constants.Z_SYNC_FLUSH, chunkSize: BLOCK }),
  );
  source.on('error', (error) => gunzip.destroy(error));
  try {
    yield* gunzip;
  } catch (error) {
    damaged(/** @type {Error} */ (error));
  } finally {
    source.destroy();
  }
}

/** @param {string} file @returns {Promise<boolean>} whether it is gzipped */
async function isGzip(file) {
  try {
    const kind = await fs.promises.stat(file);
    // A pipe can be read only once, and a terminal never ends.
    if (!kind.isFile()) throw new Error('it is not a file');
    const handle = await fs.promises.open(file, 'r');
    const { buffer } = await handle.read(Buffer.alloc(2), 0, 2, 0).finally(() => handle.close());
    return buffer.equals(GZIP_MAGIC);
  } catch (cause) {
    throw new TuneError(
      'TUNE-40002',
      `${file} cannot be read: ${/** @type {Error} */ (cause).message}.`,
      { value: file, cause },
    );
  }
}

module.exports = { endOfLine, byteBlocks };
