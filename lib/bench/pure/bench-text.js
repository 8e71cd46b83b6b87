'use strict';

const { callText, visible } = require('../../base/pure/printable');
const { bytes, count, duration, secondsText, many, UNKNOWN } = require('../../base/pure/units');
const { barRows, cellsOf } = require('../../text/chart');
const {
  HEAD,
  callLines,
  dryRun,
  firstLine,
  headed,
  marked,
  noteLines,
  part,
} = require('../../text/layout');
const { table } = require('../../text/table');

/**
 * @import { Ink } from '../../base/types'
 * @import { About } from './types'
 */

/**
 * @typedef {{ mean: number, p50: number, p95: number, p99: number, p999: number, max: number }}
 *   Latency
 * @typedef {{ opsPerSec: number, latencyMs: Latency | null }} Kind
 * @typedef {About & { role: string | null, threads: number | 'auto', processes: number | 'auto',
 *   keepData: boolean, loadBytes: number, freeBytes: number | null, otherClientsPerSec: number | null, found:
 *   string, notes: string[], confirm: string }} Planned
 * @typedef {About & { threads: number, processes: number, ended: string, tookSeconds: number,
 *   opsPerSec: number, documentsPerSec: number | null, latencyMs: Latency | null, operations:
 *   Record<string, Kind>, stalls: { count: number, longestMs: number, totalMs: number } | null,
 *   clientBound: boolean, clientBoundBecause: string | null, errors: { count: number, byCode: {
 *   code: number | string, count: number, message: string }[] }, notFound: number, notStarted:
 *   number, client: { cpuCores: number, busyRatio: number }, server: { cpuCores: number | null,
 *   cores: number | null }, perSecond: { opsPerSec: number, maxMs?: number | null }[], notes:
 *   string[] }} Measured
 */

/** Width of the chart; a figure stands behind it. */
const CELLS = 44;
/** At most this many errors are named. */
const NAMED_ERRORS = 3;

/** @param {Planned} p @param {Ink} ink */
function renderPlanned(p, ink) {
  return [
    firstLine(p, dryRun(ink, 'nothing was written'), ink),
    ...part('WORKLOAD', `${p.workload}: ${p.say}`, ink),
    ...part('DATA', `${records(p)} ${DATA[p.found] ?? ''}`, ink),
    ...part(
      'DATABASE',
      `${p.database}, ${p.keepData ? 'kept' : 'dropped'} afterwards; no other database is touched`,
      ink,
    ),
    ...part(
      'TAKES',
      `${time(p)}${p.threads === 'auto' ? ', after short runs that find the number of threads' : ''}${p.loadBytes > 0 ? ', and the loading' : ''}`,
      ink,
    ),
    ...part('LOAD', `${loadOf(p)}${p.ratePerSec === null ? CLOSED : ''}`, ink),
    ...part('DISK', `${bytes(p.freeBytes)} free on the server`, ink),
    ...part('OTHERS', `other clients run ${count(p.otherClientsPerSec)} operations/s`, ink),
    ...noteLines(p.notes, ink),
    ...callLines([['Run', p.confirm]], ink),
  ].join('\n');
}

/** @type {Readonly<Record<string, string>>} */
const DATA = Object.freeze({
  reused: 'are reused from an earlier run',
  resumed: 'are partly loaded; loading continues',
  replaced: 'replace other data of a benchmark',
  none: 'will be loaded',
});

/** @param {{ records: number, loadBytes: number }} p */
const records = (p) =>
  `${count(p.records)} records${p.loadBytes > 0 ? ` (about ${bytes(p.loadBytes)})` : ''}`;

/** @param {About} p */
const time = ({ seconds, warmSeconds }) =>
  `${secondsText(seconds)}${warmSeconds > 0 ? ` after a warm-up of ${secondsText(warmSeconds)}` : ''}`;

/** Explains a closed loop: no operation begins while all threads wait. */
const CLOSED = '; each thread waits for its answer';

/** @param {{ ratePerSec: number | null, threads: number | 'auto', processes: number | 'auto' }} load */
const loadOf = ({ ratePerSec, threads, processes }) =>
  ratePerSec === null
    ? `closed loop, threads ${threads}, processes ${processes}`
    : `fixed rate of ${count(ratePerSec)} operations/s, processes ${processes}`;

/** @param {Measured} m @param {Ink} ink */
function renderMeasured(m, ink) {
  const early = m.ended === 'complete' ? '' : `  ${ink(`ended early: ${m.ended}`, 'warn')}`;
  return [
    firstLine(m, `${ink(secondsText(m.tookSeconds), 'faint')}${early}`, ink),
    ...part(
      'RESULT',
      `${count(m.opsPerSec)} operations/s` +
        `${m.documentsPerSec === null ? '' : `, ${count(m.documentsPerSec)} documents/s`}`,
      ink,
      'strong',
    ),
    ...part('WORKLOAD', `${m.workload}, ${count(m.records)} records, ${loadOf(m)}`, ink),
    ...stalls(m, ink),
    ...limit(m, ink),
    ...part(
      'CPUS BUSY',
      `client ${cores(m.client.cpuCores)}, server ` +
        `${cores(m.server.cpuCores)}${m.server.cores === null ? '' : ` of ${m.server.cores}`}`,
      ink,
    ),
    latencies(m, ink),
    ...timeChart(m, ink),
    ...failures(m, ink),
    ...noteLines(m.notes, ink),
  ].join('\n');
}

