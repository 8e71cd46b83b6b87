'use strict';

const { TuneError } = require('../base/pure/errors');
const { readDemand } = require('./dependents');
const { unordered } = require('./pure/definitions');
const { checkMayStep, rehearse } = require('./rehearsal');
const { retrying } = require('./retry');
const { checkConnections, checkPrimary, sameUuid, serverTime, splitNs } = require('./server');
const { addSplits, checkFree, newSplit, prepareState } = require('./state');
const { isShardMember } = require('./survey/shard-member');
const { readSource } = require('./target');

/**
 * @import { Port } from './server'
 * @import { Shape } from './target'
 * @import { Split } from './types'
 */

/**
 * Milliseconds for which a plan is valid: later the sizes, the free disk and the indexes may
 * differ.
 */
const OLDEST_MS = 3_600_000;

/**
 * Makes the splits of a plan, one for each collection, if it can be carried out on the present
 * server.
 * @param {Port} port
 * @param {any} plan a plan of tune.split.plan()
 * @returns {Promise<Split[]>}
 * @throws {TuneError} TUNE-10002, TUNE-10004, TUNE-35011
 */
async function splitsOfPlan(port, plan) {
  const { id, moves, mode } = checkPlan(plan);
  const seen = await Promise.all(
    moves.map(async (/** @type {any} */ move) => ({
      move,
      source: await readSource(port, splitNs(move.ns)),
    })),
  );
  const moved = seen.find(({ move, source }) => !sameUuid(move.uuid, source.uuid));
  if (moved)
    throw new TuneError(
      'TUNE-35011',
      `${moved.move.ns} was replaced by another collection since the plan was made.`,
      { value: moved.move.ns },
    );
  checkOrder(seen);
  for (const { move } of seen)
    for (const ns of [move.ns, move.into]) await readDemand(port, splitNs(ns));
  const begunAt = await serverTime(port);
  return seen.map(({ move, source }) =>
    newSplit({ id, mode, alone: moves.length === 1, begunAt }, move, source),
  );
}

/**
 * Writes the splits of a plan to the server, after everything that they need was tried.
 * @param {{ port: Port, signal: AbortSignal }} ctx
 * @param {Split[]} splits
 * @throws {TuneError} TUNE-10002, TUNE-20003, TUNE-20005, TUNE-35002 to TUNE-35011
 */
async function begin(ctx, splits) {
  await checkServer(ctx, splits);
  await retrying(ctx.signal, () => writeDown(ctx, splits));
}

/**
 * @param {{ port: Port, signal: AbortSignal }} ctx
 * @param {readonly Split[]} splits
 * @throws {TuneError} TUNE-10002, TUNE-20003, TUNE-20005, TUNE-31003
 */
async function checkServer({ port, signal }, splits) {
  for (const { mode } of splits) checkConnections(port, mode);
  await checkPrimary(port, signal);
  await checkNoShard(port);
}

/**
 * Refuses definitions that JavaScript would make otherwise, which may have come since the plan was
 * made.
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
    `The plan cannot be run: in ${lost.join(', ')} a document has several fields, ` +
      'one with a number as its name, and JavaScript would put that one first.',
    { value: lost },
  );
}

/**
 * Refuses a member of a shard: the plan may have been made elsewhere, or by another user.
 * @param {Port} port
 * @throws {TuneError} TUNE-20003, TUNE-20005
 */
async function checkNoShard(port) {
  const isShard = await isShardMember(port);
  if (isShard)
    throw new TuneError(
      'TUNE-20003',
      'This is a member of a sharded cluster: its routers would not see the split. ' +
        'Nothing was copied or changed.',
      { value: 'shard', allowed: ['a replica set that is not a shard'] },
    );
  if (isShard === null)
    throw new TuneError(
      'TUNE-20005',
      'Unknown whether this is a member of a sharded cluster, whose routers would ' +
        'not see the split. Grant getCmdLineOpts on the cluster (role clusterMonitor). ' +
        'Nothing was copied or changed.',
      { value: 'getCmdLineOpts', allowed: 'getCmdLineOpts on the cluster' },
    );
}

/**
 * Writes the splits; it may be done twice.
 * @param {{ port: Port, signal: AbortSignal }} ctx
 * @param {Split[]} splits
 */
async function writeDown({ port, signal }, splits) {
  for (const { from, into } of splits)
    for (const { db } of [from, into]) await checkMayStep(port, db);
  await prepareState(port);
  await checkFree(port, splits);
  // A cutover takes its steps in both databases.
  for (const db of new Set(splits.flatMap(({ from, into }) => [from.db, into.db])))
    await rehearse({ port, signal }, db);
  await addSplits(port, splits);
}

/** Refuses a value that is no plan, or one that cannot be carried out. @param {any} plan */
function checkPlan(plan) {
  if (plan === undefined)
    throw new TuneError(
      'TUNE-10004',
      'tune.split.run: the plan is missing. Make one: const plan = tune.split.plan({ ' +
        'source, target }).',
      { allowed: 'a plan' },
    );
  if (!isPlan(plan))
    throw new TuneError(
      'TUNE-10002',
      'tune.split.run: the argument is not a plan of tune.split.plan().',
      { value: typeof plan, allowed: 'a plan' },
    );
  if (plan.by)
    throw new TuneError(
      'TUNE-10002',
      'tune.split.run: a plan with "by" is run by the application: it routes the ' +
        'documents. Its parts and bounds are in plan.parts.',
      { value: plan.by, allowed: 'a plan without "by"' },
    );
  const blockers = [
    ...(plan.blockers ?? []),
    ...plan.moves.flatMap((/** @type {any} */ { blockers: some = [] }) => some),
  ];
  if (blockers.length > 0)
    throw new TuneError(
      'TUNE-35011',
      `The plan cannot be run: ${(blockers[0].say ?? blockers[0].what).replace(/\.$/, '')}.`,
      { value: blockers },
    );
  if (plan.moves.length === 0)
    throw new TuneError('TUNE-35011', 'The plan moves nothing.', { value: plan.id });
  const unseen = plan.moves.find((/** @type {any} */ { uuid }) => !uuid);
  if (unseen)
    throw new TuneError(
      'TUNE-35011',
      `The UUID of ${unseen.ns} is unknown: the user who made the plan lacks ` +
        'listCollections (role readAnyDatabase).',
      { value: unseen.ns },
    );
  const ageMs = Date.now() - new Date(plan.at).getTime();
  if (!(ageMs < OLDEST_MS))
    throw new TuneError('TUNE-35011', 'The plan is older than 1 h: plan again.', {
      value: plan.at,
    });
  return plan;
}

/** @param {any} plan */
const isPlan = (plan) =>
  typeof plan?.id === 'string' && Array.isArray(plan.moves) && plan.moves.every(isMove);
/** Says whether a value is a move of a plan. @param {any} move */
const isMove = (move) =>
  typeof move?.ns === 'string' &&
  typeof move.into === 'string' &&
  (move.method === 'out' || move.method === 'ranges');

module.exports = { begin, checkServer, splitsOfPlan };
