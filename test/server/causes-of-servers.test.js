'use strict';

const assert = require('node:assert/strict');
const crypto = require('node:crypto');
const { Binary } = require('mongodb');
const { startServer, startReplicaSet } = require('../support/server');
const { contextOf } = require('../support/context');
const { startLoad } = require('../support/load');
const { DIRECT } = require('../support/patient');
const { run: advise } = require('../../lib/commands/advise');

/**
 * @import { Server } from '../support/server'
 */

/** A verdict takes a few seconds; a busy machine some attempts. */
const SECONDS = 4;
const ATTEMPTS = 5;
const LIMIT_MS = 180_000;

const pause = (/** @type {number} */ ms) => new Promise((go) => setTimeout(go, ms));
const body = (/** @type {number} */ bytes) => new Binary(crypto.randomBytes(bytes));
const any = (/** @type {number} */ n) => Math.floor(Math.random() * n);

/** @param {Server} server */
const once = (server) => advise(contextOf(server.client), { seconds: SECONDS, includeHost: false });

/** @param {Server} server @param {string} kind */
async function named(server, kind) {
  let advice = await once(server);
  for (let i = 1; i < ATTEMPTS && advice.cause?.kind !== kind; i += 1) advice = await once(server);
  assert.equal(advice.cause?.kind, kind, `${advice}`);
  assert.equal(advice.remedy, advice.cause?.remedy);
  return advice;
}

/** What was seen of it may be in the first window after the cure. @param {Server} server @param {string} kind */
async function gone(server, kind) {
  let advice = await once(server);
  for (let i = 1; i < ATTEMPTS && advice.cause?.kind === kind; i += 1) advice = await once(server);
  assert.notEqual(advice.cause?.kind, kind, `${advice}`);
}

describe('a cause: pools of tickets that were set low', function () {
  this.timeout(LIMIT_MS);
  const POOL = 'wiredTigerConcurrentReadTransactions';
  const LOW = 5; // the least that 6.0 takes
  /** @type {Server} */ let server;
  before(async function () {
    server = await startServer();
    await server.db('app').collection('slow').insertOne({});
  });
  after(() => server?.stop());
  // Each holds a ticket and uses no CPU time.
  const queue = () =>
    startLoad(
      async () => {
        await server.db('app').collection('slow').find({ $where: 'sleep(20) || true' }).toArray();
      },
      { loops: 30 },
    );
  const set = (/** @type {number} */ tickets) =>
    server.adminCommand({ setParameter: 1, [POOL]: tickets });

  it('ticket-pools, with the command that returns to the default; with it, gone', async () => {
    const load = queue();
    try {
      assert.equal((await once(server)).cause, null, 'the same load with 128 tickets');
      await set(LOW);
      const { change, remedy, cause } = await named(server, 'ticket-pools');
      assert.equal(change, null);
      assert.ok(Number(cause?.share) > 0.5);
      const command = /setParameter: 1, (\w+): (\d+) /.exec(String(remedy));
      assert.deepEqual(command?.slice(1), [POOL, '128']);
      await set(Number(command?.[2]));
      await gone(server, 'ticket-pools');
    } finally {
      await load.stop();
    }
  });

  it('a low pool that nobody queues for is none', async () => {
    await set(LOW);
    const load = startLoad(
      async () => {
        await server.db('app').collection('slow').findOne({});
        await pause(5);
      },
      { loops: 3 },
    );
    try {
      assert.equal((await once(server)).cause, null);
    } finally {
      await load.stop();
      await set(128);
    }
  });
});

