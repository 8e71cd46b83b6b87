'use strict';

const assert = require('node:assert/strict');
const { sleep } = require('../../../lib/base/context');
const { startServer } = require('../../support/server');
const { finishByHand, undoByHand } = require('../../support/begun-split');
const { contextOf } = require('../../support/context');
const { diesAfter, endLease, mortalContext, planOf, until } = require('../../support/split');
const { isCut, stepsOf } = require('../../support/split-steps');
const { run: splitAbort } = require('../../../lib/commands/split-abort');
const { run: splitResume } = require('../../../lib/commands/split-resume');
const { run: splitRun } = require('../../../lib/commands/split-run');
const { NEVER_SECONDS: NEVER } = require('../../../lib/split/ttl');

const DO = Object.freeze({ confirm: true });
/** That of a collection of these tests: `run` tries it with one of its own, too. */
const cutsOff = (spec) =>
  isCut(stepsOf(spec)) && stepsOf(spec).some(({ renameCollection: it }) => /^app\.o/.test(it));
const savesPhase = (phase) => (spec) => spec.findAndModify && spec.update?.$set?.phase === phase;
const switchesOff = ({ collMod, index, expireAfterSeconds }) =>
  collMod && (index?.expireAfterSeconds === NEVER || expireAfterSeconds === 'off');

