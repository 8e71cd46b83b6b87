'use strict';

const { MAX_TIME_MS_EXPIRED, NAMESPACE_NOT_FOUND } = require('../base/pure/server-codes');
const { isBuilding } = require('./index-builds');
const { stepAndWaiting } = require('./running-operations');
const { command, isNoCollection, withoutTimeSeries } = require('./operations');
const { bucketsOf } = require('./pure/split-names');
const { isPassing } = require('./retry');
const { MAJORITY, findCollection, sameUuid } = require('./server');

/**
 * @import { Transaction } from '../base/context'
 * @import { Op } from './operations'
 * @import { CollectionName, CollectionId, Port } from './server'
 */

/**
 * Takes the server's exclusive lock, after checks of the state that a step needs.
 *
 * @typedef {CollectionId & { isAsSeen?(): Promise<boolean> }} Pinned no session changes its name,
 *   options or indexes between this check and the step
 */

/**
 * Milliseconds to hold the lock. While an operation waits for it every operation of the server
 * waits behind it.
 */
const HOLD_MS = 500;
/**
 * Milliseconds for a step. A step that is interrupted between two operations leaves the first one
 * done, so its time is far longer than the operations take; heuristic. A shell that dies while its
 * step waits stalls the server as long.
 */
const LIMIT_MS = 3_000;
/** Milliseconds until the step waits for its lock, which takes one or two; heuristic. */
const QUEUED_MS = 2_000;
/** A name that no collection has, so that the probe changes nothing. */
const PROBE_NAME = 'mongosh_tune_asks_whether_it_may';

/**
 * Makes an operation that finds nothing to do, once it has the lock.
 * @param {string} db @returns {Op}
 */
const nothing = (db) =>
  command(db, { renameCollection: `${db}.${PROBE_NAME}`, to: `${db}.${PROBE_NAME}_either` });

/** @param {readonly Op[]} operations @returns {Op[]} */
const eachAlone = (operations) => operations.map((one) => command('admin', { applyOps: [one] }));

/** Takes the lock for a moment, and does nothing with it. @param {Port} port @param {string} db */
async function probeLock(port, db) {
  try {
    await port.adminCommand({ applyOps: eachAlone([nothing(db)]), maxTimeMS: HOLD_MS });
  } catch (error) {
    // Some releases answer with this code.
    if (/** @type {any} */ (error).code !== NAMESPACE_NOT_FOUND) throw error;
  }
}

/** @type {WeakMap<Port, Map<string, boolean>>} whether this user may name buckets there */
const MAY_PROVE = new WeakMap();

/**
 * Checks whether this user may name buckets. The role dbAdmin does not include them: without that
 * privilege their absence is checked before a step, and not proven in it.
 * @param {Port} port
 * @param {readonly CollectionName[]} places
 */
async function askForBuckets(port, places) {
  const known = MAY_PROVE.get(port) ?? new Map();
  MAY_PROVE.set(port, known);
  for (const { db } of places) if (!known.has(db)) known.set(db, await mayNameBuckets(port, db));
}

/** @param {Port} port @param {string} db @returns {Promise<boolean>} */
async function mayNameBuckets(port, db) {
  const asked = isNoCollection({ db, name: bucketsOf(PROBE_NAME) });
  try {
    await port.adminCommand({ applyOps: eachAlone([asked]), maxTimeMS: HOLD_MS });
    return true;
  } catch (error) {
    const { code } = /** @type {any} */ (error);
    if (code === MAX_TIME_MS_EXPIRED || isPassing(error) || code === undefined) throw error;
    return false;
  }
}

/**
 * Adds proofs that no time series has one of the names, where they are possible.
 * @param {Port} port
 * @param {readonly Op[]} operations
 */
const proven = (port, operations) =>
  withoutTimeSeries(operations, (db) => MAY_PROVE.get(port)?.get(db) === true);

/**
 * Sends operations as one step.
 * @param {Port} port
 * @param {readonly Op[]} operations
 * @param {Record<string, unknown>} [options] options of the command
 */
const runOperations = (port, operations, options) =>
  port.adminCommand({
    applyOps: eachAlone(operations),
    maxTimeMS: LIMIT_MS,
    writeConcern: MAJORITY,
    ...options,
  });

