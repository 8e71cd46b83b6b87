'use strict';

const { defineCommand, confirmOption } = require('../base/pure/command');
const { isShardMember } = require('../split/survey/shard-member');
const { TuneError } = require('../base/pure/errors');
const { addSplits, checkFree, newSplit, prepareState } = require('../split/state');
const { unordered } = require('../split/pure/definitions');
const { readDemand } = require('../split/dependents');
const { readSource } = require('../split/target');
const { checkPrimary, sameUuid, splitNs } = require('../split/server');
const { checkMayStep, rehearse } = require('../split/rehearsal');
const { advanceTo } = require('../split/advance');
const { retrying } = require('../split/retry');
const { doneReport, splitsReport, withLease } = require('../split/split-command');
const { statusOfSplit } = require('../split/split-status');

/**
 * @import { Context } from '../split/split-command'
 * @import { Port } from '../split/server'
 * @import { Shape } from '../split/target'
 * @import { Split } from '../split/types'
 */

module.exports = defineCommand({
  name: 'split.run',
  group: 'splitting',
  order: 2,
  takes: ['change', 'options'],
  usage: 'tune.split.run(plan, { confirm })',
  summary: 'Copies, and applies what is written meanwhile',
  details:
    'Ctrl-C stops at a safe point; tune.split.resume(id, { confirm: true }) goes on, from ' +
    'any shell',
  options: { confirm: confirmOption('a DRY RUN shows what would be done') },
  examples: ['tune.split.run(plan)'],
  changes: 'splits',
  run: splitRun,
});

/** Later the sizes, the free disk and the indexes of a plan may be others. */
const OLDEST_MS = 3_600_000;

/**
 * Moves the collections of a plan: copies them, builds their indexes, and applies what is written
 * meanwhile until the lag is less than a second. Applications go on using the source until
 * tune.split.cutover().
 * @param {Context} ctx
 * @param {any} plan of tune.split.plan()
 * @param {{ confirm: boolean }} options
 * @throws {TuneError} TUNE-1xxxx, TUNE-2xxxx, TUNE-35002 to TUNE-35011; after Ctrl-C TUNE-30009:
 *   tune.split.resume(id) goes on
 */
async function splitRun(ctx, plan, { confirm }) {
  const { id, moves, mode } = checkPlan(plan);
  const seen = await Promise.all(
    moves.map(async (/** @type {any} */ move) => ({
      move,
      source: await readSource(ctx.port, splitNs(move.ns)),
    })),
  );
  const moved = seen.find(({ move, source }) => !sameUuid(move.uuid, source.uuid));
  if (moved)
    throw new TuneError(
      'TUNE-35011',
      `${moved.move.ns} is no longer the collection that was planned for.`,
      { value: moved.move.ns },
    );
  checkOrder(seen);
  for (const { move } of seen)
    for (const ns of [move.ns, move.into]) await readDemand(ctx.port, splitNs(ns));
  const splits = seen.map(({ move, source }) => newSplit({ id, mode }, move, source));
  if (!confirm)
    return splitsReport(
      'tune.split.run',
      splits.map((split) => ({ ...statusOfSplit(split), does: steps(split) })),
      'tune.split.run(plan, { confirm: true })',
    );
  await checkPrimary(ctx.port, ctx.signal);
  await checkNoShard(ctx.port);
  await retrying(ctx.signal, () => writeDown(ctx, splits));
  const done = [];
  for (const split of splits)
    done.push(await withLease(ctx, split, (job) => advanceTo(job, 'ready')));
  return doneReport('tune.split.run', done);
}

/**
 * Since the plan was made there may be something that JavaScript would make otherwise.
 * @param {{ move: any, source: Shape }[]} seen
 * @throws {TuneError} TUNE-35011
 */
function checkOrder(seen) {
  const lost = seen.flatMap(({ move, source }) =>
    unordered(source).map((what) => `${what} of ${move.ns}`),
  );
  if (lost.length === 0) return;
  throw new TuneError(
    'TUNE-35011',
    `The plan cannot be carried out: in ${lost.join(', ')} a document has several fields, one ` +
      'of them named by a number, and JavaScript would put that one first.',
    { value: lost },
  );
}

/**
 * The plan may have been made elsewhere, or by another user.
 * @param {Port} port
 * @throws {TuneError} TUNE-20003, TUNE-20005
 */
