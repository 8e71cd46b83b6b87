'use strict';

const assert = require('node:assert/strict');
const crypto = require('node:crypto');
const { Binary } = require('mongodb');
const { contextOf } = require('../support/context');
const { startLoad } = require('../support/load');
const { memoryGroup } = require('../support/memory-group');
const { startServer } = require('../support/server');
const { run: advise } = require('../../lib/commands/advise');
const { run: apply } = require('../../lib/commands/apply');
const { run: settings } = require('../../lib/commands/settings');

/**
 * @import { Server } from '../support/server'
 */

const DOCUMENTS = 60_000;
const BYTES = 16 * 1024; // random, so they do not compress: 940 MB
const CACHE_GB = 0.5;
/** While the documents are inserted, and then: the pages of the file are of this group. */
const WIDE_MB = 4096;
const TIGHT_MB = 600;
const TRIES = 4;

/**
 * As MemoryMax of a systemd unit: the limit of a control group that mongod does not ask for. It sees
 * the RAM of the machine.
 */
describe('a memory limit that mongod does not know', function () {
  this.timeout(180_000);
  const group = memoryGroup();
  before(function () {
    if (group === null) this.skip();
  });
  /** @type {Server | undefined} */ let server;
  /** @type {ReturnType<typeof contextOf>} */ let ctx;
  /** @type {import('mongodb').Collection<any>} */ let collection;
  before(async () => {
    server = await startServer({ cacheSizeGB: CACHE_GB });
    group?.limit(server.pid, WIDE_MB);
    collection = server.db('shop').collection('orders');
    const body = () => new Binary(crypto.randomBytes(BYTES));
    for (let first = 0; first < DOCUMENTS; first += 500)
      await collection.insertMany(
        Array.from({ length: 500 }, (_, i) => ({ _id: first + i, n: 0, body: body() })),
      );
    ctx = contextOf(server.client);
  });
  after(async () => {
    await server?.stop();
    group?.remove();
  });

  /** @param {(advice: Awaited<ReturnType<typeof advise>>) => boolean} isAsExpected */
  async function advised(isAsExpected) {
    const load = startLoad(
      () =>
        collection
          .findOne({ _id: Math.floor(Math.random() * DOCUMENTS) }, { projection: { n: 1 } })
          .then(() => undefined),
      { loops: 16 },
    );
    try {
      let advice = await advise(ctx, { seconds: 4 });
      for (let i = 1; i < TRIES && !isAsExpected(advice); i += 1)
        advice = await advise(ctx, { seconds: 4 });
      assert.ok(isAsExpected(advice), `${advice}`);
      return advice;
    } finally {
      await load.stop();
    }
  }

  it('where there is room the cause is none', async () => {
    const { cause } = await advised(({ bottleneck }) => bottleneck !== 'unknown');
    assert.equal(cause, null);
  });

  it('is the cause, and no larger cache is recommended; with room it goes', async () => {
    group?.limit(/** @type {Server} */ (server).pid, TIGHT_MB);
    const { change, remedy, findings } = await advised(
      ({ cause }) => cause?.kind === 'container-limit',
    );
    assert.equal(change?.cacheSizeGB, undefined, 'mongod would be killed');
    assert.match(String(remedy), /^Set the cache to about 256 MiB \(cacheSizeGB\), or raise/);
    assert.ok(findings.some(({ rule }) => rule === 'host-memory-limit'));
    group?.limit(/** @type {Server} */ (server).pid, WIDE_MB);
    await advised(({ cause }) => cause?.kind !== 'container-limit');
  });

  it('a cache that does not fit is refused before anything is sent', async () => {
    group?.limit(/** @type {Server} */ (server).pid, TIGHT_MB);
    const { cacheSizeGB } = await settings(ctx);
    assert.ok(Number(cacheSizeGB.default) > 1, 'the default is by the RAM that mongod sees');
    await assert.rejects(apply(ctx, { cacheSizeGB: 1 }, { confirm: true }), { code: 'TUNE-30003' });
    const { cacheSizeGB: after } = await settings(ctx);
    assert.equal(after.value, CACHE_GB);
    await apply(ctx, { cacheSizeGB: 0.4 }, { confirm: true });
  });
});
