'use strict';

const { TuneError } = require('../base/pure/errors');
const { checkOptions, number, oneOf, text, show } = require('../base/pure/options');
const { collectBlockedMoves } = require('../split/blocked-moves');
const { diagnose } = require('../diagnose/diagnose');
const { whatIsWrong, withLimits } = require('../rules/limits');
const { readSuppressions, suppress } = require('../check/pure/suppressions');
const { knownOf, sinceThen } = require('../check/pure/regressions');
const { EXIT_CODES, severe, stateOf } = require('../diagnose/severity');
const { loadRules } = require('../observe/load-rules');
const { perfdataOf } = require('../check/pure/perfdata');
const { metricsOf } = require('../server/pure/metrics');
const { statusOf } = require('../server/pure/status');
const { report } = require('../text/report');
const { gather, everyFor } = require('../observe/gather');
const { valueOrFile, readBaseline, writeBaseline } = require('../check/files');

/**
 * @import { Context } from '../base/context'
 * @import { Option } from '../base/pure/options'
 * @import { Baseline } from '../check/files'
 * @import { Silence } from '../check/pure/suppressions'
 * @import { Gathered } from '../observe/gather'
 * @import { Rule } from '../rules/define-rule'
 * @import { Report } from '../text/report'
 */

/**
 * A value, or the name of a file that holds it.
 * @param {string} what
 * @returns {Option}
 */
const orFile = (what) => ({
  allowed: `${what}, or the name of a YAML or JSON file that holds it`,
  schema: (v) => v.union([v.pipe(v.string(), v.minLength(1)), v.looseObject({}), v.array(v.any())]),
});

const SUPPRESSIONS = 'a list of { key, reason, until }';
const THRESHOLDS = 'a table of rules and their thresholds';
const OPTIONS = {
  seconds: number({ min: 0.1, max: 3600 }),
  fail: oneOf(['warning', 'critical']),
  ignore: orFile(SUPPRESSIONS),
  thresholds: orFile(THRESHOLDS),
  baseline: text(),
  saveBaseline: text(),
};

/**
 * @typedef {{
 *   seconds?: number, fail?: 'warning' | 'critical', ignore?: unknown, thresholds?: unknown,
 *   baseline?: string, saveBaseline?: string
 * }} CheckOptions
 *   `fail`: from what on it is no longer ok; `baseline`: only what is worse than in this file of
 *   `saveBaseline`
 * @typedef {{
 *   rules: readonly Rule[],
 *   suppressions: Silence[],
 *   baseline: Baseline | null
 * }} Terms
 */

/**
 * One word on the server for a monitor, with the findings behind it and figures for its charts.
 * @param {Context} ctx
 * @param {CheckOptions} [options]
 * @returns {Promise<ReturnType<typeof dataOf> & Report>} `perfdata` and
 *   `exitCode` as plugins of Nagios have them
 * @throws {TuneError} TUNE-1xxxx for wrong options, TUNE-2xxxx where the server can not be
 *   examined, TUNE-4xxxx for files
 */
async function check(ctx, options) {
  const {
    seconds = 1,
    fail = 'warning',
    saveBaseline,
    ...given
  } = /** @type {CheckOptions} */ (checkOptions('tune.check', OPTIONS, options));
  // All that can be wrong here is said before the server is looked at.
  const terms = termsOf(given);
  const sample = await gather(ctx, { seconds, every: everyFor(seconds), machine: true });
  const judged = withBlocked(
    diagnose({ ...sample, rules: terms.rules }),
    await collectBlockedMoves(ctx.port),
  );
  if (saveBaseline !== undefined)
    writeBaseline(saveBaseline, {
      at: sample.window.to.toISOString(),
      host: sample.facts.host,
      findings: knownOf(judged.findings),
    });
  const data = dataOf(sample, judged, { ...terms, fail });
  return report(data, (ink) => require('../check/pure/check-text').renderCheck(data, ink));
}

/**
 * Applications are refused until somebody goes on with a move: no counter of the engine shows it.
 * @template {ReturnType<typeof diagnose>} J
 * @param {J} judged
 * @param {Awaited<ReturnType<typeof collectBlockedMoves>>} moves
 * @returns {J}
 */
function withBlocked(judged, moves) {
  const findings = (moves ?? []).map(({ id, from, into, phase }) => ({
    rule: 'split-blocked',
    key: `split-blocked:${id}`,
    status: /** @type {const} */ ('critical'),
    area: 'concurrency',
    change: null,
    source: 'docs/split.md',
    say: `${from} and ${into} refuse every write: their move is unfinished (${phase}).`,
    evidence: { phase },
    advice:
      `tune.split.status(${JSON.stringify(id)}) shows who is at it; if nobody is, ` +
      `tune.split.resume(${JSON.stringify(id)}, { confirm: true }) ends it.`,
  }));
  return findings.length === 0
    ? judged
    : { ...judged, findings: [.../** @type {any} */ (findings), ...judged.findings] };
}

/** @param {CheckOptions} options @returns {Terms} */
function termsOf({ ignore = [], thresholds = {}, baseline }) {
  const ours = loadRules();
  const own = valueOrFile('thresholds', thresholds);
  const wrong = whatIsWrong(ours, own);
  if (wrong !== null)
    throw new TuneError(
      'TUNE-10002',
      `tune.check: "thresholds": ${wrong.say}, not ${show(wrong.value)}.`,
      { value: wrong.value, allowed: wrong.allowed },
    );
  const read = readSuppressions(valueOrFile('ignore', ignore), ours);
  if ('wrong' in read)
    throw new TuneError('TUNE-10002', `tune.check: "ignore": ${read.wrong}.`, {
      value: read.value,
      allowed: SUPPRESSIONS,
    });
  return {
    rules: withLimits(ours, /** @type {any} */ (own)),
    suppressions: read.suppressions,
    baseline: baseline === undefined ? null : readBaseline(baseline),
  };
}

/**
 * @param {Gathered} sample
 * @param {ReturnType<typeof diagnose>} judged
 * @param {Terms & { fail: 'warning' | 'critical' }} terms
 */
function dataOf({ window, facts, ended, notes }, judged, { rules, suppressions, baseline, fail }) {
  const since = sinceThen(severe(judged.findings), baseline?.findings ?? {});
  const { findings, suppressed, unused } = suppress(
    since.findings,
    suppressions,
    window.to.getTime(),
  );
  const status = stateOf(findings, { fail, isWhole: ended === 'complete' });
  const metrics = metricsOf(window, facts);
  return {
    at: window.to,
    host: facts.host,
    version: facts.version,
    status,
    exitCode: EXIT_CODES[status],
    seconds: window.seconds,
    bottleneck: judged.bottleneck,
    because: judged.because,
    findings,
    suppressed,
    known: since.known,
    perfdata: perfdataOf(statusOf(window, facts, metrics), {
      queued: metrics['clients.queued'] ?? null,
      limits: Object.fromEntries(rules.map(({ id, limits }) => [id, limits])),
    }),
    notes: [
      ...notes,
      ...unused
        .filter((key) => !since.known.some((one) => one.key === key || one.rule === key))
        .map((key) => `${key} is silenced, and was not found.`),
      ...(baseline !== null && baseline.host !== facts.host
        ? [`The baseline is of another server, ${baseline.host}.`]
        : []),
      ...(since.gone.length > 0
        ? [`No longer found since the baseline: ${since.gone.join(', ')}.`]
        : []),
    ],
  };
}

module.exports = { check, OPTIONS };
