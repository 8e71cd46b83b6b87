'use strict';

const { bytes, count, duration, many, percent, timeText } = require('../../base/pure/units');
const { OFTEN_SWAPPED_PER_SEC } = require('../../signals/paging');

/**
 * @import { Discontinuity } from '../../series/columns'
 * @import { Moment, Strain } from '../../series/worst-windows'
 * @import { Config } from '../../config/types'
 */

/**
 * Notes what a reader of a recording has to know besides the verdict: what is missing, and what is
 * not known.
 */

/** This many gaps are named; of more there is only the number. */
const NAMED = 3;
/** A larger number is no date. */
const MAX_MS = 8.64e15;

/** @param {readonly Discontinuity[]} breaks @returns {string[]} */
function continuityNotes(breaks) {
  const outOfOrder = breaks.filter(({ kind }) => kind === 'order');
  // Samples that were recorded in between come in the wrong order.
  const isFilled = (/** @type {Discontinuity} */ gap) =>
    outOfOrder.some(({ toMs }) => toMs > gap.fromMs && toMs < gap.toMs);
  const gaps = breaks
    .filter((gap) => gap.kind === 'gap' && !isFilled(gap))
    .sort((a, b) => lengthOf(b) - lengthOf(a));
  const restarts = breaks.filter(({ kind }) => kind === 'restart');
  const clocks = breaks.filter(({ kind }) => kind === 'clock');
  return [
    ...(restarts.length > 0
      ? [
          `The server restarted ${times(restarts.length)}, last ` +
            `${between(restarts[restarts.length - 1])}; no window includes a restart.`,
        ]
      : []),
    ...gaps
      .slice(0, NAMED)
      .map((gap) => `No samples ${between(gap)} (${duration(lengthOf(gap))}).`),
    ...(gaps.length > NAMED
      ? [
          `${count(gaps.length - NAMED)} more gaps, of ` +
            `${duration(gaps.slice(NAMED).reduce((sum, gap) => sum + lengthOf(gap), 0))} ` +
            'together.',
        ]
      : []),
    ...(outOfOrder.length > 0
      ? [
          `The samples are not in time order in ${count(outOfOrder.length)} ` +
            `${outOfOrder.length === 1 ? 'place' : 'places'}, first from ` +
            `${time(outOfOrder[0].fromMs)} to ${time(outOfOrder[0].toMs)}; no window includes ` +
            'such a place.',
        ]
      : []),
    ...(clocks.length > 0
      ? [
          `The clock was set back ${times(clocks.length)}, last at ` +
            `${time(clocks[clocks.length - 1].fromMs)}.`,
        ]
      : []),
  ];
}

/**
 * @param {{
 *   chunks: number, skipped: { count: number, why: string | null, fromMs: number, toMs: number },
 *   damagedBytes: number, unknown: number, gone: number, repeated: number, hosts: readonly string[]
 * }} account
 * @returns {string[]}
 */
function accountNotes({ chunks, skipped, damagedBytes, unknown, gone, repeated, hosts }) {
  return [
    ...hostsNotes(hosts),
    ...(skipped.count > 0
      ? [
          `${count(skipped.count)} of ${count(chunks + skipped.count)} chunks are unreadable and ` +
            `were skipped, the first from ${begins(skipped)} (${skipped.why}).`,
        ]
      : []),
    ...(damagedBytes > 0
      ? [`${bytes(damagedBytes)} are damaged or truncated and were skipped.`]
      : []),
    ...(unknown > 0
      ? [
          `${count(unknown)} documents have a type that this release of tune does not support, ` +
            'and were skipped.',
        ]
      : []),
    ...(gone > 0
      ? [
          `The server removed ${count(gone)} of its files during reading; their samples are ` +
            `missing.`,
        ]
      : []),
    ...(repeated > 0 ? [`${count(repeated)} duplicate samples were ignored.`] : []),
  ];
}

/** @param {{ fromMs: number, toMs: number }} skipped */
function begins({ fromMs, toMs }) {
  if (toMs < fromMs) return 'an unknown time';
  return fromMs === toMs ? time(fromMs) : `${time(fromMs)}, the last from ${time(toMs)}`;
}

/**
 * A host may be renamed, as containers are at every start; more often it is another one.
 * @param {readonly string[]} hosts
 * @returns {string[]}
 */
const hostsNotes = (hosts) =>
  hosts.length < 2
    ? []
    : [
        `The host name changes: ${hosts.join(', ')}. If these are several servers, use the files ` +
          'of one at a time.',
      ];

