'use strict';

const { loadHostRules } = require('../rules/registry');
const { isNamed } = require('../rules/rule');
const { judgeHost } = require('../rules/runner');
const { textsOf } = require('../host/pure/script-texts');
const { sleep } = require('../base/context');
const { examineHost } = require('../host/examine-host');

/**
 * @import { HostPart } from '../host/pure/host'
 * @import { HostStep } from './read-steps'
 * @import { Context } from '../base/types'
 */

/**
 * A step on the machine: the user takes it, and the machine is checked for its effect.
 * @typedef {{ took: boolean, why: string | null }} Taken `why`: it has not, as far as is known
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

module.exports = { awaitHostStep };
