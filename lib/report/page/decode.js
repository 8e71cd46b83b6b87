'use strict';

/**
 * @import { Placed } from '../pure/html/types'
 * @import { Coded } from './types'
 */

/**
 * Decodes the data of the page, which html/chart-group.js encoded.
 * @typedef {{
 *   lines: Coded[], charts: Placed[], groups: { id: string, elapsed: boolean, lines: number[] }[]
 * }} Data
 * @typedef {{
 *   x: number[], columns: Record<string, (number | null)[]>, coded: Coded, offsetMs: number
 * }} TimeSeries times in seconds, since 1970 or since the beginning
 */

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const CODES = new Uint8Array(128).map((_, code) =>
  Math.max(0, DIGITS.indexOf(String.fromCharCode(code))),
);
const STEPS = DIGITS.length ** 3 - 2;

/** @returns {Data} */
const readData = () =>
  JSON.parse(/** @type {HTMLElement} */ (document.getElementById('data')).textContent ?? '');

/** @param {Coded} coded @param {boolean} elapsed @returns {TimeSeries} */
function decodeLine(coded, elapsed) {
  const offsetMs = elapsed ? coded.fromMs : 0;
  let ms = coded.fromMs;
  const x = coded.steps.map((step) => {
    ms += step;
    return (ms - offsetMs) / 1000;
  });
  return {
    x,
    columns: Object.fromEntries(
      Object.entries(coded.series).map(([name, track]) => [name, decodeSeries(track)]),
    ),
    coded,
    offsetMs,
  };
}

/** @param {[number, number, string]} track @returns {(number | null)[]} */
function decodeSeries([min, max, text]) {
  const span = max - min || 1;
  return Array.from({ length: text.length / 3 }, (_, i) => {
    const code =
      (CODES[text.charCodeAt(3 * i)] << 12) +
      (CODES[text.charCodeAt(3 * i + 1)] << 6) +
      CODES[text.charCodeAt(3 * i + 2)];
    return code === 0 ? null : min + ((code - 1) / STEPS) * span;
  });
}