describe('a split on a standalone server: options, indexes and expiry', function () {
  this.timeout(120_000);
  let server;
  let client;
  let ctx;
  let number = 0;
  before(async () => {
    server = await startServer({ args: ['--setParameter', 'ttlMonitorSleepSecs=1'] });
    client = server.client;
    ctx = contextOf(client);
  });
  after(() => server?.stop());

  const readSplit = (plan) => client.db('tune').collection('splits').findOne({ planId: plan.id });
  const optionsOf = async (db, name) =>
    (await client.db(db).listCollections({ name }).toArray())[0].options;
  const expiryOf = async (db, name) =>
    Object.fromEntries(
      (await client.db(db).collection(name).indexes()).map((one) => [
        one.name,
        one.expireAfterSeconds,
      ]),
    );

  async function begin(options, documents) {
    number += 1;
    const name = `o${number}`;
    await client.db('app').createCollection(name, options);
    const from = client.db('app').collection(name);
    await from.insertMany(documents);
    const moves = [{ ns: `app.${name}`, into: `app2.${name}` }];
    return { name, from, plan: await planOf(client, { moves, mode: 'offline' }) };
  }
  async function beginExpiring() {
    const half = new Date(Date.now() - 1_800_000);
    const one = await begin(
      { validator: { a: { $lt: 100 } }, validationLevel: 'strict', validationAction: 'error' },
      Array.from({ length: 50 }, (_, i) => ({ _id: i, a: i, at: half })),
    );
    await one.from.createIndex({ at: 1 }, { name: 'ttl', expireAfterSeconds: 3600 });
    return one;
  }
  async function change({ name, from }) {
    await from.createIndex({ u: 1 }, { name: 'u', unique: true, sparse: true });
    await client
      .db('app')
      .command({
        collMod: name,
        validator: { a: { $lt: 1000 } },
        index: { name: 'ttl', expireAfterSeconds: 864_000 },
      });
  }
  async function isAsChanged({ name, plan }) {
    const { from } = await readSplit(plan);
    assert.deepEqual(
      [await expiryOf('app2', name), await expiryOf('app', from.renamedTo)],
      [
        { _id_: undefined, ttl: 864_000, u: undefined },
        { _id_: undefined, ttl: NEVER, u: undefined },
      ],
    );
    assert.deepEqual(await optionsOf('app2', name), {
      validator: { a: { $lt: 1000 } },
      validationLevel: 'strict',
      validationAction: 'error',
    });
    assert.deepEqual(
      (await client.db('app2').listCollections().toArray())
        .map((one) => one.name)
        .filter((one) => one.startsWith(`${name}__`)),
      [],
    );
  }

  /** What a shell sends, and what happens right before it. */
  const BEFORE = {
    'the staging copy is made': (db, spec) => /__tune/.test(spec.create ?? ''),
    'the source is cut off': (db, spec) => cutsOff(spec),
  };
  for (const [moment, is] of Object.entries(BEFORE))
    it(`what is changed right before ${moment} is in the target`, async () => {
      const one = await beginExpiring();
      const mine = contextOf(client);
      const { command } = mine.port;
      let changed;
      mine.port.command = async (db, spec) => {
        if (is(db, spec)) await (changed ??= change(one));
        return command(db, spec);
      };
      mine.port.adminCommand = (spec) => mine.port.command('admin', spec);
      const { splits } = await splitRun(mine, one.plan, DO);
      assert.ok(changed);
      assert.equal(splits[0].phase, 'switched');
      await isAsChanged(one);
    });

  it('what is changed between a run that stopped before the cut and resume is in the target', async () => {
    const one = await beginExpiring();
    const dead = mortalContext(client, cutsOff);
    await assert.rejects(splitRun(dead, one.plan, DO));
    await endLease(client, one.plan.id);
    await change(one);
    assert.equal((await splitResume(ctx, one.plan.id, DO)).splits[0].phase, 'switched');
    await isAsChanged(one);
  });

  const DEATHS = {
    'the cut is written down': savesPhase('created'),
    'expiry is switched off': (spec) => stepsOf(spec).some(switchesOff),
    'the copy is written down': savesPhase('indexing'),
  };
  for (const [moment, dies] of Object.entries(DEATHS)) {
    it(`a shell that dies before ${moment}: another goes on with the times of expiry`, async () => {
      const one = await beginExpiring();
      await change(one);
      await assert.rejects(splitRun(mortalContext(client, dies), one.plan, DO));
      await endLease(client, one.plan.id);
      assert.equal((await splitResume(ctx, one.plan.id, DO)).splits[0].phase, 'switched');
      await isAsChanged(one);
    });

    it(`a shell that dies before ${moment}: an abort gives them back`, async () => {
      const one = await beginExpiring();
      await change(one);
      await assert.rejects(splitRun(mortalContext(client, dies), one.plan, DO));
      await endLease(client, one.plan.id);
      await splitAbort(ctx, one.plan.id, DO);
      assert.equal((await expiryOf('app', one.name)).ttl, 864_000);
      await one.from.insertOne({ _id: 'again', a: 1 });
    });
  }

  it('what is changed in the copy meanwhile is refused, and an abort opens the source', async () => {
    const one = await beginExpiring();
    const mine = contextOf(client);
    const { command } = mine.port;
    mine.port.command = async (db, spec) => {
      const answer = await command(db, spec);
      if (spec.createIndexes && db === 'app2')
        await client.db('app2').command({ collMod: spec.createIndexes, validator: {} });
      return answer;
    };
    await assert.rejects(splitRun(mine, one.plan, DO), {
      code: 'TUNE-35009',
      message: /differ in the option validator\. Make the same change to app2\./,
    });
    await splitAbort(ctx, one.plan.id, DO);
    assert.equal((await expiryOf('app', one.name)).ttl, 3600);
    await one.from.insertOne({ _id: 'again', a: 1 });
  });

  const CLUSTERED = { clusteredIndex: { key: { _id: 1 }, unique: true } };
  const fresh = () => {
    const now = Date.now();
    return Array.from({ length: 50 }, (_, i) => ({ _id: new Date(now + i), a: i }));
  };

  it('a clustered collection that expires does so in the target, and not in the old data', async () => {
    const { name, plan } = await begin({ ...CLUSTERED, expireAfterSeconds: 5 }, fresh());
    await splitRun(ctx, plan, DO);
    const { from } = await readSplit(plan);
    const [renamedTo, target] = [
      client.db('app').collection(from.renamedTo),
      client.db('app2').collection(name),
    ];
    assert.equal((await optionsOf('app', from.renamedTo)).expireAfterSeconds, undefined);
    assert.equal((await optionsOf('app2', name)).expireAfterSeconds, 5);
    await until(async () => (await target.countDocuments()) === 0);
    await sleep(2_000, ctx.signal);
    assert.equal(await renamedTo.countDocuments(), 50);
  });

  for (const [moment, dies] of Object.entries(DEATHS))
    it(`a clustered collection, given up by a shell that dies before ${moment}`, async () => {
      const { name, from, plan } = await begin({ ...CLUSTERED, expireAfterSeconds: 3600 }, fresh());
      await assert.rejects(splitRun(mortalContext(client, dies), plan, DO));
      await endLease(client, plan.id);
      await splitAbort(ctx, plan.id, DO);
      assert.equal((await optionsOf('app', name)).expireAfterSeconds, 3600);
      assert.equal(await from.countDocuments(), 50);
    });

  for (const kind of ['clustered', 'plain']) {
    const beginOne = async () => {
      if (kind === 'clustered') return begin({ ...CLUSTERED, expireAfterSeconds: 3600 }, fresh());
      const one = await begin({}, [{ _id: 1, at: new Date() }]);
      await one.from.createIndex({ at: 1 }, { expireAfterSeconds: 3600 });
      return one;
    };
    const secondsOf = async (/** @type {string} */ db, /** @type {string} */ name) =>
      kind === 'clustered'
        ? (await optionsOf(db, name)).expireAfterSeconds
        : (await expiryOf(db, name)).at_1;

    it(`switched by hand: the target expires (${kind})`, async () => {
      const { name, plan } = await beginOne();
      await assert.rejects(splitRun(diesAfter(client, 'switching'), plan, DO));
      await endLease(client, plan.id);
      await finishByHand(client, await readSplit(plan));
      await splitResume(ctx, plan.id, { ...DO, restart: false, follow: false });
      assert.equal((await readSplit(plan)).phase, 'switched');
      assert.equal(await secondsOf('app2', name), 3600);
    });

    for (const phase of ['copying', 'indexing', 'switching'])
      it(`undone by hand in ${phase}: an abort gives the expiry back (${kind})`, async () => {
        const { name, plan } = await beginOne();
        await assert.rejects(splitRun(diesAfter(client, phase), plan, DO));
        await endLease(client, plan.id);
        await undoByHand(client, await readSplit(plan));
        assert.notEqual(await secondsOf('app', name), 3600);
        await splitAbort(ctx, plan.id, DO);
        assert.equal(await secondsOf('app', name), 3600);
      });
  }

  it('names that begin with a fullwidth dollar are those of the source', async () => {
    const { name, from, plan } = await begin({}, [{ _id: 1, '\uFF04x': 1, x: 2 }]);
    await from.createIndex({ '\uFF04x': 1 });
    await splitRun(ctx, plan, DO);
    const [, index] = await client.db('app2').collection(name).indexes();
    assert.deepEqual(index.key, { '\uFF04x': 1 });
  });
});
