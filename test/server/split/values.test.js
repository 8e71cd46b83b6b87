'use strict';

const assert = require('node:assert/strict');
const { BSON, Timestamp } = require('mongodb');
const {
  binary,
  document,
  element,
  insertRaw,
  int32,
  int64,
  plain,
  string,
  updateRaw,
} = require('../../support/raw-bson');
const { contextOf } = require('../../support/context');
const { startServer } = require('../../support/server');
const { planOf, until, useSet } = require('../../support/split');
const { forward } = require('../../../lib/split/directions');
const { splitsOf } = require('../../../lib/split/state');
const { SplitJob } = require('../../../lib/split/split-job');
const { compare, compareInstead } = require('../../../lib/split/verify');
const { run: splitCutover } = require('../../../lib/commands/split-cutover');
const { run: splitResume } = require('../../../lib/commands/split-resume');
const { run: splitRollback } = require('../../../lib/commands/split-rollback');
const { run: splitRun } = require('../../../lib/commands/split-run');
const { run: splitVerify } = require('../../../lib/commands/split-verify');

const DO = Object.freeze({ confirm: true });
const EMPTY = new Timestamp({ t: 0, i: 0 });
const pause = (ms) =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
const FAR = int64(2n ** 63n - 1n);

const object = (name, ...elements) => element(3, name, document(...elements));
const SCOPE = Buffer.concat([string('x'), document(plain('2', 1), plain('1', 1))]);
const SCOPED = Buffer.concat([int32(4 + SCOPE.length), SCOPE]);
/** Elements named `_id` that a JavaScript value turns into another one. */
const IDS = Object.freeze({
  'integer-like names': object('_id', plain('store', 1), plain('2024', 5)),
  'integer-like names, falling': object('_id', plain('10', 1), plain('9', 1)),
  'integer-like names, nested': object('_id', object('a', plain('b', 1), plain('7', 1))),
  'a field that comes twice': object('_id', plain('a', 1), plain('a', 2)),
  'a date beyond those of JavaScript': element(9, '_id', FAR),
  'a date just beyond them': element(9, '_id', int64(8_640_000_000_000_001n)),
  'such a date in a document': object(
    '_id',
    plain('store', 1),
    element(9, 'until', FAR),
    plain('3', 1),
  ),
  'such a date where a field comes twice': object(
    '_id',
    element(9, 'until', FAR),
    plain('a', 1),
    plain('a', 2),
  ),
  'a symbol': element(14, '_id', string('symbol')),
  'a string that is no UTF-8': element(2, '_id', string(Buffer.from([0xff, 0xfe]))),
  'a string with U+0000': element(2, '_id', string('a\0b')),
  'an empty timestamp': element(17, '_id', int64(0n)),
  'a NaN with other bits': element(1, '_id', int64(0x7ff8000000000123n)),
  'undefined within': object('_id', element(6, 'u')),
  code: element(13, '_id', string('return 1')),
  'code with scope': element(15, '_id', SCOPED),
  'a pattern within': object('_id', element(11, 'p', Buffer.from('a\0i\0'))),
  'the last key within': object('_id', element(127, 'm')),
  'a number beyond those that JavaScript holds': element(18, '_id', int64(9_007_199_254_740_993n)),
  'an old kind of binary data': element(
    5,
    '_id',
    binary(2, Buffer.concat([int32(2), Buffer.from('xy')])),
  ),
  'named as a method': object('_id', plain('toBSON', 1), element(2, '_bsontype', string('Long'))),
  'the prototype': object('_id', element(16, '__proto__', int32(1))),
});

