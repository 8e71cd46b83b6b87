'use strict';

const assert = require('node:assert/strict');
const vm = require('node:vm');
const { skipIf } = require('../support/skip');
const { startServer } = require('../support/server');
const { contextOf } = require('../support/context');
const { runMongosh } = require('../support/mongosh');
const { ttl } = require('../../lib/commands/ttl');

const HOUR_MS = 3_600_000;
const hourOf = (ms) => new Date(ms).getUTCHours();

describe('TTL on a real server', function () {
  this.timeout(120_000);
  /** @type {import('../support/server').Server} */ let server;
  let now;
  before(async function () {
    server = await startServer({ auth: true, args: ['--setParameter', 'ttlMonitorSleepSecs=1'] });
    skipIf(this, server.version.startsWith('4.') ? 'time series collections came with 5.0' : null);
    now = Date.now();
    const db = server.db('shop');
    await db.collection('sessions').createIndex({ at: 1 }, { expireAfterSeconds: 86_400 });
    await db.collection('sessions').insertMany([
      ...Array.from({ length: 300 }, () => ({ at: new Date(now - 21 * HOUR_MS) })), // due in 3 hours
      ...Array.from({ length: 100 }, () => ({ at: new Date(now - 14 * HOUR_MS) })), // due in 10 hours
      ...Array.from({ length: 100 }, () => ({ at: 'never' })),
    ]);
    await db.collection('carts').createIndex({ until: 1 }, { expireAfterSeconds: 0, partialFilterExpression: { open: true } });
    await db.collection('carts').insertMany(Array.from({ length: 50 }, (_, i) => ({ until: new Date(now + 30 * HOUR_MS), open: i < 20 })));
    await db.collection('plain').createIndex({ at: 1 });
    await db.createCollection('points', { timeseries: { timeField: 't' }, expireAfterSeconds: 3600 });
    await db.createCollection('view', { viewOn: 'plain', pipeline: [] });
  });
  after(() => server?.stop());
  const run = (options, client = server.client) => ttl(contextOf(client), options);
  const indexOf = ({ indexes }, ns) => indexes.find((one) => one.ns === ns);

  it('finds the indexes, and when their documents are due', async () => {
    const answer = await run();
    assert.deepEqual(answer.indexes.map(({ ns }) => ns).sort(), ['config.system.sessions', 'shop.carts', 'shop.sessions', 'shop.system.buckets.points'].filter((ns) => indexOf(answer, ns)));
    const { expiry, ...sessions } = indexOf(answer, 'shop.sessions');
    assert.deepEqual([sessions.kind, sessions.index, sessions.field, sessions.expireAfterSeconds, sessions.documents], ['index', 'at_1', 'at', 86_400, 500]);
    assert.deepEqual([expiry.sampled, expiry.overdue, expiry.nextDay, expiry.later, expiry.never], [500, 0, 400, 0, 100]);
    assert.deepEqual([expiry.hours[hourOf(now + 3 * HOUR_MS)], expiry.hours[hourOf(now + 10 * HOUR_MS)]], [300, 100]);
    assert.deepEqual([indexOf(answer, 'shop.carts').expiry.later, indexOf(answer, 'shop.carts').partial], [20, { open: true }]);
    assert.deepEqual([indexOf(answer, 'shop.system.buckets.points').kind, indexOf(answer, 'shop.system.buckets.points').expiry], ['timeseries', null]);
    assert.deepEqual([answer.hours[hourOf(now + 3 * HOUR_MS)], answer.work.enabled, answer.work.everySeconds, answer.ended], [300, true, 1, 'complete']);
    assert.match(String(answer), /most at \d\d:00: 300 documents/);
  });

  it('counts what was deleted', async () => {
    await server.db('shop').collection('sessions').insertMany(Array.from({ length: 70 }, () => ({ at: new Date(now - 48 * HOUR_MS) })));
    const deadline = Date.now() + 20_000;
    let answer = await run();
    while (answer.work.deletedDocuments < 70 && Date.now() < deadline) answer = await run();
    assert.equal(answer.work.deletedDocuments, 70);
    assert.ok(answer.work.passes > 0 && answer.work.deletedPerSec > 0 && answer.work.deletedPerPass > 0);
    assert.equal(indexOf(answer, 'shop.sessions').documents, 500);
  });

  it('a sample of many stands for all of them', async () => {
    await server.db('shop').collection('many').createIndex({ at: 1 }, { expireAfterSeconds: 0 });
    await server.db('shop').collection('many').insertMany(Array.from({ length: 30_000 }, (_, i) => ({ at: new Date(now + (i % 2 === 0 ? 5 : 40) * HOUR_MS) })));
    const { documents, expiry } = indexOf(await run(), 'shop.many');
    await server.db('shop').collection('many').drop();
    assert.deepEqual([documents, expiry.sampled], [30_000, 1000]);
    assert.ok(Math.abs(expiry.nextDay - 15_000) < 3000 && Math.abs(expiry.later - 15_000) < 3000, JSON.stringify(expiry));
  });

  it('its commands do what they say, in mongosh, and agree with the function for the application', async () => {
    const quiet = { hour: (hourOf(now) + 6) % 24, hours: 2 };
    const before = await run(quiet);
    const { steps } = before.designs.find(({ ns }) => ns === 'shop.sessions');
    assert.ok(before.designs.every(({ ns }) => ns.startsWith('shop.') && !ns.includes('system')));
    assert.deepEqual(Object.keys((await server.db('shop').collection('sessions').indexInformation())), ['_id_', 'at_1'], 'it did nothing');
    const { code, stdout, stderr } = await runMongosh([server.uri, '--quiet', ...steps.slice(1).flatMap(({ command }) => ['--eval', command])]);
    assert.equal(code, 0, stdout + stderr);
    const move = vm.runInNewContext(`${steps[0].command}; quiet`, { Date });
    const documents = await server.db('shop').collection('sessions').find().toArray();
    for (const { at, expireAt } of documents) assert.equal(expireAt && Number(expireAt), at === 'never' ? undefined : Math.floor(Number(move(new Date(+at + 86_400_000)))));
    const after = await run(quiet);
    assert.deepEqual([indexOf(after, 'shop.sessions').field, indexOf(after, 'shop.sessions').quietRatio, indexOf(after, 'shop.sessions').expiry.nextDay, indexOf(after, 'shop.sessions').expiry.later], ['expireAt', 1, 300, 100]);
    assert.ok(!after.designs.some(({ ns }) => ns === 'shop.sessions'));
    assert.deepEqual((await server.db('shop').collection('sessions').indexInformation({ full: true })).map(({ name }) => name), ['_id_', 'expireAt_1']);
  });

  it('what this user may not see becomes a note', async () => {
    const monitor = await run({}, await server.connect(await server.addUser('monitor', ['clusterMonitor'])));
    assert.equal(indexOf(monitor, 'shop.carts'), undefined);
    assert.match(monitor.notes.join('\n'), /^listIndexes in shop was refused for \d collections: .*may not run listIndexes/m);
    const reader = await run({}, await server.connect(await server.addUser('reader', ['clusterMonitor', 'readAnyDatabase'])));
    assert.equal(indexOf(reader, 'shop.carts').expiry.sampled, 50);
    assert.ok(!reader.notes.some((note) => note.includes('in shop')), reader.notes.join());
  });

  it('says what does not apply: the executor of old releases, deletion that is switched off', async () => {
    await server.adminCommand({ setParameter: 1, ttlMonitorEnabled: false });
    const { notes } = await run();
    await server.adminCommand({ setParameter: 1, ttlMonitorEnabled: true });
    assert.match(notes.join('\n'), /serviceExecutor: adaptive.* is gone since 5\.0: \d/);
    assert.match(notes.join('\n'), /switched off/);
  });

  it('Ctrl-C and a lost connection answer from what was seen', async () => {
    const stop = new AbortController();
    const ctx = contextOf(server.client, { signal: stop.signal });
    const progress = ctx.progress;
    const halted = await ttl({ ...ctx, progress: (text) => { progress(text); if (text !== null) stop.abort(); } });
    assert.equal(halted.ended, 'interrupted');
    assert.match(halted.notes[0], /^Interrupted after \d+ of \d+ collections/);
    assert.equal(ctx.progressed.at(-1), null);
    const lost = contextOf(server.client);
    const gone = Object.assign(new Error('connection 7 closed'), { name: 'MongoNetworkError' });
    lost.port.command = async () => { throw gone; };
    const answer = await ttl(lost);
    assert.deepEqual([answer.ended, answer.indexes], ['lost', []]);
    assert.match(answer.notes[0], /connection was lost after 0 of 0 collections \(.*connection 7 closed/);
  });

  for (const [options, code] of [[{ hour: 24 }, 'TUNE-10002'], [{ hours: 0 }, 'TUNE-10002'], [{ hour: 1.5 }, 'TUNE-10002'], [{ at: 5 }, 'TUNE-10001']]) {
    it(`refuses ${JSON.stringify(options)} with ${code}`, () => assert.rejects(run(options), { name: 'TuneError', code }));
  }
});

describe('what an old release is told', () => {
  it('the executor that exists in 4.4 is better left alone', async () => {
    const port = { adminCommand: async (command) => ({ hello: { isWritablePrimary: true }, serverStatus: { version: '4.4.29', uptimeMillis: 1000 }, listDatabases: { databases: [] } })[Object.keys(command)[0]] ?? {}, command: async () => ({}) };
    const { notes, work } = await ttl(/** @type {any} */ ({ port, signal: new AbortController().signal, progress() {} }));
    assert.match(notes.join('\n'), /exists in this release, deprecated/);
    assert.deepEqual([work.enabled, work.everySeconds, work.deletedDocuments], [null, null, null]);
  });
});
