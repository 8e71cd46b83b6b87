'use strict';

const { TuneError } = require('../errors');
const { converge } = require('./converge');
const { isPassing } = require('./retry');
const { nsOf } = require('./names');

/** @typedef {import('./work').Work} Work @typedef {import('./names').Leg} Leg */
/**
 * @typedef {{ lagMs: number, idle: boolean, cut: boolean }} Step `lagMs`: age of the newest event that was brought over; `idle`: there
 *   was none left; `cut`: the source was cut off, and everything before that is over
 * @typedef {{ step(): Promise<Step>, until(done: (step: Step) => boolean, label: string): Promise<Step>, close(): Promise<void> }} Follower
 */

const BATCH = 1000;
/** Ids of a transaction that are brought over at once; ours. */
const MOST = 20_000;
/** Ids of what was brought over last: those are compared once more before the new place opens; ours. */
const RECENT = 1000;
/** How long the server waits for an event before it says that there is none. */
const WAIT_MS = 100;
/** Milliseconds for a batch: where events come one by one, never so far apart that there is none, a full one would be waited for a minute; ours. */
const GATHER_MS = 300;
/** What comes again after a crash is done again; so rarely that it costs nothing. */
const SAVE_EVERY_MS = 3_000;
/** ChangeStreamHistoryLost, ChangeStreamFatalError, CappedPositionLost, OplogQueryMinTsMissing. */
const LOST = Object.freeze(new Set([286, 280, 136, 326]));

/**
 * Brings over what happens in the source. Only ids come through the shell.
 * @param {Work} work @param {Leg} leg
 * @returns {Follower}
 */
function makeFollower(work, leg) {
  const at = FIELDS[leg.way];
  const seen = { token: work.split[at.token], savedAt: 0, brought: work.split.converged, parked: work.split.parked };
  const clock = makeClock(work);
  const stream = makeStream(work, leg, { token: () => seen.token, now: clock.now });
  const save = async () => {
    seen.savedAt = Date.now();
    await work.save({ [at.token]: seen.token, converged: seen.brought, parked: seen.parked, broughtAt: new Date() });
  };

  /** @returns {Promise<Step>} */
  async function step() {
    work.safePoint();
    await clock.set();
    const batch = await work.again(stream.next);
    const ids = [...batch.ids, ...seen.parked];
    if (ids.length > 0) seen.parked = await converge(work, leg, { ids, gone: [...batch.gone, ...seen.parked], time: batch.time });
    seen.brought += batch.ids.length;
    remember(work.recent, batch.ids);
    seen.token = batch.token ?? seen.token;
    if (batch.cut || Date.now() - seen.savedAt > SAVE_EVERY_MS) await save();
    return { lagMs: batch.lagMs, idle: batch.idle, cut: batch.cut };
  }

  return {
    step, close: stream.close,
    async until(done, label) {
      let now = await step();
      for (; !done(now) && !now.cut; now = await step()) work.say(`${label}: ${seen.brought} changes brought over, ${(now.lagMs / 1000).toFixed(1)} s behind`);
      await save();
      if (now.cut && seen.parked.length > 0) throw new TuneError('TUNE-35008', `${seen.parked.length} documents of ${nsOf(leg.from)} do not fit into ${nsOf(leg.to)}: another one has their value in a unique index.`, { value: seen.parked });
      return now;
    },
  };
}

/** The newest come last, and the oldest go. @param {Map<unknown, any>} recent @param {any[]} ids */
function remember(recent, ids) {
  for (const id of ids) {
    recent.delete(keyOf(id));
    recent.set(keyOf(id), id);
  }
  for (const key of recent.keys()) {
    if (recent.size <= RECENT) return;
    recent.delete(key);
  }
}

/** The server's clock, by which events are dated: this machine's may be another, and then it would never be close behind, or always. @param {Work} work */
function makeClock({ port, again }) {
  /** @type {number | null} */ let aheadMs = null;
  return {
    now: () => Date.now() + (aheadMs ?? 0),
    set: async () => { aheadMs ??= (await again(() => port.adminCommand({ hello: 1 }))).localTime.getTime() - Date.now(); },
  };
}

/** Opened when it is needed, and again after a fault, behind what was brought over. @param {Work} work @param {Leg} leg @param {{ token(): any, now(): number }} at */
function makeStream({ port, split }, leg, { token, now }) {
  /** @type {Source | null} */
  let source = null;
  const open = () => port.watch(leg.from.db, pipelineOf(leg), {
    ...(token() ? { resumeAfter: token() } : { startAtOperationTime: split[FIELDS[leg.way].start] }), maxAwaitTimeMS: WAIT_MS, batchSize: BATCH, comment: `mongosh-tune ${split._id}`,
  });
  const close = async () => {
    const last = source;
    source = null;
    await last?.stream.close().catch(() => undefined);
  };
  return {
    close,
    next: async () => {
      source ??= { stream: open(), held: null };
      return nextBatch(source, leg, now).catch(async (error) => {
        await close();
        throw overrun(error, leg) ?? (isClosed(error) ? Object.assign(error, { code: PASSING_CODE }) : error);
      });
    },
  };
}

