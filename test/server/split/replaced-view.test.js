'use strict';

const assert = require('node:assert/strict');
const { run: splitAbort } = require('../../../lib/commands/split-abort');
const { run: splitCutover } = require('../../../lib/commands/split-cutover');
const { run: splitFinish } = require('../../../lib/commands/split-finish');
const { run: splitRun } = require('../../../lib/commands/split-run');
const { ALONE, beginSplit } = require('../../support/begun-split');
const { contextOf } = require('../../support/context');
const { dies } = require('../../support/dying-split');
const { planOf, useSet } = require('../../support/split');

const OWN = Object.freeze([{ $match: { theirs: 1 } }]);

/** Another session makes a view of its own where a step has just seen ours, or nothing. */
describe('a view that is replaced between what a step has seen and the step', function () {
  this.timeout(120_000);
  /** @type {any} */ let client;
  /** @type {any} */ let ctx;
  let uri = '';
  useSet((set) => {
    ({ client, ctx } = set);
    ({ uri } = set.server);
  });

  /**
   * A shell of which another session replaces a view once its operations are known.
   * @param {string} phase in which
   * @param {string} db
   * @param {string} name
   */
  function replacedIn(phase, db, name) {
    const mine = contextOf(client);
    const { command } = mine.port;
    const state = { isDone: false };
    mine.port.command = async (database, spec, ...more) => {
      const isPermit = spec.findAndModify === 'splits' && spec.update?.$set?.permit;
      if (isPermit && !state.isDone) {
        const record = await client
          .db('tune')
          .collection('splits')
          .findOne({ _id: spec.query._id });
        if (record.phase === phase) {
          state.isDone = true;
          await client
            .db(db)
            .collection(name)
            .drop()
            .catch(() => undefined);
          await client.db(db).createCollection(name, { viewOn: 'elsewhere', pipeline: [...OWN] });
        }
      }
      return command(database, spec, ...more);
    };
    mine.port.adminCommand = (spec) => mine.port.command('admin', spec);
    return { mine, state };
  }

  /** @param {string} db @param {string} name */
  async function isUntouched(db, name) {
    const [there] = await client.db(db).listCollections({ name }).toArray();
    assert.deepEqual([there?.type, there?.options.pipeline], ['view', OWN]);
  }

  it('before the switch: it stays, and the source is active again', async () => {
    const split = await beginSplit(client, ctx);
    const { mine, state } = replacedIn('switching', 'app2', split.name);
    await assert.rejects(splitCutover(mine, split.id, ALONE), { code: 'TUNE-35004' });
    assert.ok(state.isDone);
    await isUntouched('app2', split.name);
    assert.equal((await split.read()).phase, 'following');
    await split.from.insertOne({});
  });

  it('before the view at the target is made: it stays', async () => {
    await client.db('app').collection('early').insertOne({});
    const moves = [{ ns: 'app.early', into: 'app2.early' }];
    const plan = await planOf(client, { moves });
    const { mine, state } = replacedIn('planned', 'app2', 'early');
    await assert.rejects(splitRun(mine, plan, { confirm: true }), { code: 'TUNE-35004' });
    assert.ok(state.isDone);
    await isUntouched('app2', 'early');
  });

  it('with fields that JavaScript would put in another order: it stays as it is', async () => {
    const split = await beginSplit(client, ctx);
    await dies(uri, 'draining-after', 'cutover', split.id);
    const app2 = client.db('app2');
    await app2.collection(split.name).drop();
    await app2.collection('elsewhere').insertMany([
      { _id: 'a', 1: 1, 2: 1 },
      { _id: 'b', 1: 2, 2: 2 },
    ]);
    const order = new Map([
      ['2', 1],
      ['1', -1],
    ]);
    await app2.command({ create: split.name, viewOn: 'elsewhere', pipeline: [{ $sort: order }] });
    await splitAbort(ctx, split.id, { confirm: true, guardian: false });
    assert.equal((await split.read()).phase, 'aborted');
    const seen = await app2.collection(split.name).find().toArray();
    assert.deepEqual(
      seen.map(({ _id }) => _id),
      ['a', 'b'],
    );
    await split.from.insertOne({});
  });

  it('before a finish that drops it: it stays', async () => {
    const split = await beginSplit(client, ctx, { switched: true });
    const { mine, state } = replacedIn('switched', 'app', split.name);
    const { splits } = await splitFinish(mine, split.id, { confirm: true, open: true });
    assert.ok(state.isDone);
    assert.equal(splits[0].phase, 'finished');
    await isUntouched('app', split.name);
  });
});
