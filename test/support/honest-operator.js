'use strict';

/**
 * An operator who knows nothing but what the commands say: what `status` shows as the way on or back, and the calls that an error names.
 */
const { splitStatus } = require('../../lib/commands/split-status');
const { sleep } = require('../../lib/context');

/** In these nothing is waited for, and one name has the data. */
const ENDS = Object.freeze(['switched', 'finished', 'aborted', 'rolled-back']);
const CALL = /tune\.split\.([a-z]+)\(([^()]*)\)/g;
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
    const split = (await splitStatus(shell())).splits.find((/** @type {any} */ one) => one.id === id);
    if (!split || ENDS.includes(split.phase) || tried.length >= calls || Date.now() - began > LIMIT_MS) return { phase: split?.phase ?? null, tried };
    const last = tried[tried.length - 1];
    const call = chosen(split, tried);
    const error = await carryOut(shell(), call, split).then(() => null, (one) => one);
    if (error?.code === 'TUNE-35003') await sleep(LEASE_PAUSE_MS, new AbortController().signal);
    // Whoever has the lease lets go of it by and by: that is no answer.
    if (error?.code !== 'TUNE-35003' || Date.now() - began > LIMIT_MS) tried.push({ call, error });
    if (error && last?.error) await sleep(PAUSE_MS, new AbortController().signal);
  }
}

/** The way on, then what its error says, then the way back, then what that says. @param {any} split @param {Tried[]} tried */
function chosen(split, tried) {
  // Whatever was done has changed what there is to do.
  const since = tried.slice(tried.findLastIndex(({ error }) => error === null) + 1);
  const said = since.flatMap(({ error }) => (error ? callsIn(error.message) : []));
  const all = [...new Set([split.next, ...said, split.orBack])].filter((call) => call && !/\.(status|plan|run|finish|script)\(/.test(call));
  const failed = (/** @type {string} */ call) => since.filter((one) => one.call === call).length;
  // What failed least often.
  return all.reduce((best, call) => (failed(call) < failed(best) ? call : best), all[0]);
}

/** @param {string} text @returns {string[]} */
const callsIn = (text) => [...text.matchAll(CALL)].map(([call]) => call);

/** @param {any} ctx @param {string} call @param {any} split */
async function carryOut(ctx, call, split) {
  const [[, verb, given]] = [...call.matchAll(CALL)];
  const own = given.replace(/^id\b/, JSON.stringify(split.id));
  const [first, options] = /** @type {any[]} */ (new Function(`return [${own}]`)());
  const confirmed = verb === 'resume' || verb === 'verify' ? { ...options, ...(verb === 'resume' && { confirm: true }) } : options;
  await require(`../../lib/commands/split-${verb}`)[`split${verb[0].toUpperCase()}${verb.slice(1)}`](ctx, first, Object.keys(confirmed ?? {}).length > 0 ? confirmed : undefined);
}

module.exports = { drive, ENDS };
