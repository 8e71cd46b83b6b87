'use strict';

const { callText } = require('../../base/pure/literal');
const { bytes, count, duration, UNKNOWN } = require('../../base/pure/units');
const { visible } = require('../../base/pure/visible');
const { labelled, wrap } = require('../../text/wrap');
const { barRows, cellsOf } = require('../../text/chart');
const { table } = require('../../text/table');

/**
 * @import { Ink, Tone } from '../../base/types'
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

const LABEL = 12;
/** Of the chart, with room for a figure behind it. */
const CELLS = 50;

/** @param {Pick<About, 'host' | 'version'>} about @param {string} what @param {Ink} ink */
const headline = ({ host, version }, what, ink) =>
  `${ink(visible(host ?? UNKNOWN), 'strong')}  MongoDB ${visible(version ?? UNKNOWN)}  ${what}`;

/**
 * @param {string} label
 * @param {string} text
 * @param {(text: string) => string} [paint]
 * @returns {string[]}
 */
const row = (label, text, paint = (plain) => plain) =>
  wrap(text, ' '.repeat(LABEL), label.padEnd(LABEL)).map(
    (line) => line.slice(0, LABEL) + paint(line.slice(LABEL)),
  );

/** @param {Ink} ink @param {Tone} tone */
const tone = (ink, tone) => (/** @type {string} */ text) => ink(text, tone);

/** @param {string[]} notes @param {Ink} ink */
const noteLines = (notes, ink) =>
  notes.flatMap((note) => wrap(note, '      ', 'note: ')).map((line) => ink(line, 'faint'));

/** @param {Planned} p @param {Ink} ink */
function renderPlanned(p, ink) {
  return [
    headline(p, ink('DRY RUN: nothing was written', 'accent'), ink),
    '',
    ...row('workload', `${p.workload}: ${p.say}`),
    ...row('data', `${records(p)} ${DATA[p.found] ?? ''}`),
    ...row(
      'database',
      `${p.database}, ${p.keepData ? 'kept afterwards' : 'dropped afterwards'}; no other is touched`,
    ),
    ...row(
      'time',
      `${time(p)}${p.threads === 'auto' ? ', after short runs that find the number of threads' : ''}${p.loadBytes > 0 ? ', and the loading' : ''}`,
    ),
    ...row(
      'load',
      p.ratePerSec === null
        ? `closed loop, threads ${p.threads}, processes ${p.processes}`
        : `open loop, ${count(p.ratePerSec)} operations/s, processes ${p.processes}`,
    ),
    ...row('disk', `${bytes(p.freeBytes)} free on the server`),
    ...row('others', `${count(p.otherClientsPerSec)} operations/s`),
    '',
    ...noteLines(p.notes, ink),
    ...labelled('to run it:  ', p.confirm, tone(ink, 'strong')),
  ].join('\n');
}

/** @type {Readonly<Record<string, string>>} */
const DATA = Object.freeze({
  reused: 'are there from a run before',
  resumed: 'are partly there; the loading goes on',
  replaced: 'take the place of other data of a benchmark',
  none: 'are loaded',
});

/** @param {{ records: number, loadBytes: number }} p */
const records = (p) =>
  `${count(p.records)} records${p.loadBytes > 0 ? ` (about ${bytes(p.loadBytes)})` : ''}`;

/** @param {About} p */
const time = ({ seconds, warmSeconds }) =>
  `${duration(seconds * 1000)}${warmSeconds > 0 ? ` after ${duration(warmSeconds * 1000)} of warming up` : ''}`;

/** @param {Measured} m @param {Ink} ink */
function renderMeasured(m, ink) {
  return [
    headline(
      m,
      `${m.workload}, ${count(m.records)} records, ` +
        `${duration(m.tookSeconds * 1000)}${m.ended === 'complete' ? '' : ink(` (${m.ended})`, 'warn')}`,
      ink,
    ),
    ...row(
      '',
      `${m.ratePerSec === null ? 'closed loop' : `open loop, ${count(m.ratePerSec)} operations/s wanted`}, ` +
        `threads ${m.threads}, processes ${m.processes}`,
    ),
    '',
    ...row(
      'throughput',
      `${count(m.opsPerSec)} ` +
        `operations/s${m.documentsPerSec === null ? '' : `, ${count(m.documentsPerSec)} documents/s`}`,
      tone(ink, 'strong'),
    ),
    ...timeChart(m, ink),
    ...stalls(m, ink),
    ...limit(m, ink),
    ...row(
      'CPUs',
      `client ${cores(m.client.cpuCores)}, server ` +
        `${cores(m.server.cpuCores)}${m.server.cores === null ? '' : ` of ${m.server.cores}`}`,
    ),
    '',
    latencies(m, ink),
    ...troubles(m, ink),
    ...noteLines(m.notes, ink),
  ]
    .join('\n')
    .trimEnd();
}

