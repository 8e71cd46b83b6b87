'use strict';

const fs = require('node:fs');
const { once } = require('node:events');
const { TuneError } = require('../base/pure/errors');
const { SETTING_NAMES } = require('../config/setting-table');

/**
 * @import { Facts } from '../server/pure/types'
 */

/**
 * The file that tune.record() writes: a line of facts, then one server status a line, as relaxed
 * extended JSON; gzip when the name ends in .gz. It is whole after every line, so that it can be
 * read whatever ended the recording.
 */

/** The first line; the number grows when a reader has to know. */
const FORMAT = 1;
const GZIPPED = /\.gz$/i;

class RecordingFile {
  /** @param {string} file that is not there yet @throws {TuneError} TUNE-40005 */
  constructor(file) {
    try {
      this.handle = fs.openSync(file, 'wx', 0o600);
    } catch (cause) {
      throw unwritable(file, /** @type {NodeJS.ErrnoException} */ (cause));
    }
    /** @type {Error | null} */
    this.failure = null;
    this.file = file;
    this.bytes = 0;
    this.isClosed = false;
    this.gzip = GZIPPED.test(file) ? require('node:zlib').createGzip() : null;
    this.gzip?.on('data', (bytes) => this.append(bytes));
  }

  /** @param {Facts} facts */
  async writeFacts(facts) {
    await this.writeLine({ tuneRecording: FORMAT, facts });
  }

  /** @param {object} doc @throws {TuneError} TUNE-40005 when the disk is full */
  async writeLine(doc) {
    const text = `${JSON.stringify(doc, toExtended)}\n`;
    if (this.gzip === null) this.append(Buffer.from(text));
    else {
      this.gzip.write(text);
      await new Promise((resolve) =>
        this.gzip?.flush(require('node:zlib').constants.Z_SYNC_FLUSH, () => resolve(undefined)),
      );
    }
    if (this.failure !== null)
      throw new TuneError(
        'TUNE-40005',
        `${this.file} cannot be written: ${this.failure.message}. The part already written can ` +
          'be replayed.',
        { value: this.file, cause: this.failure },
      );
  }

  /** Called by zlib too, where an error would not be caught. @param {Buffer} bytes */
  append(bytes) {
    try {
      // A disk that is nearly full takes a part of it.
      for (let at = 0; at < bytes.length && this.failure === null;) {
        const written = fs.writeSync(this.handle, bytes, at);
        at += written;
        this.bytes += written;
      }
    } catch (cause) {
      this.failure ??= /** @type {Error} */ (cause);
    }
  }

  /** A second time does nothing. */
  async close() {
    if (this.isClosed) return;
    this.isClosed = true;
    if (this.gzip !== null) {
      const ended = once(this.gzip, 'end');
      this.gzip.end();
      await ended;
    }
    fs.closeSync(this.handle);
  }
}

/** @param {string} file @param {NodeJS.ErrnoException} cause */
function unwritable(file, cause) {
  const why = cause.code === 'EEXIST' ? 'it already exists' : cause.message;
  return new TuneError('TUNE-40005', `${file} cannot be written: ${why}.`, { value: file, cause });
}

/**
 * Converts values for JSON.stringify: those that JSON has no form for get that of extended JSON.
 * @this {any} @param {string} key @param {unknown} value
 */
function toExtended(key, value) {
  const raw = this[key];
  if (typeof raw === 'bigint') return longOf(raw);
  if (typeof raw === 'number') return Number.isFinite(raw) ? raw : { $numberDouble: String(raw) };
  if (raw === null || typeof raw !== 'object') return value;
  if (Object.prototype.toString.call(raw) === '[object Date]') return { $date: value };
  return FORMS[raw._bsontype]?.(raw) ?? value;
}

/**
 * The types of a driver whose own form in JSON is not that of extended JSON.
 * @type {Record<string, (value: any) => unknown>}
 */
const FORMS = {
  Long: (value) => longOf(value),
  Int32: Number,
  Double: Number,
  Timestamp: ({ high, low }) => ({ $timestamp: { t: high >>> 0, i: low >>> 0 } }),
};

/** @param {{ toString(): string }} long */
const longOf = (long) =>
  Number.isSafeInteger(Number(long.toString()))
    ? Number(long.toString())
    : { $numberLong: long.toString() };

/**
 * The facts in a recording: anybody may have edited them, or a disk; what is not of its kind is not
 * known.
 */

const ROLES = ['standalone', 'primary', 'secondary', 'arbiter', 'mongos', 'other'];
const ORIGINS = ['default', 'startup', 'runtime', 'unknown'];

const isText = (/** @type {unknown} */ value) => typeof value === 'string';
const isNumber = (/** @type {unknown} */ value) =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0;
const isPositive = (/** @type {unknown} */ value) => isNumber(value) && Number(value) > 0;
const isNumberOrNull = (/** @type {unknown} */ value) => value === null || isNumber(value);

/** @type {Record<keyof Facts, (value: any) => boolean>} */
const KINDS = {
  host: isText,
  version: isText,
  engine: isText,
  dbPath: isText,
  role: (value) => ROLES.includes(value),
  pid: isNumber,
  sessionMax: isNumber,
  toleranceRatio: isNumber,
  startedAtMs: isNumber,
  memoryBytes: isPositive,
  memLimitBytes: isPositive,
  cores: isPositive,
  coresAllowed: isPositive,
  machineCores: isPositive,
  dataBytes: isNumber,
  dirtyLimitBytes: isNumber,
  journalCommitMs: isNumber,
  osType: isText,
  ticketsAtStart: (value) =>
    [value?.read, value?.write].every((tickets) => tickets === null || isNumber(tickets)),
  disks: (value) => Array.isArray(value) && value.every(isText),
  config: (value) => SETTING_NAMES.every((setting) => isSetting(value?.[setting])),
};

/** @param {any} setting */
const isSetting = (setting) =>
  isNumberOrNull(setting?.value) &&
  isNumberOrNull(setting.default) &&
  ORIGINS.includes(setting.from) &&
  typeof setting.sinceRestart === 'boolean';

/** @param {any} reported @returns {Partial<Facts>} what is known of it */
const factsIn = (reported) =>
  Object.fromEntries(
    Object.entries(KINDS).flatMap(([name, isOfKind]) =>
      isOfKind(reported?.[name]) ? [[name, reported[name]]] : [],
    ),
  );

module.exports = { RecordingFile, FORMAT, factsIn };
