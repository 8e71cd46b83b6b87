'use strict';

const { defineCommand } = require('../base/pure/command');
const { flag, number, text } = require('../base/pure/options');
const { loadRules } = require('../rules/registry');
const { diagnose } = require('../diagnose/diagnose');
const { statusOf } = require('../server/pure/status');
const { last } = require('../server/pure/window');
const { report } = require('../text/report');
const { observe } = require('../observe/observe');
const {
  targetOf,
  writeMetrics,
  hostOf,
  metricsText,
  OWN_VERSION,
  writeFailure,
} = require('../report/metrics-file');

/**
 * @import { TuneError } from '../base/pure/errors'
 * @import { Target } from '../base/named-files'
 * @import { Run } from '../report/pure/prometheus/families'
 * @import { Report } from '../text/report'
 * @import { Context } from '../base/types'
 */

module.exports = defineCommand({
  name: 'metrics',
  group: 'Fleet',
  order: 1,
  takes: ['options'],
  usage: 'tune.metrics({ seconds, output, … })',
  summary: 'Prints status and findings in Prometheus text format',
  details:
    'For the textfile collector of node_exporter: docs/monitoring.md, with dashboard ' +
    'and alerts. If the server does not respond, the file says so and has no old ' +
    'values',
  options: {
    seconds: {
      check: number({ min: 0.1, max: 3600 }),
      default: 10,
      description: 'how long to sample',
    },
    output: {
      check: text(),
      description: 'file to write, replaced as a whole; its name must end in .prom',
    },
    serverName: {
      check: text(),
      defaultText: 'its own host name',
      description: 'value of the label "server" of every series',
    },
    includeHost: {
      check: flag(),
      default: true,
      description: 'check the machine too, if mongod runs on it',
    },
  },
  examples: [
    'tune.metrics({ seconds: 10 })',
    'tune.metrics({ seconds: 10, output: "mongosh_tune.prom" }).series',
    'tune metrics --seconds 10 --output mongosh_tune.prom',
  ],
  changes: 'nothing',
  run: metrics,
});

/**
 * The status, the findings and the bottleneck in the text format of Prometheus, for the textfile
 * collector of its node_exporter.
 * @param {Context} ctx
 * @param {{ seconds: number, output?: string, serverName?: string, includeHost: boolean }} options
 * @returns {Promise<{ at: Date, server: string, file: string | null, series: number, text: string,
 *   notes: string[] } & Report>}
 * @throws {TuneError} TUNE-1xxxx for wrong options, TUNE-40005 where the file
 *   cannot be written, TUNE-2xxxx where the server
 *   cannot be examined: the file then says that, and has no old figures
 */
async function metrics(ctx, { seconds, output, serverName, includeHost }) {
  const target = output === undefined ? null : targetOf(output);
  try {
    return answerOf(await runOf(ctx, { seconds, serverName, includeHost }), target);
  } catch (error) {
    if (target !== null) writeFailure(target, serverName, await addressOf(ctx));
    throw error;
  }
}

/**
 * @param {Context} ctx
 * @param {{ seconds: number, serverName: string | undefined, includeHost: boolean }} how
 * @returns {Promise<Run & { notes: string[] }>}
 */
async function runOf(ctx, { seconds, serverName, includeHost }) {
  const observation = await observe(ctx, {
    seconds,
    every: Math.min(1, seconds),
    dataBytes: includeHost,
    machineLevel: includeHost ? 'files' : 'none',
  });
  const { facts, window, notes } = observation;
  const { bottleneck, findings } = diagnose(observation, { engine: loadRules() });
  return {
    server: serverName ?? facts.host ?? hostOf(await addressOf(ctx)),
    atMs: window.to.getTime(),
    tune: OWN_VERSION,
    notes,
    examined: {
      status: statusOf(window, facts),
      counter: (metric) => last(window, metric) ?? null,
      seconds: window.seconds,
      bottleneck,
      findings,
    },
  };
}

/**
 * @param {Run & { notes: string[] }} run
 * @param {Target | null} target
 */
function answerOf(run, target) {
  const made = metricsText(run);
  if (target !== null) writeMetrics(target, made);
  const series = made.split('\n').filter((line) => line !== '' && !line.startsWith('#')).length;
  const data = {
    at: new Date(run.atMs),
    server: run.server,
    file: target?.file ?? null,
    series,
    text: made,
    notes: run.notes,
  };
  return target === null
    ? report(data, () => made.trimEnd(), { verbatim: true })
    : report(data, (ink) => require('../report/pure/written-files').renderMetricsFile(data, ink));
}

/**
 * Finds where the connection leads, with its credentials; a failure must not hide the one before
 * it.
 * @param {Context} ctx
 * @returns {Promise<string>}
 */
const addressOf = (ctx) =>
  ctx.connection().then(
    ({ uri }) => uri,
    () => '',
  );
