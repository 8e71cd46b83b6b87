'use strict';

const { checkOptions, flag } = require('../options');
const { TuneError } = require('../errors');
const { addSplit, checkFree, newSplit, prepareState } = require('../split/state');
const { readSource } = require('../split/target');
const { checkPrimary, sameUuid, splitNs } = require('../split/server');
const { checkMayCut, rehearse } = require('../split/may-cut');
const { goOn } = require('../split/phases');
const { retrying } = require('../split/retry');
const { shown, withWork } = require('./shared/split/act');
const { aboutSplit } = require('./shared/split/about');

const OPTIONS = { confirm: flag() };
/** Later the sizes, the free disk and the indexes of a plan may be others. */
const OLDEST_MS = 3_600_000;

/**
 * Moves the collections of a plan: copies them, builds their indexes, and follows what happens meanwhile until the target is less
 * than a second behind. Applications go on using the source; tune.split.cutover() lets them go over.
 * @param {import('./shared/split/act').Context} ctx
 * @param {any} plan of tune.split.plan() @param {{ confirm?: boolean }} [options]
 * @throws {TuneError} TUNE-1xxxx, TUNE-2xxxx, TUNE-35002 to TUNE-35011; after Ctrl-C TUNE-30009: tune.split.resume(id) goes on
 */
async function splitRun(ctx, plan, options) {
  const { confirm = false } = checkOptions('tune.split.run', OPTIONS, options);
  const { id, moves, mode } = checkPlan(plan);
  const seen = await Promise.all(moves.map(async (/** @type {any} */ move) => ({ move, source: await readSource(ctx.port, splitNs(move.ns)) })));
  const moved = seen.find(({ move, source }) => !sameUuid(move.uuid, source.uuid));
  if (moved) throw new TuneError('TUNE-35011', `${moved.move.ns} is not the collection any more that was planned for.`, { value: moved.move.ns });
  const splits = seen.map(({ move, source }) => newSplit({ id, mode }, move, source));
  if (!confirm) return shown('tune.split.run', splits.map((split) => ({ ...aboutSplit(split), does: steps(split) })), 'tune.split.run(plan, { confirm: true })');
  await checkPrimary(ctx.port, ctx.signal);
  await retrying(ctx.signal, () => writeDown(ctx.port, splits));
  const done = [];
  for (const split of splits) done.push(await withWork(ctx, split, (work) => goOn(work, 'ready')));
  return shown('tune.split.run', done.map((split) => ({ ...aboutSplit(split), does: null })), null);
}

/** May be done twice. @param {import('../split/server').Port} port @param {import('../split/state').Split[]} splits */
async function writeDown(port, splits) {
  for (const { from, into } of splits) for (const { db } of [from, into]) await checkMayCut(port, db);
  await prepareState(port);
  await checkFree(port, splits);
  for (const db of new Set(splits.map(({ into }) => into.db))) await rehearse(port, db);
  for (const split of splits) await addSplit(port, split);
}

/** @param {any} plan */
function checkPlan(plan) {
  if (plan === undefined) throw new TuneError('TUNE-10004', 'tune.split.run: which plan? const plan = tune.split.plan({ from, into }) makes one.', { allowed: 'a plan' });
  if (!isPlan(plan)) throw new TuneError('TUNE-10002', 'tune.split.run: this is no plan of tune.split.plan().', { value: typeof plan, allowed: 'a plan' });
  if (plan.by) throw new TuneError('TUNE-10002', 'tune.split.run: a plan with "by" is carried out by the application that routes; its parts and bounds are in plan.parts.', { value: plan.by, allowed: 'a plan without "by"' });
  const blockers = [...plan.blockers ?? [], ...plan.moves.flatMap((/** @type {any} */ { blockers: some = [] }) => some)];
  if (blockers.length > 0) throw new TuneError('TUNE-35011', `The plan can not be carried out: ${(blockers[0].say ?? blockers[0].what).replace(/\.$/, '')}.`, { value: blockers });
  if (plan.moves.length === 0) throw new TuneError('TUNE-35011', 'The plan moves nothing.', { value: plan.id });
  const unseen = plan.moves.find((/** @type {any} */ { uuid }) => !uuid);
  if (unseen) throw new TuneError('TUNE-35011', `Which collection ${unseen.ns} is, is not known: who made the plan may not list it (listCollections, role readAnyDatabase).`, { value: unseen.ns });
  const ageMs = Date.now() - new Date(plan.at).getTime();
  if (!(ageMs < OLDEST_MS)) throw new TuneError('TUNE-35011', 'The plan is older than an hour.', { value: plan.at });
  return plan;
}

/** @param {any} plan */
const isPlan = (plan) => typeof plan?.id === 'string' && Array.isArray(plan.moves) && plan.moves.every(isMove);
/** @param {any} move */
const isMove = (move) => typeof move?.ns === 'string' && typeof move.into === 'string' && (move.method === 'out' || move.method === 'ranges');

/** @param {import('../split/state').Split} split */
const steps = ({ mode, method, from, into, source, target, indexes }) => [
  `${target} refuses every operation until the switch; the data goes to ${into.db}.${into.working}.`,
  ...(mode === 'offline' ? [`${source} refuses reads and writes from now to the end: this server has no stream of changes.`] : []),
  `The server copies ${source} ${method === 'out' ? 'in one command' : 'in small ranges'}, then builds ${indexes.length} ${indexes.length === 1 ? 'index' : 'indexes'}.`,
  mode === 'offline' ? `${target} gets the data; the old collection stays as ${from.db}.${from.aside} until tune.split.finish().` : `What is written to ${source} meanwhile is brought over. Applications notice nothing until tune.split.cutover().`,
];

module.exports = { splitRun };
