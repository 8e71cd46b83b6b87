'use strict';

const assert = require('node:assert/strict');
const { ALONE, BEFORE, beginSplit, takesWrites } = require('../../support/begun-split');
const { throughHands } = require('../../support/beside');
const { contextOf } = require('../../support/context');
const { useSet } = require('../../support/split');
const { typedIn } = require('../../support/typed');
const { run: splitCutover } = require('../../../lib/commands/split-cutover');
const { run: splitRollback } = require('../../../lib/commands/split-rollback');

const MAJORITY = Object.freeze({ writeConcern: { w: /** @type {const} */ ('majority') } });
/** @type {any} */ const LATER = Object.freeze({ _id: 'later' });
const RENAMED =
  /^\[TUNE-35005\] Another session renamed (\S+) to (\S+)\. To go on: (.*), then (tune.*), which/;

/** Another session gives the source the name of the coming cut, before a command has begun it. */
describe('a source that another session gave the name of the coming cut', function () {
  this.timeout(120_000);
  /** @type {any} */ let client;
  /** @type {any} */ let ctx;
  useSet((set) => {
    ({ client, ctx } = set);
  });

  const RUNS = Object.freeze({ cutover: splitCutover, rollback: splitRollback });

  for (const [what, when] of /** @type {const} */ ([
    ['cutover', 'before'],
    ['cutover', 'at the end of'],
    ['rollback', 'before'],
    ['rollback', 'at the end of'],
  ]))
    it(`${when} the preparation of a ${what}: it says so, and the printed calls lead on`, async () => {
      const split = await beginSplit(client, ctx, { switched: what === 'rollback' });
      const active = what === 'cutover' ? split.from : split.into;
      const { from, into, phase } = await split.read();
      const cutName = what === 'cutover' ? from.renamedTo : into.stagingName;
      let isPrepared = false;
      let isNamed = false;
      const rename = async () => {
        isNamed = true;
        await active.insertOne(LATER, MAJORITY);
        await active.rename(cutName);
      };
      if (when === 'before') await rename();
      const mine = throughHands(contextOf(client), async (send, spec) => {
        // The last that is asked before the cut is saved: what expires.
        const isOfSource = spec.listIndexes === split.name;
        if (isOfSource && isPrepared && !isNamed) await rename();
        isPrepared ||= isOfSource && Boolean(spec.includeBuildUUIDs);
        return send();
      });
      const error = await RUNS[what](mine, split.id, ALONE).then(assert.fail, (failed) => failed);
      const [, was, is, back, restart] = RENAMED.exec(error.message) ?? assert.fail(error.message);
      assert.deepEqual([was, is], [active.namespace, `${active.dbName}.${cutName}`]);
      assert.equal((await split.read()).phase, phase);
      for (const call of [back, restart]) await typedIn(client, call, ctx);
      await RUNS[what](ctx, split.id, ALONE);
      const to = what === 'cutover' ? split.into : split.from;
      assert.deepEqual(await takesWrites(client, split.name), [to.dbName]);
      assert.equal(await to.countDocuments(), BEFORE + 1);
    });
});
