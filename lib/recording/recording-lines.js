'use strict';

const fs = require('node:fs');
const { StringDecoder } = require('node:string_decoder');
const { MiB } = require('../base/pure/units');
const { TuneError } = require('../base/pure/errors');

/**
 * @typedef {{ text: string, isStart: boolean, isEnd: boolean }} Piece a line, or a part of a long
 *   one: whether it begins there, and ends
 */

const GZIP_MAGIC = Buffer.from([0x1f, 0x8b]);
/**
 * A server status has a few hundred kilobytes at most; a list of them in one line has any length,
 * and is handed over in parts.
 */
const LONGEST_PIECE = MiB;
/** PowerShell's > writes such. */
const UTF16_MARK = Buffer.from([0xff, 0xfe]);

/**
 * The lines of a file, gzipped or not, as far as it can be read: a recorder may have been stopped
 * in the middle of a line.
 * @param {string} file
 * @param {(error: Error) => void} onDamage called when the rest of the file cannot be unpacked
 * @returns {AsyncGenerator<Piece, void>}
 * @throws {TuneError} TUNE-40002
 */
async function* readLines(file, onDamage) {
  /** @type {StringDecoder | null} */
  let decoder = null;
  let rest = '';
  let isStart = true;
  for await (const bytes of unpacked(file, onDamage)) {
    decoder ??= new StringDecoder(bytes.subarray(0, 2).equals(UTF16_MARK) ? 'utf16le' : 'utf8');
    const lines = (rest + decoder.write(bytes)).split('\n');
    rest = /** @type {string} */ (lines.pop());
    for (const text of lines) {
      yield { text, isStart, isEnd: true };
      isStart = true;
    }
    if (rest.length <= LONGEST_PIECE) continue;
    const at = rest.length - openEscape(rest);
    yield { text: rest.slice(0, at), isStart, isEnd: false };
    isStart = false;
    rest = rest.slice(at);
  }
  rest += decoder?.end() ?? '';
  if (rest !== '') yield { text: rest, isStart, isEnd: true };
}

/**
 * Keeps a backslash together with the characters that it escapes.
 * @param {string} text
 * @returns {number} how many characters at the end must wait for the next piece
 */
const openEscape = (text) =>
  /** @type {RegExpExecArray} */ (/\\*$/.exec(text.slice(-64)))[0].length % 2;

/**
 * The bytes of a file, unpacked where it is gzipped.
 * @param {string} file
 * @param {(error: Error) => void} onDamage
 * @returns {AsyncGenerator<Buffer, void>}
 */
async function* unpacked(file, onDamage) {
  const isGzipped = await begins(file, GZIP_MAGIC);
  const source = fs.createReadStream(file);
  if (!isGzipped) return yield* source;
  // The lines that a killed recorder had flushed are whole; only the end of the format is missing.
  const zlib = require('node:zlib');
  const gunzip = source.pipe(zlib.createGunzip({ finishFlush: zlib.constants.Z_SYNC_FLUSH }));
  source.on('error', (error) => gunzip.destroy(error));
  try {
    yield* gunzip;
  } catch (error) {
    onDamage(/** @type {Error} */ (error));
  } finally {
    source.destroy();
  }
}

/**
 * Whether a file begins with these bytes.
 * @param {string} file
 * @param {Buffer} magic
 */
async function begins(file, magic) {
  try {
    const kind = await fs.promises.stat(file);
    if (kind.isDirectory())
      throw new TuneError(
        'TUNE-40004',
        `${file} is a folder; use tune.ftdc() for diagnostic.data.`,
        { value: file },
      );
    // A pipe can be read only once, and a terminal never ends.
    if (!kind.isFile()) throw new Error('it is not a file');
    const handle = await fs.promises.open(file, 'r');
    const { buffer } = await handle
      .read(Buffer.alloc(magic.length), 0, magic.length, 0)
      .finally(() => handle.close());
    return buffer.equals(magic);
  } catch (cause) {
    if (cause instanceof TuneError) throw cause;
    throw new TuneError(
      'TUNE-40002',
      `${file} cannot be read: ${/** @type {Error} */ (cause).message}.`,
      { value: file, cause },
    );
  }
}

module.exports = { GZIP_MAGIC, readLines };
