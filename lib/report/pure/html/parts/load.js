'use strict';

const { count, duration, secondsText, UNKNOWN } = require('../../../../base/pure/units');
const {
  html,
  bar,
  commands,
  facts,
  table,
  verdictOf,
  showTime,
  showValue,
} = require('../elements');
const { right } = require('./samples');

/**
 * @import { BenchAnswer, BenchRun, ServersAnswer, Shown, StepsAnswer } from '../../../types'
 */

/** @param {number | null | undefined} value */
const ms = (value) =>
  value === null || value === undefined ? UNKNOWN : count(Number(value.toPrecision(3)));

/** @param {any} about */
const load = ({ workload, records, seconds, threads, processes }) => [
  workload,
  `${count(records)} records`,
  secondsText(seconds),
  `threads ${threads}, processes ${processes}`,
];

/** @param {string} what @param {string} id @param {string} confirm */
const planned = (what, id, confirm) =>
  html`${verdictOf('info', { label: what, answer: 'DRY RUN', because: 'Nothing was written.' })}${commands([['Run', confirm, id]])}`;

/**
 * Shows a benchmark, or the plan of one.
 * @param {BenchAnswer} bench
 * @param {string} key
 * @returns {Shown}
 */
function showBench(bench, key) {
  const { notes } = bench;
  if (bench.dryRun)
    return {
      name: 'Benchmark',
      sub: load(bench),
      lead: planned('Benchmark', `confirm${key}`, bench.confirm),
      before: [],
      after: [],
      notes,
    };
  return {
    name: 'Benchmark',
    sub: [...load(bench), `${showTime(bench.at)} UTC`],
    lead: measured(bench),
    before: [],
    after: [
      { id: `latencies${key}`, title: 'Latency', body: latencies(bench) },
      ...errorsPart(bench, key),
    ],
    notes,
  };
}

/** @param {BenchRun} bench */
const measured = ({
  opsPerSec,
  latencyMs,
  stalls,
  clientBound,
  clientBoundBecause,
  ended,
  client,
  server,
}) =>
  html`${verdictOf(clientBound || ended !== 'complete' ? 'warning' : 'ok', {
    label: 'Throughput',
    answer: `${count(Math.round(opsPerSec))} operations/s`,
    because:
      (clientBound
        ? `The client was the limit: ${sentenceEnd(String(clientBoundBecause))}`
        : 'The client was not the limit.') +
      (ended === 'complete' ? '' : ` Ended early: ${ended}.`),
  })}${facts([
    [
      'Latency p50, p95, p99',
      latencyMs === null
        ? UNKNOWN
        : `${ms(latencyMs.p50)}, ${ms(latencyMs.p95)}, ${ms(latencyMs.p99)} ms`,
    ],
    ['Stalls', stallsText(stalls)],
    ['CPU cores used', `client ${ms(client.cpuCores)}, server ${ms(server.cpuCores)}`],
  ])}`;

/** @param {string} text */
const sentenceEnd = (text) => (text.endsWith('.') ? text : `${text}.`);

/**
 * Counts the stalls and their length.
 * @param {{ count: number, longestMs: number, totalMs: number } | null} stalls
 */
function stallsText(stalls) {
  if (stalls === null) return 'unknown: too few operations';
  if (stalls.count === 0) return 'none';
  return `${stalls.count}, longest ${duration(stalls.longestMs)}, total ${duration(stalls.totalMs)}`;
}

/** @param {BenchRun} bench */
function latencies({ operations, opsPerSec, latencyMs }) {
  const all = /** @type {[string, any][]} */ ([
    ...Object.entries(operations),
    ['all', { opsPerSec, latencyMs }],
  ]);
  const rows = all.map(([kind, operations]) => [
    kind,
    count(Math.round(operations.opsPerSec)),
    ...['mean', 'p50', 'p95', 'p99', 'p999', 'max'].map((name) => ms(operations.latencyMs?.[name])),
  ]);
  return table(
    'Latency in ms, by operation',
    [{ head: 'operation' }, ...['ops/s', 'mean', 'p50', 'p95', 'p99', 'p99.9', 'max'].map(right)],
    rows,
  );
}

/** @param {BenchRun} bench @param {string} key */
const errorsPart = ({ errors }, key) =>
  errors.count === 0
    ? []
    : [
        {
          id: `errors${key}`,
          title: 'Errors',
          body: table(
            'Errors by code',
            [{ head: 'code' }, right('count'), { head: 'message' }],
            errors.byCode.map((error) => [String(error.code), count(error.count), error.message]),
          ),
        },
      ];

