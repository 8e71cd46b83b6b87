'use strict';

const {
  COMMAND_NOT_SUPPORTED_ON_VIEW,
  DUPLICATE_KEY,
  MAX_TIME_MS_EXPIRED,
  INTERRUPTED,
  INVALID_OPTIONS,
  NAMESPACE_EXISTS,
  NAMESPACE_NOT_FOUND,
} = require('../base/pure/server-codes');
const { HELLO } = require('../server/pure/commands');
const { sleep } = require('../base/context');
const { TuneError } = require('../base/pure/errors');
const {
  grantPermit,
  markDone,
  newPermit,
  preparePermit,
  usePermit,
  withdrawPermit,
} = require('./permit');
const { checkNoBuild } = require('./index-builds');
const { isMajorityCommitted } = require('./majority');
const { seePlaces } = require('./places-seen');
const {
  HOLD_MS,
  askForBuckets,
  proven,
  pinCollections,
  runOperations,
  probeLock,
  tryAgain,
  commitWhenQueued,
} = require('./server-lock');

/**
 * @import { Op } from './operations'
 * @import { Seen } from './places-seen'
 * @import { CollectionName } from './server'
 * @import { Pinned } from './server-lock'
 * @import { SplitJob } from './split-job'
 */

/**
 * Runs several operations as one step of the server, under its exclusive lock: nothing comes in
 * between, and the step happens once or not at all (permit.js). Each operation is an applyOps
 * nested in another one: so the server asks of each alone whether the user may, where several in
 * one list would need a user who may do everything.
 *
 * mongod aborts when such a step renames a collection while an index of it is built. So the step
 * waits for its lock behind tune's own open transaction; then nothing else can begin, and the
 * transaction ends only if no build is in progress.
 *
 * @typedef {{
 *   place: CollectionName, touches: readonly CollectionName[], isDone(): Promise<boolean>,
 *   operations(): Promise<Op[]>, meanwhile?(): Promise<unknown>,
 *   pinned?(): Promise<readonly Pinned[]>, held?(): Promise<unknown>, spareMs?(): number,
 *   refused?(): void, opens?(): Promise<string | null>
 * }} AtomicStep `place`: the name in messages; `touches`: collections that it renames or drops;
 *   `operations`: those that the present state needs; `meanwhile`: runs before each further try;
 *   `pinned`: collections that it renames or drops, as they are now; `held`: runs once no other
 *   session can change these; `spareMs`: how much longer this try may take, since it has read the
 *   views of the database for so long; `refused`: runs where the server answered that it did not do
 *   the step; `opens`: the name that gets its collection
 */

const TRIES = 60;
const PAUSE_MS = 250;
/**
 * Milliseconds from catching up to the step; after more the step is tried again (a stalled
 * majority); heuristic.
 */
const STALE_MS = 1_000;
/** Round trips that are added to STALE_MS: about 30 sequential commands lie in between. */
const STALE_TRIPS = 60;
/**
 * Milliseconds that are added where the definitions of a database's views are many MB, which are
 * read twice: writes of that time are applied while both names refuse; heuristic.
 */
const MAX_SPARE_MS = 5_000;
/** Tries in which a write of a single document that has begun comes first; heuristic. */
const PATIENT_TRIES = 20;
/**
 * Codes for collections that are no longer as checked: a collection where a view was, a permit that
 * is used.
 */
const NOT_AS_SEEN = Object.freeze(
  new Set([
    NAMESPACE_NOT_FOUND,
    NAMESPACE_EXISTS,
    INVALID_OPTIONS,
    DUPLICATE_KEY,
    COMMAND_NOT_SUPPORTED_ON_VIEW,
    INTERRUPTED,
  ]),
);

/**
 * Codes after which the server may have done the step before it answered so, or at an earlier
 * arrival of the message.
 */
const MAYBE_DONE = Object.freeze(new Set([MAX_TIME_MS_EXPIRED, INTERRUPTED, DUPLICATE_KEY]));

/**
 * Repeats a step until it is seen to be done, and would stay done if the primary died now.
 * @param {SplitJob} job @param {AtomicStep} step
 * @throws {TuneError} TUNE-35006, TUNE-35016
 */
async function runAtomicStep(job, step) {
  /** @type {string | null} */ let why = null;
  for (let tries = 1; ; tries += 1) {
    let seen = false;
    const check = async () => {
      const isDone = await isDoneAndQuiet(job, step);
      seen ||= isDone;
      return isDone;
    };
    if (await isMajorityCommitted(job, check)) return;
    if (tries > TRIES) throw notLocked(step.place, why);
    // The step was done and then rolled back by an election: the caller prepared nothing, so
    // prepare now.
    if (tries > 1 || seen) {
      await sleep(PAUSE_MS, job.signal);
      await step.meanwhile?.();
    }
    why = (await job.again(() => trySend(job, step, { isPatient: tries <= PATIENT_TRIES }))) ?? why;
  }
}

const HELD =
  'a transaction or another long operation held the lock, even if it does not use this collection';

