'use strict';

const { checkChange, plainChange, showChange } = require('../config/change');
const { loadHostRules } = require('../rules/registry');
const { isNamed } = require('../rules/rule');
const { TuneError } = require('../base/pure/errors');
const { show } = require('../base/pure/options');
const { judgeHost } = require('../rules/runner');
const { textsOf } = require('../host/pure/script-texts');
const { sleep } = require('../base/context');
const { examineHost } = require('../host/examine-host');

/**
 * @import { Change, Context } from '../base/types'
 * @import { HostPart } from '../host/pure/host'
 */

/**
 * Reads the steps that a person wants measured, and waits for one that the person takes on the
 * machine.
 */

/**
 * Waits until the user has taken a step on the machine and a check shows its effect.
 * @typedef {{ took: boolean, why: string | null }} Taken `why`: what shows that it has not taken
 *   effect, as far as is known
 */

const SAMPLE_SECONDS = 1;
const BETWEEN_MS = 2000;

/**
 * @param {Context} ctx
 * @param {HostStep} step
 * @param {number} waitSeconds
 * @returns {Promise<Taken>}
 */
async function awaitHostStep(ctx, step, waitSeconds) {
  const until = performance.now() + waitSeconds * 1000;
  let state = await sampleFor(ctx, step);
  if (!state.took)
    ctx.terminal.write(
      "\ntune.bench.steps: the next step is yours. On the server's machine, as " +
        `root:

${indented(state.script ?? step.script ?? step.name)}

tune continues ` +
        'when the check shows that it is active.\n',
    );
  while (!state.took && performance.now() < until) {
    ctx.progress(
      `tune.bench.steps: waiting for "${step.name}", ` +
        `${Math.ceil((until - performance.now()) / 1000)} s left; Ctrl-C ends it`,
    );
    await sleep(BETWEEN_MS, ctx.signal);
    state = await sampleFor(ctx, step);
  }
  ctx.progress(null);
  return { took: state.took, why: state.took ? null : state.why };
}

/**
 * @param {Context} ctx
 * @param {HostStep} step
 * @returns {Promise<Taken & { script: string | null }>}
 */
async function sampleFor(ctx, step) {
  const { part, place } = await examineHost(
    { ...ctx, progress: () => {} },
    { seconds: SAMPLE_SECONDS, interface: null },
  );
  if (step.rule !== null) return judged(step.rule, part, place.pid);
  if (typeof step.check === 'function')
    return { took: Boolean(step.check(part.values)), why: 'its check fails', script: null };
  const values = /** @type {Record<string, unknown>} */ (part.values);
  const unlike = Object.entries(step.check ?? {}).filter(
    ([name, wanted]) => !same(values[name], wanted),
  );
  return {
    took: unlike.length === 0,
    why:
      unlike
        .map(
          ([name, wanted]) =>
            `${name} is ${JSON.stringify(values[name]) ?? 'not known'}, not ` +
            `${JSON.stringify(wanted)}`,
        )
        .join('; ') || null,
    script: null,
  };
}

/** @param {unknown} seen @param {unknown} wanted */
const same = (seen, wanted) =>
  JSON.stringify(seen) === JSON.stringify(wanted) && seen !== undefined;

/**
 * @param {string} id
 * @param {HostPart} part
 * @param {number | null} pid
 * @returns {Taken & { script: string | null }}
 */
function judged(id, part, pid) {
  const [finding] = judgeHost(
    loadHostRules().filter((rule) => isNamed(rule, id)),
    part,
  );
  const took = finding.status === 'ok' || (finding.status === 'info' && finding.fixes.length === 0);
  return {
    took,
    why: finding.message,
    script: textsOf(finding.fixes, { rule: id, pid, unit: part.values['process.unit'] ?? null })
      .apply,
  };
}

/** @param {string} text */
const indented = (text) =>
  text
    .trim()
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n');

