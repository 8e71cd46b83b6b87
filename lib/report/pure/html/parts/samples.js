'use strict';

const {
  bytes,
  count,
  duration,
  percent,
  roughly,
  UNKNOWN,
} = require('../../../../base/pure/units');
const { html, bar, facts, table, showTime, showValue } = require('../elements');

/**
 * @import { CheckpointsAnswer, CollectionsAnswer, Shown } from '../../../types'
 * @import { StatusAnswer, TimelineAnswer, WatchAnswer } from '../../../types'
 */

/** @param {string} head */
const right = (head) => ({ head, align: /** @type {const} */ ('right') });

/** The state of a server. @param {StatusAnswer} status @param {string} key @returns {Shown} */
const showStatus = (status, key) => ({
  name: 'Status',
  sub: `${duration(status.seconds * 1000)} sample`,
  lead: null,
  before: [
    {
      id: `status${key}`,
      title: 'Status',
      body: html`${levelsTable(status)}${activityFacts(status)}`,
    },
  ],
  after: [],
  notes: status.notes,
});

/** How full the cache is, with its targets and triggers. @param {StatusAnswer} status */
function levelsTable({ cache, thresholds: t }) {
  const level = (
    /** @type {string} */ name,
    /** @type {(number | null)[]} */ [ratio, target, trigger, size],
  ) => [
    name,
    html`${percent(ratio)} ${bar(ratio ?? 0)}`,
    percent(target),
    percent(trigger),
    bytes(size),
  ];
  return table(
    'Levels of the cache',
    [{ head: 'what' }, { head: 'level' }, right('target'), right('trigger'), right('bytes')],
    [
      level('used', [cache.usedRatio, t.targetRatio, t.triggerRatio, cache.usedBytes]),
      level('dirty', [cache.dirtyRatio, t.dirtyTargetRatio, t.dirtyTriggerRatio, cache.dirtyBytes]),
      level('updates', [
        cache.updatesRatio,
        t.updatesTargetRatio,
        t.updatesTriggerRatio,
        cache.updatesBytes,
      ]),
    ],
  );
}

/** What the server was doing meanwhile. @param {StatusAnswer} status */
const activityFacts = ({ cache, eviction, checkpoint, tickets, clients, ops }) =>
  facts([
    ['read into the cache', `${bytes(cache.readBytesPerSec)}/s`],
    ['written from it', `${bytes(cache.writtenBytesPerSec)}/s`],
    [
      'eviction threads',
      `${count(eviction.threadsActive)} active ` +
        `(${count(eviction.threadsMin)}–${count(eviction.threadsMax)})`,
    ],
    ['pages evicted by clients', `${count(eviction.appPagesPerSec)}/s`],
    [
      'application threads',
      `${count(clients.readingThreads)} read pages, ${count(clients.evictingThreads)} evict, ` +
        `${count(clients.waitingThreads)} wait for the cache`,
    ],
    ['last checkpoint', duration(checkpoint.lastMs)],
    [
      'tickets',
      `${count(tickets.readInUse)} of ${count(tickets.readTotal)} read, ` +
        `${count(tickets.writeInUse)} of ${count(tickets.writeTotal)} write`,
    ],
    [
      'reads',
      `${count(ops.readsPerSec)}/s${ops.readLatencyMs === null ? '' : ` at ${duration(ops.readLatencyMs)}`}`,
    ],
    [
      'writes',
      `${count(ops.writesPerSec)}/s${ops.writeLatencyMs === null ? '' : ` at ${duration(ops.writeLatencyMs)}`}`,
    ],
  ]);

/** What was watched. @param {WatchAnswer} watched @param {string} key @returns {Shown} */
const showWatched = ({ from, to, seconds, samples, metrics, notes }, key) => ({
  name: 'Watched',
  sub: `${showTime(from)} to ${showTime(to)} UTC (${duration(seconds * 1000)}, ${count(samples)} samples)`,
  lead: null,
  before: [],
  after: [
    {
      id: `readings${key}`,
      title: 'Readings',
      body: table(
        'Over all of it',
        [{ head: 'reading' }, right('value')],
        Object.entries(metrics).map(([name, value]) => [name, showValue(name, value)]),
      ),
    },
  ],
  notes,
});

/** @param {CheckpointsAnswer} seen @param {string} key @returns {Shown} */
const showCheckpoints = (seen, key) => ({
  name: 'Checkpoints',
  sub: `watched for ${duration(seen.seconds * 1000)}`,
  lead: checkpointFacts(seen),
  before: [],
  after: eachCheckpoint(seen.checkpoints ?? [], key),
  notes: seen.notes,
});

