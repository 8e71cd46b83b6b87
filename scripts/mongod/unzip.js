'use strict';

const fs = require('node:fs');
const { Transform } = require('node:stream');
const { pipeline } = require('node:stream/promises');
const zlib = require('node:zlib');

// APPNOTE.TXT 4.3.7, 4.3.12 and 4.3.16: the signatures and fixed lengths of the three records read
// here.
const END = { signature: 0x06054b50, bytes: 22 };
const ENTRY = { signature: 0x02014b50, bytes: 46 };
const LOCAL = { signature: 0x04034b50, bytes: 30 };
// The end record is followed by a comment of at most 65535 bytes.
const TAIL_BYTES = END.bytes + 0xffff;
const STORED = 0;
const DEFLATED = 8;

/**
 * @typedef {{ name: string, method: number, crc: number, packedBytes: number, offset: number }}
 *   Entry
 */

/**
 * Takes one file out of a zip archive, checked against the archive's CRC.
 * @param {string} archive
 * @param {(name: string) => boolean} wanted
 * @param {string} target
 * @returns {Promise<string>} the name inside the archive
 */
async function unzipOne(archive, wanted, target) {
  const file = fs.openSync(archive, 'r');
  try {
    const entry = readEntries(file).find(({ name }) => wanted(name));
    if (!entry) throw new Error('the archive does not hold the file wanted');
    await extract(archive, entry, { start: dataStart(file, entry), target });
    return entry.name;
  } finally {
    fs.closeSync(file);
  }
}

/** @param {number} file @returns {Entry[]} */
function readEntries(file) {
  const { size } = fs.fstatSync(file);
  const tail = readAt(file, Math.max(0, size - TAIL_BYTES), Math.min(size, TAIL_BYTES));
  const end = tail.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  if (end === -1 || tail.length - end < END.bytes) throw new Error('not a complete zip archive');
  const directory = readAt(file, tail.readUInt32LE(end + 16), tail.readUInt32LE(end + 12));
  const entries = [];
  for (
    let at = 0;
    at + ENTRY.bytes <= directory.length && directory.readUInt32LE(at) === ENTRY.signature;
  ) {
    const nameBytes = directory.readUInt16LE(at + 28);
    entries.push({
      name: directory.toString('utf8', at + ENTRY.bytes, at + ENTRY.bytes + nameBytes),
      method: directory.readUInt16LE(at + 10),
      crc: directory.readUInt32LE(at + 16),
      packedBytes: directory.readUInt32LE(at + 20),
      offset: directory.readUInt32LE(at + 42),
    });
    at +=
      ENTRY.bytes + nameBytes + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
  }
  return entries;
}

/**
 * The local header repeats name and extra field, with lengths of its own.
 * @param {number} file
 * @param {Entry} entry
 */
function dataStart(file, entry) {
  const local = readAt(file, entry.offset, LOCAL.bytes);
  if (local.length < LOCAL.bytes || local.readUInt32LE(0) !== LOCAL.signature)
    throw new Error('the zip archive is damaged');
  return entry.offset + LOCAL.bytes + local.readUInt16LE(26) + local.readUInt16LE(28);
}

/** @param {string} archive @param {Entry} entry @param {{ start: number, target: string }} place */
async function extract(archive, entry, { start, target }) {
  if (entry.method !== STORED && entry.method !== DEFLATED)
    throw new Error(`the zip archive uses compression method ${entry.method}`);
  let crc = 0;
  const check = new Transform({
    transform(chunk, _encoding, done) {
      crc = zlib.crc32(chunk, crc);
      done(null, chunk);
    },
  });
  const packed = fs.createReadStream(archive, { start, end: start + entry.packedBytes - 1 });
  const unpack = entry.method === DEFLATED ? [zlib.createInflateRaw()] : [];
  await pipeline([packed, ...unpack, check, fs.createWriteStream(target)]);
  if (crc !== entry.crc) throw new Error('the zip archive is damaged: wrong checksum');
}

/** @param {number} file @param {number} position @param {number} bytes */
function readAt(file, position, bytes) {
  const buffer = Buffer.alloc(bytes);
  return buffer.subarray(0, fs.readSync(file, buffer, 0, bytes, position));
}

module.exports = { unzipOne };
