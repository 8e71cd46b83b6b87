'use strict';

const fs = require('node:fs');
const zlib = require('node:zlib');
const { StringDecoder } = require('node:string_decoder');
const { TuneError } = require('../errors');

const GZIP_MAGIC = Buffer.from([0x1f, 0x8b]);
/** A server status has a few hundred kilobytes at most. */
const LONGEST_LINE = 64 * 2 ** 20;
/** PowerShell's > writes such. */
const UTF16_MARK = Buffer.from([0xff, 0xfe]);

/**
 * The lines of a file, gzipped or not, as far as it can be read: a recorder may have been stopped in the middle of a line.
 * @param {string} file @param {(error: Error) => void} onDamage told when the rest of the file cannot be unpacked
 * @returns {AsyncGenerator<string, void>}
 * @throws {TuneError} TUNE-40002
 */
async function* readLines(file, onDamage) {
  /** @type {StringDecoder | null} */
  let decoder = null;
  let rest = '';
  for await (const bytes of unpacked(file, onDamage)) {
    decoder ??= new StringDecoder(bytes.subarray(0, 2).equals(UTF16_MARK) ? 'utf16le' : 'utf8');
    const lines = (rest + decoder.write(bytes)).split('\n');
    rest = /** @type {string} */ (lines.pop());
    yield* lines;
    if (rest.length > LONGEST_LINE) rest = '';
  }
  rest += decoder?.end() ?? '';
  if (rest !== '') yield rest;
}

/** @param {string} file @param {(error: Error) => void} onDamage @returns {AsyncGenerator<Buffer, void>} */
async function* unpacked(file, onDamage) {
  const isGzipped = await begins(file, GZIP_MAGIC);
  const source = fs.createReadStream(file);
  if (!isGzipped) return yield* source;
  // What a recorder that was killed had flushed is whole; only the end of the format is missing.
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

/** @param {string} file @param {Buffer} magic */
async function begins(file, magic) {
  try {
    const handle = await fs.promises.open(file, 'r');
    const { buffer } = await handle.read(Buffer.alloc(magic.length), 0, magic.length, 0).finally(() => handle.close());
    return buffer.equals(magic);
  } catch (cause) {
    if (/** @type {NodeJS.ErrnoException} */ (cause).code === 'EISDIR') throw new TuneError('TUNE-40004', `${file} is a folder; for diagnostic.data there is tune.ftdc().`, { value: file, cause });
    throw new TuneError('TUNE-40002', `${file} can not be read: ${/** @type {Error} */ (cause).message}.`, { value: file, cause });
  }
}

module.exports = { readLines };
