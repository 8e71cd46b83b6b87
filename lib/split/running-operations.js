'use strict';

const { sameUuid } = require('./server');
const { sleep } = require('../base/context');

/**
 * @import { CollectionName, Port } from './server'
 * @import { Running } from './types'
 * @import { SplitJob } from './split-job'
 */

/** Commands that change the name, the options or the indexes of a collection of their database. */
const CHANGES = Object.freeze([
  'createIndexes',
  'collMod',
  'drop',
  'dropIndexes',
  'deleteIndexes',
  'convertToCapped',
]);
/**
 * Commands that read or write documents: a step that comes in between does them no harm but an
 * error.
 */
const OF_DOCUMENTS = Object.freeze({
  ops: Object.freeze(['query', 'getmore', 'insert', 'update', 'remove']),
  commands: Object.freeze([
    ...['find', 'aggregate', 'count', 'distinct', 'getMore', 'mapReduce', 'explain'],
    ...['insert', 'update', 'delete', 'findAndModify', 'findandmodify', 'bulkWrite'],
    ...['listIndexes', 'collStats', 'dataSize', 'validate', 'dbHash'],
  ]),
});
/** Operations of currentOp that write documents; findAndModify is a command. */
const WRITES = Object.freeze(['update', 'remove', 'command']);
/** Number of operations read at once; with more of them the step waits. */
const MOST = 1_000;
const FIELDS = Object.freeze({
  opid: 1,
  op: 1,
  ns: 1,
  desc: 1,
  waitingForLock: 1,
  numYields: 1,
  locks: 1,
  lsid: 1,
});
const SHOWN = Object.freeze(
  Object.fromEntries(
    ['comment', 'renameCollection', 'multi', 'limit', ...OF_DOCUMENTS.commands, ...CHANGES].map(
      (name) => [`command.${name}`, 1],
    ),
  ),
);

/**
 * Reads tune's step, and the operations of all users on the collections that it touches. No part of
 * this question waits for a lock.
 * @param {Port} port
 * @param {{ comment: string, touches: readonly CollectionName[], session: any }} of `session`: that
 *   of tune's own transaction
 * @returns {Promise<{
 *   step: Running | undefined, builds: CollectionName[], changes: string[], writes: string[],
 *   holders: string[]
 * }>} `builds`: where an index is being built; `changes`: commands that have not done their part
 *   yet; `writes`: writes of one document that have begun: one may be done, and the step would end
 *   it with an error; `holders`: other operations that hold the server's lock, so that the step
 *   would have to wait
 */
async function stepAndWaiting(port, { comment, touches, session }) {
  const names = touches.map(({ name }) => name);
  const full = touches.map(({ db, name }) => `${db}.${name}`);
  const { cursor } = await port.adminCommand({
    aggregate: 1,
    cursor: { batchSize: MOST },
    pipeline: [
      { $currentOp: { allUsers: true } },
      {
        $match: {
          $or: [
            { 'command.comment': comment },
            { 'command.renameCollection': { $in: full } },
            ...CHANGES.map((name) => ({ [`command.${name}`]: { $in: names } })),
            { desc: /^IndexBuild/, ns: { $in: full } },
            { ns: { $in: full }, op: { $in: WRITES }, numYields: { $gt: 0 } },
            HOLDS_LOCK,
          ],
        },
      },
      { $project: { _id: 0, ...FIELDS, ...SHOWN } },
    ],
  });
  const isCut = String(cursor.id ?? 0) !== '0';
  if (isCut) await port.adminCommand({ killCursors: '$cmd.aggregate', cursors: [cursor.id] });
  /** @type {Running[]} */
  const running = cursor.firstBatch;
  const others = running.filter(({ command }) => command?.comment !== comment);
  const of = others.flatMap((op) =>
    touches.filter((place) => isOf(op, place)).map((place) => ({ op, place })),
  );
  return {
    step: running.find(({ command }) => command?.comment === comment),
    builds: of.filter(({ op }) => isBuild(op)).map(({ place }) => place),
    changes: of.flatMap(({ op }) => (isBuild(op) ? [] : (changeOf(op) ?? []))),
    writes: of.flatMap(({ op }) => (isSingleWrite(op) ? [describe(op)] : [])),
    holders: [
      ...others.filter((op) => isHolder(op, session)).map(describe),
      ...(isCut ? [`one of more than ${MOST} operations`] : []),
    ],
  };
}

