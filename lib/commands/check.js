'use strict';

const { defineCommand } = require('../base/pure/command');
const { TuneError } = require('../base/pure/errors');
const { number, oneOf, text, show } = require('../base/pure/options');
const { collectBlockedMoves } = require('../split/blocked-moves');
const { diagnose } = require('../diagnose/diagnose');
const { whatIsWrong, withThresholds } = require('../rules/own-thresholds');
const {
  readSuppressions,
  suppress,
  knownOf,
  sinceThen,
} = require('../check/pure/accepted-findings');
const { EXIT_CODES, severe, stateOf } = require('../base/pure/finding');
const { loadRules } = require('../rules/registry');
const { perfdataOf } = require('../check/pure/check-text');
const { metricsOf } = require('../server/pure/metrics');
const { statusOf } = require('../server/pure/status');
const { report } = require('../text/report');
const { observe, everyFor } = require('../observe/observe');
const { valueOrFile, readBaseline, writeBaseline } = require('../check/files');

/**
 * @import { Option } from '../base/pure/options'
 * @import { Baseline } from '../check/files'
 * @import { Suppression } from '../check/pure/accepted-findings'
 * @import { Diagnosis } from '../diagnose/diagnose'
 * @import { Observation } from '../observe/types'
 * @import { Rule } from '../rules/rule'
 * @import { Report } from '../text/report'
 * @import { Context } from '../base/types'
 */

/**
 * Makes an option that takes a value, or the name of a file that holds it.
 * @param {string} what
 * @returns {Option}
 */
const orFile = (what) => ({
  allowed: `${what}, or the name of a YAML or JSON file that holds it`,
  schema: (v) => v.union([v.pipe(v.string(), v.minLength(1)), v.looseObject({}), v.array(v.any())]),
});

const SUPPRESSIONS = 'a list of { key, reason, until }';
const THRESHOLDS = 'a table of rules and their thresholds';
module.exports = defineCommand({
  name: 'check',
  group: 'Diagnose',
  order: 2,
  takes: ['options'],
  usage: 'tune.check({ seconds, failOn, … })',
  summary: 'Health check with a Nagios-style exit code',
  details:
    'In scripts: mongosh "$URI" --quiet --file …/snippets/check.js ends with 0, 1, 2 or 3; ' +
    'docs/runbook.md',
  options: {
    seconds: {
      check: number({ min: 0.1, max: 3600 }),
      default: 1,
      description: 'how long to sample',
    },
    failOn: {
      check: oneOf(['warning', 'critical']),
      default: 'warning',
      description: '"critical": a warning is still ok',
    },
    suppress: {
      check: orFile(SUPPRESSIONS),
      description:
        'findings to suppress: a list of { key, reason, until }, or a YAML or JSON ' +
        'file with it',
    },
    thresholds: {
      check: orFile(THRESHOLDS),
      description:
        'your own thresholds, as { "checkpoint-duration": { longMs: 30000 } }, or a ' +
        'YAML or JSON file with them',
    },
    baseline: {
      check: text(),
      description: 'baseline file of saveBaseline: only new or worse findings count',
    },
    saveBaseline: { check: text(), description: 'file to save the current findings to' },
  },
  examples: [
    'tune.check({ seconds: 1 })',
    'tune.check({ failOn: "critical", suppress: [{ key: "tickets", reason: "import", until: ' +
      '"2099-12-31" }] }).exitCode',
    'tune check --seconds 1 --failOn critical',
  ],
  changes: 'nothing',
  onMongos: 'tune.members() checks each member of each shard; let a monitor check each of them',
  run: check,
});

/**
 * @typedef {{
 *   seconds: number, failOn: 'warning' | 'critical', suppress?: unknown, thresholds?: unknown,
 *   baseline?: string, saveBaseline?: string
 * }} CheckOptions
 * @typedef {{
 *   rules: readonly Rule[],
 *   suppressions: Suppression[],
 *   baseline: Baseline | null
 * }} Terms
 */

