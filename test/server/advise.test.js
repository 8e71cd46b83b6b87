'use strict';

const assert = require('node:assert/strict');
const crypto = require('node:crypto');
const { Binary } = require('mongodb');
const { startServer } = require('../support/server');
const { contextOf } = require('../support/context');
const { startLoad } = require('../support/load');
const { advise } = require('../../lib/commands/advise');
const { apply } = require('../../lib/commands/apply');
const { undo } = require('../../lib/commands/undo');
const { status } = require('../../lib/commands/status');

const DOCUMENTS = 2400;
const BYTES = 64 * 1024; // random bytes do not compress: 150 MiB of pages

/** @param {import('mongodb').Collection<any>} collection */
async function fill(collection) {
  for (let first = 0; first < DOCUMENTS; first += 100) {
    await collection.insertMany(Array.from({ length: 100 }, (_, i) => ({ _id: first + i, n: 0, body: new Binary(crypto.randomBytes(BYTES)) })));
  }
}

const anyId = () => Math.floor(Math.random() * DOCUMENTS);
/** Dirties whole pages with small updates, much faster than eviction cleans them. @param {import('mongodb').Collection<any>} collection */
const dirty = (collection) => collection.bulkWrite(Array.from({ length: 20 }, () => ({ updateOne: { filter: { _id: anyId() }, update: { $inc: { n: 1 } } } })), { ordered: false });

describe('advise: cause the fault, see the finding, apply the cure, see it go', () => {
  /** @type {import('../support/server').Server} */ let server;
  /** @type {import('mongodb').Collection<any>} */ let collection;
  /** @type {ReturnType<typeof contextOf>} */ let ctx;
  before(async () => {
    server = await startServer();
    collection = server.db('shop').collection('orders');
    ctx = contextOf(server.client);
  });
  /** @type {ReturnType<typeof startLoad> | undefined} */ let load;
  afterEach(() => load?.stop());
  after(() => server?.stop());

  it('an idle server: idle, and nothing to change', async () => {
    const advice = await advise(ctx, { seconds: 3 });
    assert.equal(advice.bottleneck, 'idle');
    assert.equal(advice.change, null);
    assert.equal(advice.conf, null);
    assert.match(`${advice}`, /change: nothing/);
  });

  it('a busy healthy server: none, and nothing to change', async () => {
    await collection.insertOne({ _id: -1 });
    load = startLoad(() => collection.findOne({ _id: -1 }).then(() => new Promise((go) => setTimeout(go, 2))), { loops: 2 });
    const advice = await advise(ctx, { seconds: 4 });
    await load.stop();
    assert.equal(advice.bottleneck, 'none', advice.because);
    assert.equal(advice.change, null);
  });

  it('write pressure: cache-dirty; the cure is applied, the finding goes, and undo brings the old size back', async () => {
    await fill(collection);
    load = startLoad(async () => { await dirty(collection); }, { loops: 16 });
    await new Promise((go) => setTimeout(go, 2000));
    const advice = await advise(ctx, { seconds: 6 });
    const before = await status(ctx, { seconds: 4 });
    assert.equal(advice.bottleneck, 'cache-dirty', `${advice}`);
    assert.ok(advice.change && advice.change.cacheSizeGB && advice.change.cacheSizeGB > 0.25, `${advice}`);
    assert.equal(advice.evidence.length, 3);
    assert.match(String(advice.conf), /cacheSizeGB: /);

    const shown = await apply(ctx, advice);
    assert.equal(shown.dryRun, true);
    assert.equal((await status(ctx)).cache.maxBytes, 256 * 2 ** 20, 'showing changes nothing');
    const done = await apply(ctx, advice, { confirm: true });
    assert.equal(done.verified, true);

    await new Promise((go) => setTimeout(go, 3000));
    const after = await status(ctx, { seconds: 4 });
    await load.stop();
    const lost = (/** @type {any} */ s) => s.clients.evicting + s.clients.waitingForCache;
    // How many depends on what else the machine does; healthy is at most 0.05.
    assert.ok(lost(before) > 0.25, `${lost(before)} client threads lost before`);
    assert.ok(lost(after) < lost(before) / 2, `${lost(before)} → ${lost(after)} client threads lost`);

    await undo(ctx, undefined, { confirm: true });
    assert.equal((await status(ctx)).cache.maxBytes, 256 * 2 ** 20);
  });

  it('few tickets and many slow readers: concurrency, and no cache change', async () => {
    const name = Object.keys(await server.adminCommand({ getParameter: '*' })).find((key) => /ConcurrentReadTransactions$/.test(key));
    await server.adminCommand({ setParameter: 1, [String(name)]: 5 });
    load = startLoad(async () => { await collection.findOne({ _id: 5, $where: 'sleep(40) || true' }); }, { loops: 24 });
    await new Promise((go) => setTimeout(go, 1500));
    const advice = await advise(ctx, { seconds: 5 });
    await load.stop();
    await server.adminCommand({ setParameter: 1, [String(name)]: 128 });
    assert.equal(advice.bottleneck, 'concurrency', `${advice}`);
    assert.equal(advice.change, null);
  });

  it('Ctrl-C: the answer is over what was seen until then, and says so', async () => {
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 1300);
    const advice = await advise(contextOf(server.client, { signal: stop.signal }), { seconds: 60 });
    assert.ok(advice.window.samples >= 2 && advice.window.samples < 5);
    assert.match(advice.notes.join(), /Interrupted/);
  });

  it('shows its progress, and takes it away', () => {
    assert.ok(ctx.progressed.some((line) => line !== null && /tune\.advise: 2 of 4 looks/.test(line)));
    assert.equal(ctx.progressed.at(-1), null);
  });
});
