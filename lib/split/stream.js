'use strict';

const { BATCH, BatchSize } = require('./pure/batch-size');
const { ownId } = require('./pure/split-names');
const { asChanged, isMark, isMarkOf, readBehindMark } = require('./cut-mark');
const { LONG_READ, READ, majorityAt } = require('./server');
const { asPassing, overrun } = require('./stream-errors');
const { idOf, keyOf } = require('./ids');

/**
 * @import { Followed } from './cut-mark'
 * @import { Direction } from './directions'
 * @import { Id } from './ids'
 * @import { SplitJob } from './split-job'
 * @import { Batch, Split } from './types'
 */

/**
 * Reads the changes of the source, in batches of ids.
 * @typedef {{ next(): Promise<Batch>, close(): Promise<void> }} Stream
 */

/** Number of ids of a transaction that are applied together; heuristic. */
const MAX = 20_000;
/**
 * Bytes of ids in a batch, and of a transaction that is applied as a whole: the shell holds them
 * all; heuristic.
 */
const BATCH_BYTES = 4_000_000;
const MAX_BYTES = 64_000_000;
/** Milliseconds for which the server waits for an event before it answers that there is none. */
const WAIT_MS = 100;
/** The same once the source is cut off, in milliseconds: writers wait for that answer. */
const CUT_WAIT_MS = 10;
/** Milliseconds to gather a batch: with a steady trickle of events a full one would take a minute; heuristic. */
const GATHER_MS = 300;

/**
 * Makes a stream that is opened when needed, and again after a fault, after the last change that was applied.
 * @param {Pick<SplitJob, 'port' | 'split'> & Partial<Pick<SplitJob, 'throwIfInterrupted'>>} job
 * @param {Direction} direction
 * @param {{ token(): any, now(): number, cutBy?: any }} at `cutBy`: if the source is cut off, it was by
 *   that time
 * @returns {Stream}
 */
function makeStream(job, direction, { token, now, cutBy }) {
  const { port, split } = job;
  /** @type {Source | null} */
  let source = null;
  let { undoneCuts } = direction;
  const batches = new BatchSize();
  const open = () =>
    watchSource(port, split, direction, {
      token: token(),
      waitMs: cutBy ? CUT_WAIT_MS : WAIT_MS,
      batchSize: batches.size,
    });
  const behind = {
    next: () => {
      job.throwIfInterrupted?.();
      return pull(/** @type {Source} */ (source));
    },
    majorityAt: (/** @type {any} */ time) => majorityAt(port, time),
  };
  const close = async () => {
    const last = source;
    source = null;
    await last?.stream.close().catch(() => undefined);
  };
  return {
    close,
    next: async () => {
      source ??= { stream: open(), pushedBack: null };
      const followed = { ...direction, undoneCuts, id: ownId(split), cutBy };
      try {
        const batch = await nextBatch({ source, behind, now }, followed);
        undoneCuts = batch.undoneCuts;
        if (batches.isFullAgain(batch.idle)) await close();
        return batch;
      } catch (error) {
        await close();
        batches.failed();
        const lost = overrun(error, direction);
        if (lost) throw lost;
        throw await asChanged(port, asPassing(error), followed);
      }
    },
  };
}

/**
 * @param {SplitJob['port']} port @param {Split} split @param {Direction} direction
 * @param {{ token: any, startAt?: any, waitMs?: number, limitMs?: number, batchSize?: number }} at
 */
function watchSource(port, split, direction, at) {
  const { token, waitMs = CUT_WAIT_MS, limitMs = LONG_READ.maxTimeMS, batchSize } = at;
  const { startAt = split[POSITION_FIELDS[direction.way].start] } = at;
  // The server would begin now, and the writes since the copy would be missed.
  if (!token && !startAt) throw new TypeError(`the stream of ${split._id} has no beginning`);
  return port.watch(direction.from.db, pipelineOf(direction), {
    // Ids are read as bytes: a JavaScript value may differ.
    ...READ,
    maxTimeMS: limitMs,
    readConcern: { level: 'majority' },
    fieldsAsRaw: { rawKey: true },
    enableUtf8Validation: false,
    ...(token ? { resumeAfter: token } : { startAtOperationTime: startAt }),
    maxAwaitTimeMS: waitMs,
    ...(batchSize ? { batchSize } : {}),
    comment: `mongosh-tune ${split._id}`,
  });
}

const POSITION_FIELDS = Object.freeze({
  forward: { start: /** @type {const} */ ('startAt'), token: /** @type {const} */ ('token') },
  reverse: {
    start: /** @type {const} */ ('reverseStartAt'),
    token: /** @type {const} */ ('reverseToken'),
  },
});

/**
 * Makes the pipeline with the names of cuts, too: where another session renamed the source, writes to it may be there.
 * @param {Direction} direction
 */
const pipelineOf = ({ from, undoneCuts }) => [
  {
    $match: {
      $or: [
        { 'ns.coll': { $in: [from.name, from.renamedTo, ...undoneCuts.map((cut) => cut.name)] } },
        { 'to.coll': from.renamedTo },
        { operationType: { $in: ['dropDatabase', 'invalidate'] } },
      ],
    },
  },
  {
    $project: {
      operationType: 1,
      // The id is in an array: the driver leaves the documents of an array as bytes, where it is requested to.
      rawKey: [{ _id: '$documentKey._id' }],
      isDocument: { $gt: ['$documentKey', null] },
      ns: 1,
      to: 1,
      clusterTime: 1,
      wallTime: 1,
    },
  },
];

