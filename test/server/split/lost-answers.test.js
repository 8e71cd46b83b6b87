'use strict';

const assert = require('node:assert/strict');
const { MongoNetworkError } = require('mongodb');
const { run: splitCutover } = require('../../../lib/commands/split-cutover');
const { ALONE, BEFORE, beginSplit } = require('../../support/begun-split');
const { contextOf } = require('../../support/context');
const { useSet } = require('../../support/split');

/** The server did what was asked, and the connection broke before it said so. */
describe('a change of indexes whose answer is lost', function () {
  this.timeout(120_000);
  /** @type {any} */ let client;
  /** @type {any} */ let ctx;
  useSet((set) => {
    ({ client, ctx } = set);
  });

  /** A shell that does not hear the first answer to a command of this name. @param {string} name */
  function deaf(name) {
    const mine = contextOf(client);
    const { command } = mine.port;
    const state = { lost: 0 };
    mine.port.command = async (database, spec, ...more) => {
      const answer = await command(database, spec, ...more);
      if (!spec[name] || state.lost > 0) return answer;
      state.lost += 1;
      throw new MongoNetworkError('the answer was lost');
    };
    return { mine, state };
  }

  it('indexes that are dropped in the copy: a second try finds none, and goes on', async () => {
    const split = await beginSplit(client, ctx, { indexes: [[{ a: 1 }], [{ b: 1 }]] });
    await split.from.dropIndexes();
    const { mine, state } = deaf('dropIndexes');
    await splitCutover(mine, split.id, ALONE);
    assert.equal(state.lost, 1);
    assert.equal(await split.into.countDocuments(), BEFORE);
    assert.deepEqual(
      (await split.into.indexes()).map(({ name }) => name),
      ['_id_'],
    );
  });

  it('one of them is dropped by another session: the rest are dropped all the same', async () => {
    const split = await beginSplit(client, ctx, { indexes: [[{ a: 1 }], [{ b: 1 }]] });
    await split.from.dropIndexes();
    const mine = contextOf(client);
    const { command } = mine.port;
    mine.port.command = async (database, spec, ...more) => {
      if (spec.dropIndexes && spec.index.length > 1)
        await client.db(database).collection(spec.dropIndexes).dropIndex('a_1');
      return command(database, spec, ...more);
    };
    await splitCutover(mine, split.id, ALONE);
    assert.deepEqual(
      (await split.into.indexes()).map(({ name }) => name),
      ['_id_'],
    );
  });
});