const FIELDS = Object.freeze({ forth: { start: /** @type {const} */ ('startAt'), token: /** @type {const} */ ('token') }, back: { start: /** @type {const} */ ('backStartAt'), token: /** @type {const} */ ('backToken') } });
/** A stream that the driver closed is opened again where it was. */
const PASSING_CODE = 43;
/** @param {any} error */
const isClosed = (error) => !isPassing(error) && /ChangeStream is closed|closed cursor|Cursor is closed/i.test(error?.message ?? '');

/** @param {Leg} leg */
const pipelineOf = ({ from }) => [
  { $match: { $or: [{ 'ns.coll': from.name }, { operationType: { $in: ['dropDatabase', 'invalidate'] } }] } },
  { $project: { operationType: 1, documentKey: 1, to: 1, clusterTime: 1, wallTime: 1 } },
];

/**
 * `held`: an event of the next batch, with where the stream is behind it.
 * @typedef {{ event: any, token: any }} Pulled @typedef {{ stream: any, held: Pulled | null }} Source
 */

/** @param {Source} source @returns {Promise<Pulled>} */
async function pull(source) {
  const { stream, held } = source;
  source.held = null;
  return held ?? { event: await stream.tryNext(), token: stream.resumeToken };
}

/**
 * A batch ends between two moments: of a transaction all is brought over or nothing, or the copy would hold what never was.
 * @param {Source} source @param {Leg} leg @param {() => number} now
 * @returns {Promise<{ ids: any[], gone: any[], time: any, token: any, lagMs: number, idle: boolean, cut: boolean }>}
 */
async function nextBatch(source, leg, now) {
  const seen = { now, ids: new Map(), gone: new Map(), time: null, lagMs: 0, idle: false, cut: false };
  let token = source.held ? null : source.stream.resumeToken;
  for (const until = Date.now() + GATHER_MS; !seen.idle && !seen.cut;) {
    const pulled = await pull(source);
    if (pulled.event && isFull(seen, until) && !isSameMoment(pulled.event, seen)) {
      source.held = pulled;
      break;
    }
    take(seen, pulled.event, leg);
    // The mark of the cut stays ahead: who drains anew waits for it again.
    if (!seen.cut) token = pulled.token;
  }
  return { ...seen, lagMs: seen.idle || seen.cut ? 0 : seen.lagMs, ids: [...seen.ids.values()], gone: [...seen.gone.values()], token };
}

/** @param {{ ids: Map<unknown, any>, time: any }} seen @param {number} until */
const isFull = ({ ids, time }, until) => time !== null && (ids.size >= BATCH || Date.now() >= until);

/** Of the same transaction, unless it is a very large one. @param {any} event @param {{ ids: Map<unknown, any>, time: any }} seen */
const isSameMoment = ({ clusterTime }, { ids, time }) => ids.size < MOST && String(clusterTime) === String(time);

/** @param {{ ids: Map<unknown, any>, gone: Map<unknown, any>, time: any, lagMs: number, idle: boolean, cut: boolean, now(): number }} seen @param {any} event null: none for the moment @param {Leg} leg */
function take(seen, event, { from }) {
  if (!event) {
    seen.idle = true;
    return;
  }
  seen.time = event.clusterTime;
  seen.lagMs = Math.max(0, seen.now() - (event.wallTime?.getTime() ?? event.clusterTime.getHighBits() * 1000));
  if (event.documentKey) {
    const id = event.documentKey._id;
    seen.ids.set(keyOf(id), id);
    if (event.operationType === 'delete') seen.gone.set(keyOf(id), id);
    return;
  }
  seen.cut = event.operationType === 'rename' && event.to.coll === from.aside;
  if (!seen.cut && event.operationType !== 'create') throw new TuneError('TUNE-35005', `${nsOf(from)} got another fate meanwhile: ${event.operationType}.`, { value: event.operationType });
}

/** What is surely the same id; where that is not sure it may come twice. @param {any} id */
const keyOf = (id) => (id?._bsontype === 'ObjectId' ? `oid ${id.toHexString()}` : typeof id === 'string' ? `string ${id}` : typeof id === 'number' ? id : {});

/** @param {any} error @param {Leg} leg */
function overrun(error, { from }) {
  if (!LOST.has(error?.code)) return null;
  return new TuneError('TUNE-35007', `What happened in ${nsOf(from)} is no longer in the oplog, so it can not be brought over.`, { cause: error, value: nsOf(from) });
}

module.exports = { makeFollower };
