'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { Timestamp } = require('mongodb');
const { temporaryFolder } = require('../support/cleanup');
const { runMongosh } = require('../support/mongosh');
const { document, element, insertRaw, int64, plain, string } = require('../support/raw-bson');
const { startReplicaSet } = require('../support/server');

const LIB = path.join(__dirname, '../../lib');
const object = (...elements) => element(3, '_id', document(...elements));
const IDS = Object.freeze([
  object(plain('store', 1), plain('2024', 5)),
  object(plain('a', 1), plain('a', 2)),
  element(9, '_id', int64(2n ** 63n - 1n)),
  object(element(6, 'u')),
  element(18, '_id', int64(2n ** 62n)),
  element(2, '_id', string(Buffer.from([0xff]))),
  element(17, '_id', int64(7n)),
  plain('_id', null),
  plain('_id', 5.5),
  element(5, '_id', Buffer.concat([Buffer.from([1, 0, 0, 0, 0]), Buffer.from('x')])),
  element(19, '_id', Buffer.alloc(16, 1)),
  element(7, '_id', Buffer.alloc(12, 1)),
]);

/** What a user's call comes down to, with the driver that the shell itself brings. */
const SCRIPT = `
const { makePort, openerOf, senderOf } = require(${JSON.stringify(path.join(LIB, 'shell/port'))});
const { run: splitRun } = require(${JSON.stringify(path.join(LIB, 'commands/split-run'))});
const { run: splitVerify } = require(${JSON.stringify(path.join(LIB, 'commands/split-verify'))});
const { run: splitCutover } = require(${JSON.stringify(path.join(LIB, 'commands/split-cutover'))});
const provider = db._mongo._serviceProvider;
const { port } = makePort(senderOf(provider), openerOf(() => provider));
const ctx = { port, signal: new AbortController().signal, progress: () => {} };
(async () => {
  for (const method of ['out', 'ranges']) {
    const [info] = (await ctx.port.command('app', { listCollections: 1, filter: { name: method } })).cursor.firstBatch;
    const none = { blockers: [], warnings: [] };
    const move = { ns: 'app.' + method, into: 'app2.' + method, method, uuid: info.info.uuid, documents: 12, ...none };
    const plan = { id: 'p' + method, at: new Date(), from: 'app', mode: 'online', moves: [move], ...none };
    await splitRun(ctx, plan, { confirm: true });
    await ctx.port.command('app', { update: method, updates: [{ q: {}, u: { $set: { v: 2 } }, multi: true }] });
    const { documents, differences, repaired } = (await splitVerify(ctx, plan.id, { repair: true, confirm: true })).splits[0].verified;
    await splitCutover(ctx, plan.id, { confirm: true, guardian: false });
    console.log('@@' + JSON.stringify({ method, documents, differences, repaired }) + '@@');
  }
})()
`;

describe('a split in mongosh, of what JavaScript cannot hold', function () {
  this.timeout(180_000);
  /** @type {any} */ let server;
  const folder = temporaryFolder('split-values');
  before(async () => {
    server = await startReplicaSet({ members: 1 });
  });
  after(async () => {
    await server?.stop();
    folder.remove();
  });

  it('comes over byte by byte, through the driver of the shell', async () => {
    const port = Number(new URL(server.uri).port);
    for (const name of ['out', 'ranges']) {
      await insertRaw(
        port,
        'app',
        name,
        IDS.map((id) =>
          document(
            id,
            plain('v', 1),
            element(16, 'twice', Buffer.from([1, 0, 0, 0])),
            element(16, 'twice', Buffer.from([2, 0, 0, 0])),
          ),
        ),
      );
      await server
        .db('app')
        .collection(name)
        .updateOne({ _id: 5.5 }, { $set: { empty: new Timestamp({ t: 0, i: 0 }) } });
    }
    const file = path.join(folder.path, 'values.js');
    fs.writeFileSync(file, SCRIPT);
    const { stdout, stderr } = await runMongosh([server.uri, '--quiet', '--file', file], {
      timeout: 120_000,
      coverage: false,
    });
    const reported = [...stdout.matchAll(/@@(.*)@@/g)].map(([, text]) => JSON.parse(text));
    assert.deepEqual(
      reported,
      ['out', 'ranges'].map((method) => ({
        method,
        documents: IDS.length,
        differences: 0,
        repaired: 0,
      })),
      `${stdout}${stderr}`,
    );
    const bytes = async (db, name) =>
      (await server.db(db).collection(name).find({}, { raw: true }).toArray())
        .map((raw) => Buffer.from(raw).toString('hex'))
        .sort();
    for (const name of ['out', 'ranges']) {
      const renamedTo = (await server.db('app').listCollections().toArray()).find((one) =>
        one.name.startsWith(`${name}__aside`),
      );
      assert.deepEqual(await bytes('app2', name), await bytes('app', renamedTo.name));
    }
  });
});