/** Makes the error after which a step is tried again. @param {string} why */
const tryAgain = (why) => Object.assign(new Error(why), { code: MAX_TIME_MS_EXPIRED, why });

/**
 * Reads collections in a transaction, which blocks changes of their name, options and indexes;
 * commitWhenQueued() finds the commands that queue behind it.
 * @param {Port} port
 * @param {Transaction} transaction
 * @param {readonly Pinned[]} pinned
 */
async function pinCollections(port, transaction, pinned) {
  for (const { db, name, uuid, isAsSeen } of pinned) {
    await transaction.command(db, {
      find: name,
      limit: 1,
      singleBatch: true,
      projection: { _id: 1 },
    });
    // A session that waits for tune's transaction may delay this read.
    const there = await findCollection(port, db, name, { maxTimeMS: HOLD_MS });
    if (!sameUuid(there?.info?.uuid, uuid) || (isAsSeen && !(await isAsSeen())))
      throw tryAgain(`${db}.${name} was changed`);
  }
}

/**
 * Sends the step, and commits tune's transaction once the step waits only for that. A step that
 * waits longer may be interrupted between two operations.
 * @param {Port} port
 * @param {{
 *   comment: string, touches: readonly CollectionName[], go(): Promise<unknown>,
 *   transaction: Transaction, isPatient: boolean
 * }} what `isPatient`: writes of one document that have begun come first
 * @throws {TuneError} TUNE-35016
 */
async function commitWhenQueued(port, { comment, touches, go, transaction, isPatient }) {
  const state = { over: false };
  const sent = go();
  sent
    .then(
      () => undefined,
      () => undefined,
    )
    .then(() => {
      state.over = true;
    });
  const { session } = transaction;
  const deadline = { at: Infinity };
  for (const until = Date.now() + QUEUED_MS; !state.over && Date.now() < until;) {
    const seen = await stepAndWaiting(port, { comment, touches, session });
    const why = whyNot(seen, { deadline, isPatient });
    if (why) throw await endStep(port, { step: seen.step, sent, transaction }, why);
    if (!seen.step?.waitingForLock || seen.holders.length > 0 || Date.now() >= until) continue;
    await transaction.commit();
    return sent;
  }
  // The step may still be in transit to the server; without its permit it does nothing there.
  if (!state.over) throw tryAgain('the step did not reach the server');
  return sent;
}

/**
 * Says why the step has to be ended: a command that changes one of its collections would come
 * before it.
 * @param {Awaited<ReturnType<typeof stepAndWaiting>>} seen
 * @param {{ deadline: { at: number }, isPatient: boolean }} how `deadline`: for other operations
 *   that hold the lock
 * @returns {Error | null}
 */
function whyNot({ step, builds, changes, writes, holders }, { deadline, isPatient }) {
  if (builds.length > 0) return isBuilding(builds[0]);
  if (!step?.waitingForLock) return null;
  if (changes.length > 0) return tryAgain(`${changes[0]} was under way`);
  if (isPatient && writes.length > 0) return tryAgain(`${writes[0]} was under way`);
  if (holders.length === 0) return null;
  deadline.at = Math.min(deadline.at, Date.now() + HOLD_MS);
  return Date.now() > deadline.at ? tryAgain(`${holders[0]} held the server's lock`) : null;
}

/**
 * Ends a step that must not happen. Without its permit it can do nothing, but every later operation
 * waits; a step that is not seen yet ends by itself once tune's transaction is over.
 * @param {Port} port
 * @param {{ step: { opid: unknown } | undefined, sent: Promise<unknown>, transaction: Transaction }} of
 * @param {Error} why
 */
async function endStep(port, { step, sent, transaction }, why) {
  if (step) await port.adminCommand({ killOp: 1, op: step.opid });
  else await transaction.abort();
  await sent.catch(() => undefined);
  return why;
}

module.exports = {
  HOLD_MS,
  askForBuckets,
  proven,
  pinCollections,
  runOperations,
  probeLock,
  tryAgain,
  commitWhenQueued,
};
