'use strict';

const {
  bytes,
  percent,
  count,
  duration,
  many,
  sampledFor,
  shortPercent,
  UNKNOWN,
} = require('../../base/pure/units');
const { visible } = require('../../base/pure/printable');
const { gauge, WIDTH } = require('../../text/bars');
const { MARKS, levelTone, scale } = require('../../text/tones');
const { wrap } = require('../../text/wrap');
const { blockedStatus, blockedThreads, blockedWords } = require('./status');

/**
 * @import { Level } from '../../text/tones'
 * @import { Ink } from '../../base/types'
 * @import { Status } from './status'
 * @import { Status as Severity } from '../../base/pure/finding'
 */

/** Columns. */
const LABEL = 12;
const FIGURE = 7;

/**
 * @param {Status & { notes: string[] }} s @param {Ink} ink
 * @returns {string} what clients feel first
 */
function renderStatus(s, ink) {
  return [
    `${ink(visible(s.host ?? UNKNOWN), 'strong')}  MongoDB ${visible(s.version ?? UNKNOWN)}  ` +
      `${s.role ?? ''}  ${ink(`${sampledFor(s.seconds * 1000)} sample`, 'faint')}`,
    resultRow(s, ink),
    ...clientRows(s, ink),
    row(
      'OPERATIONS',
      `reads ${count(s.ops.readsPerSec)}/s${each(s.ops.readLatencyMs)}, ` +
        `writes ${count(s.ops.writesPerSec)}/s${each(s.ops.writeLatencyMs)}`,
    ),
    row(
      'TICKETS',
      `read ${count(s.tickets.readInUse)} of ${count(s.tickets.readTotal)} in use, ` +
        `write ${count(s.tickets.writeInUse)} of ${count(s.tickets.writeTotal)}`,
    ),
    row(
      'CACHE',
      `${bytes(s.cache.usedBytes)} of ${bytes(s.cache.maxBytes)}`.padEnd(WIDTH + 1) +
        ink(FIGURE_HEADS, 'faint'),
    ),
    ...levelRows(s, ink),
    row(
      '  pages',
      `${bytes(s.cache.readBytesPerSec)}/s read into cache, ` +
        `${bytes(s.cache.writtenBytesPerSec)}/s written`,
    ),
    row(
      'EVICTION',
      `${count(s.eviction.pagesPerSec)} pages/s by ${threads(s.eviction)}, ` +
        `${count(s.eviction.appPagesPerSec)} pages/s by application threads`,
    ),
    ...aggressive(s, ink),
    row(
      'CHECKPOINT',
      `${s.checkpoint.running ? ink('running, ', 'accent') : ''}${checkpoints(s.checkpoint)}`,
    ),
    ...s.notes.flatMap((note) => wrap(note, '      ', 'note: ')).map((line) => ink(line, 'faint')),
  ].join('\n');
}

/** @type {Readonly<Record<string, string>>} */
const LEVELS = Object.freeze({ used: 'The cache', dirty: 'Dirty data', updates: 'Update data' });
const CAUSE = 'tune.advise() names the cause';

/**
 * Describes what stands out, and the next call.
 * @type {Readonly<Record<StandsOut['code'], [Severity, (of: string) => string]>>}
 */
const RESULTS = Object.freeze({
  'no-rates': ['unknown', () => 'One sample shows no rates: tune.status({ seconds: 5 })'],
  blocked: ['warning', () => `Clients are blocked by the cache: ${CAUSE}`],
  'at-trigger': ['warning', (level) => `${LEVELS[level]} is at its trigger: ${CAUSE}`],
  tickets: ['warning', (pool) => `All ${pool} tickets are in use: ${CAUSE}`],
  noticeable: ['info', () => `Few clients are blocked by the cache: ${CAUSE}`],
  'above-target': [
    'ok',
    (level) => `${LEVELS[level]} is above its target; clients do not wait for it`,
  ],
  idle: ['ok', () => 'mongod is idle: sample again under load'],
  fine: ['ok', () => 'Nothing stands out; tune.advise() checks every rule'],
});

/** @param {Status} s @param {Ink} ink */
function resultRow(s, ink) {
  const { code, of } = standsOut(s);
  const [severity, say] = RESULTS[code];
  const { word, tone } = MARKS[severity];
  return row('RESULT', `${ink(word, tone)}  ${ink(say(of ?? ''), 'strong')}`);
}

/** @param {Status} s @param {Ink} ink */
function clientRows({ clients }, ink) {
  const threads = many(blockedThreads(clients), 'application thread');
  return [
    row('CLIENTS', ink(`${threads} blocked by the cache on average`, 'strong')),
    row('', blockedWords(clients)),
  ];
}

/** @param {Status['eviction']} eviction @returns {string} `3 of 4 threads`, `3 of 4 to 8 threads` */
const threads = ({ threadsActive, threadsMin, threadsMax }) =>
  `${count(threadsActive)} of ${threadsMin === threadsMax ? '' : `${count(threadsMin)} to `}` +
  `${count(threadsMax)} threads`;

/** Heads above the figures of each level. */
const FIGURE_HEADS = ['now', 'target', 'trigger'].map((head) => head.padStart(FIGURE)).join('  ');

/**
 * Shows how full the cache is: of all pages, of dirty pages, of updates.
 * @param {Status} s
 * @param {Ink} ink
 */