describe('a cause: a server that has just started', function () {
  this.timeout(LIMIT_MS);
  const DOCUMENTS = 40_000;
  /** @type {Server} */ let server;
  before(async () => {
    server = await startServer({ args: [...DIRECT], cacheSizeGB: 1 });
    const data = server.db('app').collection('data');
    for (let first = 0; first < DOCUMENTS; first += 500)
      await data.insertMany(
        Array.from(
          { length: 500 },
          (_, i) => /** @type {any} */ ({ _id: first + i, body: body(16_000) }),
        ),
      );
    await server.restart();
  });
  after(() => server?.stop());
  const reading = (/** @type {number} */ documents) =>
    startLoad(
      async () => {
        await server
          .db('app')
          .collection('data')
          .findOne(/** @type {any} */ ({ _id: any(documents) }), { projection: { _id: 1 } });
      },
      { loops: 8 },
    );

  it('one whose few documents are in the cache soon: none', async () => {
    const load = reading(100);
    try {
      assert.equal((await once(server)).cause, null);
    } finally {
      await load.stop();
    }
  });

  it('cold-start, and no setting; once all is read, gone', async () => {
    const load = reading(DOCUMENTS);
    try {
      const { change } = await named(server, 'cold-start');
      assert.equal(change, null);
      await server
        .db('app')
        .collection('data')
        .aggregate([{ $group: { _id: null, n: { $sum: { $bsonSize: '$$ROOT' } } } }])
        .toArray();
      await gone(server, 'cold-start');
    } finally {
      await load.stop();
    }
  });
});

describe('a cause in a replica set', function () {
  this.timeout(LIMIT_MS);
  /** @type {Awaited<ReturnType<typeof startReplicaSet>>} */ let server;
  /** @type {ReturnType<typeof setInterval> | undefined} */ let stalling;
  let secondary = 0;
  before(async () => {
    server = await startReplicaSet({ members: [{}, { priority: 0 }] });
    const there = await server.connect(server.uriOf(server.hosts[1]));
    secondary = Number((await there.db('admin').command({ serverStatus: 1 })).pid);
  });
  const goOn = () => {
    clearInterval(stalling);
    process.kill(secondary, 'SIGCONT');
  };
  after(async () => {
    if (secondary) goOn();
    await server?.stop();
  });
  const writing = (/** @type {number} */ loops, /** @type {number} */ ms) =>
    startLoad(
      async () => {
        await server
          .db('app')
          .collection('orders')
          .insertOne({ n: 1 }, { writeConcern: { w: 'majority' } });
        await pause(ms);
      },
      { loops },
    );

  it('writes that the majority acknowledges at once: none', async () => {
    const load = writing(2, 50);
    try {
      assert.equal((await once(server)).cause, null);
    } finally {
      await load.stop();
    }
  });

  it('majority, while a member acknowledges late; when it keeps up again, gone', async () => {
    const [awayMs, everyMs] = [400, 450];
    // Writers that pause as the healthy ones do; else quick writes in between dilute the mean wait.
    const load = writing(4, 50);
    stalling = setInterval(() => {
      process.kill(secondary, 'SIGSTOP');
      setTimeout(() => process.kill(secondary, 'SIGCONT'), awayMs);
    }, everyMs);
    try {
      const { change, cause } = await named(server, 'majority');
      assert.equal(change, null);
      assert.ok(Number(cause?.share) >= 0.5);
      goOn();
      await load.stop();
      const light = writing(2, 50);
      await gone(server, 'majority').finally(() => light.stop());
    } finally {
      goOn();
      await load.stop();
    }
  });

  it('large-transactions, where one does not fit into the cache; with smaller ones, gone', async () => {
    const session = server.client.startSession();
    const data = server.db('app').collection('data');
    await data.insertOne({});
    const transact = async (/** @type {number} */ documents) => {
      session.startTransaction();
      try {
        for (let i = 0; i < documents; i += 1)
          await data.insertOne({ body: body(1_000_000) }, { session });
        await session.commitTransaction();
      } catch (_tooLarge) {
        await session.abortTransaction();
      }
    };
    const small = startLoad(() => transact(3), { loops: 1 });
    assert.equal((await once(server)).cause, null, 'small transactions');
    await small.stop();
    const load = startLoad(() => transact(400), { loops: 1 });
    try {
      await named(server, 'large-transactions');
    } finally {
      await load.stop();
    }
    const again = startLoad(() => transact(3), { loops: 1 });
    await gone(server, 'large-transactions').finally(() => again.stop());
    await session.endSession();
  });
});