const DECIMALS = Object.freeze({
  nan: '0000000000000000000000000000007c',
  decimalMinusZero: '000000000000000000000000000040b0',
  manyZeros: '000000000a000000000000000000ffff',
  notCanonical: 'ffffffffffffffffffffffffffff0f60',
});
/** Servers before 5.0 take no such field, and copy no such reference. */
const DOLLAR = element(16, '$dollar', int32(1));
const REFERENCE = object(
  'reference',
  plain('$id', 1),
  plain('$ref', 'c'),
  plain('z', 1),
  plain('1', 1),
);
/** What a server checks: a length before the data, and a column that has none. */
const CHECKED = Object.freeze({
  2: Buffer.concat([int32(1), Buffer.from('x')]),
  7: Buffer.alloc(1),
});
/** Elements of documents. */
const VALUES = Object.freeze([
  element(1, 'minusZero', int64(-(2n ** 63n))),
  element(1, 'nan', int64(0x7ff8000000000123n)),
  element(1, 'otherNan', int64(-1n)),
  ...Object.entries(DECIMALS).map(([name, hex]) => element(19, name, Buffer.from(hex, 'hex'))),
  ...['b', '2', '1'].map((name) => plain(name, 1)),
  element(16, 'twice', int32(1)),
  element(16, 'twice', int32(2)),
  element(9, 'far', FAR),
  element(9, 'early', int64(-(2n ** 63n))),
  element(127, 'max'),
  element(255, 'min'),
  element(14, 'symbol', string('s')),
  element(13, 'code', string('f')),
  element(15, 'scope', SCOPED),
  REFERENCE,
  element(12, 'pointer', Buffer.concat([string('a.b'), Buffer.alloc(12, 7)])),
  element(6, 'undefined'),
  element(16, '', int32(1)),
  DOLLAR,
  element(16, 'a.b', int32(1)),
  element(16, 'a', int32(1)),
  ...Array.from({ length: 256 }, (_, subtype) =>
    element(5, `bin${subtype}`, binary(subtype, CHECKED[subtype] ?? Buffer.alloc(16, subtype))),
  ),
  element(5, 'noLength', binary(2, Buffer.from('x'))),
  element(2, 'nul', string('a\0b')),
  element(2, 'noUtf8', string(Buffer.from([0xc0, 0x80, 0xff]))),
  element(16, Buffer.from([0xfe]), int32(1)),
  element(11, 'pattern', Buffer.from('(?i)x\0ix\0')),
  element(17, 'time', int64(77n)),
  object('within', element(17, 'empty', int64(0n)), element(6, 'u'), plain('5', 1), plain('4', 1)),
  element(4, 'list', document(plain('0', 1), element(17, '1', int64(0n)))),
]);

