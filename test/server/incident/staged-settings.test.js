'use strict';

const { setTimeout: sleep } = require('node:timers/promises');
const { asReplicaSet } = require('../../support/staged-server');
const { fill, HEAVY } = require('../../support/incident-load');
const { admin, check, connect, useStaged } = require('../../support/staged-incident');

// What a client sets or holds: the first cause must be the one that was staged, and what follows it
// must be in its order.

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
    check(await finish(), { first: ['parameter-set'], then: ['clients-blocked'] });
  });

  it('a TTL that makes every document due at once', async () => {
    const server = await start({ args: ['--setParameter', 'ttlMonitorSleepSecs=5'] });
    await fill(server.client(), { documents: 100_000, bytes: 3000, more: { old: new Date(0) } });
    const shop = server.client().db('shop');
    const SIXTY_YEARS = 2e9;
    for (const keys of [{ part: 1 }, { payload: 1 }, { payload: -1, part: 1 }])
      await shop.collection('orders').createIndex(keys);
    await shop.collection('orders').createIndex({ old: 1 }, { expireAfterSeconds: SIXTY_YEARS });
    await loaded(server, HEAVY);
    await shop.command({
      collMod: 'orders',
      index: { keyPattern: { old: 1 }, expireAfterSeconds: 60 },
    });
    await sleep(25_000);
    check(await finish(), { first: ['ttl-set'] });
  });

  it('writes locked by fsync', async () => {
    const server = await start();
    await loaded(server);
    await admin(server).command({ fsync: 1, lock: true });
    await sleep(12_000);
    await admin(server).command({ fsyncUnlock: 1 });
    check(await finish(), { first: ['fsync-locked'] });
  });

  it('a transaction that stays open, and a command that waits for its lock with all others', async () => {
    const server = await start({ args: ['--replSet', 'staged'] });
    await asReplicaSet([server]);
    await loaded(server);
    const orders = server.client().db('shop').collection('orders');
    const session = server.client().startSession();
    session.startTransaction();
    await orders.updateOne({ key: 1 }, { $set: { held: true } }, { session });
    const other = await connect(server);
    const waits = other.db('shop').collection('orders').createIndex({ held: 1 });
    await sleep(20_000);
    await session.abortTransaction();
    await waits;
    await other.close();
    check(await finish(), { first: ['transaction-long'], then: ['clients-blocked'] });
  });
});
