'use strict';

const {
  bytes,
  count,
  duration,
  secondsText,
  sampledFor,
  percent,
} = require('../../../../base/pure/units');
const { blockedStatus, blockedThreads, blockedWords } = require('../../../../server/pure/status');
const { levelTone, scale } = require('../../../../text/tones');
const {
  html,
  badge,
  bar,
  facts,
  table,
  verdictOf,
  showSpan,
  showThreshold,
  showTime,
  showValue,
} = require('../elements');

/**
 * @import { Level } from '../../../../text/tones'
 * @import { CheckpointsAnswer, Shown, StatusAnswer, TimelineAnswer, WatchAnswer } from '../../../types'
 */

/** @param {string} head */
const right = (head) => ({ head, align: /** @type {const} */ ('right') });

/**
 * Shows what clients notice first.
 * @param {StatusAnswer} status
 * @param {string} key
 * @returns {Shown}
 */
const showStatus = (status, key) => ({
  name: 'Status',
  sub: [status.role, `${sampledFor(status.seconds * 1000)} sample`],
  lead: clientsOf(status),
  before: [
    { id: `cache${key}`, title: 'Cache', body: levelsTable(status) },
    { id: `activity${key}`, title: 'Activity', body: activityFacts(status) },
  ],
  after: [],
  notes: status.notes,
});

/** @param {StatusAnswer} status */
function clientsOf({ clients }) {
  const status = blockedStatus(clients);
  const marked = status === 'ok' || status === 'warning';
  return verdictOf(status, {
    label: 'Clients',
    answer: html`${count(blockedThreads(clients))} application threads blocked by the cache${marked && html` ${badge(status)}`}`,
    because: `Mean number of threads: ${blockedWords(clients)}.`,
  });
}

/** Shows how much of the cache is used, with targets and triggers. @param {StatusAnswer} status */
function levelsTable({ cache, thresholds: t }) {
  const level = (
    /** @type {string} */ name,
    /** @type {(number | null)[]} */ [ratio, target, trigger, size],
  ) => [
    name,
    percent(ratio),
    levelBar({ ratio, target, trigger }),
    showThreshold(target),
    showThreshold(trigger),
    bytes(size),
  ];
  return table(
    `Share of the cache of ${bytes(cache.maxBytes)}; marks: target, trigger`,
    [
      { head: 'what' },
      right('share'),
      { head: '' },
      right('target'),
      right('trigger'),
      right('size'),
    ],
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

const BAR_TONES = Object.freeze({ good: 'ok', warn: 'warning', bad: 'critical' });

/** Draws the gauge of the terminal, with marks at target and trigger. @param {Level} level */
function levelBar(level) {
  const { ratio, target, trigger } = level;
  const top = scale(trigger);
  const tone = levelTone(level);
  return bar(
    (ratio ?? 0) / top,
    tone in BAR_TONES ? BAR_TONES[/** @type {keyof typeof BAR_TONES} */ (tone)] : '',
    [target, trigger].map((mark) => mark && mark / top),
  );
}

/** Shows what the server did meanwhile. @param {StatusAnswer} status */
const activityFacts = ({ cache, eviction, checkpoint, tickets, ops }) =>
  facts([
    ['Reads', `${count(ops.readsPerSec)}/s${latency(ops.readLatencyMs)}`],
    ['Writes', `${count(ops.writesPerSec)}/s${latency(ops.writeLatencyMs)}`],
    [
      'Tickets in use',
      `read ${count(tickets.readInUse)} of ${count(tickets.readTotal)}, ` +
        `write ${count(tickets.writeInUse)} of ${count(tickets.writeTotal)}`,
    ],
    ['Read into cache', `${bytes(cache.readBytesPerSec)}/s`],
    ['Written from cache', `${bytes(cache.writtenBytesPerSec)}/s`],
    [
      'Eviction threads active',
      `${count(eviction.threadsActive)} of ` +
        (eviction.threadsMin === eviction.threadsMax ? '' : `${count(eviction.threadsMin)} to `) +
        count(eviction.threadsMax),
    ],
    ['Pages evicted by application threads', `${count(eviction.appPagesPerSec)}/s`],
    [
      'Last checkpoint',
      checkpoint.lastMs === 0 && (checkpoint.perMinute ?? 0) === 0
        ? 'none since the server started'
        : duration(checkpoint.lastMs),
    ],
  ]);

/** @param {number | null} ms */
const latency = (ms) => (ms === null ? '' : ` at ${duration(ms)}`);

/**
 * Shows the answer of a watch.
 * @param {WatchAnswer} watched
 * @param {string} key
 * @returns {Shown}
 */
const showWatched = ({ from, to, seconds, samples, metrics, notes }, key) => ({
  name: 'Watch',
  sub: [`${count(samples)} samples in ${sampledFor(seconds * 1000)}`, showSpan(from, to)],
  lead: null,
  before: [],
  after: [
    {
      id: `metrics${key}`,
      title: 'Metrics',
      body: table(
        'Over the whole time',
        [{ head: 'metric' }, right('value')],
        Object.entries(metrics).map(([name, value]) => [name, showValue(name, value)]),
      ),
    },
  ],
  notes,
});

/** @param {CheckpointsAnswer} seen @param {string} key @returns {Shown} */
const showCheckpoints = (seen, key) => ({
  name: 'Checkpoints',
  sub: [secondsText(seen.seconds)],
  lead: checkpointFacts(seen),
  before: [],
  after: eachCheckpoint(seen.checkpoints ?? [], key),
  notes: seen.notes,
});

/** Counts checkpoints and stalls over the whole time. @param {CheckpointsAnswer} seen */
const checkpointFacts = ({
  everySeconds,
  checkpoints,
  stalls,
  stalledSeconds,
  stalledInCheckpointSeconds,
  opsPerSec,
}) =>
  facts([
    ['Checkpoints', count(checkpoints?.length)],
    ['Interval', secondsText(everySeconds)],
    [
      'Stalls',
      stalls === null
        ? 'unknown'
        : `${stalls.length}, total ${secondsText(stalledSeconds)}, ` +
          `${secondsText(stalledInCheckpointSeconds)} of it during checkpoints`,
    ],
    [
      'Operations',
      `${count(opsPerSec.inside)}/s during checkpoints, ${count(opsPerSec.outside)}/s between them`,
    ],
  ]);

/**
 * Makes a table with a row for each checkpoint, where there was one.
 * @param {NonNullable<CheckpointsAnswer['checkpoints']>} checkpoints
 * @param {string} key
 * @returns {Shown['after']}
 */
function eachCheckpoint(checkpoints, key) {
  if (checkpoints.length === 0) return [];
  const rows = checkpoints.map((checkpoint) => [
    showTime(checkpoint.from),
    checkpoint.running ? 'still running' : duration(checkpoint.durationMs),
    bytes(checkpoint.writtenBytes),
    count(checkpoint.opsPerSec),
    secondsText(checkpoint.stalledSeconds),
  ]);
  return [
    {
      id: `each${key}`,
      title: 'Each checkpoint',
      body: table(
        'With the throughput during each',
        [
          { head: 'from, UTC' },
          right('duration'),
          right('written'),
          right('operations/s'),
          right('stalled'),
        ],
        rows,
      ),
    },
  ];
}

/** Shows series for plotting. @param {TimelineAnswer} timeline @returns {Shown} */
const showTimeline = ({ from, to, at }) => ({
  name: 'Timeline',
  sub: [`${count(at.length)} points`, showSpan(from, to)],
  lead: null,
  before: [],
  after: [],
  notes: [],
});

module.exports = { showStatus, showWatched, showCheckpoints, showTimeline, right };
