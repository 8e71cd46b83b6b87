'use strict';

/**
 * Many connections at work: while the step waits for its lock all of them wait behind it, and the
 * list of what runs on the server has more than its first batch holds.
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
const CROWD = 300;

describe('a transaction that begins just before a step, on a server with many connections', function () {
  this.timeout(300_000);
  let client;
  let server;
  useSet((set) => {
    ({ client, server } = set);
  });

  /** @param {(sent: number) => number} heldMs of the n-th cut that is sent */
  async function cutUnder(heldMs) {
    const split = await beginSplit(client, contextOf(client), {});
    await client.db('other').collection('c').insertOne({});
    const crowd = await new MongoClient(server.uri, {
      maxPoolSize: CROWD,
      minPoolSize: CROWD,
      directConnection: true,
    }).connect();
    const other = crowd.db('other').collection('c');
    await Promise.all(
      Array.from({ length: CROWD }, (_, w) =>
        other.updateOne({ _id: w }, { $inc: { n: 1 } }, { upsert: true }),
      ),
    );
    await until(
      async () =>
        (await client.db('admin').command({ serverStatus: 1 })).connections.current > CROWD,
    );
    const held = contextOf(client);
    const { command } = held.port;
    const ends = [];
    const seen = { longestMs: 0, cuts: [] };
    held.port.command = async (database, spec) => {
      const isSent = spec.applyOps && spec.comment && isCut(stepsOf(spec));
      if (!isSent) return command(database, spec);
      const session = client.startSession();
      session.startTransaction();
      await client.db('other').collection('d').insertOne({}, { session });
      ends.push(
        sleep(heldMs(seen.cuts.length), never)
          .then(() => session.commitTransaction())
          .catch(() => undefined)
          .then(() => session.endSession()),
      );
      const began = performance.now();
      const cut = { ms: 0, code: 0 };
      seen.cuts.push(cut);
      // Each connection has something to do just now.
      for (let w = 0; w < CROWD; w += 1)
        ends.push(
          sleep(5, never)
            .then(() => other.updateOne({ _id: w }, { $inc: { n: 1 } }))
            .then(() => {
              seen.longestMs = Math.max(seen.longestMs, performance.now() - began);
            }),
        );
      return command(database, spec).then(
        (answer) => {
          cut.ms = performance.now() - began;
          return answer;
        },
        (error) => {
          Object.assign(cut, { ms: performance.now() - began, code: error.code });
          throw error;
        },
      );
    };
    held.port.adminCommand = (spec) => held.port.command('admin', spec);
    const error = await splitCutover(held, split.id, ALONE).then(
      () => null,
      (one) => one,
    );
    await Promise.all(ends);
    await crowd.close();
    return { split, error, ...seen };
  }

  it('holds others up for half a second at a time, as the guide says', async () => {
    const { longestMs } = await cutUnder((n) => (n === 0 ? 6_000 : 0));
    // Half of the transaction: a busy machine adds more than a second to 300 connections at once.
    assert.ok(longestMs < 3_000, `${longestMs} ms`);
  });

  it('is let go only when nothing else holds the lock', async () => {
    const { cuts, error } = await cutUnder((n) => (n < 3 ? 2_900 : 0));

    assert.equal(error, null);
    assert.deepEqual(
      cuts.filter(({ ms }) => ms > 1_500),
      [],
    );
  });
});
