'use strict';

const assert = require('node:assert/strict');
const { useSet } = require('../support/split');
const { Loop } = require('../simulation/loop');
const { Server } = require('../simulation/server');
const { compare } = require('../simulation/values');
const { SCRIPTS } = require('../simulation/model-scripts');

const NATURE = Object.freeze({
  lagMs: () => 1,
  pauseMs: () => 0,
  endsAfter: () => -1,
  buildMs: () => 5,
});
const PIPELINE = Object.freeze([
  {
    $match: {
      $or: [{ 'ns.coll': 'c' }, { operationType: { $in: ['dropDatabase', 'invalidate'] } }],
    },
  },
]);
const nobodys = '00000000-0000-4000-8000-ffffffffffff';

/** What counts of an answer. @param {any} answer */
function gist(answer) {
  const [failed] = answer.writeErrors ?? [];
  if (failed) return { n: answer.n, code: failed.code };
  if (answer.cursor) return { documents: answer.cursor.firstBatch };
  return {
    ...('n' in answer && { n: answer.n }),
    ...('value' in answer && { value: answer.value }),
  };
}

/** @param {any} run @param {string} prefix */
const scriptOn = (run, prefix) => {
  const db = (/** @type {string} */ name) => (name === 'admin' ? name : prefix + name);
  /** @type {any[]} */ const said = [];
  return {
    said,
    db,
    ns: (/** @type {string} */ ns) => prefix + ns,
    run: async (/** @type {string} */ name, /** @type {any} */ command) => {
      const answer = await run(name, command).then(gist, (/** @type {any} */ error) => ({
        code: error.code,
      }));
      if (!command.listIndexes) said.push({ command: Object.keys(command)[0], ...answer });
      return answer;
    },
  };
};

/** A document that a pipeline wrote or a findAndModify gives. @param {any} value */
const plain = (value) => JSON.parse(JSON.stringify(value));

/** The driver's client. @param {any} client @param {string} prefix */
function real(client, prefix) {
  const script = scriptOn(
    (/** @type {string} */ db, /** @type {any} */ command) => client.db(db).command(command),
    prefix,
  );
  const { UUID } = require('bson');
  return Object.assign(script, {
    foreverUuid: new UUID(nobodys),
    uuid: async (/** @type {string} */ ns) =>
      (
        await client
          .db(prefix + ns.split('.')[0])
          .listCollections({ name: ns.split('.')[1] })
          .toArray()
      )[0].info.uuid,
    begin: async (ns = 'other.x') => {
      const [db, name] = ns.split('.');
      const session = client.startSession();
      session.startTransaction();
      await client
        .db(prefix + db)
        .collection(name)
        .find({}, { session })
        .toArray();
      return { abort: () => session.abortTransaction().finally(() => session.endSession()) };
    },
    stream: async (/** @type {string} */ db) => {
      const stream = client.db(prefix + db).watch([...PIPELINE], { maxAwaitTimeMS: 100 });
      await stream.tryNext();
      return stream;
    },
    events: async (/** @type {any} */ stream) => {
      const seen = [];
      for (let idle = 0; idle < 5;) {
        const event = await stream.tryNext().catch(() => null);
        if (event) seen.push(shown(event));
        else idle += 1;
        if (event?.operationType === 'invalidate') break;
      }
      await stream.close();
      return seen;
    },
    things: async () => {
      const all = [];
      for (const db of ['a', 'b']) {
        for (const { name, type, options } of await client
          .db(prefix + db)
          .listCollections({ name: { $not: /^system\./ } })
          .toArray()) {
          const collection = client.db(prefix + db).collection(name);
          const isView = type === 'view';
          all.push({
            ns: `${db}.${nameless(name)}`,
            type,
            options: plain(options),
            indexes: isView ? [] : (await collection.listIndexes().toArray()).map(spec),
            documents: isView ? [] : plain(await collection.find().sort({ _id: 1 }).toArray()),
          });
        }
      }
      return all.sort((one, other) => (one.ns < other.ns ? -1 : 1));
    },
  });
}

/** The simulated one. @param {string} prefix */
function simulated(prefix) {
  const loop = new Loop();
  const server = new Server(loop, NATURE);
  const ask = (/** @type {string} */ db, /** @type {any} */ command, /** @type {any} */ session) =>
    new Promise((resolve, reject) => {
      server.receive(
        { db, command: structuredClone(command), who: 'setup', session },
        (error, answer) => (error ? reject(error) : resolve(answer)),
      );
      loop.run(() => false);
    });
  return Object.assign(scriptOn(ask, prefix), {
    foreverUuid: nobodys,
    uuid: async (/** @type {string} */ ns) => server.state.find(prefix + ns).uuid,
    begin: async (ns = 'other.x') => {
      const transaction = server.beginTransaction({ id: 'one' });
      transaction.reads.add(server.state.find(prefix + ns));
      return { abort: async () => server.endTransaction(transaction) };
    },
    stream: async (/** @type {string} */ db) => ({ db, n: server.state.newest }),
    events: async (/** @type {any} */ { db, n }) => {
      const { events } = await ask(
        prefix + db,
        { changeStream: 1, token: { n }, pipeline: PIPELINE, batchSize: 1000, maxAwaitTimeMS: 10 },
        null,
      );
      return events.map(shown);
    },
    things: async () =>
      [...server.state.names.values()]
        .map(({ ns, kind, options, viewOn, pipeline, indexes, docs }) => ({
          ns: `${ns.slice(prefix.length, ns.indexOf('.'))}.${nameless(ns.slice(ns.indexOf('.') + 1))}`,
          type: kind,
          options: plain(kind === 'view' ? { viewOn, pipeline } : options),
          indexes: kind === 'view' ? [] : [{ name: '_id_', key: { _id: 1 } }, ...indexes].map(spec),
          documents: plain([...docs.values()].sort((one, other) => compare(one._id, other._id))),
        }))
        .sort((one, other) => (one.ns < other.ns ? -1 : 1)),
  });
}

/** The server makes a name up. @param {string} name */
const nameless = (name) => name.replace(/^tmp\w+\.rename$/, 'tmp.rename');
/** @param {any} index */
const spec = ({ name, key, unique, expireAfterSeconds, sparse }) => ({
  name,
  key,
  unique,
  expireAfterSeconds,
  sparse,
});
/** @param {any} event */
const shown = ({ operationType, documentKey, ns, to }) => ({
  operationType,
  documentKey,
  coll: ns?.coll,
  to: to?.coll,
});

describe('the simulated server answers as the real one does', function () {
  this.timeout(60_000);
  /** @type {any} */ let client;
  useSet((set) => {
    ({ client } = set);
  });

  for (const [i, [title, script]] of Object.entries(SCRIPTS).entries()) {
    it(title, async () => {
      const prefix = `m${i}`;
      const [one, other] = [real(client, prefix), simulated(prefix)];
      const [seen, expected] = [
        await script(/** @type {any} */ (other)),
        await script(/** @type {any} */ (one)),
      ];
      assert.deepEqual(plain(other.said), plain(one.said));
      assert.deepEqual(seen, expected);
      assert.deepEqual(await other.things(), await one.things());
    });
  }
});