/**
 * Shows several servers that were measured in turn.
 * @param {ServersAnswer} compared
 * @param {string} key
 * @returns {Shown}
 */
function showServers(compared, key) {
  const { dryRun, servers, roundsPlanned } = compared;
  const sub = [
    compared.workload,
    `${count(compared.records)} records`,
    `${roundsPlanned} rounds of ${secondsText(compared.seconds)}`,
  ];
  const rows = servers.map((s, i) => [
    String.fromCharCode(65 + i),
    [s.host ?? UNKNOWN, s.version, s.files].filter(Boolean).join('  '),
    ...(dryRun
      ? []
      : [
          count(Math.round(s.opsPerSec)),
          ms(s.p95Ms),
          ms(s.p99Ms),
          count(s.stalls),
          times(s.ratio),
          s.low === null ? '' : `${times(s.low)} to ${times(s.high)}`,
          i === 0 ? '' : s.verdict,
        ]),
  ]);
  const columns = [
    { head: '' },
    { head: 'server' },
    ...(dryRun
      ? []
      : [
          ...['operations/s', 'p95 ms', 'p99 ms', 'stalls', '÷ A', '95% interval'].map(right),
          { head: 'result' },
        ]),
  ];
  return {
    name: 'Servers compared',
    sub,
    lead: dryRun ? planned('Comparison', `confirm${key}`, compared.confirm ?? '') : null,
    before: [
      {
        id: `servers${key}`,
        title: 'Servers',
        body: table('The same load on each server', columns, rows),
      },
    ],
    after: [],
    notes: [],
  };
}

/** @param {number | null | undefined} value */
const times = (value) => (value === null || value === undefined ? '' : value.toFixed(2));

/**
 * Shows steps that were taken one on top of the other.
 * @param {StepsAnswer} answer
 * @param {string} key
 * @returns {Shown}
 */
function showSteps(answer, key) {
  const { dryRun, measuredSteps = [], steps = [], because } = answer;
  const sub = [
    answer.workload,
    `${count(answer.records)} records`,
    `${secondsText(answer.seconds)} per step`,
  ];
  if (dryRun) return showPlannedSteps(sub, steps, key);
  const gained = measuredSteps.filter(({ kind, took }) => took && kind === 'step');
  const last = gained.at(-1);
  const max = Math.max(1, ...measuredSteps.map(({ ratio }) => ratio ?? 0));
  const lead = verdictOf((last?.ratio ?? 1) >= 1 ? 'ok' : 'critical', {
    label: 'All steps together',
    answer: last ? `×${times(last.ratio)}` : 'not measured',
    because: because ?? 'Throughput against the baseline, corrected for drift.',
  });
  const rows = measuredSteps.map((r) => [
    r.name,
    ...(r.took
      ? [
          showValue('PerSec', r.opsPerSec),
          times(r.gain),
          times(r.ratio),
          ms(r.p95Ms),
          count(r.stalls),
        ]
      : ['not applied', '', '', '', '']),
    r.took && r.ratio ? bar(r.ratio / max, r.kind === 'step' ? 'b' : 'a') : '',
  ]);
  return {
    name: 'Steps',
    sub,
    lead,
    before: [
      {
        id: `steps${key}`,
        title: 'Gain of each step',
        body: table(
          'Each step on top of those before it',
          [
            { head: 'step' },
            right('throughput'),
            right('÷ before'),
            right('÷ baseline'),
            right('p95 ms'),
            right('stalls'),
            { head: '' },
          ],
          rows,
        ),
      },
    ],
    after: [],
    notes: [],
  };
}

/**
 * Shows a sequence that was only planned: its steps, in their order.
 * @param {readonly string[]} sub
 * @param {NonNullable<StepsAnswer['steps']>} steps
 * @param {string} key
 * @returns {Shown}
 */
const showPlannedSteps = (sub, steps, key) => ({
  name: 'Steps',
  sub,
  lead: verdictOf('info', { label: 'Steps', answer: 'DRY RUN', because: 'Nothing was changed.' }),
  before: [
    {
      id: `steps${key}`,
      title: 'Planned steps',
      body: html`<ol>${steps.map(({ name, kind }) => html`<li>${name}${kind === 'host' && ' (manual)'}</li>`)}</ol>`,
    },
  ],
  after: [],
  notes: [],
});

module.exports = { showBench, showServers, showSteps };