describe('a split of what JavaScript cannot hold', function () {
  this.timeout(180_000);
  let client;
  let ctx;
  let server;
  let port;
  let number = 0;
  useSet((set) => {
    ({ client, ctx, server } = set);
    port = Number(new URL(server.uri).port);
  });

  /** @param {{ documents: Buffer[], method?: string, options?: object }} wanted */
  async function begin({ documents, method = 'out' }) {
    number += 1;
    const name = `v${number}`;
    await insertRaw(port, 'app', name, documents);
    const plan = await planOf(client, {
      moves: [{ ns: `app.${name}`, into: `app2.${name}`, method }],
    });
    return {
      name,
      plan,
      from: client.db('app').collection(name),
      into: client.db('app2').collection(name),
    };
  }
  const hexOf = (raw) => Buffer.from(raw).toString('hex');
  const bytesOf = async (collection) =>
    (await collection.find({}, { raw: true }).toArray()).map(hexOf).sort();
  /** @param {string} name @param {Buffer} id an element @param {object} u */
  const update = (name, id, u) =>
    updateRaw(port, 'app', name, [document(object('q', id), plain('u', u))]);
  const withPort = (more) => ({ ...ctx, port: { ...ctx.port, ...more } });

  for (const method of ['out', 'ranges']) {
    it(`any _id, whose documents are written, deleted and made meanwhile, by ${method}`, async () => {
      const ids = Object.values(IDS);
      const documents = ids.slice(1).map((id) => document(id, plain('v', 1)));
      const { name, from, into, plan } = await begin({ documents, method });
      await splitRun(ctx, plan, DO);
      for (const id of ids.slice(2)) await update(name, id, { $set: { v: 2 } });
      await insertRaw(port, 'app', name, [document(ids[0], plain('v', 3))]);
      // What is deleted has an _id of which others of its type stay.
      await client.db('app').collection(name).deleteOne({ v: 1 });
      const before = await bytesOf(from);
      assert.equal(before.length, ids.length - 1);
      const { verified } = (await splitVerify(ctx, plan.id, { repair: true, confirm: true }))
        .splits[0];
      assert.deepEqual(
        [verified.documents, verified.differences, verified.repaired],
        [before.length, 0, 0],
      );
      for (const id of ids) await update(name, id, { $set: { v: 4 } });
      const last = await bytesOf(from);
      await splitCutover(ctx, plan.id, DO);
      assert.deepEqual(await bytesOf(into), last);
      for (const id of ids) {
        await updateRaw(port, 'app2', name, [
          document(object('q', id), plain('u', { $set: { v: 5, empty: EMPTY } })),
        ]);
      }
      const written = await bytesOf(into);
      await splitRollback(ctx, plan.id, DO);
      assert.deepEqual(await bytesOf(from), written);
    });

    it(`any value, copied and written meanwhile, by ${method}`, async () => {
      const isOld = Number.parseInt(server.version, 10) < 5;
      const values = VALUES.filter((value) => !isOld || (value !== DOLLAR && value !== REFERENCE));
      const documents = values.map((value, i) => document(plain('_id', i), value));
      documents.push(document(plain('_id', 'all'), ...values));
      documents.push(
        document(
          plain('_id', null),
          ...['b', '2', '1'].map((field) => plain(field, 1)),
          plain('n', 5.5),
        ),
      );
      const { name, from, into, plan } = await begin({ documents, method });
      const pad = string('x'.repeat(16 * 1024 * 1024 - 37));
      const large = document(plain('_id', 'large'), plain('n', 1), element(2, 'pad', pad));
      assert.equal(large.length, 16 * 1024 * 1024);
      await insertRaw(port, 'app', name, [large]);
      await from.updateOne({ _id: 3 }, { $set: { empty: EMPTY } });
      await splitRun(ctx, plan, DO);
      const [
        {
          into: { stagingName },
        },
      ] = await splitsOf(ctx.port, plan.id);
      assert.deepEqual(
        await bytesOf(client.db('app2').collection(stagingName)),
        await bytesOf(from),
        'copied',
      );
      await insertRaw(port, 'app', name, [document(plain('_id', 'later'), ...values)]);
      for (const _id of ['all', null, 5, 7]) await from.updateOne({ _id }, { $set: { last: 1 } });
      await from.updateOne({ _id: 'large' }, { $set: { n: 2 } });
      const before = await bytesOf(from);
      const { verified } = (await splitVerify(ctx, plan.id, { repair: true, confirm: true }))
        .splits[0];
      assert.deepEqual(
        [verified.documents, verified.differences, verified.repaired],
        [before.length, 0, 0],
      );
      await splitCutover(ctx, plan.id, DO);
      assert.deepEqual(await bytesOf(into), before);
    });

    it(`an empty timestamp: copied, written meanwhile and just before the cut, by ${method}`, async () => {
      const documents = [1, 2, 3, null].map((_id) => document(plain('_id', _id)));
      const { from, into, plan } = await begin({ documents, method });
      await from.updateMany({ _id: { $in: [1, null] } }, { $set: { at: EMPTY } });
      await splitRun(ctx, plan, DO);
      await from.updateOne({ _id: 2 }, { $set: { at: EMPTY } });
      const onlyNow = withPort({
        command: async (db, spec) => {
          if (spec.findAndModify && spec.update.$set?.phase === 'cutting') {
            await from.updateMany({ _id: { $in: [3, null] } }, { $set: { last: EMPTY } });
          }
          return ctx.port.command(db, spec);
        },
      });
      await splitCutover(onlyNow, plan.id, DO);
      const found = await into.find({}).toArray();
      const reported = found.map(({ _id, at, last }) => `${_id} ${at} ${last}`).sort();
      assert.deepEqual(reported, ['1 0 undefined', '2 0 undefined', '3 undefined 0', 'null 0 0']);
    });
  }

  it('a copy in ranges that is stopped goes on at an _id that JavaScript turns round', async () => {
    const documents = Array.from({ length: 3000 }, (_, i) =>
      document(object('_id', plain('store', i), plain('2024', i)), plain('v', 1)),
    );
    const { from, into, plan } = await begin({ documents, method: 'ranges' });
    const stopper = new AbortController();
    const progress = (text) => {
      if (/copying:? [1-9]/.test(text ?? '')) stopper.abort();
    };
    const stopped = { ...contextOf(client, { signal: stopper.signal }), progress };
    await assert.rejects(splitRun(stopped, plan, DO), { code: 'TUNE-30009' });
    const [{ copiedTo, phase }] = await splitsOf(ctx.port, plan.id);
    assert.deepEqual([phase, copiedTo.id._bsontype], ['copying', 'Binary']);
    await splitResume(ctx, plan.id, DO);
    const { verified } = (await splitVerify(ctx, plan.id, { repair: true, confirm: true }))
      .splits[0];
    assert.deepEqual([verified.documents, verified.differences, verified.repaired], [3000, 0, 0]);
    const before = await bytesOf(from);
    await splitCutover(ctx, plan.id, DO);
    assert.deepEqual(await bytesOf(into), before);
  });

  it('ids that no command can name, among thousands of their type', async () => {
    const id = (i) =>
      object('_id', plain('i', i), ...(i > 480 && i < 560 ? [element(6, 'u')] : []));
    const documents = Array.from({ length: 2000 }, (_, i) => document(id(i), plain('v', i)));
    const { name, from, into, plan } = await begin({ documents, method: 'ranges' });
    await from.createIndex({ v: 1 }, { unique: true });
    await splitRun(ctx, plan, DO);
    // Two documents that change places, and one that goes.
    await update(name, id(500), { $set: { v: -1 } });
    await update(name, id(1500), { $set: { v: 500 } });
    await update(name, id(500), { $set: { v: 1500 } });
    await from.deleteOne({ v: 550 });
    const { verified } = (await splitVerify(ctx, plan.id)).splits[0];
    assert.deepEqual([verified.documents, verified.differences, verified.repaired], [1999, 0, 0]);
    const before = await bytesOf(from);
    await splitCutover(ctx, plan.id, DO);
    assert.deepEqual(await bytesOf(into), before);
  });

  it('more ids than one command can name: those of a transaction in parts, of others fewer at once', async () => {
    const { from, into, plan } = await begin({ documents: [document(plain('_id', 1))] });
    await splitRun(ctx, plan, DO);
    const named = [];
    const watched = withPort({
      command: async (db, spec) => {
        if (spec.pipeline?.[1]?.$merge) named.push(BSON.calculateObjectSize(spec));
        return ctx.port.command(db, spec);
      },
    });
    const pad = 'x'.repeat(20_000);
    const large = (prefix, count) =>
      Array.from({ length: count }, (_, i) => ({ _id: `${prefix}${i}${pad}` }));
    await client.withSession((session) =>
      session.withTransaction(async () => {
        await from.insertMany(large('t', 500), { session });
      }),
    );
    for (let part = 0; part < 4; part += 1) await from.insertMany(large(`o${part}-`, 225));
    await splitCutover(watched, plan.id, DO);
    assert.equal(await into.countDocuments(), 1401);
    assert.ok(named.length >= 4 && Math.max(...named) < 8_100_000, named.join());
  });

  describe('on a standalone server, which is copied offline', () => {
    let alone;
    before(async () => {
      alone = await startServer();
    });
    after(() => alone?.stop());
    for (const method of ['out', 'ranges']) {
      it(`the same, by ${method}`, async () => {
        const place = Number(new URL(alone.uri).port);
        const ids = [...Object.values(IDS), plain('_id', null)];
        await insertRaw(
          place,
          'app',
          method,
          ids.map((id) => document(id, plain('v', 1))),
        );
        const from = alone.db('app').collection(method);
        await from.updateMany({}, { $set: { empty: EMPTY } });
        const before = await bytesOf(from);
        const moves = [{ ns: `app.${method}`, into: `app2.${method}`, method }];
        await splitRun(
          contextOf(alone.client),
          await planOf(alone.client, { moves, mode: 'offline' }),
          DO,
        );
        assert.deepEqual(await bytesOf(alone.db('app2').collection(method)), before);
      });
    }
  });

  describe('comparing', () => {
    /** @param {any} on @param {string} id */
    async function workOf(on, id) {
      const [split] = await splitsOf(ctx.port, id);
      const job = new SplitJob(on, split, {
        owner: 'x',
        check() {},
        renewals: () => 0,
        release: async () => {},
      });
      // It has no lease, so nothing is written down.
      return Object.assign(job, {
        save: async (changes) => {
          Object.assign(job.split, changes);
        },
      });
    }
    const copied = async (documents) => {
      const begun = await begin({ documents });
      await splitRun(ctx, begun.plan, DO);
      const [split] = await splitsOf(ctx.port, begun.plan.id);
      return { ...begun, stagingName: client.db('app2').collection(split.into.stagingName) };
    };

    it('a range that differs counts, also where the document is not found', async () => {
      const { plan, stagingName } = await copied(
        [1, 2, 3].map((_id) => document(plain('_id', _id), plain('v', 1))),
      );
      await stagingName.updateOne({ _id: 2 }, { $set: { v: 2 } });
      // Nothing is found by its _id: whatever the reason.
      const nothing = [{ $match: { _id: { $in: [] } } }];
      const blind = withPort({
        aggregate: (db, name, pipeline, options) =>
          ctx.port.aggregate(db, name, pipeline[0].$match?._id?.$in ? nothing : pipeline, options),
      });
      const job = await workOf(blind, plan.id);
      assert.deepEqual((await compare(job, forward(job.split), null)).differences, [
        { id: null, where: 'both' },
      ]);
      await assert.rejects(
        (await splitVerify(blind, plan.id, { repair: true, confirm: true }),
        splitCutover(ctx, plan.id, DO)),
        { code: 'TUNE-35015' },
      );
    });

    it('clients insert into the last range: no difference', async () => {
      const { from, plan } = await copied(
        Array.from({ length: 300 }, (_, i) => document(plain('_id', i))),
      );
      let [on, next] = [true, 300];
      const write = async () => {
        while (on) {
          await from.insertOne({ _id: next++, v: next });
          await pause(5);
        }
      };
      const writers = Promise.all([write(), write(), write()]);
      const examined = [];
      try {
        for (let i = 0; i < 3; i += 1)
          examined.push(
            (await splitVerify(ctx, plan.id, { repair: true, confirm: true })).splits[0].verified,
          );
      } finally {
        on = false;
        await writers;
      }
      assert.deepEqual(
        examined.map(({ differences }) => differences),
        [0, 0, 0],
      );
    });

    it('only looked at: what differs is told, and nothing is written', async () => {
      const ids = [
        ...[1, 2, 3].map((_id) => plain('_id', _id)),
        IDS['integer-like names'],
        IDS.code,
      ];
      const { from, plan, stagingName } = await copied(
        ids.map((id) => document(id, plain('v', 1))),
      );
      await stagingName.updateOne({ _id: 2 }, { $set: { v: 2 } });
      await stagingName.deleteOne({ _id: 3 });
      const one = document(object('q', IDS['integer-like names']), plain('u', { $set: { v: 2 } }));
      await updateRaw(port, 'app2', stagingName.collectionName, [one]);
      await from.insertOne({ _id: 'z' });
      const [before, wrote] = [await bytesOf(stagingName), []];
      const watched = withPort({
        command: async (db, spec) => {
          if (!spec.listCollections) wrote.push(spec);
          return ctx.port.command(db, spec);
        },
      });
      const job = await workOf(watched, plan.id);
      const { differences, repaired, moving } = await compare(job, forward(job.split), null, {
        repair: false,
      });
      assert.deepEqual(
        differences.sort((a, b) => String(a.id).localeCompare(String(b.id))),
        [
          { id: '{"store": 1, "2024": 5}', where: 'both' },
          { id: 2, where: 'both' },
          { id: 3, where: 'source' },
          { id: 'z', where: 'source' },
        ],
      );
      assert.deepEqual([repaired, moving, wrote, await bytesOf(stagingName)], [0, 0, [], before]);
    });

    it('only looked at: a document that is written all the time is moving', async () => {
      const { from, plan } = await copied(
        [1, 2].map((_id) => document(plain('_id', _id), plain('v', 1))),
      );
      let on = true;
      const writer = (async () => {
        while (on) await from.updateOne({ _id: 2 }, { $inc: { v: 1 } });
      })();
      try {
        await until(async () => (await from.findOne({ _id: 2 })).v > 5);
        const job = await workOf(ctx, plan.id);
        const { differences, moving } = await compare(job, forward(job.split), null, {
          repair: false,
        });
        assert.deepEqual([differences, moving], [[], 1]);
      } finally {
        on = false;
        await writer;
      }
    });

    it('the message of a difference names the first one as it is', async () => {
      const ids = [IDS['a date beyond those of JavaScript'], IDS['integer-like names']];
      const { plan, stagingName } = await copied(ids.map((id) => document(id, plain('v', 1))));
      // A server that does not do what it is asked to.
      const isWrite = (spec) => spec.delete || spec.pipeline?.[1]?.$merge;
      const deaf = withPort({
        command: async (db, spec) => (isWrite(spec) ? { ok: 1 } : ctx.port.command(db, spec)),
      });
      await stagingName.deleteMany({});
      const job = await workOf(deaf, plan.id);
      const { differences } = await compare(job, forward(job.split), null);
      const shown = ['{"store": 1, "2024": 5}', 'Date(9223372036854775807 ms)'];
      assert.deepEqual(
        differences,
        shown.map((id) => ({ id, where: 'source' })),
      );
      await assert.rejects(compareInstead(job, forward(job.split)), {
        code: 'TUNE-35015',
        message:
          /2 documents of .* after being copied again, the first with _id {"store": 1, "2024": 5}\./,
      });
    });
  });
});
