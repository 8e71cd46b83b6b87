'use strict';

const { setTimeout: sleep } = require('node:timers/promises');
const { fill } = require('../../support/incident-load');
const { skipIf } = require('../../support/skip');
const { slowDisk, whyNoSlowDisk } = require('../../support/slow-disk');
const { admin, check, useStaged } = require('../../support/staged-incident');
const { whyNotLong } = require('../../support/trial');

// Incidents on a disk that is slow enough for a small server: minutes.

describe('incidents of disks, staged on a real server', function () {
  this.timeout(300_000);
  const staged = useStaged();
  const { start, loaded, finish } = staged;
  before(function () {
    skipIf(/** @type {any} */ (this), whyNotLong() ?? whyNoSlowDisk());
  });
  /** A disk that a normal load leaves free, and that one more work takes. */
  const LIMITS = Object.freeze({ writeBytes: 10_000_000, writeOps: 400 });
  const JOURNALED = Object.freeze({ isJournaled: true, threads: 12, documents: 500 });

  it('a disk that takes hardly any writes', async () => {
    const disk = slowDisk();
    try {
      const server = await start({ dbPath: disk.path });
      await loaded(server, { isJournaled: true, threads: 12 });
      disk.limit({ writeBytes: 100_000, writeOps: 10 }, server.pid());
      await sleep(20_000);
      disk.release();
      check(await finish(), { first: ['journal-slow', 'disk-saturated'] });
    } finally {
      disk.release();
      await staged.remove();
      disk.remove();
    }
  });

  it('an index build that takes the disk from the writes of clients', async () => {
    const disk = slowDisk();
    try {
      const server = await start({ dbPath: disk.path });
      await fill(server.client(), { documents: 15_000, bytes: 8000 });
      await admin(server).command({ fsync: 1 });
      disk.limit(LIMITS, server.pid());
      await loaded(server, JOURNALED);
      const orders = server.client().db('shop').collection('orders');
      await orders.createIndex({ payload: 1 });
      check(await finish(), { first: ['index-build'], then: ['load-down'] });
    } finally {
      disk.release();
      await staged.remove();
      disk.remove();
    }
  });

  it('a TTL that makes every document due at once', async () => {
    const disk = slowDisk();
    try {
      const args = ['--setParameter', 'ttlMonitorSleepSecs=5'];
      const server = await start({ dbPath: disk.path, args });
      const shop = server.client().db('shop');
      const orders = shop.collection('orders');
      const SIXTY_YEARS = 2e9;
      await fill(server.client(), { documents: 40_000, bytes: 2000, more: { old: new Date(0) } });
      for (const keys of [{ payload: 1 }, { payload: -1, part: 1 }]) await orders.createIndex(keys);
      await orders.createIndex({ old: 1 }, { expireAfterSeconds: SIXTY_YEARS });
      await admin(server).command({ fsync: 1 });
      disk.limit(LIMITS, server.pid());
      await loaded(server, JOURNALED);
      await shop.command({
        collMod: 'orders',
        index: { keyPattern: { old: 1 }, expireAfterSeconds: 60 },
      });
      await sleep(25_000);
      check(await finish(), { first: ['ttl-set'], then: ['load-down'] });
    } finally {
      disk.release();
      await staged.remove();
      disk.remove();
    }
  });
});