/**
 * @param {{ fromMs: number, toMs: number }} covers what there is
 * @returns {string} why there is no answer
 */
function emptyBecause({ fromMs, toMs }) {
  if (toMs < fromMs) return 'The recording contains no sample.';
  return (
    'The recording contains no sample in the requested time; it covers ' +
    `${fromMs === toMs ? `the time from ${time(fromMs)}` : `${time(fromMs)} to about ${time(toMs)}`} UTC.`
  );
}

/**
 * @param {{
 *   lines: number, garbled: number, damage: string | null, newer: number | null, repeated: number,
 *   others: { hosts: readonly string[], lines: number }
 * }} account
 * @returns {string[]}
 */
function seriesNotes({ lines, garbled, damage, newer, repeated, others }) {
  return [
    ...(others.lines > 0
      ? [
          `${count(others.lines)} of ${count(lines)} lines belong to other servers ` +
            `(${others.hosts.join(', ')}) and were skipped; use a separate file for each server.`,
        ]
      : []),
    ...(repeated > 0 ? [`${count(repeated)} duplicate lines were ignored.`] : []),
    ...(garbled > 0
      ? [
          `${count(garbled)} of ${count(lines)} lines are not serverStatus documents and were ` +
            `skipped.`,
        ]
      : []),
    ...(damage === null
      ? []
      : [`The rest of the file cannot be decompressed (${damage}): partial result.`]),
    ...(newer === null
      ? []
      : [
          `It was written by a later release of tune (format ${newer}); some data may not be ` +
            'shown.',
        ]),
  ];
}

/** @param {Config | null} config @returns {string[]} */
function settingsNotes(config) {
  if (config !== null && config.evictionDirtyTrigger.value !== null) return [];
  return [
    'Runtime settings are not recorded, so eviction thresholds are not known. Defaults are ' +
      'assumed unless the counters contradict them.',
  ];
}

/** @param {Discontinuity} gap */
const lengthOf = ({ fromMs, toMs }) => toMs - fromMs;
/** @param {Discontinuity} gap */
const between = ({ fromMs, toMs }) => `between ${time(fromMs)} and ${time(toMs)}`;
/** @param {number} n */
const times = (n) => (n === 1 ? 'once' : `${count(n)} times`);
/** @param {number} ms */
const time = (ms) => (Math.abs(ms) <= MAX_MS ? timeText(ms) : '?');

// A machine is in trouble from here on (as in the rules swap-ins, cpu-load and device-latency).
const FULL_RATIO = 0.9;

/** @satisfies {Record<Strain, { from: number, say(moment: Moment): string }>} */
const STRAINS = Object.freeze({
  swapInsPerSec: {
    from: OFTEN_SWAPPED_PER_SEC,
    say: (/** @type {Moment} */ { value }) => `${many(value, 'page')}/s read from swap`,
  },
  swapOutsPerSec: {
    from: OFTEN_SWAPPED_PER_SEC,
    say: (/** @type {Moment} */ { value }) => `${many(value, 'page')}/s written to swap`,
  },
  cpuBusyRatio: {
    from: FULL_RATIO,
    say: (/** @type {Moment} */ { value }) => `${percent(value)} of CPU time used`,
  },
  diskBusyRatio: {
    from: FULL_RATIO,
    say: (/** @type {Moment} */ { value, disk }) =>
      `disk ${disk} busy ${percent(value)} of the time`,
  },
});

/**
 * The machine's trouble in other minutes than the one that is judged, in one line.
 * @param {{ [name in Strain]?: Moment }} worst
 * @param {{ fromMs: number, toMs: number }} judged
 * @returns {string[]}
 */
function machineNotes(worst, { fromMs, toMs }) {
  const said = /** @type {Strain[]} */ (Object.keys(STRAINS)).flatMap((name) => {
    const moment = worst[name];
    return moment === undefined ||
      moment.value < STRAINS[name].from ||
      (moment.fromMs < toMs && moment.toMs > fromMs)
      ? []
      : [`${STRAINS[name].say(moment)} in the minute up to ${time(moment.toMs)}`];
  });
  return said.length === 0
    ? []
    : [`The machine was worst off elsewhere in the recording: ${said.join('; ')}.`];
}

module.exports = {
  machineNotes,
  emptyBecause,
  continuityNotes,
  accountNotes,
  seriesNotes,
  settingsNotes,
};