/** @param {CollectionName} place @param {string | null} why the last try failed, where it is known */
const notLocked = ({ db, name }, why) =>
  new TuneError(
    'TUNE-35006',
    `${db}.${name} could not be locked in ${TRIES} tries of ${HOLD_MS} ms: ` + `${why ?? HELD}.`,
    { value: `${db}.${name}`, why },
  );

/**
 * Checks the age of the last catch-up by the server's clock: this computer's may have stalled, as
 * that of a suspended virtual machine.
 * @param {SplitJob} job
 * @param {AtomicStep} step
 * @throws {Error} where the step has to be tried again
 */
async function checkFresh({ port, freshAtMs }, { meanwhile, spareMs }) {
  if (!meanwhile || freshAtMs === null) return;
  const askedAtMs = performance.now();
  const { localTime } = await port.adminCommand(HELLO);
  const tripMs = performance.now() - askedAtMs;
  const tookMs = localTime.getTime() - freshAtMs;
  const moreMs = Math.min(MAX_SPARE_MS, spareMs?.() ?? 0);
  if (tookMs > STALE_MS + STALE_TRIPS * tripMs + moreMs)
    throw tryAgain(
      `${tookMs} ms passed between catching up and the step (one round trip took ` +
        `${Math.ceil(tripMs)} ms): majority commit, this shell, or listing the views ` +
        'of the database is too slow',
    );
}

/**
 * Checks the last try once no part of it can arrive any more.
 * @param {SplitJob} job
 * @param {AtomicStep} step
 */
async function isDoneAndQuiet(job, step) {
  await withdrawLast(job);
  return step.isDone();
}

/**
 * Withdraws the last permit: nothing sent with it can begin any more, also where another shell sent
 * it.
 * @param {SplitJob} job
 */
async function withdrawLast(job) {
  const { permit } = job.split;
  if (!permit || permit.id === job.usedPermit) return;
  // An open transaction would keep the withdrawal waiting until the server ends it.
  if (permit.session) await job.port.adminCommand({ killSessions: [permit.session] });
  await withdrawPermit(job.port, permit.id);
  job.permitUsed(permit.id);
}

/**
 * @param {SplitJob} job @param {AtomicStep} step @param {{ isPatient: boolean }} how
 * @returns {Promise<string | null>} why the step was not done, where that is known
 */
async function trySend(job, step, { isPatient }) {
  // job.again() may call this twice.
  if (await isDoneAndQuiet(job, step)) return null;
  for (const place of step.touches) await checkNoBuild(job.port, place);
  const probed = await inTime(async () => {
    await probeLock(job.port, step.place.db);
    await askForBuckets(job.port, step.touches);
  });
  if (!probed.isDone) return probed.why;
  const seen = await seePlaces(job.port, step.touches);
  const operations = proven(job.port, await step.operations());
  const id = newPermit();
  const sent = await inTime(() => send(job, { id, operations, step, seen, isPatient }));
  if (sent.isDone) job.permitUsed(id);
  else if (sent.isCertain) step.refused?.();
  return sent.why;
}

/**
 * @param {() => Promise<unknown>} doIt
 * @returns {Promise<{ isDone: boolean, isCertain: boolean, why: string | null }>} not done: its
 *   time was over, or the server found another state than the one seen; `isCertain`: false where an
 *   interrupted step may have been done
 */
async function inTime(doIt) {
  try {
    await doIt();
    return { isDone: true, isCertain: true, why: null };
  } catch (error) {
    const { code, why = null } = /** @type {any} */ (error);
    if (code !== MAX_TIME_MS_EXPIRED && !NOT_AS_SEEN.has(code)) throw error;
    return { isDone: false, isCertain: !MAYBE_DONE.has(code), why };
  }
}

/**
 * @typedef {{
 *   id: string, operations: readonly Op[], step: AtomicStep, seen: Seen, isPatient: boolean
 * }} Sent `id`: the id of its permit
 * @param {SplitJob} job @param {Sent} what
 */
async function send(job, { id, operations, step, seen, isPatient }) {
  const { port, split } = job;
  const comment = `mongosh-tune ${split._id} ${id}`;
  const ns = (await step.opens?.()) ?? null;
  const whole = [...usePermit(id), ...operations, ...markDone(id)];
  const go = () => runOperations(port, whole, { comment });
  job.permitSent(id);
  if (split.mode === 'offline') {
    // A standalone server has no transactions: there the earlier check for index builds is the only
    // one.
    await job.save({ permit: { id, session: null, ns } });
    await seen.check();
    return go();
  }
  const transaction = port.transaction();
  try {
    await job.save({ permit: { id, session: transaction.session, ns } });
    await preparePermit(port, id);
    await grantPermit(transaction, id);
    await pinCollections(port, transaction, (await step.pinned?.()) ?? []);
    await checkHeld(job, step, seen);
    const { touches } = step;
    return await commitWhenQueued(port, { comment, touches, go, transaction, isPatient });
  } finally {
    await transaction.abort();
  }
}

/**
 * Checks last what no other session can change any more.
 * @param {SplitJob} job @param {AtomicStep} step @param {Seen} seen
 */
async function checkHeld(job, step, seen) {
  await step.held?.();
  await seen.check();
  if (!step.held) await checkFresh(job, step);
}

module.exports = { runAtomicStep, withdrawLast };
