'use strict';

const assert = require('node:assert/strict');
const vm = require('node:vm');
const { skipIf } = require('../support/skip');
const { startServer } = require('../support/server');
const { contextOf } = require('../support/context');
const { runMongosh } = require('../support/mongosh');
const { run: ttl } = require('../../lib/commands/ttl');

/**
 * @import { Server } from '../support/server'
 */

const HOUR_MS = 3_600_000;
const hourOf = (ms) => new Date(ms).getUTCHours();

describe('TTL on a real server', function () {
  this.timeout(120_000);
  /** @type {Server} */ let server;
  let now;
  before(async function () {
    server = await startServer({ auth: true, args: ['--setParameter', 'ttlMonitorSleepSecs=1'] });
    skipIf(this, server.version.startsWith('4.') ? 'time series collections came with 5.0' : null);
    now = Date.now();
    const db = server.db('shop');
    await db.collection('sessions').createIndex({ at: 1 }, { expireAfterSeconds: 86_400 });
    await db.collection('sessions').insertMany([
      ...Array.from({ length: 9000 }, () => ({ at: new Date(now - 21 * HOUR_MS) })), // due in 3 hours
      ...Array.from({ length: 3000 }, () => ({ at: new Date(now - 14 * HOUR_MS) })), // due in 10 hours
      ...Array.from({ length: 3000 }, () => ({ at: 'never' })),
    ]);
    await db.collection('twice').createIndex({ at: 1 }, { expireAfterSeconds: 86_400 });
    await db.collection('twice').createIndex({ seen: 1 }, { expireAfterSeconds: 3600 });
    await db.collection('twice').insertMany([
      ...Array.from({ length: 8000 }, () => ({
        at: new Date(now - 14 * HOUR_MS),
        seen: new Date(now + HOUR_MS),
      })), // due in 10 hours, and in 2
      ...Array.from({ length: 4000 }, () => ({ at: new Date(now - 14 * HOUR_MS) })), // only the first
    ]);
    await db
      .createCollection('clustered', {
        clusteredIndex: { key: { _id: 1 }, unique: true },
        expireAfterSeconds: 3600,
      })
      .catch(() => {}); // they came with 5.3
    await db
      .collection('carts')
      .createIndex(
        { until: 1 },
        { expireAfterSeconds: 0, partialFilterExpression: { open: true } },
      );
    await db
      .collection('carts')
      .insertMany(
        Array.from({ length: 50 }, (_, i) => ({
          until: new Date(now + 30 * HOUR_MS),
          open: i < 20,
        })),
      );
    await db.collection('plain').createIndex({ at: 1 });
    await db.createCollection('points', {
      timeseries: { timeField: 't' },
      expireAfterSeconds: 3600,
    });
    await db.createCollection('view', { viewOn: 'plain', pipeline: [] });
  });
  after(() => server?.stop());
  const run = (options, client = server.client) => ttl(contextOf(client), options);
  const indexOf = ({ indexes }, ns) => indexes.find((one) => one.ns === ns);

  it('finds the indexes, and when their documents are due', async () => {
    const answer = await run();
    assert.deepEqual(
      answer.indexes
        .filter(({ ns }) => !/^config|clustered/.test(ns))
        .map(({ ns }) => ns)
        .sort(),
      ['shop.carts', 'shop.sessions', 'shop.system.buckets.points', 'shop.twice', 'shop.twice'],
    );
    const { expiry, ...sessions } = indexOf(answer, 'shop.sessions');
    assert.deepEqual(
      [
        sessions.kind,
        sessions.index,
        sessions.field,
        sessions.expireAfterSeconds,
        sessions.documents,
      ],
      ['index', 'at_1', 'at', 86_400, 15_000],
    );
    assert.deepEqual([expiry.sampled, expiry.overdue, expiry.later], [1000, 0, 0]);
    assert.ok(
      Math.abs(expiry.nextDay - 12_000) < 1000 &&
        Math.abs(expiry.never - 3000) < 1000 &&
        expiry.nextDay + expiry.never === 15_000,
      JSON.stringify(expiry),
    );
    assert.equal(
      expiry.hours[hourOf(now + 3 * HOUR_MS)] + expiry.hours[hourOf(now + 10 * HOUR_MS)],
      expiry.nextDay,
    );
    assert.deepEqual(
      [indexOf(answer, 'shop.carts').expiry.later, indexOf(answer, 'shop.carts').partial],
      [20, { open: true }],
    );
    assert.deepEqual(
      [
        indexOf(answer, 'shop.system.buckets.points').kind,
        indexOf(answer, 'shop.system.buckets.points').expiry,
      ],
      ['timeseries', null],
    );
    assert.deepEqual(
      [answer.work.enabled, answer.work.everySeconds, answer.ended, answer.unknown],
      [true, 1, 'complete', 0],
    );
    assert.match(String(answer), /max [\d,]+ documents at \d\d:00/);
    assert.match(
      answer.notes.join('\n'),
      /^shop\.sessions: some \d,\d{3} of 15,000 documents are never deleted: their field at holds no date\.$/m,
    );
  });

  it('a document that two indexes hold is deleted once, by the first', async () => {
    const answer = await run();
    const [at, seen] = ['at_1', 'seen_1'].map(
      (name) =>
        answer.indexes.find(({ ns, index }) => ns === 'shop.twice' && index === name).expiry,
    );
    assert.equal(at.nextDay, 12_000);
    assert.ok(
      Math.abs(seen.nextDay - 8000) < 1000 && Math.abs(seen.never - 4000) < 1000,
      JSON.stringify(seen),
    );
    const inTwoHours = answer.hours[hourOf(now + 2 * HOUR_MS)];
    const [sessions] = answer.indexes.filter(({ ns }) => ns === 'shop.sessions');
    assert.equal(inTwoHours, seen.nextDay);
    assert.equal(
      answer.hours[hourOf(now + 10 * HOUR_MS)] - sessions.expiry.hours[hourOf(now + 10 * HOUR_MS)],
      12_000 - seen.nextDay,
    );
  });

  it('counts what was deleted', async () => {
    await server
      .db('shop')
      .collection('sessions')
      .insertMany(Array.from({ length: 70 }, () => ({ at: new Date(now - 48 * HOUR_MS) })));
    const deadline = Date.now() + 20_000;
    let answer = await run();
    while (answer.work.deletedDocuments < 70 && Date.now() < deadline) answer = await run();
    assert.equal(answer.work.deletedDocuments, 70);
    assert.ok(
      answer.work.passes > 0 && answer.work.deletedPerSec > 0 && answer.work.deletedPerPass > 0,
    );
    assert.equal(indexOf(answer, 'shop.sessions').documents, 15_000);
  });

  it('a sample of many stands for all of them', async () => {
    await server.db('shop').collection('many').createIndex({ at: 1 }, { expireAfterSeconds: 0 });
    await server
      .db('shop')
      .collection('many')
      .insertMany(
        Array.from({ length: 30_000 }, (_, i) => ({
          at: new Date(now + (i % 2 === 0 ? 5 : 40) * HOUR_MS),
        })),
      );
    const { documents, expiry } = indexOf(await run(), 'shop.many');
    await server.db('shop').collection('many').drop();
    assert.deepEqual([documents, expiry.sampled], [30_000, 1000]);
    assert.ok(
      Math.abs(expiry.nextDay - 15_000) < 3000 && Math.abs(expiry.later - 15_000) < 3000,
      JSON.stringify(expiry),
    );
  });

  /** @param {string[]} commands */
  const inMongosh = async (commands) => {
    const { code, stdout, stderr } = await runMongosh([
      server.uri,
      '--quiet',
      ...commands.flatMap((command) => ['--eval', command]),
    ]);
    assert.equal(code, 0, stdout + stderr);
    return stdout;
  };
  const indexNames = async (name) =>
    (await server.db('shop').collection(name).indexInformation({ full: true })).map(
      (one) => one.name,
    );

  for (const [name, dueOf] of /** @type {[string, (document: any) => number | undefined][]} */ ([
    ['sessions', ({ at }) => (at === 'never' ? undefined : +at + 86_400_000)],
    [
      'twice',
      ({ at, seen }) =>
        Math.min(+at + 86_400_000, seen === undefined ? Infinity : +seen + 3_600_000),
    ],
  ])) {
    it(
      'its commands do what they say, in mongosh, and agree with the function for the ' +
        `application: ${name}`,
      async () => {
        const quiet = { startHour: (hourOf(now) + 6) % 24, lengthHours: 2 };
        const before = await run(quiet);
        assert.deepEqual(
          before.designs.map(({ ns }) => ns).filter((ns) => ns === `shop.${name}`),
          [`shop.${name}`],
          'one for the whole collection',
        );
        const { steps } = before.designs.find(({ ns }) => ns === `shop.${name}`);
        const [application, fill, create, drop] = steps.map(({ command }) => command);
        const old = await indexNames(name);
        await inMongosh([fill, create, drop]);
        const move = vm.runInNewContext(`${application}; quiet`, { Date, Math });
        for (const document of await server.db('shop').collection(name).find().toArray()) {
          const due = dueOf(document);
          assert.equal(
            document.expireAt && Number(document.expireAt),
            due && Number(move(new Date(due))),
          );
        }
        const after = await run(quiet);
        assert.deepEqual(
          [indexOf(after, `shop.${name}`).field, indexOf(after, `shop.${name}`).quietRatio],
          ['expireAt', 1],
        );
        assert.ok(!after.designs.some(({ ns }) => ns === `shop.${name}`));
        assert.deepEqual(
          [old.length, await indexNames(name)],
          [name === 'twice' ? 3 : 2, ['_id_', 'expireAt_1']],
        );
      },
    );
  }

  it(
    'no document is deleted too early, or stays forever, when the steps are taken out of turn ' +
      'or in part',
    async () => {
      const carts = server.db('shop').collection('baskets');
      await carts.createIndex({ at: 1 }, { expireAfterSeconds: 86_400 });
      await carts.insertMany(
        Array.from({ length: 10_500 }, () => ({ at: new Date(now - 14 * HOUR_MS) })),
      );
      const { designs } = await run({ startHour: (hourOf(now) + 6) % 24, lengthHours: 2 });
      const [, fill, create, drop] = designs
        .find(({ ns }) => ns === 'shop.baskets')
        .steps.map(({ command }) => command);
      assert.match(await inMongosh([drop]), /not yet: some documents have no expireAt/);
      assert.deepEqual(await indexNames('baskets'), ['_id_', 'at_1']);
      await inMongosh([fill]);
      // As an application does that does not know of it yet.
      await carts.updateOne({}, { $set: { at: new Date(now + 48 * HOUR_MS) } });
      assert.match(
        await inMongosh([create]),
        /not yet: by their expireAt some documents would be deleted too early/,
      );
      await carts.deleteOne({ at: { $gt: new Date(now) } });
      await inMongosh([create]);
      await carts.insertOne({ at: [new Date(now), new Date(now + HOUR_MS)] });
      assert.match(await inMongosh([drop]), /not yet/);
      assert.deepEqual(await indexNames('baskets'), ['_id_', 'at_1', 'expireAt_1']);
      await carts.drop();
    },
  );

  it('no design where it can only harm', async () => {
    const db = server.db('odd');
    const many = (/** @type {() => unknown} */ at) =>
      Array.from({ length: 11_000 }, () => ({ at: at() }));
    for (const [name, at, expireAfterSeconds] of /** @type {const} */ ([
      ['texts', () => new Date(now).toISOString(), 3600],
      ['none', () => null, 3600],
      ['far', () => new Date(now), 2_147_483_647],
      ['arrays', () => [new Date(now)], 36_000],
    ])) {
      await db.collection(name).createIndex({ at: 1 }, { expireAfterSeconds: 3600 });
      // Servers before 6.0 make no index with a time longer than since 1970, but change one to it.
      await db.command({ collMod: name, index: { name: 'at_1', expireAfterSeconds } });
      await db.collection(name).insertMany(many(at));
    }
    await db.collection('few').createIndex({ at: 1 }, { expireAfterSeconds: 36_000 });
    await db.collection('few').insertMany(many(() => new Date(now)).slice(0, 500));
    const answer = await run({ startHour: (hourOf(now) + 1) % 24, lengthHours: 1 });
    await db.dropDatabase();
    assert.deepEqual(
      answer.designs.filter(({ ns }) => ns.startsWith('odd.')),
      [],
    );
    const why = Object.fromEntries(
      answer.undesigned
        .filter(({ ns }) => ns.startsWith('odd.'))
        .map(({ ns, worth }) => [ns, worth]),
    );
    assert.deepEqual(why, {
      'odd.arrays': true,
      'odd.far': false,
      'odd.few': false,
      'odd.none': false,
      'odd.texts': false,
    });
    assert.match(
      String(answer),
      /^ {2}INFO {2}odd\.arrays is not changed: some documents hold several dates/m,
    );
  });

  it('with the role clusterMonitor the indexes are seen by $indexStats, and what is not seen is said', async () => {
    const monitor = await run(
      {},
      await server.connect(await server.addUser('monitor', ['clusterMonitor'])),
    );
    assert.deepEqual(
      [
        indexOf(monitor, 'shop.carts').expireAfterSeconds,
        indexOf(monitor, 'shop.carts').partial,
        indexOf(monitor, 'shop.carts').documents,
        indexOf(monitor, 'shop.carts').expiry,
      ],
      [0, { open: true }, 50, null],
    );
    const notes = monitor.notes.join('\n');
    assert.match(notes, /^Not known: when documents are due in shop /m);
    assert.match(
      notes,
      /^Not known: which collections expire as a whole, time series and clustered ones, in shop /m,
    );
    assert.deepEqual(monitor.designs, []);
  });

  it('who may see no indexes at all is not reported that there are none', async () => {
    await server.addRole('counters', [
      { resource: { cluster: true }, actions: ['serverStatus', 'listDatabases'] },
      { resource: { db: '', collection: '' }, actions: ['listCollections'] },
    ]);
    const answer = await run(
      {},
      await server.connect(await server.addUser('counter', ['counters'])),
    );
    assert.deepEqual(
      answer.indexes.filter(({ kind }) => kind === 'index'),
      [],
    );
    assert.ok(answer.unknown >= 4);
    assert.match(
      String(answer),
      /TTL {10}(\d+|no) ind(ex|exes)[^;]*;\s+\d+ of\s+\d+\s+collections\s+are\s+unknown/,
    );
    assert.match(answer.notes.join('\n'), /^Not known: the indexes of \d+ collections in .*shop/m);
  });

  it('who may read as well is told all', async () => {
    const reader = await run(
      {},
      await server.connect(await server.addUser('reader', ['clusterMonitor', 'readAnyDatabase'])),
    );
    assert.equal(indexOf(reader, 'shop.carts').expiry.sampled, 50);
    assert.ok(!reader.notes.some((note) => note.includes('in shop')), reader.notes.join());
  });

  it('says that deletion is switched off, and nothing of an executor that this release does not have', async () => {
    await server.adminCommand({ setParameter: 1, ttlMonitorEnabled: false });
    const { notes } = await run();
    await server.adminCommand({ setParameter: 1, ttlMonitorEnabled: true });
    assert.doesNotMatch(notes.join('\n'), /serviceExecutor/);
    assert.match(notes.join('\n'), /switched off/);
  });

  it('Ctrl-C and a lost connection answer from what was seen', async () => {
    const stop = new AbortController();
    const ctx = contextOf(server.client, { signal: stop.signal });
    const progress = ctx.progress;
    const halted = await ttl({
      ...ctx,
      progress: (text) => {
        progress(text);
        if (text !== null) stop.abort();
      },
    });
    assert.equal(halted.ended, 'interrupted');
    assert.match(halted.notes[0], /^Interrupted after \d+ of \d+ collections/);
    assert.equal(ctx.progressed.at(-1), null);
    const lost = contextOf(server.client);
    const gone = Object.assign(new Error('connection 7 closed'), { name: 'MongoNetworkError' });
    lost.port.command = async () => {
      throw gone;
    };
    const answer = await ttl(lost);
    assert.deepEqual([answer.ended, answer.indexes], ['lost', []]);
    assert.match(
      answer.notes[0],
      /connection was lost after 0 of 0 collections \(.*connection 7 closed/,
    );
  });

  for (const [options, code] of [
    [{ startHour: 24 }, 'TUNE-10002'],
    [{ lengthHours: 0 }, 'TUNE-10002'],
    [{ startHour: 1.5 }, 'TUNE-10002'],
    [{ at: 5 }, 'TUNE-10001'],
  ]) {
    it(`refuses ${JSON.stringify(options)} with ${code}`, () =>
      assert.rejects(run(options), { name: 'TuneError', code }));
  }
});

describe('what an old release is told', () => {
  const reported = (/** @type {object} */ net) =>
    ttl(
      /** @type {any} */ ({
        port: {
          adminCommand: async (command) =>
            ({
              hello: { isWritablePrimary: true },
              serverStatus: { version: '4.4.29', uptimeMillis: 1000 },
              listDatabases: { databases: [] },
              getCmdLineOpts: { parsed: { net } },
            })[Object.keys(command)[0]] ?? {},
          command: async () => ({}),
        },
        signal: new AbortController().signal,
        progress() {},
      }),
    );
  it('the executor that it has, where it is set', async () => {
    const { notes, work } = await reported({ serviceExecutor: 'adaptive' });
    assert.match(
      notes.join('\n'),
      /serviceExecutor is adaptive here.*5\.0 and later do not start with it/,
    );
    assert.deepEqual([work.enabled, work.everySeconds, work.deletedDocuments], [null, null, null]);
  });
  it('nothing where it is not', async () => assert.deepEqual((await reported({})).notes, []));
});