const levelRows = ({ cache, thresholds: t }, ink) => [
  row(
    '  used',
    level({ ratio: cache.usedRatio, target: t.targetRatio, trigger: t.triggerRatio }, ink),
  ),
  row(
    '  dirty',
    level(
      { ratio: cache.dirtyRatio, target: t.dirtyTargetRatio, trigger: t.dirtyTriggerRatio },
      ink,
    ),
    bytes(cache.dirtyBytes),
  ),
  row(
    '  updates',
    level(
      { ratio: cache.updatesRatio, target: t.updatesTargetRatio, trigger: t.updatesTriggerRatio },
      ink,
    ),
    bytes(cache.updatesBytes),
  ),
];

/** @param {string} label @param {string} text @param {string} [more] */
const row = (label, text, more = '') => `${label.padEnd(LABEL)}${text}  ${more}`.trimEnd();

/** @param {Level} at @param {Ink} ink */
function level({ ratio, target, trigger }, ink) {
  const top = scale(trigger);
  return [
    `${ink(gauge(ratio, { marks: [target, trigger], top }), levelTone({ ratio, target, trigger }))} ` +
      percent(ratio).padStart(FIGURE),
    ...[target, trigger].map((one) => ink(threshold(one).padStart(FIGURE), 'faint')),
  ].join('  ');
}

/** @param {number | null} ratio @returns {string} `20%`, `2.5%`, `?` */
const threshold = (ratio) => (ratio === null ? UNKNOWN : shortPercent(ratio));

/** @param {Status['checkpoint']} checkpoint */
const checkpoints = ({ lastMs, maxMs, perMinute }) =>
  lastMs === 0 && (perMinute ?? 0) === 0
    ? 'none since the server started'
    : `last ${duration(lastMs)}, longest ${duration(maxMs)}` +
      (perMinute === null ? '' : `, ${count(perMinute)} per minute`);

/** Without operations there is no latency. @param {number | null} ms */
const each = (ms) => (ms === null ? '' : ` at ${duration(ms)}`);

/**
 * @param {Status} s
 * @param {Ink} ink
 * @returns {string[]} a row of its own, when there is something to say
 */
const aggressive = (s, ink) =>
  s.eviction.aggressiveScore
    ? [row('', ink(`aggressive: score ${count(s.eviction.aggressiveScore)} of 100`, 'bad'))]
    : [];

/** Operations a second; below, there is no load to judge (heuristic). */
const IDLE_OPS_PER_SEC = 1;

/**
 * What a status shows at first sight; a diagnosis finds its cause.
 * @typedef {{ code: 'no-rates' | 'idle' | 'blocked' | 'noticeable' | 'fine', of: null }
 *   | { code: 'at-trigger' | 'above-target', of: 'used' | 'dirty' | 'updates' }
 *   | { code: 'tickets', of: 'read' | 'write' }} StandsOut
 */

/** @param {Status} status @returns {StandsOut} */
function standsOut(status) {
  const blocked = blockedThreads(status.clients);
  const opsPerSec = operationsPerSec(status);
  if (blocked === null && opsPerSec === null) return { code: 'no-rates', of: null };
  return severe(status) ?? calm(status, opsPerSec ?? 1);
}

/** @param {Status} status @returns {StandsOut | null} */
function severe(status) {
  if (blockedStatus(status.clients) === 'warning') return { code: 'blocked', of: null };
  const level = levelAbove(status, 'trigger');
  if (level !== null) return { code: 'at-trigger', of: level };
  const pool = poolInUse(status.tickets);
  return pool === null ? null : { code: 'tickets', of: pool };
}

/** @param {Status} status @param {number} opsPerSec @returns {StandsOut} */
function calm(status, opsPerSec) {
  if (blockedStatus(status.clients) === 'info') return { code: 'noticeable', of: null };
  if (opsPerSec < IDLE_OPS_PER_SEC) return { code: 'idle', of: null };
  const busy = levelAbove(status, 'target');
  return busy === null ? { code: 'fine', of: null } : { code: 'above-target', of: busy };
}

/** @param {Status} status @returns {number | null} */
const operationsPerSec = ({ ops: { readsPerSec, writesPerSec } }) =>
  readsPerSec === null || writesPerSec === null ? null : readsPerSec + writesPerSec;

/**
 * The first level of the cache at its threshold. A cache that is used up to its target is healthy.
 * @param {Status} status
 * @param {'target' | 'trigger'} threshold
 */
function levelAbove({ cache, thresholds: t }, threshold) {
  const isTrigger = threshold === 'trigger';
  /** @type {['used' | 'dirty' | 'updates', number | null, number | null][]} */
  const levels = [
    ['dirty', cache.dirtyRatio, isTrigger ? t.dirtyTriggerRatio : t.dirtyTargetRatio],
    ['updates', cache.updatesRatio, isTrigger ? t.updatesTriggerRatio : t.updatesTargetRatio],
    ['used', cache.usedRatio, isTrigger ? t.triggerRatio : null],
  ];
  const found = levels.find(
    ([, ratio, limit]) => ratio !== null && limit !== null && ratio >= limit,
  );
  return found?.[0] ?? null;
}

/** @param {Status['tickets']} tickets */
function poolInUse({ readInUse, readTotal, writeInUse, writeTotal }) {
  if (writeTotal && writeInUse !== null && writeInUse >= writeTotal) return 'write';
  return readTotal && readInUse !== null && readInUse >= readTotal ? 'read' : null;
}

module.exports = { renderStatus, standsOut };
