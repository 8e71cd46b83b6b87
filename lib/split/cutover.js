'use strict';

const { findCollection } = require('./server');
const { command, isNoCollection, isThere } = require('./operations');
const { findDependents, retryAsViewsChange, ownCollation, viewAt } = require('./dependents');
const { nextCutName } = require('./cut-name');
const { isMajorityCommitted } = require('./majority');
const { directionOf, nsOf, viewInPlace } = require('./directions');
const { refuseReads } = require('./old-reads');
const { tryAgain } = require('./server-lock');
const { runAtomicStep } = require('./atomic-step');
const { isSplitView } = require('./target');
const { NEVER_SECONDS, expireAfter, readTtl } = require('./ttl');
const { hasBegun, isCut } = require('./where-it-stands');

/**
 * @import { AtomicStep } from './atomic-step'
 * @import { Direction } from './directions'
 * @import { Op } from './operations'
 * @import { Ttl } from './state'
 * @import { Pinned } from './server-lock'
 * @import { SplitJob } from './split-job'
 */

/**
 * Milliseconds, maxTimeMS of this check: an index change that queues behind tune's transaction
 * would block it.
 */
const CHECK_MS = 500;

/**
 * Refuses the step if a view on this name was made meanwhile: the rename would succeed and the view
 * fail, leaving the name free.
 * @param {SplitJob} job
 * @param {Direction} direction
 * @param {string} known the views when the step was made; empty: it makes no view
 */
async function checkReaders({ port }, { from }, known) {
  if (known === '' || JSON.stringify(await findDependents(port, from)) === known) return;
  throw tryAgain(`views on ${nsOf(from)} were changed`);
}

/**
 * Says whether the server renamed the source and refused the view: the name is free, and takes
 * writes.
 * @param {SplitJob} job @param {Direction} direction
 */
const isTorn = async (job, direction) =>
  (await hasBegun(job, direction)) &&
  !isSplitView(await findCollection(job.port, direction.from.db, direction.from.name));

/**
 * Cuts the source off: in one step it gets another name and a view takes its place, to which
 * nothing can be written. No write can come in between, and none that has begun is torn. Nothing
 * expires in the source any more, or a rollback would restore less than there was.
 * @param {SplitJob} job
 * @param {Direction} direction
 * @param {() => Promise<unknown>} [meanwhile] runs before each further try
 * @throws {TuneError} TUNE-35005, TUNE-35006, TUNE-35013, TUNE-35016, TUNE-35020
 */
async function cutOver(job, direction, meanwhile) {
  // A name that this shell did not choose for this cut may be that of an earlier cut, whose mark is
  // in the stream.
  const mayBeDone = job.split.mode === 'online' && job.unusedName !== direction.from.renamedTo;
  const state = { direction, mayBeDone, mayHaveBeenDone: mayBeDone, readers: '', listedMs: 0 };
  job.unusedName = null;
  await retryAsViewsChange(
    () => runAtomicStep(job, cutStep(job, state, meanwhile)),
    () => job.again(() => isTorn(job, state.direction)),
  );
}

/**
 * @typedef {{
 *   direction: Direction, mayBeDone: boolean, mayHaveBeenDone: boolean, readers: string,
 *   listedMs: number
 * }} Cut `mayBeDone`: a cut to this name may have been done; `mayHaveBeenDone`: the same, before
 *   the last try; `readers`: the views that read the name, as the step knows them; `listedMs`: how
 *   long their list took
 */

/**
 * @param {SplitJob} job
 * @param {Cut} state
 * @param {() => Promise<unknown>} [meanwhile]
 * @returns {AtomicStep}
 */