/** How many checkpoints and stalls there were, over all of the time. @param {CheckpointsAnswer} seen */
const checkpointFacts = ({
  everySeconds,
  checkpoints,
  stalls,
  stalledSeconds,
  stalledInCheckpointSeconds,
  opsPerSec,
}) =>
  facts([
    ['checkpoints', count(checkpoints?.length)],
    ['due every', duration(everySeconds === null ? null : everySeconds * 1000)],
    [
      'stalls',
      stalls === null
        ? 'not known'
        : `${stalls.length}, ${duration((stalledSeconds ?? NaN) * 1000)} together, ` +
          `${duration((stalledInCheckpointSeconds ?? NaN) * 1000)} of it in checkpoints`,
    ],
    [
      'operations',
      `${count(opsPerSec.inside)}/s in checkpoints, ${count(opsPerSec.outside)}/s outside`,
    ],
  ]);

/**
 * A table with a row for each checkpoint, where there was one.
 * @param {NonNullable<CheckpointsAnswer['checkpoints']>} checkpoints
 * @param {string} key
 * @returns {Shown['after']}
 */
function eachCheckpoint(checkpoints, key) {
  if (checkpoints.length === 0) return [];
  const rows = checkpoints.map((one) => [
    showTime(one.from),
    one.running ? 'still running' : duration(one.durationMs),
    bytes(one.writtenBytes),
    count(one.opsPerSec),
    one.stalledSeconds === null ? UNKNOWN : duration(one.stalledSeconds * 1000),
  ]);
  return [
    {
      id: `each${key}`,
      title: 'Each checkpoint',
      body: table(
        'With what operations did meanwhile',
        [
          { head: 'from, UTC' },
          right('took'),
          right('written'),
          right('operations/s'),
          right('stalled'),
        ],
        rows,
      ),
    },
  ];
}

/** Series for plotting, by themselves. @param {TimelineAnswer} timeline @returns {Shown} */
const showTimeline = ({ from, to, at }) => ({
  name: 'Timeline',
  sub: `${showTime(from)} to ${showTime(to)} UTC, ${count(at.length)} points`,
  lead: null,
  before: [],
  after: [],
  notes: [],
});

/** @param {CollectionsAnswer} seen @param {string} key @returns {Shown} */
function showCollections({ at, by, seconds, cache, collections, indexes, rows, notes }, key) {
  const cells = (/** @type {CollectionsAnswer['rows'][number]} */ row) => {
    const ratio =
      row.cacheBytes === null || !cache.maxBytes ? null : row.cacheBytes / cache.maxBytes;
    const ops =
      row.kind === 'index' ? ['', ''] : [roughly(row.readOpsPerSec), roughly(row.writeOpsPerSec)];
    return [
      html`<span class="name">${row.ns}</span>${row.index !== null && html` <span class="index">${row.index}</span>`}`,
      bytes(row.cacheBytes),
      html`${percent(ratio)} ${bar(ratio ?? 0)}`,
      bytes(row.dirtyBytes),
      bytes(row.readBytesPerSec),
      bytes(row.writtenBytesPerSec),
      ...ops,
      bytes(row.storageBytes),
    ];
  };
  const id = `collections-table${key}`;
  const body = html`<p>${count(collections)} collections and ${count(indexes)} indexes; the cache holds ${bytes(cache.usedBytes)} of ${bytes(cache.maxBytes)}, ${bytes(cache.dirtyBytes)} of it dirty. By ${by}, ${seconds === null ? 'from one sample' : `rates over ${duration(seconds * 1000)}`}.</p>
<div class="filters" data-filters="${id}" role="group" aria-label="Filter the collections"><label>find <input type="search" autocomplete="off"></label><span class="count" role="status"></span></div>
<div id="${id}">${table('Each with its indexes', [{ head: 'name' }, right('in cache'), right('of it'), right('dirty'), right('from disk/s'), right('to disk/s'), right('reads/s'), right('writes/s'), right('on disk')], rows.map(cells))}</div>`;
  return {
    name: 'Collections',
    sub: `${showTime(at)} UTC`,
    lead: null,
    before: [],
    after: [{ id: `collections${key}`, title: 'Collections', body }],
    notes,
  };
}

module.exports = { showStatus, showWatched, showCheckpoints, showTimeline, showCollections, right };
