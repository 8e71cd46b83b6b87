'use strict';

const { sleep } = require('../../lib/base/context');
const { contextOf } = require('./context');
const { startReplicaSet } = require('./server');
const { whyNotLong } = require('./trial');
const { sayPhase } = require('../../lib/split/pure/phase-words');

/**
 * @import { MongoClient } from 'mongodb'
 */

/**
 * A set of one member, unless more are asked for, for the tests of a `describe`.
 * @param {(set: { server: Awaited<ReturnType<typeof startReplicaSet>>, client:
 *   MongoClient, ctx: ReturnType<typeof contextOf> }) => void} take once it is
 *   there
 * @param {{ args?: string[], members?: number }} [options]
 */
function useSet(take, options = {}) {
  /** @type {Awaited<ReturnType<typeof startReplicaSet>> | undefined} */ let server;
  before(async () => {
    server = await startReplicaSet({ members: 1, ...options });
    take({ server, client: server.client, ctx: contextOf(server.client) });
  });
  after(() => server?.stop());
}

/**
 * A plan as tune.split.plan makes it, of collections that exist.
 * @param {MongoClient} client
 * @param {{ moves: { ns: string, into: string, method?: string }[], id?: string, mode?: string }}
 *   wanted
 */
async function planOf(
  client,
  { moves, id = `p${Math.random().toString(36).slice(2, 8)}`, mode = 'online' },
) {
  const made = await Promise.all(
    moves.map(async ({ ns, into, method = 'out' }) => {
      const [db, ...rest] = ns.split('.');
      const [info] = await client
        .db(db)
        .listCollections({ name: rest.join('.') }, { bsonRegExp: true })
        .toArray();
      return {
        ns,
        into,
        method,
        uuid: info.info.uuid,
        documents: await client.db(db).collection(rest.join('.')).estimatedDocumentCount(),
        blockers: [],
        warnings: [],
      };
    }),
  );
  return {
    id,
    at: new Date(),
    from: moves[0].ns.split('.')[0],
    mode,
    moves: made,
    blockers: [],
    warnings: [],
  };
}

/**
 * Of these writes one in so many makes a document that nobody writes to again: what is lost of
 * those no later write can hide.
 */
const ONCE = 5;
/**
 * Milliseconds between two writes of a writer: without it eight of them take a whole processor,
 * which the split needs, too.
 */
const PAUSE_MS = whyNotLong() ? 5 : 0;
/** @param {number} ms */
const pause = (ms) =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
const PAD = 'x'.repeat(50);
/**
 * Of a write that was under way when the collection got another name: it failed, with this error of
 * its own.
 */
const QUERY_PLAN_KILLED = 175;

/** @type {(() => void)[]} */ const STOPS = [];
// A test that fails leaves its writers at work; mocha would never end.
if (typeof after === 'function') after(() => STOPS.forEach((stop) => stop()));

/**
 * Writers that remember what the server acknowledged: of each `_id` the value that was acknowledged
 * last, or null when it was deleted. What was under way when an error came may be there or not;
 * both are right.
 * @param {MongoClient} client
 * @param {{
 *   db: string, name: string, writers?: number, prefix?: string, writeConcern?: object,
 *   elsewhere?: string, pauseMs?: number
 * }} where
 *   `elsewhere`: the database that a writer goes to when it is refused, and back; `pauseMs`:
 *   between two writes of a writer
 */
function startRegister(
  client,
  { db, name, writers = 8, prefix = 'w', writeConcern, elsewhere, pauseMs = PAUSE_MS },
) {
  /** @type {Map<string, { value: number | null, maybe: (number | null)[] }>} */ const register =
    new Map();
  const counts = {
    acknowledged: 0,
    refused: 0,
    other: /** @type {Error[]} */ ([]),
    longestPauseMs: 0,
  };
  const place = { db, name };
  let on = true;
  let value = 0;
  const one = async (/** @type {number} */ w) => {
    for (let i = 0; on; i += 1) {
      const at = place.db;
      const collection = client.db(at).collection(place.name, { writeConcern });
      const _id =
        i % ONCE === 0
          ? `${prefix}${w}-once-${i}`
          : `${prefix}${w}-${Math.floor(Math.random() * 400)}`;
      const entry = register.get(_id) ?? { value: null, maybe: [] };
      register.set(_id, entry);
      value += 1;
      const mine = value;
      const gone = entry.value !== null && entry.maybe.length === 0 && Math.random() < 0.25;
      try {
        if (gone) await collection.deleteOne({ _id });
        else if (entry.value === null && entry.maybe.length === 0)
          await collection.insertOne({ _id, v: mine, unique: `u${mine}`, pad: PAD });
        else
          await collection.updateOne(
            { _id },
            { $set: { v: mine, unique: `u${mine}`, pad: PAD } },
            { upsert: true },
          );
        Object.assign(entry, { value: gone ? null : mine, maybe: [] });
        counts.acknowledged += 1;
      } catch (error) {
        const isRefused = error.code === 166 || error.code === 241;
        counts.refused += Number(isRefused);
        if (!isRefused) entry.maybe.push(gone ? null : mine);
        if (!isRefused && error.code !== QUERY_PLAN_KILLED) counts.other.push(error);
        if (isRefused && elsewhere && place.db === at) place.db = at === db ? elsewhere : db;
        await pause(20);
      }
      if (pauseMs > 0) await pause(pauseMs);
    }
  };
  const running = Promise.all(Array.from({ length: writers }, (_, w) => one(w)));
  STOPS.push(() => {
    on = false;
  });
  const right = (/** @type {any} */ doc) => doc.unique === `u${doc.v}` && doc.pad === PAD;
  return {
    counts,
    place,
    register,
    stop: async () => {
      on = false;
      await running;
    },
    /**
     * What is in a collection that should not be, and the other way round.
     * @param {string} there
     * @param {string} collection
     */
    async differences(there, collection) {
      const found = new Map(
        (
          await client
            .db(there)
            .collection(collection)
            .find({ _id: { $regex: `^${prefix}` } })
            .toArray()
        ).map((doc) => [doc._id, doc]),
      );
      const wrong = [];
      for (const [_id, { value: expected, maybe }] of register) {
        const doc = found.get(_id);
        const seen = doc ? doc.v : null;
        if ((seen !== expected && !maybe.includes(seen)) || (doc && !right(doc)))
          wrong.push({ _id, expected, maybe, seen });
        found.delete(_id);
      }
      return [...wrong, ...[...found.keys()].map((_id) => ({ _id, expected: undefined }))];
    },
  };
}

