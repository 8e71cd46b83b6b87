'use strict';

/**
 * An operator who knows nothing but what the commands say: what `status` shows as the way on or
 * back, and the calls that an error names.
 */
const { run: splitStatus } = require('../../lib/commands/split-status');
const { sleep } = require('../../lib/base/context');

const RENAME =
  /db\.getSiblingDB\(("[^"]+")\)\.getCollection\(("[^"]+")\)\.renameCollection\(("[^"]+")\)/g;
/** In these nothing is waited for, and one name has the data. */
const ENDS = Object.freeze(['switched', 'finished', 'aborted', 'rolled-back']);
const CALL = /tune\.split\.([a-z]+)\(([^()]*)\)/g;
const TIMES = 2;
const PAUSE_MS = 500;
const LEASE_PAUSE_MS = 5_000;
const LIMIT_MS = 180_000;

/** @typedef {{ call: string, error: any }} Tried */

/**
 * @param {() => any} shell a context of a new shell
 * @param {string} id @param {{ calls?: number }} [options] `calls`: how many at most
 * @returns {Promise<{ phase: string | null, tried: Tried[] }>} null: nothing was ever written down
 */
async function drive(shell, id, { calls = 12 } = {}) {
  /** @type {Tried[]} */ const tried = [];
  const began = Date.now();
  for (let turn = 0; ; turn += 1) {
    const split = (await splitStatus(shell())).splits.find(
      (/** @type {any} */ one) => one.id === id,
    );
    if (
      !split ||
      ENDS.includes(split.phase) ||
      tried.length >= calls ||
      Date.now() - began > LIMIT_MS
    )
      return { phase: split?.phase ?? null, tried };
    const last = tried[tried.length - 1];
    const call = chosen(split, tried);
    if (call === null) return { phase: split.phase, tried };
    const error = await applyPlan(shell(), call).then(
      () => null,
      (one) => one,
    );
    if (error?.code === 'TUNE-35003') await sleep(LEASE_PAUSE_MS, new AbortController().signal);
    // Whoever has the lease lets go of it by and by: that is no answer.
    if (error?.code !== 'TUNE-35003' || Date.now() - began > LIMIT_MS) tried.push({ call, error });
    if (error && last?.error) await sleep(PAUSE_MS, new AbortController().signal);
  }
}

/**
 * The way on, then what an error said, then the way back: each twice, before the next one.
 * @param {any} split
 * @param {Tried[]} tried
 * @returns {string | null}
 */
function chosen(split, tried) {
  const said = tried.flatMap(({ error }) => (error ? callsIn(error.message) : []));
  const all = [
    split.next,
    ...said.map((call) => call.replace('(id', `(${JSON.stringify(split.id)}`)),
    split.nextBack,
  ].filter((call) => call && !/\.(status|plan|run|finish|script)\(/.test(call));
  const times = (/** @type {string} */ call) => tried.filter((one) => one.call === call).length;
  const [first = null, ...others] = all;
  return (
    all.find((call) => times(call) < TIMES) ??
    others.reduce((best, call) => (times(call) < times(best) ? call : best), first)
  );
}

/** @param {string} text @returns {string[]} */
const callsIn = (text) => [...text.matchAll(RENAME), ...text.matchAll(CALL)].map(([call]) => call);

/** @param {any} ctx @param {string} call */
async function applyPlan(ctx, call) {
  const [rename] = [...call.matchAll(RENAME)].map((found) =>
    found.slice(1).map((one) => JSON.parse(one)),
  );
  if (rename) {
    const [db, from, to] = rename;
    await ctx.port.adminCommand({ renameCollection: `${db}.${from}`, to: `${db}.${to}` });
    return;
  }
  const [[, verb, given]] = [...call.matchAll(CALL)];
  const [first, options] = /** @type {any[]} */ (new Function(`return [${given}]`)());
  const confirmed =
    verb === 'resume' || verb === 'verify'
      ? { ...options, ...(verb === 'resume' && { confirm: true }) }
      : options;
  await require(`../../lib/commands/split-${verb}`).run(
    ctx,
    first,
    Object.keys(confirmed ?? {}).length > 0 ? confirmed : undefined,
  );
}

module.exports = { drive, ENDS };
