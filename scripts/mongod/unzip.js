'use strict';

const fs = require('node:fs');
const { Transform } = require('node:stream');
const { pipeline } = require('node:stream/promises');
const zlib = require('node:zlib');
// @ts-ignore: it has no types
const yauzl = require('yauzl');

/**
 * Takes one file out of a zip archive, checked against the archive's CRC, which yauzl does not look
 * at.
 * @param {string} archive
 * @param {(name: string) => boolean} wanted
 * @param {string} target
 * @returns {Promise<string>} the name inside the archive
 */
async function unzipOne(archive, wanted, target) {
  const zip = await yauzl.openPromise(archive, { lazyEntries: true });
  for await (const entry of zip.eachEntry()) {
    if (!wanted(entry.fileName)) continue;
    await extract(entry, await zip.openReadStreamPromise(entry), target);
    return entry.fileName;
  }
  throw new Error('the archive does not hold the file wanted');
}

/** @param {{ crc32: number }} entry @param {import('node:stream').Readable} unpacked @param {string} target */
async function extract(entry, unpacked, target) {
  let crc = 0;
  const check = new Transform({
    transform(chunk, _encoding, done) {
      crc = zlib.crc32(chunk, crc);
      done(null, chunk);
    },
  });
  await pipeline(unpacked, check, fs.createWriteStream(target));
  if (crc !== entry.crc32) throw new Error('the zip archive is damaged: wrong checksum');
}

module.exports = { unzipOne };