/**
 * @typedef {Record<string, unknown> | ((values: any) => boolean)} Check values of tune.host() by
 *   their names, or a function of all values
 * @typedef {{ kind: 'engine', name: string, change: Change }} EngineStep
 * @typedef {{
 *   kind: 'host', name: string, rule: string | null, script: string | null, check: Check | null
 * }} HostStep `rule`: a rule of tune.host(), whose finding has the script and says whether the step
 *   took; `script`: what the person wrote
 * @typedef {EngineStep | HostStep} WantedStep
 */

const MAX = 30;
const ALLOWED = 'a list such as [{ cacheSizeGB: 2 }, { host: "host-writeback-timing" }]';
const LONGEST_NAME = 40;

/**
 * @param {unknown} given
 * @param {string | null} version the server's version; null: not known yet
 * @returns {WantedStep[]}
 * @throws {TuneError} TUNE-10002 to TUNE-10004, TUNE-30001
 */
function readSteps(given, version) {
  if (given === undefined)
    throw new TuneError('TUNE-10004', `tune.bench.steps needs ${ALLOWED}.`, { allowed: ALLOWED });
  if (!Array.isArray(given) || given.length === 0 || given.length > MAX)
    throw new TuneError(
      'TUNE-10002',
      `tune.bench.steps: the steps must be ${ALLOWED}, of up to ${MAX}, not ${show(given)}.`,
      { value: given, allowed: ALLOWED },
    );
  return given.map((step) =>
    step !== null && typeof step === 'object' && 'host' in step
      ? hostStep(step)
      : engineStep(step, version),
  );
}

/** @param {any} given @param {string | null} version @returns {EngineStep} */
function engineStep(given, version) {
  const change = checkChange(plainChange(given?.change ?? given), version);
  if ('syncdelaySeconds' in change)
    throw new TuneError(
      'TUNE-10002',
      'tune.bench.steps: syncdelaySeconds counts from the next start of the server, so it cannot ' +
        'be a step here.',
      { value: change, allowed: ALLOWED },
    );
  return { kind: 'engine', name: showChange(change), change };
}

/** @param {{ host: unknown, check?: unknown }} given @returns {HostStep} */
function hostStep({ host, check, ...rest }) {
  const odd = Object.keys(rest);
  if (typeof host !== 'string' || host.trim() === '' || odd.length > 0)
    throw new TuneError(
      'TUNE-10002',
      'tune.bench.steps: a host step must be { host: "rule of tune.host(), or a ' +
        `script", check: { … } }, not ${show(odd.length > 0 ? odd.join(', ') : host)}.`,
      { value: host, allowed: ALLOWED },
    );
  const rule = loadHostRules().find((rule) => isNamed(rule, host))?.id ?? null;
  if (rule !== null && check === undefined)
    return { kind: 'host', name: host, rule, script: null, check: null };
  return {
    kind: 'host',
    name: shortName(host),
    rule: null,
    script: host,
    check: readCheck(host, check),
  };
}

/** @param {string} host @param {unknown} check @returns {Check} */
function readCheck(host, check) {
  if (typeof check === 'function') return /** @type {(values: any) => boolean} */ (check);
  if (check !== null && typeof check === 'object' && Object.keys(check).length > 0)
    return /** @type {Record<string, unknown>} */ (plainChange(check));
  throw new TuneError(
    'TUNE-10002',
    `tune.bench.steps: "${host.slice(0, LONGEST_NAME)}" is not a rule of ` +
      'tune.host(), so it needs a "check" of the result, such as { ' +
      '"writeback.dirtyBytes": 536870912 }.',
    { value: check, allowed: 'values of tune.host().facts by their names, or a function of them' },
  );
}

/** Returns the first line of a script. @param {string} host */
function shortName(host) {
  const [line] = host.trim().split('\n');
  return line.length > LONGEST_NAME ? `${line.slice(0, LONGEST_NAME - 1)}…` : line;
}

module.exports = { readSteps, awaitHostStep };
