'use strict';

const { checkOptions, flag, number, text } = require('../base/pure/options');
const { loadRules } = require('../rules/registry');
const { diagnose } = require('../diagnose/diagnose');
const { hostsIn } = require('../cluster/pure/fleet-list');
const { statusOf } = require('../server/pure/status');
const { last } = require('../server/pure/window');
const { exposition, familiesOf } = require('../report/pure/prometheus/families');
const { report } = require('../text/report');
const { observe } = require('../observe/observe');
const { nameBefore, targetOf, writeMetrics } = require('../check/metrics-file');

/**
 * @import { Context } from '../base/context'
 * @import { TuneError } from '../base/pure/errors'
 * @import { Target } from '../base/write-page'
 * @import { Run } from '../report/pure/prometheus/families'
 * @import { Report } from '../text/report'
 */

const OPTIONS = {
  seconds: number({ min: 0.1, max: 3600 }),
  file: text(),
  name: text(),
  host: flag(),
};
/** A server that neither tells its name nor was connected to. */
const UNNAMED = 'unknown';
const { version: OWN_VERSION } = require('../../package.json');

/**
 * The status, the findings and the bottleneck in the text format of Prometheus, for the textfile
 * collector of its node_exporter.
 * @param {Context} ctx
 * @param {{ seconds?: number, file?: string, name?: string, host?: boolean }} [options] `seconds`
 *   to look; `file`: where it is written, whole or not at all,
 *   over what was there; `name`: of the server, the label of every series (what it calls itself);
 *   `host`: as of tune.advise()
 * @returns {Promise<{ at: Date, server: string, file: string | null, series: number, text: string,
 *   notes: string[] } & Report>}
 * @throws {TuneError} TUNE-1xxxx for wrong options, TUNE-40005 where the file
 *   can not be written, TUNE-2xxxx where the server
 *   can not be examined: the file then says that, and has no old figures
 */
async function metrics(ctx, options) {
  const { seconds = 10, file, name, host = true } = checkOptions('tune.metrics', OPTIONS, options);
  const target = file === undefined ? null : targetOf(file);
  try {
    return answerOf(await runOf(ctx, { seconds, name, host }), target);
  } catch (error) {
    if (target !== null) writeFailure(target, name, await addressOf(ctx));
    throw error;
  }
}

/**
 * What a run that could not look leaves behind: when it was, and no figures of the run before.
 * @param {Target} target
 * @param {string | undefined} name
 * @param {string} uri
 */
function writeFailure(target, name, uri) {
  writeMetrics(
    target,
    textOf({
      server: name ?? nameBefore(target) ?? (hostsIn(uri) || UNNAMED),
      atMs: Date.now(),
      tune: OWN_VERSION,
      examined: null,
    }),
  );
}

/**
 * @param {Context} ctx
 * @param {{ seconds: number, name: string | undefined, host: boolean }} how
 * @returns {Promise<Run & { notes: string[] }>}
 */
async function runOf(ctx, { seconds, name, host }) {
  const observation = await observe(ctx, {
    seconds,
    every: Math.min(1, seconds),
    dataBytes: host,
    machine: host ? 'files' : 'none',
  });
  const { facts, window, notes } = observation;
  const { bottleneck, findings } = diagnose(observation, { engine: loadRules() });
  return {
    server: name ?? facts.host ?? (hostsIn(await addressOf(ctx)) || UNNAMED),
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

/** @param {Run} run */
const textOf = (run) => exposition(familiesOf(run));

/**
 * @param {Run & { notes: string[] }} run
 * @param {Target | null} target
 */
function answerOf(run, target) {
  const made = textOf(run);
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
    : report(data, (ink) => require('../check/pure/metrics-text').renderMetricsFile(data, ink));
}

/**
 * Where the connection leads, with its credentials; a failure must not hide the one before it.
 * @param {Context} ctx
 * @returns {Promise<string>}
 */
const addressOf = (ctx) =>
  ctx.connection().then(
    ({ uri }) => uri,
    () => '',
  );

module.exports = { metrics, writeFailure, OPTIONS };