const cutStep = (job, state, meanwhile) => ({
  place: state.direction.from,
  get touches() {
    const { from, to } = state.direction;
    return [from, { db: from.db, name: from.renamedTo }, { db: to.db, name: to.stagingName }];
  },
  isDone: () => isCut(job, state.direction),
  operations: async () => {
    state.listedMs = 0;
    await renameMark(job, state, meanwhile);
    const { operations, seen } = await timed(state, () => cutOperations(job, state.direction));
    Object.assign(state, { readers: seen, mayHaveBeenDone: state.mayBeDone, mayBeDone: true });
    return operations;
  },
  refused: () => {
    state.mayBeDone = state.mayHaveBeenDone;
  },
  meanwhile,
  pinned: async () => {
    await timed(state, () => checkReaders(job, state.direction, state.readers));
    return pinnedFor(job, state.direction);
  },
  spareMs: () => state.listedMs,
});

/**
 * Chooses a new name for the mark: where the last try was done and another session undid it at
 * once, it left its mark in the stream of changes.
 * @param {SplitJob} job
 * @param {Cut} state
 * @param {() => Promise<unknown>} [prepare] needed where this shell found the cut done, and has
 *   prepared nothing
 */
async function renameMark(job, state, prepare) {
  const { way } = state.direction;
  const isUncut = async () => !(await hasBegun(job, state.direction));
  if (!state.mayBeDone || !(await timed(state, () => isMajorityCommitted(job, isUncut)))) return;
  await job.save(nextCutName(job.split, way));
  Object.assign(state, { direction: directionOf(job.split, way), mayBeDone: false });
  if (job.freshAtMs === null) await prepare?.();
}

/**
 * @template T
 * @param {{ listedMs: number }} state
 * @param {() => Promise<T>} act its time is not part of the limit for the age of the catch-up
 */
async function timed(state, act) {
  const beganMs = performance.now();
  const result = await act();
  state.listedMs += performance.now() - beganMs;
  return result;
}

/**
 * Lists what must not change before the step: the name (it renames by UUID) and the TTL times (it
 * overwrites them).
 * @param {SplitJob} job
 * @param {Direction} direction
 * @returns {Promise<Pinned[]>}
 */
async function pinnedFor(job, direction) {
  const { port, split } = job;
  const { way, from } = direction;
  if (await hasBegun(job, direction)) return [];
  const text = (/** @type {readonly Ttl[]} */ ttl) => JSON.stringify(ttl);
  const isAsSeen = async () =>
    text(await readTtl(port, from, { maxTimeMS: CHECK_MS })) === text(split.ttl[way]);
  return [{ ...from, isAsSeen }];
}

/**
 * Lists the operations that are still missing: an interrupted server may have done a part.
 * @param {SplitJob} job
 * @param {Direction} direction
 * @returns {Promise<{ operations: Op[], seen: string }>} `seen`: the views that read the source's
 *   name
 */
async function cutOperations({ port, split }, direction) {
  const { from } = direction;
  const renamedTo = { db: from.db, name: from.renamedTo, uuid: from.uuid };
  const isRenamed = (await findCollection(port, from.db, from.renamedTo)) !== null;
  const isHidden = await findCollection(port, from.db, from.name).then(
    (here) => here?.type === 'view',
  );
  const { proof, made, seen } = isHidden
    ? NO_VIEW
    : await viewAt(port, from, viewInPlace(direction), await ownCollation(port, direction));
  const oldReads = direction.way === 'reverse' ? await refuseReads(port, split) : [];
  const operations = [
    isThere(from),
    ...proof,
    ...(isRenamed
      ? oldReads
      : [
          isNoCollection(renamedTo),
          ...oldReads,
          command(from.db, { renameCollection: nsOf(from), to: nsOf(renamedTo) }, from.uuid),
        ]),
    ...made,
    ...split.ttl[direction.way].map(({ name }) =>
      expireAfter(renamedTo, { name, expireAfterSeconds: NEVER_SECONDS }),
    ),
  ];
  return { operations, seen };
}

/** @type {{ proof: Op[], made: Op[], seen: string }} */
const NO_VIEW = Object.freeze({ proof: [], made: [], seen: '' });

module.exports = { cutOver };
