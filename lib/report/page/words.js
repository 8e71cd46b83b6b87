'use strict';

/**
 * Formats figures and times; `units` is lib/base/pure/units.js, the same as in the shell.
 * @typedef {'perSec' | 'ms' | 'ratio' | 'bytesPerSec' | 'bytes' | 'number'} Unit
 */

/** @type {Record<Unit, (value: number) => string>} */
const SHOWN = {
  perSec: (n) => `${units.count(n)}/s`,
  ms: units.duration,
  ratio: units.percent,
  bytesPerSec: (n) => `${units.bytes(n)}/s`,
  bytes: units.bytes,
  number: units.count,
};

/**
 * Short forms, because an axis has little space.
 * @type {Record<Unit, (value: number) => string>}
 */
const ON_AXIS = {
  ...SHOWN,
  perSec: units.roughly,
  ratio: (n) => `${Number((n * 100).toPrecision(3))}%`,
  bytesPerSec: units.bytes,
  bytes: units.bytes,
  number: units.roughly,
};

const DAY = 86400;
/** @param {number} n */
const two = (n) => String(Math.floor(n)).padStart(2, '0');

/** @param {number} x seconds since 1970 @param {number} step seconds between two labels */
function clockText(x, step) {
  const text = new Date(x * 1000).toISOString();
  if (step >= DAY || x % DAY === 0) return text.slice(5, 10);
  if (step >= 60) return text.slice(11, 16);
  return step >= 1 ? text.slice(11, 19) : text.slice(11, 21);
}

/** @param {number} x seconds since the beginning @returns {string} `1:02:03`, `2:03` */
function elapsedText(x) {
  const seconds = Math.round(x * 10) / 10;
  const rest = `${two(seconds % 60)}${seconds % 1 === 0 ? '' : `.${Math.round((seconds % 1) * 10)}`}`;
  return seconds >= 3600
    ? `${Math.floor(seconds / 3600)}:${two((seconds % 3600) / 60)}:${rest}`
    : `${Math.floor(seconds / 60)}:${rest}`;
}

/** @param {number} x @param {boolean} elapsed @returns {string} whole */
const momentText = (x, elapsed) =>
  elapsed ? elapsedText(x) : new Date(x * 1000).toISOString().slice(0, 19).replace('T', ' ');
