'use strict';

const assert = require('node:assert/strict');
const { ALONE, beginSplit } = require('../../support/begun-split');
const { throughHands } = require('../../support/beside');
const { contextOf } = require('../../support/context');
const { endLease, useSet, withoutOplog } = require('../../support/split');
const { run: splitAbort } = require('../../../lib/commands/split-abort');
const { run: splitCutover } = require('../../../lib/commands/split-cutover');
const { run: splitResume } = require('../../../lib/commands/split-resume');
const { run: splitRollback } = require('../../../lib/commands/split-rollback');

const RESUME = Object.freeze({ ...ALONE, restart: false, follow: false });
const NEWER = Object.freeze({ $set: { a: 'newer' } });

/** The new name answers, and applications write to it, long before another shell comes. */
describe('a shell that dies once its switch is done', function () {
  this.timeout(120_000);
  /** @type {any} */ let client;
  /** @type {any} */ let ctx;
  useSet((set) => {
    ({ client, ctx } = set);
  });

  /** @param {string} switches the phase of the switch */
  function diesBehind(switches) {
    const state = { isSaved: false, isGone: false };
    return throughHands(contextOf(client), async (send, spec) => {
      if (state.isGone) throw Object.assign(new Error('the shell is gone'), { isGone: true });
      const answer = await send();
      state.isSaved ||= spec.update?.$set?.phase === switches;
      state.isGone = state.isSaved && JSON.stringify(spec.applyOps ?? '').includes(' used"');
      return answer;
    });
  }

  const late = () => withoutOplog(contextOf(client));

  const RUNS = Object.freeze({
    forward: { command: splitCutover, switches: 'switching', ends: 'switched' },
    back: { command: splitRollback, switches: 'switching-back', ends: 'rolled-back' },
  });

  for (const way of /** @type {const} */ (['forward', 'back']))
    it(`what is written to the new name since is no difference where the oplog is lost (${way})`, async () => {
      const { command, switches, ends } = RUNS[way];
      const split = await beginSplit(client, ctx, { switched: way === 'back' });
      await assert.rejects(command(diesBehind(switches), split.id, ALONE));
      await endLease(client, split.id);
      assert.equal((await split.read()).phase, switches);
      const active = way === 'forward' ? split.into : split.from;
      await active.updateMany({}, NEWER);
      await splitResume(late(), split.id, RESUME);
      assert.equal((await split.read()).phase, ends);
      assert.equal(await active.countDocuments({ a: 'newer' }), 200);
    });

  it('an abort says that it was moved', async () => {
    const split = await beginSplit(client, ctx);
    await assert.rejects(splitCutover(diesBehind('switching'), split.id, ALONE));
    await endLease(client, split.id);
    await split.into.updateMany({}, NEWER);
    await assert.rejects(splitAbort(late(), split.id, ALONE), { code: 'TUNE-35010' });
    assert.equal((await split.read()).phase, 'switched');
  });
});
