'use strict';

const fs = require('node:fs/promises');
const { GZIP_MAGIC } = require('../recording-lines');
const { MiB, KiB } = require('../../base/pure/units');
const { TYPE, Damaged, walk, toObject } = require('./bson');

/**
 * @import { FileHandle } from 'node:fs/promises'
 */

/**
 * The documents of one file of diagnostic.data, one at a time. What is no such document is passed
 * over, up to the next one.
 *
 * @typedef {{ kind: 'chunk', atMs: number, data: Buffer }} ChunkEntry `atMs`: of its first sample,
 *   ms since 1970
 * @typedef {{ kind: 'metadata' | 'update', atMs: number, doc: Record<string, any> }} MetadataEntry
 *   `update`: parameters, since 8.0:
 *   all of them first, and what changed later
 * @typedef {{ kind: 'damage', bytes: number }} DamageEntry bytes that are no document
 * @typedef {{ kind: 'unknown', atMs: number }} UnknownEntry of a kind that this release of tune
 *   does not know
 * @typedef {ChunkEntry | MetadataEntry | UnknownEntry | DamageEntry} Entry
 */

/** No document of BSON is longer. */
const LONGEST_BYTES = 16 * MiB + 16 * KiB;
/** Every document begins with its date: length, type of a date, name, 8 bytes. */
const MARK = Buffer.from('\x09_id\0', 'latin1');
const MARK_AT = 4;
const HEAD_BYTES = MARK_AT + MARK.length + 8;
/** Values of the field `type` (src/mongo/db/ftdc/util.h). */
const KINDS = Object.freeze(/** @type {const} */ (['metadata', 'chunk', 'update']));

/**
 * The entries of a file, as far as it can be read.
 * @param {string} file
 * @returns {AsyncGenerator<Entry, void>}
 */
async function* readEntries(file) {
  const handle = await fs.open(file, 'r');
  try {
    const window = new FileWindow(handle);
    while (await window.need(1)) {
      const found = await nextDocument(window);
      if (found) yield found.entry;
      if (found) window.pass(found.length);
      else yield { kind: 'damage', bytes: await passDamage(window) };
    }
  } finally {
    await handle.close();
  }
}

/** @param {string} file @returns {Promise<boolean>} whether it begins as diagnostic data does */
async function beginsWell(file) {
  const head = await headOf(file);
  return head.length === HEAD_BYTES && isHead(head, 0);
}

/** @param {string} file @returns {Promise<boolean>} */
const isGzipped = async (file) =>
  (await headOf(file)).subarray(0, GZIP_MAGIC.length).equals(GZIP_MAGIC);

