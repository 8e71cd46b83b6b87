'use strict';

const { TuneError } = require('../../../errors');
const { report } = require('../../../render/report');
const { takeLease } = require('../../../split/lease');
const { killOurs } = require('../../../split/left-running');
const { retrying } = require('../../../split/retry');
const { checkPrimary } = require('../../../split/server');
const { splitsOf } = require('../../../split/state');
const { startWork } = require('../../../split/work');
const { aboutSplit } = require('./about');
const { stopped } = require('./stopped');

/**
 * What the commands of a split that is under way have in common.
 * @typedef {import('../../../split/state').Split} Split @typedef {import('../../../split/work').Work} Work
 * @typedef {import('../../../context').DataContext} Context
 * @typedef {{ name: string, phases: readonly import('../../../split/state').Phase[], does(split: Split): string[], work(work: Work): Promise<void> }} Verb
 *   `phases`: in which it can be done; `does`: what it would do, in sentences
 */

/**
 * @param {Context} ctx @param {Verb} verb @param {{ id: string | undefined, confirm: boolean | undefined, also?: Record<string, unknown> }} asked `also`: further options
 */
async function act(ctx, verb, { id, confirm, also = {} }) {
  const all = await splitsOf(ctx.port, id, { phase: { $in: verb.phases } });
  const splits = all.filter(({ phase }) => verb.phases.includes(phase));
  if (!confirm) return shown(verb.name, splits.map((split) => ({ ...aboutSplit(split), does: verb.does(split) })), splits.length > 0 ? confirmCall(verb.name, id ?? splits[0].planId, also) : null);
  if (all.length === 0) throw noSuch(id);
  if (splits.length === 0) throw new TuneError('TUNE-35010', `${verb.name} is not possible: ${all.map(({ source, phase }) => `${source} is ${phase}`).join(', ')}.`, { value: all[0].phase, allowed: verb.phases });
  const done = [];
  for (const split of splits) done.push(await withWork(ctx, split, verb.work));
  return shown(verb.name, done.map((split) => ({ ...aboutSplit(split), does: null })), null);
}

/** @param {string | undefined} id */
const noSuch = (id) => new TuneError('TUNE-35012', id === undefined ? 'No split is waiting for that.' : `There is no split "${id}".`, { value: id });

/** @param {string} name @param {string} id @param {Record<string, unknown>} also */
const confirmCall = (name, id, also) => `${name}("${id}", { ${[...Object.entries(also).filter(([, value]) => value !== undefined), ['confirm', true]].map(([key, value]) => `${key}: ${JSON.stringify(value)}`).join(', ')} })`;

/**
 * Under the lease, which is given back however it ends.
 * @param {Context} ctx @param {Split} split @param {(work: Work) => Promise<void>} what
 * @returns {Promise<Split>} as it is then
 */
async function withWork(ctx, split, what) {
  const lease = await checkPrimary(ctx.port, ctx.signal).then(() => takeLease(ctx.port, split._id, ctx.signal)).catch((error) => { throw stopped(error, split, ctx.signal); });
  /** @type {Work | null} */ let work = null;
  try {
    // Between the look and the lease another shell may have gone on.
    const [now] = await retrying(ctx.signal, () => splitsOf(ctx.port, split._id));
    const mine = work = startWork(ctx, now, lease);
    // Of a shell that died something may still be running on the server.
    await mine.again(() => killOurs(mine));
    await what(mine);
    return { ...mine.split, lease: null };
  } catch (error) {
    throw stopped(error, work?.split ?? split, ctx.signal);
  } finally {
    ctx.progress(null);
    // When that fails too, it runs out by itself.
    await lease.release().catch(() => undefined);
  }
}

/** @template {ReturnType<typeof aboutSplit> & { does: string[] | null }} T @param {string} command @param {T[]} splits @param {string | null} confirm */
function shown(command, splits, confirm) {
  const data = { command, dryRun: splits.every(({ does }) => does !== null), splits, confirm };
  return report(data, (ink) => require('../../../render/split').renderSplits(data, ink));
}

module.exports = { act, withWork, noSuch, shown };