/**
 * A shell that is gone from a moment on: nothing that it sends from then on leaves it.
 * @param {MongoClient} client
 * @param {(spec: any) => boolean} when
 */
function mortalContext(client, when) {
  const ctx = contextOf(client);
  const state = { isGone: false };
  const gone = () => Object.assign(new Error('the shell is gone'), { isGone: true });
  for (const name of /** @type {const} */ (['aggregate', 'watch', 'transaction'])) {
    const open = ctx.port[name];
    ctx.port[name] = (...call) => {
      if (state.isGone) throw gone();
      return open(...call);
    };
  }
  const { command } = ctx.port;
  ctx.port.command = async (database, spec) => {
    state.isGone ||= when(spec);
    if (state.isGone) throw gone();
    return command(database, spec);
  };
  ctx.port.adminCommand = (spec) => ctx.port.command('admin', spec);
  return ctx;
}

/**
 * A shell that finds the oplog overrun: what was read before cannot be continued.
 * @template {{ port: any }} C
 * @param {C} ctx @param {(options: any) => Promise<boolean> | boolean} [isLost] by now; `options`: of the stream
 * @returns {C} the same one
 */
function withoutOplog(ctx, isLost = ({ resumeAfter }) => resumeAfter !== undefined) {
  const { watch } = ctx.port;
  ctx.port.watch = (/** @type {any[]} */ ...call) => {
    const stream = watch(...call);
    const tryNext = async () => {
      if (await isLost(call[2]))
        throw Object.assign(new Error('lost'), { code: 286, name: 'MongoServerError' });
      return stream.tryNext();
    };
    return { ...stream, close: () => stream.close(), tryNext };
  };
  return ctx;
}

/**
 * A shell that dies once it has saved this phase.
 * @param {MongoClient} client
 * @param {string} phase
 */
function diesAfter(client, phase) {
  let isSaved = false;
  return mortalContext(client, (spec) => {
    const isDead = isSaved;
    isSaved ||= spec.update?.$set?.phase === phase;
    return isDead;
  });
}

/**
 * As if its time were over.
 * @param {MongoClient} client
 * @param {string} planId
 */
const endLease = (client, planId) =>
  client
    .db('tune')
    .collection('splits')
    .updateMany({ planId, lease: { $ne: null } }, { $set: { 'lease.until': new Date(0) } });

/** @param {() => Promise<boolean> | boolean} is @param {number} [limitMs] */
async function until(is, limitMs = 60_000) {
  const end = Date.now() + limitMs;
  while (!(await is())) {
    if (Date.now() > end) throw new Error('it did not happen');
    await sleep(20, new AbortController().signal);
  }
}

/**
 * @param {string | null} text a line of progress
 * @param {string} phase
 * @returns {boolean} the line says that this phase begins
 */
const saysPhase = (text, phase) => Boolean(text?.endsWith(`  ${sayPhase(phase)}`));

/**
 * A context whose shell is interrupted once a phase is written down.
 * @param {MongoClient} client
 * @param {string} phase
 */
function interruptedAt(client, phase) {
  const stop = new AbortController();
  const ctx = contextOf(client, { signal: stop.signal });
  const { command } = ctx.port;
  ctx.port.command = async (database, /** @type {any} */ spec) => {
    const answer = await command(database, spec);
    if (spec.update?.$set?.phase === phase) stop.abort();
    return answer;
  };
  return ctx;
}

module.exports = {
  endLease,
  interruptedAt,
  diesAfter,
  mortalContext,
  planOf,
  saysPhase,
  startRegister,
  until,
  useSet,
  withoutOplog,
};
