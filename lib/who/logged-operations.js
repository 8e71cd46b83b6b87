'use strict';

const fs = require('node:fs');
const { TuneError } = require('../base/pure/errors');
const { expandHome } = require('../base/named-files');
const { MiB, KiB } = require('../base/pure/units');
const { momentOf, readLine, readProfile } = require('./pure/slow-log');
const { mapServerError, isRefusal, refusalOf } = require('../base/server-errors');
const { mapConcurrent } = require('../base/timing');

/**
 * @import { LoggedOperation } from './types'
 * @import { Context } from '../base/types'
 */

/** Slow operations that the server wrote down: in its log, and in its profiler. */

/** Databases that are asked, and documents that are read of each, the newest. */
const MAX_DATABASES = 50;
const MAX_DOCUMENTS = 5000;
const ALL_OPERATIONS = 2;

/**
 * Reads the profiler's entries, where it is on for all operations; at level 1 the log has the same.
 * tune never switches the profiler.
 * @param {Context} ctx
 * @param {number} fromMs
 * @returns {Promise<{ operations: LoggedOperation[], databases: Set<string>, notes: string[] }>}
 *   `databases`: those whose operations are all included
 */
async function collectProfile(ctx, fromMs) {
  /** @type {LoggedOperation[]} */ const operations = [];
  const databases = new Set();
  /** @type {string[]} */ const notes = [];
  try {
    const { databases: all } = await ctx.port.adminCommand({ listDatabases: 1, nameOnly: true });
    const names = all
      .map((/** @type {any} */ { name }) => name)
      .filter((/** @type {string} */ name) => name !== 'local' && name !== 'config')
      .slice(0, MAX_DATABASES);
    await mapConcurrent(
      names,
      async (name) => {
        const found = await profileOf(ctx, name, fromMs);
        if (found === null) return;
        if (found.length === MAX_DOCUMENTS)
          notes.push(
            `Only the last ${MAX_DOCUMENTS} operations of the profiler of ${name} were read.`,
          );
        else databases.add(name);
        operations.push(...found);
      },
      { signal: ctx.signal },
    );
  } catch (error) {
    const mapped = mapServerError(error, 'profile', ctx.signal);
    if (!isRefusal(mapped) && !ctx.signal.aborted) throw mapped;
  }
  return { operations, databases, notes };
}

/**
 * @param {Context} ctx
 * @param {string} database
 * @param {number} fromMs
 * @returns {Promise<LoggedOperation[] | null>} null: it is off, or may not be read
 */
async function profileOf({ port, signal }, database, fromMs) {
  try {
    const { was } = await port.command(database, { profile: -1 });
    if (was !== ALL_OPERATIONS) return null;
    const { cursor } = await port.command(database, {
      find: 'system.profile',
      filter: { ts: { $gte: new Date(fromMs) } },
      sort: { $natural: -1 },
      limit: MAX_DOCUMENTS,
      batchSize: MAX_DOCUMENTS,
      maxTimeMS: 5000,
    });
    return cursor.firstBatch.flatMap((/** @type {any} */ doc) => readProfile(doc) ?? []);
  } catch (error) {
    refusalOf(error, 'profile', signal);
    return null;
  }
}

/**
 * The file is read from its end backwards, in pieces of this size, and at most this much in total.
 */
const PIECE_BYTES = MiB;
const MAX_BYTES = 64 * MiB;
/** A line without an end is not kept: nothing longer is read of it. */
const MAX_LINE_BYTES = 256 * KiB;
const NEWLINE = 10;

/**
 * The slow operations of a log file from a moment on.
 * @param {string} name
 * @param {number} fromMs
 * @returns {Promise<{
 *   operations: LoggedOperation[], lines: number, oldestMs: number | null, notes: string[]
 * }>} `oldestMs`: null where all of the window was read
 * @throws {TuneError} TUNE-40002 where the file cannot be read
 */
async function readLogFile(name, fromMs) {
  const file = await open(expandHome(name));
  try {
    const { size } = await file.stat();
    /** @type {LoggedOperation[]} */ const operations = [];
    const read = { lines: 0, oldestMs: Infinity, rest: Buffer.alloc(0), skipped: 0 };
    let at = size;
    while (at > 0 && size - at < MAX_BYTES && !(read.oldestMs < fromMs)) {
      const from = Math.max(0, at - PIECE_BYTES);
      const piece = Buffer.alloc(at - from);
      await file.read(piece, 0, piece.length, from);
      takeLines(Buffer.concat([piece, read.rest]), from === 0, read, operations);
      at = from;
    }
    return { operations, lines: read.lines, ...coverage(read, fromMs, at > 0) };
  } finally {
    await file.close();
  }
}

/** @param {string} name */
async function open(name) {
  try {
    return await fs.promises.open(name, 'r');
  } catch (error) {
    throw new TuneError(
      'TUNE-40002',
      `The log ${name} cannot be read: ${/** @type {NodeJS.ErrnoException} */ (error).code}.`,
      { cause: error, value: name },
    );
  }
}

/**
 * @param {Buffer} piece of the file with the beginning of the line behind it
 * @param {boolean} isFirst of the file: its first line is whole
 * @param {{ lines: number, oldestMs: number, rest: Buffer, skipped: number }} read
 * @param {LoggedOperation[]} operations
 */
function takeLines(piece, isFirst, read, operations) {
  const begins = isFirst ? 0 : piece.indexOf(NEWLINE) + 1;
  const isOne = !isFirst && begins === 0;
  const rest = isOne ? piece : piece.subarray(0, begins);
  if (rest.length > MAX_LINE_BYTES) read.skipped += 1;
  read.rest = rest.length > MAX_LINE_BYTES ? Buffer.alloc(0) : Buffer.from(rest);
  if (isOne) return;
  for (const line of piece.subarray(begins).toString('utf8').split('\n')) {
    if (line === '') continue;
    read.lines += 1;
    const operation = readLine(line);
    if (operation) operations.push(operation);
    read.oldestMs = Math.min(read.oldestMs, momentOrNever(line));
  }
}

/** @param {string} line */
const momentOrNever = (line) => momentOf(line) ?? Infinity;

/**
 * @param {{ oldestMs: number, skipped: number, lines: number }} read
 * @param {number} fromMs
 * @param {boolean} isCut there is more of the file
 */
function coverage({ oldestMs, skipped, lines }, fromMs, isCut) {
  const isKnown = Number.isFinite(oldestMs);
  return {
    oldestMs: isKnown && oldestMs > fromMs ? oldestMs : null,
    notes: [
      ...(isCut && isKnown && oldestMs > fromMs
        ? [`Only the last ${MAX_BYTES / MiB} MiB of the log were read.`]
        : []),
      ...(skipped > 0 ? [`${skipped} parts of the log without line breaks were skipped.`] : []),
      ...(lines > 0 && !isKnown ? ['The log is not JSON of MongoDB 4.4 or later.'] : []),
    ],
  };
}

module.exports = { readLogFile, collectProfile };
