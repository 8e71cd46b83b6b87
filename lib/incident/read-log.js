'use strict';

const path = require('node:path');
const { KiB } = require('../base/pure/units');
const { byteBlocks, endOfLine } = require('./byte-blocks');
const { LOG_EVENTS, IDENTITY, COUNTED, FIRST_LINES } = require('./pure/log-events');
const { LogStory } = require('./pure/log-story');

/**
 * @import { IncidentSource, RawEvent } from './types'
 * @import { Range } from './byte-blocks'
 */

/**
 * @typedef {{
 *   events: RawEvent[], dropped: number, sources: IncidentSource[], hosts: string[],
 *   version: string | null, damage: string[]
 * }} ReadLog
 */

/** @type {ReadonlySet<number>} */
const IDENTITIES = new Set(Object.values(IDENTITY));
/** A line that is longer was not written by mongod, which cuts each attribute at 10 KB. */
const MAX_LINE = 256 * KiB;

/**
 * Logs of one server, which may be rotated and gzipped. Nearly all lines are passed over by their
 * id, unparsed.
 * @param {readonly string[]} files in the order of time
 * @param {Range} range of the time that counts
 * @param {AbortSignal} signal
 * @returns {Promise<ReadLog>}
 */
async function readLog(files, range, signal) {
  const reader = new LogReader(range);
  for (const file of files) await reader.read(file, signal);
  const { fromMs, toMs } = reader;
  return {
    events: reader.story.finish(Math.max(range.fromMs, fromMs), Math.min(range.toMs, toMs)),
    dropped: reader.story.list.dropped,
    sources: reader.sources,
    hosts: reader.story.hosts,
    version: reader.story.version,
    damage: reader.damage,
  };
}

class LogReader {
  /** @param {Range} range */
  constructor(range) {
    this.range = range;
    this.story = new LogStory();
    /** @type {IncidentSource[]} */
    this.sources = [];
    /** @type {string[]} */
    this.damage = [];
    this.fromMs = Infinity;
    this.toMs = -Infinity;
    /** Time of the line before, by where it is, or of the block before. */
    /** @type {{ bytes: Buffer, at: number, ms: number }} */
    this.before = { bytes: Buffer.alloc(0), at: -1, ms: NaN };
    /** While the first lines of a run are read, the time of the last one of the run before. */
    this.runBeforeMs = /** @type {number | null} */ (null);
  }

  /** @param {string} file @param {AbortSignal} signal */
  async read(file, signal) {
    this.story.file = path.basename(file);
    const source = {
      kind: /** @type {const} */ ('log'),
      file,
      host: /** @type {string | null} */ (null),
      from: /** @type {Date | null} */ (null),
      to: /** @type {Date | null} */ (null),
      read: 0,
      garbled: 0,
    };
    const damaged = (/** @type {Error} */ error) =>
      this.damage.push(`${path.basename(file)} is damaged: ${error.message}.`);
    for await (const { bytes, isLast } of byteBlocks(file, { maxRest: MAX_LINE, signal, damaged }))
      this.readBlock(bytes, isLast, source);
    const endMs = this.beforeMs();
    source.host = this.story.host;
    source.to = Number.isNaN(endMs) ? null : new Date(endMs);
    this.toMs = Math.max(this.toMs, Number.isNaN(endMs) ? -Infinity : endMs);
    this.sources.push(source);
  }

  /** @param {Buffer} bytes whole lines @param {boolean} isLast @param {IncidentSource} source */
  readBlock(bytes, isLast, source) {
    let at = 0;
    while (at < bytes.length) {
      const end = endOfLine(bytes, at);
      if (end > at + 1) this.readLine(bytes, at, end, source);
      at = end + 1;
    }
    // The block is used again: what is known of its last line is kept as a number.
    this.before = { bytes: Buffer.alloc(0), at: -1, ms: this.beforeMs() };
    if (isLast) this.before.at = -1;
  }

  /** @param {Buffer} bytes @param {number} at @param {number} end @param {IncidentSource} source */
  readLine(bytes, at, end, source) {
    source.read++;
    const id = idOf(bytes, at, end);
    if (id < 0) {
      source.garbled++;
      return;
    }
    if (source.from === null) this.begin(timeOf(bytes, at), source);
    if (FIRST_LINES.has(id)) this.runBeforeMs ??= this.beforeMs();
    if (id === COUNTED.SLOW || id === COUNTED.ACCEPTED) this.count(id, bytes, at, end);
    else if (LOG_EVENTS[id] !== undefined || IDENTITIES.has(id)) this.parse(bytes, at, end, source);
    this.before.bytes = bytes;
    this.before.at = at;
  }

