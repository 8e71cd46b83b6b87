'use strict';

/**
 * A copy in ranges meets a document whose _id is equal to that of a document in the copy, and has
 * other bytes: it was deleted and inserted again in capitals, where the collation takes them for the same.
 */
const assert = require('node:assert/strict');
const { contextOf } = require('../../support/context');
const { planOf, useSet } = require('../../support/split');
const { sleep } = require('../../../lib/base/context');
const { run: splitRun } = require('../../../lib/commands/split-run');
const { run: splitResume } = require('../../../lib/commands/split-resume');

describe('a copy in ranges of documents that are deleted and inserted again', function () {
  this.timeout(300_000);
  let client;
  useSet((set) => {
    ({ client } = set);
  });

  it('in capitals, where the collation ignores them: it comes to its end', async () => {
    await client.db('app').createCollection('orders', { collation: { locale: 'en', strength: 2 } });
    const from = client.db('app').collection('orders');
    const nameOf = (/** @type {number} */ i) => `k${String(i).padStart(6, '0')}`;
    await from.insertMany(Array.from({ length: 20_000 }, (_, i) => ({ _id: nameOf(i), v: 0 })));
    const plan = await planOf(client, {
      moves: [{ ns: 'app.orders', into: 'app2.orders', method: 'ranges' }],
    });
    // The shell dies after a range is copied and before that is written down.
    const dying = contextOf(client);
    const { command } = dying.port;
    let ranges = 0;
    let isGone = false;
    dying.port.command = async (database, spec) => {
      const gone = () => Object.assign(new Error('the shell is gone'), { isGone: true });
      if (isGone) throw gone();
      const isRange = spec.aggregate && spec.hint && spec.pipeline?.some((stage) => stage.$merge);
      const answer = await command(database, spec);
      if (isRange) ranges += 1;
      if (isRange && ranges === 2) {
        isGone = true;
        throw gone();
      }
      return answer;
    };
    dying.port.adminCommand = (spec) => dying.port.command('admin', spec);
    await splitRun(dying, plan, { confirm: true }).then(
      () => assert.fail('it should have died'),
      () => undefined,
    );
    const state = await client.db('tune').collection('splits').findOne({ planId: plan.id });
    // An application writes some of the second range anew.
    const _id = nameOf(state.copied + 1);
    await from.deleteOne({ _id });
    await from.insertOne({ _id: _id.toUpperCase(), v: 1 });
    await client
      .db('tune')
      .collection('splits')
      .updateMany(
        { planId: plan.id, lease: { $ne: null } },
        { $set: { 'lease.until': new Date(0) } },
      );
    for (let tries = 0; tries < 3; tries += 1) {
      const error = await splitResume(contextOf(client), plan.id, { confirm: true }).then(
        () => null,
        (one) => one,
      );
      if (tries === 2) assert.equal(error, null);
      await sleep(100, new AbortController().signal);
    }
  });
});
