'use strict';

/** A transaction of an application that begins between the look for the lock and the step. */
const assert = require('node:assert/strict');
const { contextOf } = require('../../support/context');
const { ALONE, beginSplit } = require('../../support/begun-split');
const { isCut, stepsOf } = require('../../support/split-steps');
const { useSet } = require('../../support/split');
const { sleep } = require('../../../lib/base/context');
const { splitCutover } = require('../../../lib/commands/split-cutover');

const never = new AbortController().signal;

describe('a transaction that begins just before a step', function () {
  this.timeout(300_000);
  let client;
  let ctx;
  useSet((set) => {
    ({ client, ctx } = set);
  });

  /** @param {(sent: number) => number} heldMs of the n-th cut that is sent */
  async function cutUnder(heldMs) {
    const split = await beginSplit(client, ctx, {});
    await client.db('other').collection('c').insertOne({});
    const held = contextOf(client);
    const { command } = held.port;
    const ends = [];
    let number = 0;
    held.port.command = async (database, spec) => {
      const isSent = spec.applyOps && spec.comment && isCut(stepsOf(spec));
      if (isSent) {
        const session = client.startSession();
        session.startTransaction();
        await client.db('other').collection('c').insertOne({}, { session });
        ends.push(
          sleep(heldMs(number), never)
            .then(() => session.commitTransaction())
            .catch(() => undefined)
            .then(() => session.endSession()),
        );
        number += 1;
      }
      return command(database, spec);
    };
    held.port.adminCommand = (spec) => held.port.command('admin', spec);
    const seen = { longestMs: 0, on: true, written: [] };
    const canary = (async () => {
      while (seen.on) {
        const began = performance.now();
        await client.db('elsewhere').collection('c').insertOne({});
        seen.longestMs = Math.max(seen.longestMs, performance.now() - began);
        await sleep(10, never);
      }
    })();
    const writers = Array.from({ length: 4 }, async (_, w) => {
      for (let i = 0; seen.on; i += 1) {
        const _id = `${w}-${i}`;
        await split.from
          .insertOne({ _id })
          .then(() => seen.written.push(_id))
          .catch(() => sleep(5, never));
        await sleep(2, never);
      }
    });
    const error = await splitCutover(held, split.id, ALONE).then(
      () => null,
      (one) => one,
    );
    seen.on = false;
    await Promise.all([canary, ...writers, ...ends]);
    return { split, error, ...seen, number };
  }

  it('holds others up for half a second at a time, as the guide says', async () => {
    const { longestMs } = await cutUnder((n) => (n === 0 ? 6_000 : 0));

    assert.ok(longestMs < 1_500, `${longestMs} ms`);
  });

  it('does not tear the step', async () => {
    for (let round = 0; round < 3; round += 1) {
      // Each would end just when the step's own time is over.
      const { split, error, written } = await cutUnder((n) => (n < 3 ? 3_000 - n * 0.5 + 6 : 0));
      const inTarget = new Set(
        (
          await split.into
            .find({ _id: { $type: 'string' } }, { projection: { _id: 1 } })
            .toArray()
            .catch(() => [])
        ).map(({ _id }) => _id),
      );
      const lost = written.filter((_id) => !inTarget.has(_id));

      assert.equal(error, null);
      assert.deepEqual(lost, []);
    }
  });
});
