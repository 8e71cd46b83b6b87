'use strict';

const assert = require('node:assert/strict');
const { setTimeout: sleep } = require('node:timers/promises');
const { asReplicaSet } = require('../../support/staged-server');
const { HEAVY } = require('../../support/incident-load');
const { attachedSeries } = require('../../../lib/series/chart-data');
const { admin, check, connect, useStaged } = require('../../support/staged-incident');

// What a client sets or holds: the first cause must be the one that was staged, and what follows it
// must be in its order.

/** What the charts draw. @param {object} answer */
const linesOf = (answer) =>
  /** @type {NonNullable<ReturnType<typeof attachedSeries>>} */ (attachedSeries(answer))(100);

describe('incidents of settings and locks, staged on a real server', function () {
  this.timeout(300_000);
  const { start, loaded, finish } = useStaged();

  it("another user's setParameter: a cache made far too small", async () => {
    const server = await start();
    await loaded(server, HEAVY);
    await admin(server).command({
      setParameter: 1,
      wiredTigerEngineRuntimeConfig: 'cache_size=4MB',
    });
    await sleep(10_000);
    check(await finish(), { first: ['parameter-set'], then: ['clients-blocked'] });
  });

  it('a dirty trigger lowered to a tenth of what the load needs', async () => {
    const server = await start();
    await loaded(server, HEAVY);
    await admin(server).command({
      setParameter: 1,
      wiredTigerEngineRuntimeConfig:
        'eviction_dirty_target=1,eviction_dirty_trigger=1,eviction_updates_target=1,eviction_updates_trigger=1',
    });
    await sleep(12_000);
    const answer = await finish();
    check(answer, { first: ['parameter-set'], then: ['clients-blocked'] });
    const { levels, levelNotes } = linesOf(answer);
    assert.equal(levels.dirtyTriggerRatio, 0.01);
    assert.match(String(levelNotes?.dirtyTriggerRatio), /^since \d\d:\d\d:\d\d$/);
    assert.deepEqual([levels.triggerRatio, levelNotes?.triggerRatio], [0.95, 'default']);
  });

  it('writes locked by fsync', async () => {
    const server = await start();
    await loaded(server);
    await admin(server).command({ fsync: 1, lock: true });
    await sleep(12_000);
    await admin(server).command({ fsyncUnlock: 1 });
    const answer = await finish();
    check(answer, { first: ['fsync-locked'] });
    const { levels, levelNotes } = linesOf(answer);
    assert.deepEqual([levels.dirtyTriggerRatio, levelNotes?.dirtyTriggerRatio], [0.2, 'default']);
  });

  it('a transaction that stays open, and a command that waits for its lock with all others', async () => {
    const server = await start({ args: ['--replSet', 'staged'] });
    await asReplicaSet([server]);
    await loaded(server);
    const billing = await connect(server, { appName: 'billing' });
    const orders = billing.db('shop').collection('orders');
    const session = billing.startSession();
    session.startTransaction();
    await orders.updateOne({ key: 1 }, { $set: { held: true } }, { session });
    const other = await connect(server);
    const waits = other.db('shop').collection('orders').createIndex({ held: 1 });
    await sleep(20_000);
    await session.abortTransaction();
    await waits;
    await Promise.all([other.close(), billing.close()]);
    const answer = await finish();
    check(answer, { first: ['transaction-long'], then: ['clients-blocked'] });
    const found = answer.events.find(({ code }) => code === 'transaction-long');
    assert.equal(found?.values.application, 'billing');
  });
});
