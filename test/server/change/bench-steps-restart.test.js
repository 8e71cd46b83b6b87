'use strict';

const assert = require('node:assert/strict');
const { QUICK_STEPS, useServer } = require('../../support/one-server');
const { askedStrings } = require('../../support/engine');
const { run: benchSteps } = require('../../../lib/commands/bench-steps');
const { run: history } = require('../../../lib/commands/history');

const STEPS = [{ evictionTarget: 75 }, { evictionThreadsMax: 6 }];

describe('a restart of the server in the middle of a sequence of steps', function () {
  this.timeout(180_000);
  const place = useServer();
  const { context } = place;

  it('has reverted all: the answer has what was measured, and nothing to undo', async () => {
    const ctx = context();
    const { adminCommand } = ctx.port;
    let isSet = false;
    ctx.port.adminCommand = async (command) => {
      const answer = await adminCommand(command);
      isSet ||= Boolean(command.setParameter);
      return answer;
    };
    const notify = ctx.progress;
    let isDone = false;
    /** @type {Promise<unknown> | undefined} */ let restarted;
    ctx.progress = (text) => {
      notify(text);
      if (isDone || !isSet || !/ of 3 s/.test(text ?? '')) return;
      isDone = true;
      restarted = place.server.restart();
    };
    const seen = await benchSteps(ctx, STEPS, { ...QUICK_STEPS, seconds: 3 });
    await restarted;
    assert.ok(seen.measuredSteps.length > 0);
    assert.deepEqual([seen.ended, seen.id], ['failed', null]);
    assert.match(String(seen.because), /server restarted, which reverted the settings/);
    assert.doesNotMatch(String(seen), /tune\.undo|Another session/);
    assert.deepEqual(seen.externalChanges, []);
    const entry = (await history(context())).at(-1);
    assert.match(String(entry?.outcome), /^(undone|ended-by-restart)$/);
    assert.deepEqual(await askedStrings(place.server), []);
  });
});
