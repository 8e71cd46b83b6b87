'use strict';

const assert = require('node:assert/strict');
const crypto = require('node:crypto');
const { Binary } = require('mongodb');
const { skipIf } = require('../../support/skip');
const { slowDisk, whyNoSlowDisk } = require('../../support/slow-disk');
const { startServer } = require('../../support/server');
const { startLoad } = require('../../support/load');
const { contextOf } = require('../../support/context');
const { run: advise } = require('../../../lib/commands/advise');

/**
 * @import { Server } from '../../support/server'
 * @import { SlowDisk } from '../../support/slow-disk'
 * @import { Limits } from '../../support/throttle'
 * @import { Collection } from 'mongodb'
 */

const DOCUMENTS = 24_000;
const BYTES = 16 * 1024; // random, so they do not compress: 375 MB
const TRIES = 4;
/** Samples come late where other tests keep the CPUs busy. */
const BUSY_TRIES = 6;
const MiB = 2 ** 20;
/** Eight intervals make a plateau; more where other tests keep the CPUs busy. */
const PLATEAU_SECONDS = 20;
/**
 * Data past the operating system's cache: a read reaches the disk whatever memory the machine has.
 */
const DIRECT = 'direct_io=[data],buffer_alignment=4K';

/** @param {Collection<any>} collection */
async function fill(collection) {
  const body = () => new Binary(crypto.randomBytes(BYTES));
  for (let first = 0; first < DOCUMENTS; first += 500)
    await collection.insertMany(
      Array.from({ length: 500 }, (_, i) => ({ _id: first + i, n: 0, body: body() })),
    );
}

const any = (/** @type {number} */ n) => Math.floor(Math.random() * n);

describe('a disk at its limit', () => {
  before(function () {
    skipIf(this, whyNoSlowDisk());
  });
  /** @type {SlowDisk | undefined} */ let disk;
  /** @type {Server} */ let server;
  /** @type {Collection<any>} */ let collection;
  /** @type {ReturnType<typeof contextOf>} */ let ctx;
  /** @type {{ stop(): Promise<void> } | undefined} */ let load;
  before(async () => {
    disk = slowDisk();
    server = await startServer({
      withTimeout: disk.path,
      cacheSizeGB: 1,
      args: ['--wiredTigerEngineConfigString', DIRECT],
    });
    collection = server.db('shop').collection('orders');
    await fill(collection);
    await server.restart();
    ctx = contextOf(server.client);
  });
  afterEach(async () => {
    disk?.release();
    await load?.stop();
    load = undefined;
  });
  after(async () => {
    await server?.stop();
    disk?.remove();
  });

  const limit = (/** @type {Limits} */ limits) => disk?.limit(limits, server.pid);
  const readers = () =>
    startLoad(
      () =>
        collection.findOne({ _id: any(DOCUMENTS) }, { projection: { n: 1 } }).then(() => undefined),
      { loops: 8 },
    );
  const writers = () =>
    startLoad(
      (loop) =>
        collection
          .updateOne({ _id: loop }, { $inc: { n: 1 } }, { writeConcern: { w: 1, j: true } })
          .then(() => undefined),
      { loops: 8 },
    );

  /**
   * Without its limit the disk is no bottleneck; on a busy machine the reads that it held up take a
   * while to be through.
   */
  const goes = async () => {
    disk?.release();
    for (let tries = 1; ; tries += 1) {
      const advice = await advise(ctx, { seconds: 4 });
      if (advice.bottleneck !== 'disk') return;
      assert.ok(tries < TRIES, `${advice}`);
    }
  };

  it('a cold cache that has room: the disk, and no cache to change; with a faster disk it goes', async () => {
    limit({ readOps: 150 });
    load = readers();
    const advice = await advise(ctx, { seconds: 4 });
    assert.equal(advice.bottleneck, 'disk', `${advice}`);
    assert.equal(advice.change, null);
    assert.match(advice.because, /^The cache is warming up: .* in about .* page reads of /);
    assert.match(advice.because, /dbPath is on loop\d+ \(.*ext4 on .*\): busy/);
    await goes();
  });

  it('a cache too small for its readers: the cache, since memory is free', async () => {
    await server.adminCommand({
      setParameter: 1,
      wiredTigerEngineRuntimeConfig: 'cache_size=256M',
    });
    limit({ readOps: 150 });
    load = readers();
    const advice = await advise(ctx, { seconds: 4 });
    assert.equal(advice.bottleneck, 'cache-read', `${advice}`);
    assert.deepEqual(Object.keys(advice.change ?? {}), ['cacheSizeGB']);
    assert.ok((advice.change?.cacheSizeGB ?? 0) > 0.375, `${advice}`);
  });

  it('the limit is the cause: the same rate in each second; without it, gone', async function () {
    this.timeout(400_000);
    await server.adminCommand({
      setParameter: 1,
      wiredTigerEngineRuntimeConfig: 'cache_size=256M',
    });
    const limitOf = async () => (await advise(ctx, { seconds: PLATEAU_SECONDS })).cause;
    for (const limits of [{ readOps: 150 }, { readBytes: 16 * MiB }]) {
      limit(limits);
      load = readers();
      let cause = await limitOf();
      for (let i = 1; i < BUSY_TRIES && cause?.kind !== 'disk-limit'; i += 1)
        cause = await limitOf();
      assert.equal(cause?.kind, 'disk-limit');
      // 16 MiB are about as many: a loop device is no disk that mongod reports, so pages count.
      assert.match(String(cause?.say), /^the disk is at its limit: 1(?:[34]\d|5[0-5]) requests/);
      assert.match(String(cause?.remedy), /^Raise the limit/);
      disk?.release();
      assert.equal(await limitOf(), null);
      await load.stop();
    }
  });

  it('journalled writes: the disk, and no setting to change; with a faster disk it goes', async () => {
    await server.adminCommand({ setParameter: 1, wiredTigerEngineRuntimeConfig: 'cache_size=1G' });
    limit({ writeOps: 40 });
    load = writers();
    const advice = await advise(ctx, { seconds: 4 });
    assert.equal(advice.bottleneck, 'disk', `${advice}`);
    assert.equal(advice.change, null);
    assert.match(advice.because, /A journal sync takes .*journaled writes wait for the disk/);
    await goes();
  });
});
