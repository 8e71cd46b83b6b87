'use strict';

/**
 * 64-bit values become numbers at the door, in every form they come in: a driver's Long, extended
 * JSON, and what JSON.stringify makes of a Long. Beyond 2^53 the last digits are lost, which no
 * rate can notice.
 * @param {unknown} value
 * @returns {number | undefined} undefined for what is not a number
 */
function toNumber(value) {
  // A nothing with a sign is a nothing.
  if (typeof value === 'number') return Number.isFinite(value) ? value + 0 : undefined;
  if (typeof value === 'boolean' || typeof value === 'bigint') return Number(value);
  return value === null || typeof value !== 'object'
    ? undefined
    : unwrap(/** @type {Record<string, any>} */ (value));
}

const TAGS = ['$numberLong', '$numberInt', '$numberDouble', '$numberDecimal'];

/** @param {Record<string, any>} wrapped @returns {number | undefined} */
function unwrap(wrapped) {
  const tag = TAGS.find((name) => name in wrapped);
  if (tag) return textToNumber(wrapped[tag]);
  if (Number.isInteger(wrapped.high) && Number.isInteger(wrapped.low)) return joinHalves(wrapped);
  return wrapped._bsontype
    ? textToNumber(String(Object.getPrototypeOf(wrapped) === Object.prototype ? '' : wrapped))
    : undefined;
}

/**
 * An empty text is no zero, and what a stranger's JSON puts here may be anything.
 * @param {unknown} text
 * @returns {number | undefined}
 */
const textToNumber = (text) =>
  typeof text === 'number' || (typeof text === 'string' && text.trim() !== '')
    ? toNumber(Number(text))
    : undefined;

/** A Long, or what JSON.stringify made of one. @param {Record<string, any>} long */
const joinHalves = ({ high, low, unsigned }) =>
  (unsigned ? high >>> 0 : high) * 2 ** 32 + (low >>> 0);

/**
 * A date as ms since 1970: a Date, extended JSON, ISO text, or epoch seconds (what `t` holds in
 * plain recordings).
 * @param {any} value
 * @returns {number | undefined}
 */
function toMs(value) {
  if (value instanceof Date || Object.prototype.toString.call(value) === '[object Date]')
    return toNumber(value.getTime());
  if (typeof value === 'string') return toNumber(Date.parse(value));
  if (value && typeof value === 'object' && '$date' in value)
    return typeof value.$date === 'string' ? toMs(value.$date) : toNumber(value.$date);
  const seconds = toNumber(value);
  return seconds === undefined ? undefined : seconds * 1000;
}

module.exports = { toNumber, toMs };
