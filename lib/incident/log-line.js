'use strict';

/**
 * The beginning of a line of mongod's log since 4.4, which has one fixed form, so that most lines
 * are passed over without being parsed:
 * {"t":{"$date":"2026-11-25T09:29:54.896+00:00"},"s":"I",  "c":"COMMAND",  "id":51803, …
 */

const DATE_AT = '{"t":{"$date":"'.length;
const START = Buffer.from('{"t":{"$date":"');
const QUOTE = 0x22;
const ID = Buffer.from('"id":');
/** From the end of the date to the id: severity and component are short. */
const MAX_TO_ID = 80;
/** With milliseconds and zone: 2026-11-25T09:29:54.896+00:00. */
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

module.exports = { idOf, timeOf, parseLine };
