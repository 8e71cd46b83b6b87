'use strict';

const assert = require('node:assert/strict');
const { UUID } = require('bson');
const { contextOf } = require('../../support/context');
const { skipIf } = require('../../support/skip');
const { startReplicaSet, startServer } = require('../../support/server');
const { run: splitPlan } = require('../../../lib/commands/split-plan');
const { run: splitScript } = require('../../../lib/commands/split-script');

const whats = (remarks) => remarks.map(({ what }) => what);
const documents = (n, more = (_) => ({})) =>
  Array.from({ length: n }, (_, i) => ({ a: i, pad: 'x'.repeat(300), ...more(i) }));

describe('tune.split.plan on a replica set with users', function () {
  this.timeout(180_000);
  /** @type {any} */ let server;
  /** @type {any[]} */ const open = [];
  const run = (options, client = server.client) =>
    splitPlan(contextOf(client), { source: 'app', seconds: 0.2, ...options });
  const moveOf = ({ moves }, name) => moves.find(({ ns }) => ns === `app.${name}`);
  before(async function () {
    server = await startReplicaSet({ members: 1, auth: true });
    skipIf(
      this,
      server.version.startsWith('4.') || server.version.startsWith('5.')
        ? 'clustered collections and pre-images came with 6.0'
        : null,
    );
    const db = server.db('app');
    await db.collection('orders').insertMany(documents(3000));
    await db.collection('items').insertMany(documents(3000));
    await db.collection('events').insertMany(documents(500));
    await db.createCollection('odd', {
      collation: { locale: 'de' },
      validator: { a: { $gte: 0 } },
      changeStreamPreAndPostImages: { enabled: true },
    });
    await db.collection('odd').createIndexes([
      { key: { a: 1 }, unique: true, name: 'u' },
      { key: { t: 1 }, expireAfterSeconds: 60, name: 'ttl' },
      { key: { b: 1 }, partialFilterExpression: { b: { $gt: 1 } }, name: 'part' },
      { key: { s: 1 }, sparse: true, name: 'sparse' },
      { key: { h: 1 }, hidden: true, name: 'hid' },
      { key: { txt: 'text' }, collation: { locale: 'simple' }, name: 'txt' },
      { key: { 'w.$**': 1 }, name: 'wild' },
      { key: { x: 'hashed' }, name: 'hash', collation: { locale: 'simple' } },
      { key: { g: '2dsphere' }, name: 'geo', collation: { locale: 'simple' } },
      { key: { p: '2d' }, name: 'flat', collation: { locale: 'simple' } },
      { key: { c: 1 }, name: 'fr', collation: { locale: 'fr' } },
    ]);
    await db.createCollection('cap', { capped: true, size: 4096 });
    await db.createCollection('clu', { clusteredIndex: { key: { _id: 1 }, unique: true } });
    await db.createCollection('times', { timeseries: { timeField: 't' } });
    await db.createCollection('both', {
      viewOn: 'orders',
      pipeline: [{ $lookup: { from: 'items', localField: 'a', foreignField: 'a', as: 'x' } }],
    });
    await db.createCollection('over', { viewOn: 'both', pipeline: [{ $unionWith: 'orders' }] });
    await server.addUser('writer', [{ role: 'readWrite', db: 'app' }]);
    await server.addRole('seer', [
      { resource: { db: 'app', collection: 'orders' }, actions: ['find'] },
    ]);
    await server.addUser('looker', ['seer']);
  });
  after(async () => {
    await Promise.all(open.map((one) => one.close()));
    await server?.stop();
  });

  it(
    'each kind of collection, option and index is told, as blocker or warning; what a view ' +
      'joins stays together',
    async () => {
      const plan = await run({
        collections: ['orders', 'items', 'odd', 'cap', 'clu', 'times', 'over', 'gone'],
      });
      assert.deepEqual(whats(moveOf(plan, 'odd').warnings), [
        'collation',
        'validator',
        'pre-images',
        'ttl',
        'unique',
        'partial',
        'sparse',
        'hidden',
        'index-collation',
        'text',
        'wildcard',
        'hashed',
        '2dsphere',
        '2d',
        'users',
      ]);
      assert.deepEqual(moveOf(plan, 'odd').blockers, []);
      for (const [name, what] of [
        ['cap', 'capped'],
        ['clu', 'clustered'],
        ['times', 'time-series'],
        ['over', 'view'],
      ])
        assert.ok(whats(moveOf(plan, name).blockers).includes(what), name);
      assert.deepEqual(whats(moveOf(plan, 'orders').warnings), ['views', 'roles', 'users']);
      assert.match(moveOf(plan, 'orders').warnings[1].say, /admin\.seer/);
      assert.match(
        moveOf(plan, 'orders').warnings[2].say,
        /admin\.looker.*admin\.writer|admin\.writer.*admin\.looker/,
      );
      assert.deepEqual(
        plan.blockers.map(({ what }) => what),
        ['missing'],
      );
      assert.deepEqual(plan.views, [
        { ns: 'app.both', into: 'app2.both' },
        { ns: 'app.over', into: 'app2.over' },
      ]);
      const torn = await run({ collections: 'orders' });
      assert.deepEqual(whats(moveOf(torn, 'orders').blockers), ['views']);
      const [{ info }] = await server.db('app').listCollections({ name: 'orders' }).toArray();
      assert.equal(moveOf(plan, 'orders').uuid, info.uuid.toString());
      assert.ok(UUID.isValid(moveOf(plan, 'orders').uuid));
    },
  );

  it('sizes and written bytes are those of the server; what is balanced is what was written', async () => {
    await server.adminCommand({ fsync: 1 });
    setTimeout(async () => {
      await server
        .db('app')
        .collection('orders')
        .updateMany({}, { $set: { seen: 1 } });
      await server
        .db('app')
        .collection('events')
        .updateMany({}, { $set: { seen: 1 } });
      await server.adminCommand({ fsync: 1 });
    }, 500);
    const plan = await run({ seconds: 4 });
    const stats = await server.db('app').command({ collStats: 'events' });
    const events = moveOf(plan, 'events');
    assert.deepEqual(
      [events.documents, events.bytes, events.diskBytes],
      [500, stats.size, stats.storageSize + stats.totalIndexSize],
    );
    assert.ok(events.writtenBytesPerSec > 1000, `${events.writtenBytesPerSec}`);
    assert.ok(!moveOf(plan, 'orders') && !moveOf(plan, 'items'), 'the heaviest stay, together');
    assert.equal(plan.worthIt, 'no');
    assert.match(plan.because, /^app\.orders gets [\d.]+% of the writes to app/);
    const [before, after] = ['before', 'after'].map((when) =>
      plan.loads.reduce((sum, load) => sum + load[when], 0),
    );
    assert.ok(Math.abs(before - after) < 1 && before > 1000);
    assert.ok(plan.estimateSeconds > 0 && events.method === 'out');
  });

  it('change streams and transactions that are open, names that are taken', async () => {
    const streams = [
      server.db('app').collection('orders').watch(),
      server.db('app').watch(),
      server.client.watch(),
    ];
    open.push(...streams);
    streams.forEach((stream) => void stream.tryNext().catch(() => {}));
    const session = server.client.startSession();
    session.startTransaction();
    await server.db('app').collection('items').insertOne({ a: 1 }, { session });
    await server.db('taken').collection('orders').insertOne({});
    await new Promise((resolve) => {
      setTimeout(resolve, 1500);
    });
    const plan = await run({ collections: ['orders', 'items'], target: 'taken' });
    await session.abortTransaction();
    await session.endSession();
    assert.deepEqual(whats(moveOf(plan, 'orders').blockers), ['exists']);
    assert.ok(whats(moveOf(plan, 'orders').warnings).includes('change-streams'));
    assert.ok(!whats(moveOf(plan, 'items').warnings).includes('change-streams'));
    assert.match(
      plan.warnings.find(({ what }) => what === 'transactions').say,
      /^1 transaction is open, the longest for [1-9]/,
    );
    assert.match(
      plan.warnings.find(({ what }) => what === 'change-streams').say,
      /^2 change streams watch/,
    );
  });

  it('clusterMonitor sees less, and it is said; it may not do it', async () => {
    const monitor = await server.connect(await server.addUser('monitor', ['clusterMonitor']));
    const plan = await run({ collections: ['odd', 'cap'] }, monitor);
    assert.deepEqual(whats(moveOf(plan, 'odd').warnings), ['unknown', 'unknown']);
    assert.deepEqual(
      [moveOf(plan, 'odd').uuid, whats(moveOf(plan, 'cap').blockers)],
      [null, ['capped']],
    );
    assert.deepEqual(whats(plan.blockers), ['privileges']);
    assert.equal(plan.unknown.length, 3);
    await server.addRole('mover', [{ resource: { anyResource: true }, actions: ['anyAction'] }]);
    const mover = await server.connect(await server.addUser('mover', ['mover']));
    const able = await run({ collections: 'events' }, mover);
    assert.deepEqual([able.blockers, moveOf(able, 'events').blockers, able.unknown], [[], [], []]);
    assert.match((await splitScript(contextOf(mover), able)).script, /prepare\(move1\);/);
    // Whoever may not do it himself may still hand the script on.
    const unable = await run({ collections: 'events' }, monitor);
    assert.match(
      unable.blockers[0].say,
      /lacks the privileges applyOps on the cluster; .* on app; .* on app2; .* on tune\. The smallest role/,
    );
    assert.match((await splitScript(contextOf(monitor), unable)).script, /prepare\(move1\);/);
  });

  it('one collection into parts: by hash, and by a range that would take every insert', async () => {
    const hash = await run({ collections: 'orders', by: { hash: '_id', parts: 3 } });
    assert.deepEqual(
      [hash.parts.length, hash.parts.reduce((sum, { documents: n }) => sum + n, 0), hash.moves],
      [3, 3000, []],
    );
    assert.ok(
      hash.parts.every(({ ratio }) => ratio > 0.25 && ratio < 0.42),
      JSON.stringify(hash.parts),
    );
    const range = await run({ collections: 'orders', by: { range: 'a' }, target: ['app', 'app3'] });
    assert.deepEqual(
      range.parts.map(({ ns, holds }) => [ns, holds]),
      [
        ['app.orders_1', 'a < 1500'],
        ['app3.orders_2', 'a >= 1500'],
      ],
    );
    const missing = await run({ collections: 'orders', by: { range: 'nothing' } });
    assert.ok(
      whats(missing.warnings).includes('missing') && whats(missing.warnings).includes('uneven'),
    );
    await assert.rejects(() => splitScript(contextOf(server.client), hash), { code: 'TUNE-10002' });
    assert.deepEqual((await run({ collections: 'none', by: { hash: '_id' } })).parts, []);
  });

  it('values of every type have a bound that mongosh reads', async () => {
    const { ObjectId, Long, Decimal128, Double } = require('bson');
    await server
      .db('kinds')
      .collection('c')
      .insertMany(
        [
          1,
          'a',
          new ObjectId(),
          new Date(0),
          Long.fromString('9007199254740993'),
          Decimal128.fromString('1.5'),
          new Double(2.5),
          { a: 1 },
          null,
          true,
        ].map((k) => ({ k })),
      );
    const { parts } = await splitPlan(contextOf(server.client), {
      source: 'kinds',
      collections: 'c',
      by: { range: 'k', parts: 10 },
      seconds: 0.1,
    });
    const text = parts.map(({ holds }) => holds).join('\n');
    for (const shown of [
      /Decimal128\("1\.5"\)|1\.5/,
      /9007199254740993|9007199254740992/,
      /"a"/,
      /\{"a":1\}/,
      /ObjectId\("[0-9a-f]{24}"\)/,
      /true/,
      /ISODate\("1970-01-01T00:00:00\.000Z"\)/,
    ])
      assert.match(text, shown);
  });

  it('shows its progress and takes it away; Ctrl-C ends it', async () => {
    const ctx = contextOf(server.client);
    await splitPlan(ctx, { source: 'app', seconds: 0.1 });
    assert.match(
      String(ctx.progressed[0]),
      /^tune\.split\.plan: measuring the writes to \d+ collections for 0\.1 s$/,
    );
    assert.equal(ctx.progressed.at(-1), null);
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 500);
    await assert.rejects(
      splitPlan(contextOf(server.client, { signal: stop.signal }), { source: 'app', seconds: 60 }),
      { code: 'TUNE-30009' },
    );
  });

  for (const [options, code] of /** @type {[any, string][]} */ ([
    [undefined, 'TUNE-10004'],
    [{}, 'TUNE-10004'],
    [{ source: '' }, 'TUNE-10002'],
    [{ source: 'admin' }, 'TUNE-10002'],
    [{ source: 'app.orders' }, 'TUNE-10002'],
    [{ source: 'app', target: 'app' }, 'TUNE-10002'],
    [{ source: 'app', target: [] }, 'TUNE-10002'],
    [{ source: 'app', by: { hash: '_id' } }, 'TUNE-10002'],
    [{ source: 'app', collections: ['a', 'b'], by: { hash: '_id' } }, 'TUNE-10002'],
    [{ source: 'app', collections: 'a', by: { hash: '_id', range: 'a' } }, 'TUNE-10002'],
    [{ source: 'app', collections: 'a', by: { hash: '$a' } }, 'TUNE-10002'],
    [{ source: 'app', collections: 'a', by: { hash: 'a', parts: 1 } }, 'TUNE-10002'],
    [{ source: 'app', seconds: 0 }, 'TUNE-10002'],
    [{ source: 'app', to: 'b' }, 'TUNE-10001'],
  ])) {
    it(`refuses ${JSON.stringify(options)} with ${code}`, () =>
      assert.rejects(splitPlan(contextOf(server.client), options), { name: 'TuneError', code }));
  }
  for (const [plan, code] of /** @type {[any, string][]} */ ([
    [undefined, 'TUNE-10004'],
    ['x', 'TUNE-10002'],
    [{ moves: [] }, 'TUNE-10002'],
  ])) {
    it(`no script of ${JSON.stringify(plan)}: ${code}`, async () =>
      await assert.rejects(() => splitScript(contextOf(server.client), plan), {
        name: 'TuneError',
        code,
      }));
  }
  it('no script of a plan with something in its way, or that moves nothing', async () => {
    await assert.rejects(
      () =>
        splitScript(contextOf(server.client), {
          ...JSON.parse('{"id":"x","by":null,"blockers":[],"moves":[]}'),
        }),
      { code: 'TUNE-10002' },
    );
    const blocked = await run({ collections: 'cap' });
    await assert.rejects(
      () => splitScript(contextOf(server.client), blocked),
      (error) => error.code === 'TUNE-35011' && /It is capped/.test(error.message),
    );
  });
});

