'use strict';

const assert = require('node:assert/strict');
const { startReplicaSet } = require('../../support/server');
const { contextOf } = require('../../support/context');
const { skipIf } = require('../../support/skip');
const { planOf, startRegister, until } = require('../../support/split');
const { run: splitAbort } = require('../../../lib/commands/split-abort');
const { run: splitCutover } = require('../../../lib/commands/split-cutover');
const { run: splitFinish } = require('../../../lib/commands/split-finish');
const { run: splitPlan } = require('../../../lib/commands/split-plan');
const { run: splitRollback } = require('../../../lib/commands/split-rollback');
const { run: splitRun } = require('../../../lib/commands/split-run');
const { run: splitVerify } = require('../../../lib/commands/split-verify');

/** 4.4 asks for the rights to what is in an applyOps alone. */
const hasAction = (version) => !version.startsWith('4.');
const DO = Object.freeze({ confirm: true });
/** As in docs/privileges.md. */
const SMALLEST = Object.freeze({
  privileges: (version) => [
    {
      resource: { cluster: true },
      actions: [
        ...(hasAction(version) ? ['applyOps'] : []),
        'useUUID',
        'inprog',
        'serverStatus',
        'replSetGetStatus',
      ],
    },
  ],
  roles: [
    ...['app', 'app2'].flatMap((db) => [
      { role: 'readWrite', db },
      { role: 'dbAdmin', db },
    ]),
    { role: 'readWrite', db: 'tune' },
  ],
});