/** @param {string} file */
async function headOf(file) {
  const handle = await fs.open(file, 'r');
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/**
 * The document at the start of the window, unless it is torn.
 * @param {FileWindow} window
 * @returns {Promise<{ length: number, entry: Entry } | null>} null: no document begins here
 */
async function nextDocument(window) {
  const found = await documentAt(window, 0);
  return found?.entry.kind === 'chunk' && (await isTorn(window, found.length)) ? null : found;
}

/**
 * @param {FileWindow} window
 * @param {number} at
 * @returns {Promise<{ length: number, entry: Entry } | null>}
 */
async function documentAt(window, at) {
  if (!(await window.need(at + HEAD_BYTES)) || !isHead(window.bytes, at)) return null;
  const length = window.bytes.readInt32LE(at);
  if (!(await window.need(at + length))) return null;
  try {
    return { length, entry: toEntry(window.bytes.subarray(at, at + length)) };
  } catch (error) {
    if (error instanceof Damaged) return null;
    throw error;
  }
}

/**
 * Whether a document is torn: a cut one reaches into the next document, and one time in 256 still
 * ends well there.
 * @param {FileWindow} window
 * @param {number} length the length at the beginning of the document
 */
async function isTorn(window, length) {
  await window.need(length + HEAD_BYTES);
  const mark = window.bytes
    .subarray(0, length + MARK_AT + MARK.length - 1)
    .indexOf(MARK, MARK_AT + 1);
  return mark >= 0 && (await documentAt(window, mark - MARK_AT)) !== null;
}

/** @param {Buffer} bytes @param {number} at */
function isHead(bytes, at) {
  const length = bytes.readInt32LE(at);
  return (
    length > HEAD_BYTES &&
    length <= LONGEST_BYTES &&
    bytes.compare(MARK, 0, MARK.length, at + MARK_AT, at + MARK_AT + MARK.length) === 0
  );
}

/**
 * Makes an entry of one document, by its type.
 * @param {Buffer} bytes the bytes of one document
 * @returns {Entry}
 * @throws {Damaged}
 */
function toEntry(bytes) {
  /** @type {Record<string, { type: number, at: number, end: number }>} */
  const fields = Object.create(null);
  walk(bytes, 0, (type, keyAt, at, end) => {
    fields[bytes.toString('latin1', keyAt, at - 1)] ??= { type, at, end };
  });
  const { _id, type, doc, data } = fields;
  if (type?.type !== TYPE.INT32) throw new Damaged('a document without a type');
  const atMs = Number(bytes.readBigInt64LE(_id.at));
  const kind = KINDS[bytes.readInt32LE(type.at)];
  if (kind === undefined) return { kind: 'unknown', atMs };
  const content = kind === 'chunk' ? data : doc;
  if (content?.type !== (kind === 'chunk' ? TYPE.BINARY : TYPE.DOCUMENT))
    throw new Damaged('a document without content');
  return kind === 'chunk'
    ? { kind, atMs, data: Buffer.from(bytes.subarray(content.at + 5, content.end)) }
    : { kind, atMs, doc: toObject(bytes, content.at) };
}

/**
 * Leaves behind what is damaged, up to where the next document may begin.
 * @param {FileWindow} window @returns {Promise<number>} how many bytes that were
 */
async function passDamage(window) {
  let passed = 1;
  window.pass(1);
  while (await window.need(HEAD_BYTES)) {
    const { bytes } = window;
    const mark = bytes.indexOf(MARK, MARK_AT);
    const step = mark < 0 ? bytes.length - HEAD_BYTES + 1 : mark - MARK_AT;
    window.pass(step);
    passed += step;
    if (mark < 0) continue;
    if ((await window.need(HEAD_BYTES)) && isHead(window.bytes, 0)) return passed;
    window.pass(1);
    passed += 1;
  }
  const rest = window.bytes.length;
  window.pass(rest);
  return passed + rest;
}

/**
 * Reads a file through a moving buffer: memory is bounded by the longest document, not by the file.
 */

const BLOCK_BYTES = MiB;

class FileWindow {
  /** @param {FileHandle} handle */
  constructor(handle) {
    this.handle = handle;
    this.buffer = Buffer.allocUnsafe(BLOCK_BYTES);
    this.start = 0;
    this.end = 0;
    this.isOver = false;
  }

  /** The bytes that were read and not passed yet; valid until the next `need`. @returns {Buffer} */
  get bytes() {
    return this.buffer.subarray(this.start, this.end);
  }

  /** @param {number} count bytes to leave behind */
  pass(count) {
    this.start += count;
  }

  /**
   * @param {number} count
   * @returns {Promise<boolean>} whether so many bytes are in view; false only at the end of the
   *   file
   */
  async need(count) {
    while (this.end - this.start < count && !this.isOver) {
      this.makeRoom(count);
      const { bytesRead } = await this.handle.read(
        this.buffer,
        this.end,
        this.buffer.length - this.end,
        null,
      );
      this.end += bytesRead;
      this.isOver = bytesRead === 0;
    }
    return this.end - this.start >= count;
  }

  /** @param {number} count */
  makeRoom(count) {
    if (this.start > 0 && this.buffer.length - this.start < Math.max(count, BLOCK_BYTES)) {
      this.buffer.copyWithin(0, this.start, this.end);
      this.end -= this.start;
      this.start = 0;
    }
    if (this.buffer.length >= Math.max(count, this.end + 1)) return;
    const larger = Buffer.allocUnsafe(Math.max(count, this.buffer.length * 2));
    this.buffer.copy(larger, 0, 0, this.end);
    this.buffer = larger;
  }
}

module.exports = { readEntries, beginsWell, isGzipped };