describe('tune.split.plan on a standalone server', function () {
  this.timeout(120_000);
  /** @type {any} */ let server;
  before(async () => {
    server = await startServer({ args: ['--directoryperdb'] });
  });
  after(() => server?.stop());
  it('is offline, and worth it where another disk can take the new folder', async () => {
    await server.db('app').collection('a').insertMany(documents(2000));
    await server.db('app').collection('b').insertMany(documents(1500));
    setTimeout(async () => {
      for (const name of ['a', 'b'])
        await server
          .db('app')
          .collection(name)
          .updateMany({}, { $set: { seen: 1 } });
      await server.adminCommand({ fsync: 1 });
    }, 500);
    const plan = await splitPlan(contextOf(server.client), { source: 'app', seconds: 4 });
    assert.deepEqual(
      [plan.mode, plan.worthIt, plan.blockers, plan.unknown, plan.moves.length],
      ['offline', 'yes', [], [], 1],
    );
    assert.match(plan.because, /directoryPerDB/);
    assert.ok(whats(plan.warnings).includes('offline'));
    assert.match(String(plan), / {2}Run {8}tune\.split\.run\(plan, \{ confirm: true \}\)/);
  });
  it('a database that is not there, and names that the server would refuse', async () => {
    const none = await splitPlan(contextOf(server.client), { source: 'nothing', seconds: 0.1 });
    assert.deepEqual([none.worthIt, none.moves], ['no', []]);
    const odd = await splitPlan(contextOf(server.client), {
      source: 'app',
      target: ['APP', 'x y', 'n'.repeat(64)],
      collections: 'a',
      seconds: 0.1,
    });
    assert.deepEqual(whats(odd.blockers), ['database-name', 'database-name', 'database-name']);
  });
});
