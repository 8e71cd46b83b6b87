'use strict';

const { once, rates } = require('./window');
const { diskRates } = require('./machine');

/**
 * @import { Read } from './metric-kit'
 * @import { Window } from './window'
 * @import { Facts } from './types'
 */

/**
 * A disk at its limit does the same amount in each second. One that is set (IOPS or MB/s of a
 * volume, an instance or a container) shows to the percent; that of a hard disk does, too, where its
 * queue is long.
 * @typedef {{
 *   perSec: number, seconds: number, fallRatio: number | undefined, spreadRatio: number
 * }} Plateau `fallRatio`: what it did before, as a multiple; undefined where it was not seen
 */

/** Intervals, of a second each; fewer are chance, and more so behind a chosen beginning (heuristic). */
const MIN_INTERVALS = 8;
const MIN_LATE_INTERVALS = 16;
/**
 * Intervals that are taken together: on busy CPUs a sample comes a tenth of a second late, and the
 * next interval is shorter for it (project measurement).
 */
const TOGETHER = 3;
/**
 * A plateau has at most this width: from the tenth to the ninetieth percentile of such means, as a
 * share of the median. Limits of 150 and 1,000 reads a second had 0.01, an unlimited disk 0.6
 * (project measurement).
 */
const FLAT_RATIO = 0.03;
/**
 * A plateau has less than this share of the spread that chance alone gives to requests that come
 * independently (Poisson): 80% of their means lie within 2.56 standard deviations.
 */
const OF_CHANCE_RATIO = 0.5;
const CHANCE_DEVIATIONS = 2.56;
/** A plateau may begin at these shares of the window. */
const BEGINNINGS = Object.freeze([0, 0.25, 0.5, 0.75]);
/** Intervals before it that show what the disk did before (heuristic). */
const MIN_BEFORE = 3;

/** @param {readonly number[]} sorted @param {number} share */
const quantile = (sorted, share) => sorted[Math.round((sorted.length - 1) * share)];

/** @param {readonly number[]} all @returns {number[]} means of three neighbours each */
const smoothed = (all) =>
  all
    .slice(TOGETHER - 1)
    .map((_, i) => all.slice(i, i + TOGETHER).reduce((sum, one) => sum + one, 0) / TOGETHER);

/** @param {readonly number[]} all @returns {number[]} */
const ascending = (all) => all.toSorted((a, b) => a - b);

/** @param {number} perSec */
const byChance = (perSec) => (OF_CHANCE_RATIO * CHANCE_DEVIATIONS) / Math.sqrt(TOGETHER * perSec);

/**
 * @param {readonly number[]} all rates, one for each interval, in the order of time
 * @param {number} [requestsPerSec] where the rates are of something else
 * @returns {Plateau | undefined} undefined: there is none
 */
function plateauOf(all, requestsPerSec) {
  for (const share of BEGINNINGS) {
    const begin = Math.floor(all.length * share);
    const [before, flat] = [all.slice(0, begin), all.slice(begin)];
    if (flat.length < (begin === 0 ? MIN_INTERVALS : MIN_LATE_INTERVALS)) return undefined;
    const means = ascending(smoothed(flat));
    const perSec = quantile(means, 0.5);
    const spreadRatio = (quantile(means, 0.9) - quantile(means, 0.1)) / perSec;
    if (!(spreadRatio <= Math.min(FLAT_RATIO, byChance(requestsPerSec ?? perSec)))) continue;
    const fallRatio =
      before.length < MIN_BEFORE ? undefined : quantile(ascending(before), 0.5) / perSec;
    return { perSec, seconds: flat.length, fallRatio, spreadRatio };
  }
  return undefined;
}

/**
 * Finds the steadier rate, which is the limited one: with requests of one size both rates stay the
 * same. It reads the disk that is known to hold dbPath or is the busiest, where the server reports
 * it; else the engine, which counts pages.
 * @param {Window} w
 * @param {Facts} f
 * @returns {(Plateau & { of: 'requests' | 'bytes' }) | undefined}
 */
function findSteadiest(w, f) {
  const requests = diskRates(w, f, REQUESTS);
  const perSec = requests.reduce((sum, one) => sum + one, 0) / Math.max(1, requests.length);
  const found = [
    { of: /** @type {const} */ ('requests'), plateau: plateauOf(requests) },
    { of: /** @type {const} */ ('bytes'), plateau: plateauOf(diskRates(w, f, BYTES), perSec) },
  ].flatMap(({ of, plateau }) => (plateau === undefined ? [] : [{ of, ...plateau }]));
  if (found.length > 0) return found.toSorted((a, b) => a.spreadRatio - b.spreadRatio)[0];
  const pages = plateauOf(rates(w, 'cache.pagesRead'));
  return pages === undefined ? undefined : { of: 'requests', ...pages };
}

const steadiest = once(findSteadiest);

const REQUESTS = Object.freeze(/** @type {const} */ (['disk.reads', 'disk.writes']));
const BYTES = Object.freeze(/** @type {const} */ (['disk.readBytes', 'disk.writtenBytes']));

/** @param {'requests' | 'bytes'} what @returns {Read} */
const steadyRate = (what) => (w, f) => {
  const found = steadiest(w, f);
  return found?.of === what ? found.perSec : undefined;
};

const PLATEAU_METRICS = Object.freeze(
  /** @satisfies {Record<string, Read>} */ ({
    'disk.flatRequestsPerSec': steadyRate('requests'),
    'disk.flatBytesPerSec': steadyRate('bytes'),
    'disk.flatSeconds': (w, f) => steadiest(w, f)?.seconds,
    'disk.flatFallRatio': (w, f) => steadiest(w, f)?.fallRatio,
  }),
);

module.exports = { plateauOf, PLATEAU_METRICS };
