'use strict';

/**
 * A split on a server of its own whose shells are attacked: one of them reaches it through a proxy,
 * the others straight.
 */
const assert = require('node:assert/strict');
const { MongoClient } = require('mongodb');
const { contextOf } = require('./context');
const { startProxy } = require('./held-proxy');
const { renames, saves } = require('./sent');
const { mortalContext, planOf, until } = require('./split');
const { run: splitRun } = require('../../lib/commands/split-run');

const DO = Object.freeze({ confirm: true });
const MAJORITY = Object.freeze({ writeConcern: { w: 'majority', j: true } });
const BEFORE = 1000;
const SINCE = 500;
const LIMIT_MS = 60_000;

/**
 * @param {{ port: number, client: import('mongodb').MongoClient }} server
 * @param {{ documents?: object[], method?: string, indexes?: object[], name?: string }} [of]
 */
async function startAttacked(
  { port, client },
  { documents = numbered(0, BEFORE), method = 'out', indexes = [], name = 'c' } = {},
) {
  const proxy = await startProxy(port);
  /** The driver's monitor would see at once what a paused shell cannot. */
  const far = new MongoClient(proxy.uri, {
    appName: 'attacked',
    serverMonitoringMode: 'poll',
    heartbeatFrequencyMS: 120_000,
    serverSelectionTimeoutMS: 5_000,
  });
  await far.connect();
  const [source, target] = ['app', 'app2'].map((db) => client.db(db).collection(name));
  await source.insertMany(/** @type {any[]} */ (documents), MAJORITY);
  for (const index of indexes) await source.createIndex(/** @type {any} */ (index));
  const plan = await planOf(client, {
    moves: [{ ns: `app.${name}`, into: `app2.${name}`, method }],
  });
  const [staging, aside] = [`${name}__tune_`, `${name}__aside_`];
  return {
    plan,
    id: plan.id,
    proxy,
    client,
    name,
    source,
    target,
    /** The shell that is attacked, and another one. */
    far: contextOf(far),
    near: contextOf(client),
    /** What the four steps of the catalog look like on their way. */
    cut: (/** @type {any} */ command) =>
      renames(command, `app.${name}`, `app.${aside}`.slice(0, -'__aside_'.length)) &&
      !renames(command, `app.${aside}`),
    place: (/** @type {any} */ command) => renames(command, `app2.${staging}`),
    reverseCutOver: (/** @type {any} */ command) =>
      renames(command, `app2.${name}`) && !renames(command, `app2.${staging}`),
    putBack: (/** @type {any} */ command) => renames(command, `app.${aside}`),
    run: (/** @type {any} */ ctx = contextOf(client)) => splitRun(ctx, plan, DO),
    /** A shell that is gone as soon as this phase is written down. @param {string} phase */
    stopsAt(phase) {
      const state = { seen: false };
      return mortalContext(client, (spec) => {
        if (state.seen) return true;
        state.seen = saves(spec, phase);
        return false;
      });
    },
    /** As if its time had passed: nobody holds the lease any more. */
    lapse: () =>
      client
        .db('tune')
        .collection('splits')
        .updateMany(
          { planId: plan.id, lease: { $ne: null } },
          { $set: { 'lease.until': new Date(0) } },
        ),
    phase: async () =>
      (await client.db('tune').collection('splits').findOne({ planId: plan.id }))?.phase ?? null,
    /** What an application writes now. @param {'app' | 'app2'} db */
    write: (db) =>
      client
        .db(db)
        .collection(name)
        .insertMany(/** @type {any[]} */ (numbered(BEFORE, SINCE)), MAJORITY),
    async stop() {
      await proxy.stop();
      await far.close(true);
    },
  };
}

/** @param {number} from @param {number} count */
const numbered = (from, count) =>
  Array.from({ length: count }, (_, i) => ({ _id: from + i, n: i % 97 }));

/**
 * The data is there, all of it, and takes writes.
 * @param {import('mongodb').MongoClient} client @param {string} ns @param {number} documents
 */
async function assertAlive(client, ns, documents) {
  const [db, name] = [ns.slice(0, ns.indexOf('.')), ns.slice(ns.indexOf('.') + 1)];
  const all = (
    await Promise.all(
      ['app', 'app2'].map(async (one) =>
        (await client.db(one).listCollections().toArray()).map(
          ({ name: each, type }) => `${one}.${each} (${type})`,
        ),
      ),
    )
  )
    .flat()
    .filter((one) => one.split('.')[1].split(/ |__/)[0] === name);
  const [info] = await client.db(db).listCollections({ name }).toArray();
  assert.equal(
    info?.type,
    'collection',
    `${ns} is ${info?.type ?? 'gone'}; there are: ${all.join(', ')}`,
  );
  assert.equal(
    await client.db(db).collection(name).countDocuments(),
    documents,
    `documents of ${ns}; there are: ${all.join(', ')}`,
  );
  await client
    .db(db)
    .collection(name)
    .insertOne({ _id: /** @type {any} */ ('still') });
  await client
    .db(db)
    .collection(name)
    .deleteOne({ _id: /** @type {any} */ ('still') });
}

/** What became of a shell: its answer, or its error. @param {Promise<unknown>} work */
const outcome = (work) =>
  work.then(
    (done) => ({ done, error: null }),
    (error) => ({ done: null, error }),
  );

/** @template T @param {Promise<T>} work @param {string} what @returns {Promise<T>} */
function soon(work, what) {
  /** @type {NodeJS.Timeout} */ let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`it did not happen: ${what}`)), LIMIT_MS);
  });
  return Promise.race([work, /** @type {Promise<never>} */ (late)]).finally(() =>
    clearTimeout(timer),
  );
}

/**
 * What the server is doing.
 * @param {import('mongodb').MongoClient} client
 * @param {object} filter
 */
const running = (client, filter) =>
  client
    .db('admin')
    .aggregate([{ $currentOp: { allUsers: true, idleConnections: false } }, { $match: filter }])
    .toArray();

module.exports = {
  startAttacked,
  assertAlive,
  outcome,
  soon,
  running,
  until,
  DO,
  MAJORITY,
  BEFORE,
  SINCE,
};
