'use strict';

const assert = require('node:assert/strict');
const { ALONE } = require('../../support/begun-split');
const { useSet } = require('../../support/split');
const { run: splitPlan } = require('../../../lib/commands/split-plan');
const { run: splitRun } = require('../../../lib/commands/split-run');
const { run: splitCutover } = require('../../../lib/commands/split-cutover');
const { run: splitRollback } = require('../../../lib/commands/split-rollback');
const { run: splitFinish } = require('../../../lib/commands/split-finish');

/** Bytes of what a plan adds: "__aside_", its id, and a number for every shell that takes over. */
const ADDED = '__aside_20260101000000-abcdef_999'.length;
/** Bytes that the server takes, with the database and the point. */
const LONGEST = 255;

describe('a split of names as long as a plan takes them', function () {
  this.timeout(120_000);
  let number = 0;
  let client;
  let ctx;
  useSet((set) => {
    ({ client, ctx } = set);
  });

  /** @param {string} letter @param {number} more bytes beyond the longest name */
  async function planned(letter, more) {
    const bytes = LONGEST - ADDED - 'app.'.length + more;
    const width = Buffer.byteLength(letter);
    number += 1;
    const start = `${number}${'x'.repeat((bytes - 1) % width)}`;
    const name = start + letter.repeat(Math.floor((bytes - 1) / width));
    await client
      .db('app')
      .collection(name)
      .insertMany(Array.from({ length: 10 }, (_, i) => ({ _id: i })));
    const plan = await splitPlan(ctx, {
      source: 'app',
      target: 'ziel',
      collections: name,
      seconds: 0.1,
    });
    return { name, plan };
  }

  for (const letter of ['n', 'ü']) {
    it(`of ${letter}: one byte more is refused by the plan`, async () => {
      const { plan } = await planned(letter, 1);
      const { plan: shorter } = await planned(letter, 0);
      const refusals = [plan, shorter].map(({ moves: [{ blockers }] }) =>
        blockers.map(({ what }) => what),
      );
      assert.deepEqual(refusals, [['name-length'], []]);
    });

    for (const way of ['finished', 'rolled back'])
      it(`of ${letter}: it is moved and ${way}`, async () => {
        const { name, plan } = await planned(letter, 0);
        const [{ id }] = (await splitRun(ctx, plan, { confirm: true })).splits;
        await splitCutover(ctx, id, ALONE);
        if (way === 'finished') await splitFinish(ctx, id, { confirm: true });
        else await splitRollback(ctx, id, ALONE);
        const there = client.db(way === 'finished' ? 'ziel' : 'app').collection(name);
        assert.equal(await there.countDocuments(), 10);
      });
  }
});