async function checkNoShard(port) {
  const isShard = await isShardMember(port);
  if (isShard)
    throw new TuneError(
      'TUNE-20003',
      'This is a member of a sharded cluster, whose routers would not know of the move. ' +
        'Nothing was copied or changed.',
      { value: 'shard', allowed: ['a replica set of its own'] },
    );
  if (isShard === null)
    throw new TuneError(
      'TUNE-20005',
      'Whether this is a member of a sharded cluster is not known, and there the routers ' +
        'would not know of the move: grant getCmdLineOpts on the cluster (role ' +
        'clusterMonitor). Nothing was copied or changed.',
      { value: 'getCmdLineOpts', allowed: 'getCmdLineOpts on the cluster' },
    );
}

/**
 * May be done twice.
 * @param {{ port: Port, signal: AbortSignal }} ctx
 * @param {Split[]} splits
 */
async function writeDown({ port, signal }, splits) {
  for (const { from, into } of splits)
    for (const { db } of [from, into]) await checkMayStep(port, db);
  await prepareState(port);
  await checkFree(port, splits);
  // A cutover takes its steps in both.
  for (const db of new Set(splits.flatMap(({ from, into }) => [from.db, into.db])))
    await rehearse({ port, signal }, db);
  await addSplits(port, splits);
}

/** Refuses what is no plan, or one that cannot be carried out. @param {any} plan */
function checkPlan(plan) {
  if (plan === undefined)
    throw new TuneError(
      'TUNE-10004',
      'tune.split.run: which plan? const plan = tune.split.plan({ from, into }) makes one.',
      { allowed: 'a plan' },
    );
  if (!isPlan(plan))
    throw new TuneError('TUNE-10002', 'tune.split.run: this is no plan of tune.split.plan().', {
      value: typeof plan,
      allowed: 'a plan',
    });
  if (plan.by)
    throw new TuneError(
      'TUNE-10002',
      'tune.split.run: a plan with "by" is carried out by the application that routes; its ' +
        'parts and bounds are in plan.parts.',
      { value: plan.by, allowed: 'a plan without "by"' },
    );
  const blockers = [
    ...(plan.blockers ?? []),
    ...plan.moves.flatMap((/** @type {any} */ { blockers: some = [] }) => some),
  ];
  if (blockers.length > 0)
    throw new TuneError(
      'TUNE-35011',
      'The plan cannot be carried out: ' +
        `${(blockers[0].say ?? blockers[0].what).replace(/\.$/, '')}.`,
      { value: blockers },
    );
  if (plan.moves.length === 0)
    throw new TuneError('TUNE-35011', 'The plan moves nothing.', { value: plan.id });
  const unseen = plan.moves.find((/** @type {any} */ { uuid }) => !uuid);
  if (unseen)
    throw new TuneError(
      'TUNE-35011',
      `Which collection ${unseen.ns} is, is not known: who made the plan may not list it ` +
        '(listCollections, role readAnyDatabase).',
      { value: unseen.ns },
    );
  const ageMs = Date.now() - new Date(plan.at).getTime();
  if (!(ageMs < OLDEST_MS))
    throw new TuneError('TUNE-35011', 'The plan is older than an hour.', { value: plan.at });
  return plan;
}

/** @param {any} plan */
const isPlan = (plan) =>
  typeof plan?.id === 'string' && Array.isArray(plan.moves) && plan.moves.every(isMove);
/** Whether it is a move of a plan. @param {any} move */
const isMove = (move) =>
  typeof move?.ns === 'string' &&
  typeof move.into === 'string' &&
  (move.method === 'out' || move.method === 'ranges');

/** What would be done, in sentences. @param {Split} split */
const steps = ({ mode, method, from, into, source, target, indexes }) => [
  `${target} refuses every operation until the cutover; the staging copy is ` +
    `${into.db}.${into.stagingName}.`,
  ...(mode === 'offline'
    ? [
        `${source} refuses reads and writes from now to the end: a standalone server has no ` +
          'change streams.',
      ]
    : []),
  `The server copies ${source} ${method === 'out' ? 'in one command' : 'in small ranges'}, ` +
    `then builds ${indexes.length} ${indexes.length === 1 ? 'index' : 'indexes'}.`,
  mode === 'offline'
    ? `${target} gets the data; the old collection stays as ${from.db}.${from.renamedTo} until ` +
      'tune.split.finish().'
    : `What is written to ${source} meanwhile is applied to the copy. Applications notice ` +
      'nothing until tune.split.cutover().',
];