/**
 * Draws throughput and the slowest operation, second by second. In a longer run a row has the
 * maximum of several seconds, and the minimum where it differs much.
 * @param {Measured} m
 * @param {Ink} ink
 */
function timeChart({ perSecond }, ink) {
  if (perSecond.length === 0) return [];
  const axis = { fromMs: 0, toMs: perSecond.length - 1, width: Math.min(CELLS, perSecond.length) };
  const cells = (/** @type {(number | null)[]} */ values) =>
    cellsOf(
      values.map((value, i) => ({ fromMs: i, toMs: i, value })),
      axis,
    );
  const rates = perSecond.map(({ opsPerSec }) => opsPerSec);
  const slowest = perSecond.flatMap(({ maxMs }) => maxMs ?? []);
  const label = (/** @type {string} */ name) => `  ${name}`.padEnd(HEAD);
  return [
    ...barRows(
      {
        label: label('ops/s'),
        cells: cells(rates),
        says: `max ${count(Math.round(Math.max(...rates)))}`,
        dips: `min ${count(Math.round(Math.min(...rates)))}`,
      },
      ink,
    ),
    ...(slowest.length === 0
      ? []
      : barRows(
          {
            label: label('slowest'),
            cells: cells(perSecond.map(({ maxMs }) => maxMs ?? null)),
            says: `max ${duration(Math.max(...slowest))}`,
          },
          ink,
        )),
  ];
}

/** @param {Measured} m @param {Ink} ink */
function stalls({ stalls: seen }, ink) {
  if (seen === null) return part('STALLS', 'unknown: too few operations', ink, 'faint');
  if (seen.count === 0) return part('STALLS', 'none', ink, 'good');
  return part(
    'STALLS',
    `${seen.count}, longest ${duration(seen.longestMs)}, total ${duration(seen.totalMs)}`,
    ink,
    'bad',
  );
}

/** @param {Measured} m @param {Ink} ink */
function limit({ clientBound, clientBoundBecause, ratePerSec }, ink) {
  if (clientBound) return part('LIMIT', `possibly the client: ${clientBoundBecause}`, ink, 'warn');
  return part(
    'LIMIT',
    ratePerSec === null ? 'not the client: it had CPU time left' : 'the fixed rate',
    ink,
  );
}

/** @param {number | null} used */
const cores = (used) => (used === null ? UNKNOWN : count(Number(used.toFixed(2))));

/** @param {Measured} m @param {Ink} ink */
function latencies({ operations, latencyMs, opsPerSec }, ink) {
  const kinds = Object.entries(operations);
  const rows =
    kinds.length > 1
      ? [...kinds, /** @type {[string, Kind]} */ (['all', { opsPerSec, latencyMs }])]
      : kinds;
  const ms = (/** @type {number} */ value) => count(Number(value.toPrecision(3)));
  return table(
    [
      { head: headed('LATENCY, MS', ink).trimEnd() },
      ...['ops/s', 'mean', 'p50', 'p95', 'p99', 'p99.9', 'max'].map((head) => ({
        head,
        align: /** @type {const} */ ('right'),
      })),
    ],
    rows.map(([kind, { opsPerSec: perSec, latencyMs: l }]) => [
      `  ${kind}`,
      count(Math.round(perSec)),
      ...(l ? [l.mean, l.p50, l.p95, l.p99, l.p999, l.max].map(ms) : Array(6).fill(UNKNOWN)),
    ]),
    ink,
  );
}

/** @param {Measured} m @param {Ink} ink */
function failures({ errors, notFound, notStarted }, ink) {
  const texts = [
    ...errors.byCode
      .slice(0, NAMED_ERRORS)
      .map(
        ({ code, count: n, message }) =>
          `${many(n, 'operation')} failed: error ${code}${message ? `, ${message}` : ''}`,
      ),
    ...(notFound > 0
      ? [`${many(notFound, 'operation')} found no record: not inserted yet, or deleted.`]
      : []),
    ...(notStarted > 0
      ? [
          `${many(notStarted, 'operation')} had not started at the end: no thread was free. ` +
            'Their wait counts in the latencies.',
        ]
      : []),
  ];
  return texts.flatMap((text) => marked('warning', text, ink));
}

/**
 * @param {{
 *   dryRun: boolean, database: string, found: boolean, dropped: boolean, left?: string[]
 * }} cleaned
 * @param {Ink} ink
 */
function renderCleaned({ dryRun: isDry, database, found, dropped, left = [] }, ink) {
  if (!found) return `No database "${visible(database)}" of a benchmark on this server.`;
  const kept =
    left.length === 0
      ? []
      : part(
          dropped ? 'KEPT' : 'WOULD KEEP',
          `${left.join(', ')} in ${database}: not created by tune`,
          ink,
        );
  if (dropped)
    return [
      ...part('DROPPED', left.length === 0 ? database : `benchmark data in ${database}`, ink),
      ...kept,
    ].join('\n');
  const call = callText('bench.clean', {
    database: database === DEFAULT_DATABASE ? undefined : database,
    confirm: true,
  });
  return [
    ...(isDry ? [dryRun(ink, 'nothing was written')] : []),
    ...part('WOULD DROP', left.length === 0 ? database : `benchmark data in ${database}`, ink),
    ...kept,
    ...callLines([['Drop', call]], ink),
  ].join('\n');
}

const DEFAULT_DATABASE = 'tune_bench';

module.exports = { renderPlanned, renderMeasured, renderCleaned };
