'use strict';

/**
 * An index that another user makes just before the cut, on a server where more operations wait than
 * the first batch of the list of operations holds: a rename in the middle of its build ends mongod.
 */
const assert = require('node:assert/strict');
const { contextOf } = require('../../support/context');
const { ALONE, beginSplit } = require('../../support/begun-split');
const { isCut, stepsOf } = require('../../support/split-steps');
const { until, useSet } = require('../../support/split');
const { sleep } = require('../../../lib/base/context');
const { MongoClient } = require('mongodb');
const { run: splitCutover } = require('../../../lib/commands/split-cutover');

const never = new AbortController().signal;
const CROWD = 160;
const ROUNDS = 2;
/** The look comes when the others wait already, as from a shell that is some way off. */
const LOOK_AFTER_MS = 150;

describe('an index that is made just before a cut, on a server with many connections', function () {
  this.timeout(300_000);
  let client;
  let server;
  useSet((set) => {
    ({ client, server } = set);
  });

  it('does not end mongod', async () => {
    const split = await beginSplit(client, contextOf(client), {
      documents: Array.from({ length: 20_000 }, (_, i) => ({ _id: i, a: i, b: `${i}` })),
    });
    const crowd = await new MongoClient(server.uri, {
      maxPoolSize: CROWD,
      minPoolSize: CROWD,
      directConnection: true,
    }).connect();
    await client.db('other').collection('c').insertOne({ _id: 0 });
    const connections = async () =>
      (await client.db('admin').command({ serverStatus: 1 })).connections.current;
    await until(async () => (await connections()) > CROWD);
    const held = contextOf(client, { signal: AbortSignal.timeout(25_000) });
    const { command } = held.port;
    const state = { isWaiting: false, cuts: 0, codes: [] };
    const others = [];
    held.port.command = async (database, spec) => {
      if (state.isWaiting && spec.pipeline?.[0]?.$currentOp) await sleep(LOOK_AFTER_MS, never);
      if (!(spec.applyOps && spec.comment && isCut(stepsOf(spec)))) return command(database, spec);
      state.cuts += 1;
      const { cuts } = state;
      others.push(
        split.from
          .createIndex(
            { b: 1, a: 1 },
            {
              name: `made_${cuts}`,
              ...(cuts > 1 && { partialFilterExpression: { a: { $gt: -cuts } } }),
            },
          )
          .catch((error) => error.message),
      );
      await sleep(30, never);
      for (let w = 0; w < CROWD; w += 1)
        others.push(
          sleep(10, never)
            .then(() =>
              crowd
                .db('other')
                .collection('c')
                .updateOne({ _id: w }, { $inc: { n: 1 } }),
            )
            .catch(() => undefined),
        );
      state.isWaiting = true;
      return command(database, spec)
        .catch((error) => {
          state.codes.push(error.code ?? error.message);
          throw error;
        })
        .finally(() => {
          state.isWaiting = false;
        });
    };
    held.port.adminCommand = (spec) => held.port.command('admin', spec);
    // Which operations are in the first batch is a matter of chance.
    for (let round = 0; round < ROUNDS; round += 1) {
      const error = await splitCutover(held, split.id, ALONE).then(
        () => null,
        (one) => one,
      );
      if (error?.code !== 'TUNE-35016') break;
      await Promise.all(others.splice(0));
    }
    const isAlive = await client
      .db('admin')
      .command({ ping: 1 }, { timeoutMS: 10_000 })
      .then(
        () => true,
        () => false,
      );
    await crowd.close().catch(() => undefined);

    assert.ok(isAlive, 'mongod has ended');
  });
});
