'use strict';

const { bytes, percent, count, duration, UNKNOWN } = require('../../base/pure/units');
const { visible } = require('../../base/pure/visible');
const { gauge, WIDTH } = require('../../text/bars');
const { levelTone, scale, thresholdWords } = require('../../text/tones');
const { wrap } = require('../../text/wrap');

/**
 * @import { Level } from '../../text/tones'
 * @import { Ink } from '../../base/types'
 * @import { Status } from './status'
 */

/**
 * Mean application threads lost to the cache; above it clients notice (docs/evidence/client-threads.md).
 */
const HEALTHY_THREADS = 0.05;
const LABEL = 12;

/**
 * @param {Status & { notes: string[] }} s @param {Ink} ink
 * @returns {string}
 */
function renderStatus(s, ink) {
  return [
    `${ink(visible(s.host ?? UNKNOWN), 'strong')}  MongoDB ${visible(s.version ?? UNKNOWN)}  ` +
      `${s.role ?? ''}  ${ink(`seen for ${duration(s.seconds * 1000)}`, 'faint')}`,
    ink(`${''.padEnd(LABEL + WIDTH + 3)}level  target/trigger`, 'faint'),
    ...levelRows(s, ink),
    row(
      '  traffic',
      `${bytes(s.cache.readBytesPerSec)}/s read in, ${bytes(s.cache.writtenBytesPerSec)}/s written`,
    ),
    row(
      'eviction',
      `${count(s.eviction.pagesPerSec)} pages/s by ${count(s.eviction.threadsActive)} ` +
        `workers (${count(s.eviction.threadsMin)}–${count(s.eviction.threadsMax)}), ` +
        `${count(s.eviction.appPagesPerSec)} pages/s by clients`,
    ),
    ...aggressive(s, ink),
    row(
      'clients',
      `${lost(s.clients.readingPages, 'reading pages', ink)}, ` +
        `${lost(s.clients.evicting, 'evicting', ink)}, ` +
        `${lost(s.clients.waitingForCache, 'waiting for cache', ink)}`,
      ink('mean threads', 'faint'),
    ),
    row(
      'checkpoint',
      `${s.checkpoint.running ? ink('running, ', 'accent') : ''}${checkpoints(s.checkpoint)}`,
    ),
    row(
      'tickets',
      `${count(s.tickets.readOut)} of ${count(s.tickets.readTotal)} read, ` +
        `${count(s.tickets.writeOut)} of ${count(s.tickets.writeTotal)} write in use`,
    ),
    row(
      'operations',
      `${count(s.ops.readsPerSec)} reads/s${each(s.ops.readLatencyMs)}, ` +
        `${count(s.ops.writesPerSec)} writes/s${each(s.ops.writeLatencyMs)}`,
    ),
    ...s.notes.flatMap((note) => wrap(note, '      ', 'note: ')).map((line) => ink(line, 'faint')),
  ].join('\n');
}

/**
 * How full the cache is: of anything, of dirty pages, of updates.
 * @param {Status} s
 * @param {Ink} ink
 */
const levelRows = ({ cache, thresholds: t }, ink) => [
  row(
    'cache',
    level({ ratio: cache.usedRatio, target: t.targetRatio, trigger: t.triggerRatio }, ink),
    `${bytes(cache.usedBytes)} of ${bytes(cache.maxBytes)}`,
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
  return (
    `${ink(gauge(ratio, { marks: [target, trigger], top }), levelTone({ ratio, target, trigger }))} ` +
    `${percent(ratio).padStart(6)}  ` +
    `${ink(thresholdWords({ target, trigger }).padEnd(9), 'faint')}`
  );
}

/** @param {number | null} threads @param {string} what @param {Ink} ink */
const lost = (threads, what, ink) =>
  ink(
    `${count(threads)} ${what}`,
    threads !== null && threads > HEALTHY_THREADS ? 'warn' : 'strong',
  );

/** @param {Status['checkpoint']} checkpoint */
const checkpoints = ({ lastMs, maxMs, perMinute }) =>
  perMinute === 0 && lastMs === 0
    ? 'none since the server started'
    : `last ${duration(lastMs)}, longest ${duration(maxMs)}, ${count(perMinute)} a minute`;

/** Without operations there is no latency. @param {number | null} ms */
const each = (ms) => (ms === null ? '' : ` at ${duration(ms)}`);

/**
 * @param {Status} s
 * @param {Ink} ink
 * @returns {string[]} a row of its own, when there is something to say
 */
const aggressive = (s, ink) =>
  s.eviction.aggressive
    ? [row('', ink(`aggressive: score ${count(s.eviction.aggressive)} of 100`, 'bad'))]
    : [];

module.exports = { renderStatus };
