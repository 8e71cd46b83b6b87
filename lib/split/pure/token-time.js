'use strict';

/**
 * Reads the time in a resume token of a change stream: its text begins with the type of a
 * timestamp, and with its eight bytes in hexadecimal (mongo, src/mongo/db/pipeline/resume_token.h).
 */

const OF_A_TIME = /^82([0-9A-F]{8})([0-9A-F]{8})/i;

/**
 * Says whether all events up to a time are before a token that the server sent without an event.
 * @param {unknown} token
 * @param {{ getHighBits(): number, getLowBits(): number }} time
 * @returns {boolean | null} null: not known
 */
function isTokenPast(token, time) {
  const [, ...parts] = OF_A_TIME.exec(String(/** @type {any} */ (token)?._data)) ?? [];
  if (parts.length === 0) return null;
  const [seconds, ordinal] = parts.map((part) => Number.parseInt(part, 16));
  const [dueSeconds, dueOrdinal] = [time.getHighBits() >>> 0, time.getLowBits() >>> 0];
  return seconds === dueSeconds ? ordinal >= dueOrdinal : seconds > dueSeconds;
}

module.exports = { isTokenPast };
