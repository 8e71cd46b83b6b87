'use strict';

const { commentOf } = require('../../../base/pure/answer-comments');
const { chartDataOf, attachedSeries } = require('../../../series/chart-data');
const { showAdvice } = require('./parts/advice');
const { showCollections } = require('./parts/collections');
const { showHost } = require('./parts/findings');
const { showBench, showSteps, showServers } = require('./parts/load');
const { showCheckpoints, showStatus, showTimeline, showWatched } = require('./parts/samples');
const { showIncident } = require('./parts/incident');
const { showSplit } = require('./parts/split');
const { showTrial } = require('./parts/trial');
const { TuneError } = require('../../../base/pure/errors');
const { show } = require('../../../base/pure/options');

/**
 * @import { ChartData } from '../../../text/types'
 * @import { Item, Kind, TrialAnswer } from '../../types'
 */

/** @param {any} value @param {...string} names */
const has = (value, ...names) => names.every((name) => name in value);

/** The kinds of answers from which a page can be made. @type {readonly Kind[]} */
const KINDS = Object.freeze([
  { name: 'an advice', is: (v) => has(v, 'bottleneck', 'findings', 'window'), show: showAdvice },
  {
    name: 'a trial',
    is: (v) => has(v, 'blocks', 'a', 'b', 'order'),
    show: showTrial,
    draw: drawBlocks,
  },
  {
    name: 'a sequence of steps',
    is: (v) => has(v, 'measuredSteps', 'workload') || has(v, 'steps', 'workload'),
    show: showSteps,
  },
  {
    name: 'a comparison of servers',
    is: (v) => has(v, 'servers', 'roundsPlanned'),
    show: showServers,
  },
  {
    name: 'a benchmark',
    is: (v) => has(v, 'workload', 'dryRun', 'database'),
    show: showBench,
    draw: drawBench,
    elapsed: true,
  },
  { name: 'a plan of a split', is: (v) => has(v, 'moves', 'stays', 'worthIt'), show: showSplit },
  { name: 'an incident', is: (v) => has(v, 'firstCause', 'chain', 'events'), show: showIncident },
  { name: 'the host', is: (v) => has(v, 'place', 'findings', 'facts'), show: showHost },
  { name: 'collections', is: (v) => has(v, 'rows', 'by', 'cache'), show: showCollections },
  { name: 'a status', is: (v) => has(v, 'cache', 'eviction', 'thresholds'), show: showStatus },
  { name: 'what was watched', is: (v) => has(v, 'metrics', 'samples'), show: showWatched },
  {
    name: 'checkpoints',
    is: (v) => has(v, 'checkpoints', 'stalls', 'timeline'),
    show: showCheckpoints,
    draw: drawCheckpoints,
  },
  {
    name: 'a timeline',
    is: (v) => has(v, 'at', 'series', 'everySeconds'),
    show: showTimeline,
    draw: drawTimeline,
  },
]);

/** @param {unknown} value @returns {Kind | null} null: no page can be made of it */
const kindOf = (value) =>
  value === null || typeof value !== 'object' ? null : (KINDS.find(({ is }) => is(value)) ?? null);

/**
 * @param {unknown} time a Date, or the text that JSON made of one
 * @returns {number} ms since 1970
 */
const msOf = (time) => new Date(/** @type {any} */ (time)).getTime();

/**
 * Draws each block as a level line from its beginning to its end.
 * @param {TrialAnswer} trial
 * @returns {ChartData}
 */