/**
 * One status for a monitor, with findings and perfdata.
 * @param {Context} ctx
 * @param {CheckOptions} options
 * @returns {Promise<ReturnType<typeof dataOf> & Report>} `perfdata` and
 *   `exitCode` as plugins of Nagios have them
 * @throws {TuneError} TUNE-1xxxx for wrong options, TUNE-2xxxx where the server cannot be
 *   examined, TUNE-4xxxx for files
 */
async function check(ctx, { seconds, failOn, saveBaseline, ...given }) {
  // Report wrong options before the server is asked.
  const terms = termsOf(given);
  const observation = {
    ...(await observe(ctx, { seconds, every: everyFor(seconds), machineLevel: 'diagnostics' })),
    blockedMoves: (await collectBlockedMoves(ctx.port)) ?? [],
  };
  const diagnosis = diagnose(observation, { engine: terms.rules });
  if (saveBaseline !== undefined)
    writeBaseline(saveBaseline, {
      at: observation.window.to.toISOString(),
      host: observation.facts.host,
      findings: knownOf(diagnosis.findings),
    });
  const data = dataOf(observation, diagnosis, { ...terms, failOn });
  return report(data, (ink) => require('../check/pure/check-text').renderCheck(data, ink));
}

/** @param {Pick<CheckOptions, 'suppress' | 'thresholds' | 'baseline'>} options @returns {Terms} */
function termsOf({ suppress = [], thresholds = {}, baseline }) {
  const ours = loadRules();
  const own = valueOrFile('thresholds', thresholds);
  const wrong = whatIsWrong(ours, own);
  if (wrong !== null)
    throw new TuneError(
      'TUNE-10002',
      `tune.check: "thresholds": ${wrong.say}, not ${show(wrong.value)}.`,
      { value: wrong.value, allowed: wrong.allowed },
    );
  const read = readSuppressions(valueOrFile('suppress', suppress), ours);
  if ('wrong' in read)
    throw new TuneError('TUNE-10002', `tune.check: "suppress": ${read.wrong}.`, {
      value: read.value,
      allowed: SUPPRESSIONS,
    });
  return {
    rules: withThresholds(ours, /** @type {any} */ (own)),
    suppressions: read.suppressions,
    baseline: baseline === undefined ? null : readBaseline(baseline),
  };
}

/**
 * @param {Observation} observation
 * @param {Diagnosis} diagnosis
 * @param {Terms & { failOn: 'warning' | 'critical' }} terms
 */
function dataOf(
  { window, facts, ended, notes },
  diagnosis,
  { rules, suppressions, baseline, failOn },
) {
  const since = sinceThen(severe(diagnosis.findings), baseline?.findings ?? {});
  const { findings, suppressed, unused } = suppress(
    since.findings,
    suppressions,
    window.to.getTime(),
  );
  const status = stateOf(findings, { failOn, isWhole: ended === 'complete' });
  const metrics = metricsOf(window, facts);
  return {
    at: window.to,
    host: facts.host,
    version: facts.version,
    status,
    exitCode: EXIT_CODES[status],
    seconds: window.seconds,
    bottleneck: diagnosis.bottleneck,
    because: diagnosis.because,
    findings,
    suppressed,
    inBaseline: since.inBaseline,
    perfdata: perfdataOf(statusOf(window, facts, metrics), {
      queued: metrics['clients.queued'] ?? null,
      ofRules: Object.fromEntries(rules.map(({ id, thresholds }) => [id, thresholds])),
    }),
    notes: [
      ...notes,
      ...unused
        .filter(
          (key) => !since.inBaseline.some((finding) => finding.key === key || finding.rule === key),
        )
        .map((key) => `${key} is suppressed, but was not found.`),
      ...(baseline !== null && baseline.host !== facts.host
        ? [`The baseline was saved for another server, ${baseline.host}.`]
        : []),
      ...(since.gone.length > 0
        ? [`No longer found since the baseline: ${since.gone.join(', ')}.`]
        : []),
    ],
  };
}
