'use strict';

/**
 * A threshold in a sentence: `20%`, `2.5%`. A measured figure keeps its digit: `percent`.
 * @param {number} ratio
 */
const shortPercent = (ratio) => `${Number((ratio * 100).toFixed(1))}%`;

/** A text as the beginning of a sentence. @param {string} text */
const capital = (text) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

const MS_PER_SECOND = 1000;
const MS_PER_DAY = 86_400_000;
const MICROS_PER_SECOND = 1e6;
const MICROS_PER_MS = 1000;
const KiB = 2 ** 10;
const MiB = 2 ** 20;
const GiB = 2 ** 30;
/** WiredTiger takes cache sizes without fractions, and tune sends whole megabytes. */
const MB_PER_GB = 1024;
/** @param {number} gb @returns {number} cut to whole megabytes */
const wholeMB = (gb) => Math.floor(gb * MB_PER_GB) / MB_PER_GB;
const STEPS = /** @type {const} */ ([
  [2 ** 40, 'TiB'],
  [GiB, 'GiB'],
  [MiB, 'MiB'],
  [KiB, 'KiB'],
]);
const UNKNOWN = '?';
/** A smaller number is shown with two figures: three decimals would show 0. */
const SMALL = 0.001;

/** @typedef {number | null | undefined} Known null, undefined, NaN, Infinity: not known */

/** Whether there is a finite number. @param {Known} n @returns {n is number} */
const isKnown = (n) => Number.isFinite(n);

/** @param {Known} n bytes @returns {string} `1.5 GiB` */
function bytes(n) {
  if (!isKnown(n)) return UNKNOWN;
  const step = STEPS.find(([size]) => Math.abs(n) >= size);
  return step ? `${trim(n / step[0])} ${step[1]}` : `${Math.round(n)} B`;
}

/** -0.0 is shown as 0.0. */
const NOTHING = /^-0\.0$/;

/** @param {Known} ratio 0 to 1 @returns {string} `12.3%` */
const percent = (ratio) =>
  isKnown(ratio) && Number.isFinite(ratio * 100)
    ? `${(ratio * 100).toFixed(1).replace(NOTHING, '0.0')}%`
    : UNKNOWN;

/** @param {Known} n @returns {string} `12,345`, or `0.12` below ten */
function count(n) {
  if (!isKnown(n)) return UNKNOWN;
  // Not toLocaleString: its first call loads the tables of all languages, 10 ms.
  return Math.abs(n) < 10 ? trim(n) : String(Math.round(n)).replace(/\B(?=(\d{3})+$)/g, ',');
}

/**
 * A number with its noun: `1 thread`, `0.06 threads`, `4,323 pages`; a rate is `${many(n, 'page')}/s`.
 * @param {Known} n
 * @param {string} one
 * @param {string} [more]
 */
function many(n, one, more = `${one}s`) {
  const number = count(n);
  return `${number} ${number === '1' ? one : more}`;
}

/** An estimate, in few columns. @param {Known} n @returns {string} `12,345`, `1.23 M` */
function roughly(n) {
  if (!isKnown(n) || n < 100_000) return count(n);
  if (n < 999_500) return `${threeFigures(n / 1e3)} k`;
  if (n < 999.5e6) return `${threeFigures(n / 1e6)} M`;
  return `${threeFigures(n / 1e9)} G`;
}

/**
 * A number rounded to three figures.
 * @param {number} n
 * @returns {number}
 */
const threeFigures = (n) => Number(n.toPrecision(3));

/** @param {Known} ms @returns {string} `12 ms`, `3.4 s`, `2 min 5 s`, `30 d`, `68 years` */
function duration(ms) {
  if (!isKnown(ms)) return UNKNOWN;
  if (ms < 1000) return `${trim(ms)} ms`;
  if (ms < 120_000) return `${trim(ms / 1000)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 7200) return inTwo(seconds, 60, 'min', 's');
  const minutes = Math.round(seconds / 60);
  if (minutes >= DAYS_FROM) return days(minutes / (24 * 60));
  return inTwo(minutes, 60, 'h', 'min');
}

/** @param {Known} seconds @returns {string} the text of `duration` for it */
const secondsText = (seconds) => duration(isKnown(seconds) ? seconds * MS_PER_SECOND : undefined);

/** Share of a second that is not worth a digit. */
const WHOLE_SECOND = 0.05;

/**
 * A time that was sampled: whole seconds where that is what was requested, give or take the time of
 * an answer.
 * @param {Known} ms
 * @returns {string} `10 s` for 9.77 s
 */
function sampledFor(ms) {
  if (!isKnown(ms)) return UNKNOWN;
  const whole = Math.round(ms / 1000) * 1000;
  return duration(whole > 0 && Math.abs(ms - whole) <= WHOLE_SECOND * whole ? whole : ms);
}

/**
 * @param {number} n
 * @param {number} size
 * @param {string} unit
 * @param {string} small
 * @returns {string} `2 min 5 s`; without the rest where there is none: `2 min`
 */
const inTwo = (n, size, unit, small) =>
  `${Math.floor(n / size)} ${unit}${n % size > 0 ? ` ${n % size} ${small}` : ''}`;

/** Minutes; longer durations are shown in days. */
const DAYS_FROM = 48 * 60;

/** @param {number} n @returns {string} `2 d 12 h`, `30 d`, `68 years` */
function days(n) {
  if (n >= 730) return `${trim(n / 365.25)} years`;
  const [whole, hours] =
    n < 10 ? [Math.floor(Math.round(n * 24) / 24), Math.round(n * 24) % 24] : [Math.round(n), 0];
  return `${whole} d${hours > 0 ? ` ${hours} h` : ''}`;
}

/**
 * A number as a sentence shows it; never used for a value that is sent to a server.
 * @param {number} n
 * @returns {string} `15.532`, `0.25`, `0.00098`
 */
const figure = (n) => String(Number(Math.abs(n) < SMALL ? n.toPrecision(2) : n.toFixed(3)));

/** Two decimals below ten, one below a hundred. @param {number} n */
function trim(n) {
  const size = Math.abs(n);
  if (size < 10) return String(Number(n.toFixed(2)));
  return String(Number(n.toFixed(size < 100 ? 1 : 0)));
}

/** A moment in UTC. @param {number | Date} at ms since 1970 @returns {string} `2026-01-31 23:59:59` */
const timeText = (at) => new Date(at).toISOString().slice(0, 19).replace('T', ' ');

/** The time of day in UTC. @param {number | Date} at ms since 1970 @returns {string} `23:59:59` */
const clockText = (at) => timeText(at).slice(11);

module.exports = {
  MS_PER_SECOND,
  MS_PER_DAY,
  MICROS_PER_SECOND,
  MICROS_PER_MS,
  KiB,
  MiB,
  GiB,
  MB_PER_GB,
  wholeMB,
  UNKNOWN,
  bytes,
  percent,
  count,
  many,
  sampledFor,
  roughly,
  duration,
  secondsText,
  figure,
  timeText,
  clockText,
  shortPercent,
  capital,
};