describe('who may split', function () {
  this.timeout(180_000);
  let server;
  before(async () => {
    server = await startReplicaSet({ members: 1, auth: true });
    await server.addRole('tuneSplit', SMALLEST.privileges(server.version), SMALLEST.roles);
    await server.addUser('mover', ['tuneSplit']);
  });
  after(() => server?.stop());

  const uriOf = (name) => server.uri.replace('root:root-password', `${name}:${name}-password`);
  async function begin(name, method = 'out') {
    await server.client
      .db('app')
      .collection(name)
      .insertMany(Array.from({ length: 300 }, (_, i) => ({ _id: i, a: i % 5 })));
    await server.client.db('app').collection(name).createIndex({ a: 1 });
    return planOf(server.client, { moves: [{ ns: `app.${name}`, into: `app2.${name}`, method }] });
  }

  for (const [who, uri] of [
    ['root', () => server.uri],
    ['the role of docs/privileges.md', () => uriOf('mover')],
  ]) {
    for (const [method, reads] of [
      ['out', 'refused'],
      ['ranges', 'view'],
    ]) {
      it(`${who} may do all of it, by ${method}, reads: ${reads}; others go on writing`, async () => {
        const client = await server.connect(uri());
        const ctx = contextOf(client);
        const name = `${who.slice(0, 4).trim()}_${method}`;
        const plan = await begin(name, method);
        await splitRun(ctx, plan, DO);
        assert.equal(
          (await splitVerify(ctx, plan.id, { repair: true, confirm: true })).splits[0].verified
            .differences,
          0,
        );
        const register = startRegister(server.client, { db: 'app', name, writers: 4 });
        await until(() => register.counts.acknowledged > 20);
        await splitCutover(ctx, plan.id, { ...DO, reads });
        register.place.db = 'app2';
        const before = register.counts.acknowledged;
        await until(() => register.counts.acknowledged > before + 20);
        await register.stop();
        assert.deepEqual(
          [register.counts.other.map(String), await register.differences('app2', name)],
          [[], []],
        );
        await splitFinish(ctx, plan.id, DO);
        await assert.rejects(server.client.db('app').collection(name).findOne(), { code: 241 });
        assert.deepEqual(
          await server.client
            .db('app')
            .listCollections({ name: { $regex: `^${name}__|mongosh` } })
            .toArray(),
          [],
        );
      });
    }
    it(`${who} may take it back, and give it up`, async () => {
      const ctx = contextOf(await server.connect(uri()));
      const name = `${who.slice(0, 4).trim()}_back`;
      const plan = await begin(name);
      await splitRun(ctx, plan, DO);
      await splitCutover(ctx, plan.id, DO);
      await server.client.db('app2').collection(name).insertOne({ _id: 'since' });
      await splitRollback(ctx, plan.id, DO);
      assert.equal(
        (await splitFinish(ctx, plan.id, { ...DO, open: true })).splits[0].phase,
        'finished',
      );
      assert.equal(await server.client.db('app').collection(name).countDocuments(), 301);
      const again = await planOf(server.client, {
        moves: [{ ns: `app.${name}`, into: `app2.${name}` }],
      });
      await splitRun(ctx, again, DO);
      assert.equal((await splitAbort(ctx, again.id, DO)).splits[0].phase, 'aborted');
      assert.deepEqual(
        await server.client
          .db('app2')
          .listCollections({ name: { $regex: `^${name}` } })
          .toArray(),
        [],
      );
    });
  }

  const title =
    'without applyOps nobody may, and learns it before anything is copied: of the plan, ' +
    'and of the run';
  it(title, async function () {
    skipIf(this, hasAction(server.version) ? null : 'it has no action applyOps');
    const roles = [
      ...SMALLEST.roles,
      { role: 'clusterManager', db: 'admin' },
      { role: 'clusterMonitor', db: 'admin' },
      { role: 'dbOwner', db: 'app' },
    ];
    const client = await server.connect(await server.addUser('owner', roles));
    const ctx = contextOf(client);
    const made = await begin('owner');
    const plan = await splitPlan(ctx, {
      source: 'app',
      target: 'app9',
      collections: 'owner',
      seconds: 0.1,
    });
    const [{ what, say }] = plan.blockers;
    assert.equal(what, 'privileges');
    assert.match(
      say,
      /lacks the privileges applyOps on the cluster; find, insert, .* on app9\. The smallest role: readWrite and dbAdmin on app, app9, readWrite on tune, and on the cluster applyOps, useUUID, inprog/,
    );
    await assert.rejects(
      splitRun(ctx, made, DO),
      (error) =>
        error.code === 'TUNE-20005' &&
        /readWrite and dbAdmin on app; applyOps, useUUID and inprog on the cluster/.test(
          error.message,
        ),
    );
    assert.deepEqual(
      await server.client
        .db('app2')
        .listCollections({ name: { $regex: 'owner' } })
        .toArray(),
      [],
    );
  });

  for (const action of ['useUUID', 'inprog']) {
    it(`without ${action} nobody may, and it is reported before anything is copied`, async () => {
      const [{ resource, actions }] = SMALLEST.privileges(server.version);
      await server.addRole(
        `no${action}`,
        [{ resource, actions: actions.filter((one) => one !== action) }],
        SMALLEST.roles,
      );
      const ctx = contextOf(
        await server.connect(await server.addUser(`no${action}`, [`no${action}`])),
      );
      await assert.rejects(
        splitRun(ctx, await begin(`no${action}`), DO),
        (error) =>
          error.code === 'TUNE-20005' &&
          error.message.includes('applyOps, useUUID and inprog on the cluster'),
      );
      assert.deepEqual(
        await server.client
          .db('app2')
          .listCollections({ name: { $regex: `no${action}|mongosh_tune` } })
          .toArray(),
        [],
      );
    });
  }

  const ON_DATA = Object.freeze([
    ...['find', 'insert', 'update', 'remove', 'listCollections', 'listIndexes', 'collStats'],
    ...['createIndex', 'dropIndex', 'changeStream', 'bypassDocumentValidation', 'indexStats'],
    ...['createCollection', 'dropCollection', 'renameCollectionSameDB', 'collMod', 'dbStats'],
  ]);
  for (const missing of ['createCollection', 'dropCollection', 'collMod']) {
    it(`without ${missing} in the database of the source nobody may, and nothing is left there`, async () => {
      const [{ resource, actions }] = SMALLEST.privileges(server.version);
      await server.addRole(
        `no${missing}`,
        [
          { resource, actions },
          {
            resource: { db: 'app', collection: '' },
            actions: ON_DATA.filter((one) => one !== missing),
          },
        ],
        SMALLEST.roles.filter(({ db }) => db !== 'app'),
      );
      const ctx = contextOf(
        await server.connect(await server.addUser(`no${missing}`, [`no${missing}`])),
      );
      await assert.rejects(splitRun(ctx, await begin(`no${missing}`), DO), { code: 'TUNE-20005' });
      const trials = { name: { $regex: 'mongosh_tune' } };
      assert.deepEqual(await server.client.db('app').listCollections(trials).toArray(), []);
    });
  }

  it('asking whether one may leaves nothing behind', async () => {
    const names = async () =>
      (
        await Promise.all(
          ['app', 'app2', 'nowhere'].map((db) =>
            server.client.db(db).listCollections({}, { nameOnly: true }).toArray(),
          ),
        )
      )
        .flat()
        .map(({ name }) => name);
    const before = await names();
    const { checkMayStep } = require('../../../lib/split/rehearsal');
    for (const db of ['app', 'app2', 'nowhere'])
      await checkMayStep(contextOf(server.client).port, db);
    assert.deepEqual(await names(), before);
    assert.ok(
      !(await server.client.db('admin').admin().listDatabases({ nameOnly: true })).databases.some(
        ({ name }) => name === 'nowhere',
      ),
    );
  });
});
