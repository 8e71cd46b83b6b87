'use strict';

const assert = require('node:assert/strict');
const { run: splitAbort } = require('../../../lib/commands/split-abort');
const { run: splitCutover } = require('../../../lib/commands/split-cutover');
const { run: splitFinish } = require('../../../lib/commands/split-finish');
const { run: splitPlan } = require('../../../lib/commands/split-plan');
const { run: splitRollback } = require('../../../lib/commands/split-rollback');
const { run: splitRun } = require('../../../lib/commands/split-run');
const { run: splitStatus } = require('../../../lib/commands/split-status');
const { ALONE, beginSplit, takesWrites } = require('../../support/begun-split');
const { contextOf } = require('../../support/context');
const { printedCalls } = require('../../support/printed');
const { endLease, mortalContext, planOf, useSet } = require('../../support/split');

const DO = Object.freeze({ confirm: true, open: false });
const DRY = Object.freeze({ confirm: false, open: false });

/** Under the name of a time series is a view: that of a split must not take its place. */
describe('a time series of another session at a name of a split', function () {
  this.timeout(120_000);
  /** @type {any} */ let client;
  /** @type {any} */ let ctx;
  useSet((set) => {
    ({ client, ctx } = set);
  });

  /** @param {string} db @param {string} name */
  async function makeSeries(db, name) {
    await client.db(db).collection(name).drop();
    await client.db(db).createCollection(name, { timeseries: { timeField: 't' } });
    await client.db(db).collection(name).insertOne({ t: new Date(), v: 'theirs' });
  }

  /** @param {string} db @param {string} name */
  const isWhole = async (db, name) => {
    assert.equal((await client.db(db).collection(name).findOne())?.v, 'theirs');
    await client.db(db).collection(name).insertOne({ t: new Date(), v: 'theirs' });
  };

  /** As a restore leaves them that ended halfway. @param {string} db @param {string} name */
  async function makeBuckets(db, name) {
    await client.db(db).createCollection(`${name}_made`, { timeseries: { timeField: 't' } });
    const [{ options }] = await client
      .db(db)
      .listCollections({ name: `system.buckets.${name}_made` })
      .toArray();
    await client.db(db).collection(`${name}_made`).drop();
    await client.db(db).command({ create: `system.buckets.${name}`, ...options });
  }

  /**
   * Right before a step is sent.
   * @param {(text: string) => boolean} isStep
   * @param {() => Promise<unknown>} doIt
   */
  function before(isStep, doIt) {
    const mine = contextOf(client);
    const { command } = mine.port;
    let isDone = false;
    mine.port.command = async (database, spec) => {
      if (!isDone && spec.applyOps && spec.comment && isStep(JSON.stringify(spec))) {
        isDone = true;
        await doIt();
      }
      return command(database, spec);
    };
    mine.port.adminCommand = (spec) => mine.port.command('admin', spec);
    return mine;
  }

  it('made between the look of a cutover and its switch: the cutover is undone', async () => {
    const split = await beginSplit(client, ctx);
    const mine = before(
      (text) => text.includes(`"to":"app2.${split.name}"`),
      () => makeSeries('app2', split.name),
    );
    await assert.rejects(splitCutover(mine, split.id, ALONE), { code: 'TUNE-35004' });
    await isWhole('app2', split.name);
    await split.from.insertOne({});
  });

  it('made between the look of a finish and its step: the step leaves it', async () => {
    const split = await beginSplit(client, ctx, { switched: true });
    const mine = before(
      (text) => text.includes('__aside_'),
      () => makeSeries('app', split.name),
    );
    await splitFinish(mine, split.id, { ...DO, open: true });
    await isWhole('app', split.name);
  });

  it('an abort, a finish after it, and one after a rollback', async () => {
    const cut = await beginSplit(client, ctx);
    const mine = mortalContext(client, (spec) => spec.update?.$set?.phase === 'switching');
    await assert.rejects(splitCutover(mine, cut.id, ALONE));
    await endLease(client, cut.id);
    await makeSeries('app2', cut.name);
    await splitAbort(ctx, cut.id, ALONE);
    await isWhole('app2', cut.name);
    await splitFinish(ctx, cut.id, DO);
    await isWhole('app2', cut.name);

    const back = await beginSplit(client, ctx, { switched: true });
    await splitRollback(ctx, back.id, ALONE);
    await makeSeries('app2', back.name);
    await splitFinish(ctx, back.id, DO);
    await isWhole('app2', back.name);
  });

  it('a cutover that is undone: it opens the source, and leaves the time series', async () => {
    const split = await beginSplit(client, ctx);
    const mine = contextOf(client);
    const { command } = mine.port;
    mine.port.command = async (database, spec) => {
      const answer = await command(database, spec);
      if (spec.update?.$set?.phase === 'draining') await makeSeries('app2', split.name);
      return answer;
    };
    await assert.rejects(splitCutover(mine, split.id, ALONE), { code: 'TUNE-35004' });
    await isWhole('app2', split.name);
    await split.from.insertOne({});
  });

  it('a rollback to the old data refuses', async () => {
    const split = await beginSplit(client, ctx, { switched: true });
    await split.into.drop();
    await split.into.insertOne({});
    await makeSeries('app2', split.name);
    await assert.rejects(splitRollback(ctx, split.id, { ...ALONE, lost: true }), {
      code: 'TUNE-35004',
      message: /time series .* drop app2\./,
    });
    await isWhole('app2', split.name);
  });

  it('at the old name: a finish refuses, status prints nothing that fails, and open leaves it', async () => {
    const split = await beginSplit(client, ctx, { switched: true });
    await makeSeries('app', split.name);
    const report = await splitStatus(ctx, split.id);
    assert.match(
      String(report).replace(/\s+/g, ' '),
      /created a time series app\..* cannot be renamed/,
    );
    assert.deepEqual(printedCalls(report), []);
    assert.match(
      String(await splitFinish(ctx, split.id, DRY)).replace(/\s+/g, ' '),
      /Refused: app\.\w+ is a time series of another session/,
    );
    await assert.rejects(splitFinish(ctx, split.id, DO), {
      code: 'TUNE-35004',
      message: /time series .* drop app\./,
    });
    await assert.rejects(splitRollback(ctx, split.id, ALONE), { code: 'TUNE-35004' });
    await isWhole('app', split.name);
    await splitFinish(ctx, split.id, { ...DO, open: true });
    await isWhole('app', split.name);
  });

  for (const side of ['app2', 'app'])
    it(`buckets in ${side} without their view: plan, run and cutover refuse`, async () => {
      const split = await beginSplit(client, ctx);
      const name = `${split.name}_buckets`;
      await client.db('app').collection(name).insertOne({});
      await makeBuckets(side, name);
      const plan = await splitPlan(ctx, {
        source: 'app',
        target: 'app2',
        collections: [name],
        seconds: 0.1,
      });
      assert.match(
        plan.moves[0].blockers[0].say,
        new RegExp(`^${side}\\.system\\.buckets\\.${name}`),
      );
      if (side === 'app2') {
        const moves = [{ ns: `app.${name}`, into: `app2.${name}` }];
        await assert.rejects(splitRun(ctx, await planOf(client, { moves }), { confirm: true }), {
          code: 'TUNE-35004',
        });
      }
      await makeBuckets(side, split.name);
      await assert.rejects(splitCutover(ctx, split.id, ALONE), {
        code: 'TUNE-35004',
        message: new RegExp(`${side}\\.system\\.buckets\\.${split.name} .*stays active`),
      });
      assert.deepEqual(await takesWrites(client, split.name), side === 'app' ? [] : ['app']);
    });

  it('buckets made right before the switch: the step does not open that name', async () => {
    const split = await beginSplit(client, ctx);
    const mine = before(
      (text) => text.includes(`"to":"app2.${split.name}"`),
      () => makeBuckets('app2', split.name),
    );
    await assert.rejects(splitCutover(mine, split.id, ALONE), { code: 'TUNE-35004' });
    assert.deepEqual(await takesWrites(client, split.name), ['app']);
  });
});