  /** @param {number} atMs @param {IncidentSource} source */
  begin(atMs, source) {
    if (Number.isNaN(atMs)) return;
    source.from = new Date(atMs);
    this.fromMs = Math.min(this.fromMs, atMs);
  }

  /** @param {number} id @param {Buffer} bytes @param {number} at @param {number} end */
  count(id, bytes, at, end) {
    const atMs = timeOf(bytes, at);
    if (!this.isWanted(atMs)) return;
    const text = bytes.toString('latin1', at, end);
    if (id === COUNTED.SLOW) this.story.slow.add(text, atMs);
    else this.story.accepted.add(text, atMs);
  }

  /** @param {Buffer} bytes @param {number} at @param {number} end @param {IncidentSource} source */
  parse(bytes, at, end, source) {
    // Before the wanted time only lines that open something, or identify the server, count.
    const line = parseLine(bytes.toString('utf8', at, end));
    if (line === null) source.garbled++;
    else if (this.isWanted(line.atMs)) this.story.add(line, this.runBeforeMs ?? NaN);
    else this.story.identify(line);
    if (line?.id === IDENTITY.STARTING) this.runBeforeMs = null;
  }

  /** @param {number} atMs */
  isWanted(atMs) {
    return atMs >= this.range.fromMs && atMs <= this.range.toMs;
  }

  /** Time of the line before. */
  beforeMs() {
    return this.before.at < 0 ? this.before.ms : timeOf(this.before.bytes, this.before.at);
  }
}

/**
 * The beginning of a line in mongod's log has had one fixed form since 4.4, so that most lines are
 * skipped without being parsed:
 * {"t":{"$date":"2026-11-25T09:29:54.896+00:00"},"s":"I",  "c":"COMMAND",  "id":51803, …
 */

const DATE_AT = '{"t":{"$date":"'.length;
const START = Buffer.from('{"t":{"$date":"');
const QUOTE = 0x22;
const ID = Buffer.from('"id":');
/** The distance from the end of the date to the id: severity and component are short. */
const MAX_TO_ID = 80;
/** A date with milliseconds and zone: 2026-11-25T09:29:54.896+00:00. */
const MAX_DATE = 40;

/**
 * @param {Buffer} bytes
 * @param {number} at where the line begins
 * @param {number} end where it ends
 * @returns {number} id of the message; -1: no line of such a log
 */
function idOf(bytes, at, end) {
  if (bytes[at] !== START[0] || bytes[at + 1] !== START[1]) return -1;
  const dateEnd = dateEndOf(bytes, at);
  if (dateEnd < 0) return -1;
  const idAt = bytes.indexOf(ID, dateEnd);
  if (idAt < 0 || idAt > end || idAt - dateEnd > MAX_TO_ID) return -1;
  return digitsAt(bytes, idAt + ID.length, end);
}

/** @param {Buffer} bytes @param {number} at where the line begins @returns {number} -1: there is no date */
function dateEndOf(bytes, at) {
  const end = bytes.indexOf(QUOTE, at + DATE_AT);
  return end < 0 || end - at > DATE_AT + MAX_DATE ? -1 : end;
}

/** @param {Buffer} bytes @param {number} at @param {number} end */
function digitsAt(bytes, at, end) {
  let value = 0;
  for (let i = at; i < end && bytes[i] >= 0x30 && bytes[i] <= 0x39; i++)
    value = value * 10 + bytes[i] - 0x30;
  return value;
}

/**
 * @param {Buffer} bytes
 * @param {number} at where the line begins
 * @returns {number} ms since 1970; NaN where there is no date
 */
function timeOf(bytes, at) {
  const end = dateEndOf(bytes, at);
  return end < 0 ? NaN : Date.parse(bytes.toString('latin1', at + DATE_AT, end));
}

/**
 * A line as an object.
 * @param {string} text
 * @returns {{ id: number, ctx: string, atMs: number, attr: any } | null} null: cut off, or damaged
 */
function parseLine(text) {
  try {
    const { t, id, ctx, attr } = JSON.parse(text);
    const atMs = Date.parse(t?.$date);
    return Number.isNaN(atMs) || !Number.isInteger(id)
      ? null
      : { id, ctx: String(ctx ?? ''), atMs, attr: isObject(attr) ? attr : {} };
  } catch (_cutOff) {
    return null;
  }
}

/** @param {unknown} value */
const isObject = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);

module.exports = { readLog, idOf, timeOf, parseLine };