/**
 * Throughput and the slowest operation, second by second; of a longer run the most of each few, and
 * the least where it is another picture.
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
  return [
    ...barRows(
      {
        label: 'ops/s'.padEnd(LABEL),
        cells: cells(rates),
        says: `up to ${count(Math.round(Math.max(...rates)))}`,
        dips: `least ${count(Math.round(Math.min(...rates)))}`,
      },
      ink,
    ),
    ...(slowest.length === 0
      ? []
      : barRows(
          {
            label: 'slowest'.padEnd(LABEL),
            cells: cells(perSecond.map(({ maxMs }) => maxMs ?? null)),
            says: `up to ${duration(Math.max(...slowest))}`,
          },
          ink,
        )),
  ];
}

/** @param {Measured} m @param {Ink} ink */
function stalls({ stalls: seen }, ink) {
  if (seen === null)
    return row('stalls', 'not known: too few operations to tell', tone(ink, 'faint'));
  if (seen.count === 0) return row('stalls', 'none', tone(ink, 'good'));
  return row(
    'stalls',
    `${seen.count}, the longest ${duration(seen.longestMs)}, together ${duration(seen.totalMs)}`,
    tone(ink, 'bad'),
  );
}

/** @param {Measured} m @param {Ink} ink */
function limit({ clientBound, clientBoundBecause, ratePerSec }, ink) {
  if (clientBound) return row('limit', `the client: ${clientBoundBecause}`, tone(ink, 'warn'));
  return row('limit', ratePerSec === null ? 'not the client' : 'not the client: the rate is given');
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
      { head: 'latency, ms' },
      ...['ops/s', 'mean', 'p50', 'p95', 'p99', 'p99.9', 'max'].map((head) => ({
        head,
        align: /** @type {const} */ ('right'),
      })),
    ],
    rows.map(([kind, { opsPerSec: perSec, latencyMs: l }]) => [
      kind,
      count(Math.round(perSec)),
      ...(l ? [l.mean, l.p50, l.p95, l.p99, l.p999, l.max].map(ms) : Array(6).fill(UNKNOWN)),
    ]),
    ink,
  );
}

/** @param {Measured} m @param {Ink} ink */
function troubles({ errors, notFound, notStarted }, ink) {
  return [
    ...errors.byCode
      .slice(0, 3)
      .flatMap(({ code, count: n, message }) =>
        wrap(`${count(n)} with error ${code}${message ? `: ${message}` : ''}`, '  ', '! '),
      ),
    ...(notFound > 0
      ? wrap(`${count(notFound)} found no record: it was not yet, or no longer, there.`, '  ', '! ')
      : []),
    ...(notStarted > 0
      ? wrap(
          `${count(notStarted)} had not begun at the end, because no thread was free at ` +
            'their moment; their waiting counts in the latencies.',
          '  ',
          '! ',
        )
      : []),
  ].map((line) => ink(line, 'warn'));
}

/**
 * @param {{
 *   dryRun: boolean, database: string, found: boolean, dropped: boolean, left?: string[]
 * }} cleaned
 */
function renderCleaned({ dryRun, database: name, found, dropped, left = [] }) {
  const database = visible(name);
  if (!found) return `There is no database "${database}" of a benchmark.`;
  const others = left.map(visible).join(', ');
  if (dropped)
    return left.length === 0
      ? `The database "${database}" is gone.`
      : `The data of benchmarks in "${database}" is gone. What others made stays: ${others}.`;
  return (
    `${dryRun ? 'Only shown: ' : ''}the database "${database}" would be dropped` +
    `${left.length === 0 ? '' : `, but for what others made: ${others}`}.\nto do it:  ` +
    callText('bench.clean', {
      database: name === DEFAULT_DATABASE ? undefined : name,
      confirm: true,
    })
  );
}

const DEFAULT_DATABASE = 'tune_bench';

module.exports = { renderPlanned, renderMeasured, renderCleaned };