/**
 * `pushedBack`: an event of the next batch, with the position of the stream after it.
 * @typedef {{ event: any, token: any }} Pulled
 * @typedef {{ stream: any, pushedBack: Pulled | null }} Source
 */

/** @param {Source} source @returns {Promise<Pulled>} */
async function pull(source) {
  const { stream, pushedBack } = source;
  source.pushedBack = null;
  return pushedBack ?? { event: await stream.tryNext(), token: stream.resumeToken };
}

/**
 * Reads a batch, which ends between two cluster times, so that a transaction is applied whole or not at all.
 * @param {{
 *   source: Source, behind: Omit<Parameters<typeof readBehindMark>[0], 'take' | 'unseen'>, now: () => number
 * }} how `behind`: how to read on after the mark of the cut
 * @param {Followed} direction
 * @returns {Promise<Batch>}
 */
async function nextBatch({ source, behind, now }, direction) {
  const seen = {
    now,
    ids: new Map(),
    gone: new Map(),
    bytes: 0,
    time: null,
    lagMs: 0,
    idle: false,
    cut: false,
    unseen: false,
    undoneCuts: direction.undoneCuts,
  };
  let token = source.pushedBack ? null : source.stream.resumeToken;
  for (const until = Date.now() + GATHER_MS; !seen.idle && !seen.cut;) {
    const pulled = await pull(source);
    if (pulled.event && isFull(seen, until) && !isSameMoment(pulled.event, seen)) {
      source.pushedBack = pulled;
      break;
    }
    take(seen, pulled.event, direction);
    // The mark of the cut stays ahead: another drain waits for it again.
    if (!seen.cut) token = pulled.token;
  }
  await readBehind(behind, seen, direction);
  return {
    ...seen,
    lagMs: seen.idle || seen.cut ? 0 : seen.lagMs,
    ids: [...seen.ids.values()],
    gone: [...seen.gone.values()],
    token,
  };
}

/**
 * Reads other events of the source once its cut was seen.
 * @param {Omit<Parameters<typeof readBehindMark>[0], 'take' | 'unseen'>} behind
 * @param {Seen} seen
 * @param {Followed} direction
 */
async function readBehind(behind, seen, direction) {
  if (!seen.cut) return;
  const takeLate = (/** @type {any} */ event) => {
    seen.time = event.clusterTime;
    takeDocument(seen, event);
  };
  const unseen = () => {
    seen.unseen = true;
  };
  await readBehindMark({ ...behind, take: takeLate, unseen }, direction);
}

/**
 * @typedef {Direction['undoneCuts'][number]} UndoneCut
 * @typedef {{ ids: Map<string, Id>, bytes: number, time: any }} Gathered
 * @typedef {Gathered & Pick<Batch, 'lagMs' | 'idle' | 'cut' | 'unseen' | 'undoneCuts'> & {
 *   gone: Map<string, Id>, now(): number }} Seen
 */

/** @param {Gathered} seen @param {number} until */
function isFull({ ids, bytes, time }, until) {
  return time !== null && (ids.size >= BATCH || bytes >= BATCH_BYTES || Date.now() >= until);
}

/**
 * Says whether an event is of the same transaction, unless that is a very large one.
 * @param {any} event
 * @param {Gathered} seen
 */
function isSameMoment({ clusterTime }, { ids, bytes, time }) {
  return ids.size < MAX && bytes < MAX_BYTES && String(clusterTime) === String(time);
}

/** @param {Seen} seen @param {any} event null: there is none for the moment @param {Followed} direction */
function take(seen, event, direction) {
  if (!event) {
    seen.idle = true;
    return;
  }
  seen.time = event.clusterTime;
  if (event.ns?.coll !== undefined && event.ns.coll !== direction.from.name) {
    takeAtCutName(seen, event, direction);
    return;
  }
  seen.lagMs = Math.max(
    0,
    seen.now() - (event.wallTime?.getTime() ?? event.clusterTime.getHighBits() * 1000),
  );
  if (event.isDocument) takeDocument(seen, event);
  else {
    const undone = seen.undoneCuts.find((one) => !one.passed && isMarkOf(event, one));
    // Each has one mark: a second rename to that name is another session's.
    if (undone) changeUndone(seen, undone, [{ ...undone, passed: true }]);
    else seen.cut = isMark(event, direction);
  }
}

/**
 * Takes an event at the name of a cut. At the name of a coming cut it is of another collection. At that of an undone
 * one, it is of the source from the mark until the rename back: another session may write to it there. No event is
 * read of any other name.
 * @param {Seen} seen @param {any} event @param {Followed} direction
 */
function takeAtCutName(seen, event, { from }) {
  const cut = seen.undoneCuts.find(({ name, passed }) => passed && name === event.ns.coll);
  if (!cut) return;
  if (event.isDocument) takeDocument(seen, event);
  else if (event.operationType === 'rename') {
    seen.unseen ||= event.to.coll !== from.name;
    changeUndone(seen, cut, []);
  }
}

/** @param {Seen} seen @param {UndoneCut} cut @param {UndoneCut[]} by */
function changeUndone(seen, cut, by) {
  seen.undoneCuts = seen.undoneCuts.flatMap((one) => (one === cut ? by : [one]));
}

/** @param {Seen} seen @param {any} event */
function takeDocument(seen, event) {
  const id = idOf(event.rawKey[0]);
  const key = keyOf(id);
  if (!seen.ids.has(key)) seen.bytes += key.length;
  seen.ids.set(key, id);
  if (event.operationType === 'delete') seen.gone.set(key, id);
}

module.exports = { makeStream, watchSource, keyOf, POSITION_FIELDS, MAX, MAX_BYTES };
