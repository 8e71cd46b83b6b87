'use strict';

/** A transaction of an application that is open when run rehearses its steps. */
const assert = require('node:assert/strict');
const { contextOf } = require('../../support/context');
const { planOf, useSet } = require('../../support/split');
const { sleep } = require('../../../lib/base/context');
const { run: splitRun } = require('../../../lib/commands/split-run');

const never = new AbortController().signal;

describe('a run while applications have transactions', function () {
  this.timeout(120_000);
  let client;
  useSet((set) => {
    ({ client } = set);
  });

  it('is not reported that this server cannot do it, and holds nobody up', async () => {
    await client
      .db('app')
      .collection('c')
      .insertMany([{ _id: 1 }, { _id: 2 }]);
    await client.db('other').collection('c').insertOne({});
    const plan = await planOf(client, { moves: [{ ns: 'app.c', into: 'app2.c' }] });
    const seen = { longestMs: 0, on: true };
    const canary = (async () => {
      while (seen.on) {
        const began = performance.now();
        await client.db('elsewhere').collection('c').insertOne({});
        seen.longestMs = Math.max(seen.longestMs, performance.now() - began);
        await sleep(10, never);
      }
    })();
    const begun = { on: false };
    const session = client.startSession();
    const held = contextOf(client);
    const { command } = held.port;
    // It begins once the lock was had, before the first step of the rehearsal.
    held.port.command = async (database, spec) => {
      if (spec.create && !begun.on) {
        begun.on = true;
        session.startTransaction();
        await client.db('other').collection('c').insertOne({}, { session });
        void sleep(8_000, never)
          .then(() => session.commitTransaction())
          .catch(() => undefined);
      }
      return command(database, spec);
    };
    held.port.adminCommand = (spec) => held.port.command('admin', spec);
    const error = await splitRun(held, plan, { confirm: true }).then(
      () => null,
      (one) => one,
    );
    seen.on = false;
    await canary;
    await sleep(8_000, never);
    await session.endSession();
    const left = await client.db('app').listCollections({ name: /trial/ }).toArray();

    assert.deepEqual([error, left], [null, []]);
    assert.ok(seen.longestMs < 1_500, `${seen.longestMs} ms`);
  });

  // Made after the source: SERVER-112876 is to disallow it.
  it('a release that makes no views by applyOps is refused before anything is copied', async () => {
    await client.db('app').collection('v').insertOne({ _id: 1 });
    const plan = await planOf(client, { moves: [{ ns: 'app.v', into: 'app2.v' }] });
    const later = contextOf(client);
    const { command } = later.port;
    later.port.command = async (database, spec) => {
      if (spec.applyOps && JSON.stringify(spec).includes('"create":"'))
        throw Object.assign(new Error('applyOps does not create views'), {
          name: 'MongoServerError',
          code: 72,
        });
      return command(database, spec);
    };
    later.port.adminCommand = (spec) => later.port.command('admin', spec);
    await assert.rejects(splitRun(later, plan, { confirm: true }));

    const names = await client.db('app').listCollections({}, { nameOnly: true }).toArray();
    const into = await client
      .db('app2')
      .listCollections({ name: /^v|staging/ })
      .toArray();
    assert.deepEqual(
      names.filter(({ name }) => /trial|aside/.test(name)),
      [],
    );
    assert.equal(await client.db('app').collection('v').countDocuments(), 1);
    assert.deepEqual(into, []);
  });

  it('an election in the middle of the rehearsal is nothing', async () => {
    await client
      .db('app')
      .collection('d')
      .insertMany([{ _id: 1 }, { _id: 2 }]);
    const plan = await planOf(client, { moves: [{ ns: 'app.d', into: 'app2.d' }] });
    const elected = contextOf(client);
    const { command } = elected.port;
    const state = { done: false };
    elected.port.command = async (database, spec) => {
      if (spec.applyOps && !state.done && JSON.stringify(spec).includes('_aside')) {
        state.done = true;
        await client
          .db('admin')
          .command({ replSetStepDown: 3, secondaryCatchUpPeriodSecs: 0, force: true })
          .catch(() => undefined);
      }
      return command(database, spec);
    };
    elected.port.adminCommand = (spec) => elected.port.command('admin', spec);
    const said = await splitRun(elected, plan, { confirm: true }).then(
      ({ splits }) => splits[0].phase,
      (error) => error.message,
    );

    assert.equal(said, 'following');
  });
});