function drawBlocks({ blocks }) {
  const names = [
    'opsPerSec',
    'readsPerSec',
    'writesPerSec',
    'readLatencyMs',
    'writeLatencyMs',
    'usedRatio',
    'dirtyRatio',
  ];
  const meansOf = (/** @type {any} */ block) =>
    Object.fromEntries(
      names.flatMap((name) => (typeof block[name] === 'number' ? [[name, block[name]]] : [])),
    );
  const spans = blocks.map((/** @type {any} */ block) => ({
    fromMs: msOf(block.at),
    toMs: msOf(block.at) + block.seconds * 1000,
    setting: block.setting,
    means: meansOf(block),
  }));
  const twice = (/** @type {string} */ name) =>
    blocks.flatMap((/** @type {any} */ block) => [block[name], block[name], null]);
  return chartDataOf(
    spans.flatMap((/** @type {any} */ { fromMs, toMs }) => [fromMs, toMs, toMs]),
    Object.fromEntries(names.map((name) => [name, twice(name)])),
    { blocks: spans, sampleCount: blocks.length },
  );
}

/** @param {any} bench @returns {ChartData} */
function drawBench({ perSecond = [] }) {
  const column = (/** @type {string} */ name) =>
    perSecond.map((/** @type {any} */ second) => second[name]);
  return chartDataOf(
    column('second').map((/** @type {number} */ second) => second * 1000),
    { opsPerSec: column('opsPerSec'), meanMs: column('meanMs'), maxMs: column('maxMs') },
  );
}

/** @param {any} seen @returns {ChartData} */
function drawCheckpoints({ timeline, checkpoints, stalls }) {
  const spanOf = (/** @type {any} */ from, /** @type {number} */ ms) => ({
    fromMs: msOf(from),
    toMs: msOf(from) + ms,
  });
  return chartDataOf(
    timeline.map((/** @type {any} */ { from }) => msOf(from)),
    { opsPerSec: timeline.map((/** @type {any} */ { opsPerSec }) => opsPerSec) },
    {
      checkpoints:
        checkpoints &&
        checkpoints.map((/** @type {any} */ { from, durationMs }) => spanOf(from, durationMs ?? 0)),
      stalls:
        stalls &&
        stalls.map((/** @type {any} */ { from, seconds }) => spanOf(from, seconds * 1000)),
    },
  );
}

/** @param {any} timeline @returns {ChartData} */
function drawTimeline({ at, series }) {
  return chartDataOf(at.map(msOf), series);
}

/** All charts of a page have this many buckets: a megabyte with the twenty series of a server. */
const MAX_BUCKETS = 7000;

/**
 * Makes the items of a page from answers of tune, or from paths of recordings.
 * @param {string} command the command as the user types it
 * @param {unknown} given one, or several
 * @param {(path: string) => Promise<unknown>} readRecording
 * @returns {Promise<Item[]>}
 * @throws {TuneError} TUNE-10002 for a value of which no page can be made, TUNE-4xxxx for
 *   recordings that cannot be read
 */
async function itemsOf(command, given, readRecording) {
  const list = Array.isArray(given) ? given : [given];
  if (list.length === 0) throw unknown(command, given);
  const values = [];
  for (const item of list)
    values.push(typeof item === 'string' && item !== '' ? await readRecording(item) : item);
  const kinds = values.map((value) => kindOf(value) ?? fail(unknown(command, value)));
  return values.map((value, i) => ({
    value,
    kind: kinds[i],
    comment: commentOf(value),
    drawn: drawnFrom(value, kinds[i], Math.floor(MAX_BUCKETS / values.length)),
  }));
}

/** @param {Error} error @returns {never} */
function fail(error) {
  throw error;
}

/** @param {string} command @param {unknown} value */
const unknown = (command, value) =>
  new TuneError(
    'TUNE-10002',
    `${command}: it is made of ${KINDS.map(({ name }) => name).join(', ')}, as tune answers ` +
      `them, or of the path of a recording; not of ${show(value)}.`,
    { value, allowed: KINDS.map(({ name }) => name) },
  );

/**
 * @param {any} value
 * @param {Kind} kind
 * @param {number} max
 * @returns {ChartData | null}
 */
function drawnFrom(value, kind, max) {
  const drawn = attachedSeries(value)?.(max) ?? kind.draw?.(value) ?? null;
  return drawn === null || drawn.at.length === 0 ? null : drawn;
}

module.exports = { kindOf, itemsOf };