/**
 * The locks of an operation that holds the server's lock. One that waits for it shows that lock
 * too, but none of a database yet (seen on 6.0.5). A thousand clients may wait.
 */
const HOLDS_LOCK = Object.freeze({
  'locks.Global': { $exists: true },
  $nor: [{ waitingForLock: true, 'locks.Database': { $exists: false } }],
});

/**
 * Says whether an operation, or an open transaction, holds the server's lock.
 * @param {Running} op
 * @param {any} session the session of tune's own transaction
 */
const isHolder = ({ locks, waitingForLock, lsid }, session) =>
  locks?.Global !== undefined &&
  !(waitingForLock && locks.Database === undefined) &&
  !(lsid && sameUuid(lsid.id, session?.id));

/** @param {Running} op */
const describe = ({ command, ns, lsid }) =>
  `${Object.keys(command ?? {})[0] ?? 'a transaction'} (${ns ?? `session ${lsid?.id}`})`;

/** @param {Running} op @param {CollectionName} place */
const isOf = ({ ns = '', command = {} }, { db, name }) =>
  ns === `${db}.${name}` ||
  command.renameCollection === `${db}.${name}` ||
  (ns.startsWith(`${db}.`) && CHANGES.some((one) => command[one] === name));

/**
 * Says whether an operation builds an index; one that waits for its lock has not begun.
 * @param {Running} op
 */
const isBuild = ({ desc, command, waitingForLock }) =>
  /^IndexBuild/.test(desc ?? '') || (command?.createIndexes !== undefined && !waitingForLock);

/**
 * Names an operation that may change a collection; a newer release may have unknown commands.
 * @param {Running} op
 * @returns {string | null}
 */
function changeOf({ op = '', command = {} }) {
  const known = ['renameCollection', ...CHANGES].find((name) => command[name] !== undefined);
  if (known) return known;
  const isOfDocuments =
    OF_DOCUMENTS.ops.includes(op) ||
    OF_DOCUMENTS.commands.some((name) => command[name] !== undefined);
  return isOfDocuments ? null : 'a change';
}

/**
 * Says whether an operation writes one document: such a write yields once more after it is done,
 * where it took longer than a moment.
 * @param {Running} op
 */
const isSingleWrite = ({ op = '', numYields = 0, command = {} }) =>
  numYields > 0 &&
  ((op === 'update' && command.multi !== true) ||
    (op === 'remove' && command.limit !== 0) ||
    ['findAndModify', 'findandmodify'].some((name) => command[name] !== undefined));

const POLL_EVERY_MS = 100;
/**
 * Milliseconds for a killed operation to end: the server checks for a kill many times a second;
 * only a lock delays it.
 */
const PATIENCE_MS = 30_000;

/**
 * Ends operations that an earlier shell left running for this split, and waits until they are over:
 * they would only cost time and disk. A user may always end their own operations. An index build
 * continues, and building it again only waits for it. A step (atomic-step.js) must not end between
 * its operations, so it is not killed.
 * @param {SplitJob} job
 */
async function killOwnOperations({ port, split, signal }) {
  const { into, _id } = split;
  const pipeline = [
    { $currentOp: { allUsers: false } },
    {
      $match: {
        'command.createIndexes': { $exists: false },
        $or: [
          { 'command.comment': `mongosh-tune ${_id}` },
          { ns: `${into.db}.${into.stagingName}`, op: { $in: ['remove', 'update', 'insert'] } },
        ],
      },
    },
    { $project: { opid: 1 } },
  ];
  for (const until = Date.now() + PATIENCE_MS; Date.now() < until;) {
    const { cursor } = await port.adminCommand({ aggregate: 1, pipeline, cursor: {} });
    if (cursor.firstBatch.length === 0) return;
    for (const { opid } of cursor.firstBatch) await port.adminCommand({ killOp: 1, op: opid });
    await sleep(POLL_EVERY_MS, signal.aborted ? new AbortController().signal : signal);
  }
}

module.exports = { stepAndWaiting, killOwnOperations };
