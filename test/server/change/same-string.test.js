'use strict';

const assert = require('node:assert/strict');
const { QUICK_STEPS, useServer } = require('../../support/one-server');
const { aroundAll } = require('../../support/around-command');
const { setExternally, lastString, floodLog, cacheOf } = require('../../support/engine');
const { run: apply } = require('../../../lib/commands/apply');
const { run: undo } = require('../../../lib/commands/undo');
const { run: benchSteps } = require('../../../lib/commands/bench-steps');

describe('the very string of a sequence of steps, set by another session', function () {
  this.timeout(120_000);
  const place = useServer();

  it('while its step is measured stays in effect', async () => {
    const ctx = place.context();
    const { progress } = ctx;
    let isSet = false;
    const { adminCommand } = ctx.port;
    ctx.port.adminCommand = async (command) => {
      const answer = await adminCommand(command);
      isSet ||= Boolean(command.setParameter);
      return answer;
    };
    /** @type {Promise<unknown> | null} */ let other = null;
    ctx.progress = (text) => {
      progress(text);
      if (isSet && other === null && /of 1 s/.test(text ?? ''))
        other = setExternally(place.server, 'eviction_target=75');
    };
    const seen = await benchSteps(ctx, [{ evictionTarget: 75 }], QUICK_STEPS);
    await other;
    assert.equal(
      await lastString(place.server),
      'eviction_target=75',
      `${seen.ended}: ${seen.because}\n${JSON.stringify(seen.externalChanges)}`,
    );
  });
});

describe('the very string of a change, set by another session after the log ran over', function () {
  this.timeout(120_000);
  const place = useServer();

  it('is theirs: its line in the log is of a moment long after the answer to ours', async () => {
    const { context } = place;
    await apply(context(), { evictionTarget: 75 }, { confirm: true });
    await setExternally(place.server, 'eviction_target=70');
    await new Promise((resolve) => {
      setTimeout(resolve, 3000);
    });
    await floodLog(place.server);
    await assert.rejects(undo(context(), { confirm: true }), { code: 'TUNE-30006' });
    await setExternally(place.server, 'eviction_target=75');
    const done = await undo(context(), { confirm: true }).catch((error) => error);
    assert.equal(
      await lastString(place.server),
      'eviction_target=75',
      String(done.message ?? done),
    );
  });
});

describe('the last string of this shell, sent again because the cache is not as recorded', () => {
  const place = useServer();

  it('and the call is lost: it is not said to be active', async () => {
    const { server, context } = place;
    await apply(context(), { cacheSizeGB: 400 / 1024 }, { confirm: true });
    // Refused half-way: the cache is 600 MB, and the string before it is shown.
    await setExternally(server, 'cache_size=600M,eviction=(threads_min=10,threads_max=9)').catch(
      () => {},
    );
    const ctx = aroundAll(context(), async (command, next) => {
      if (!command.setParameter) return next();
      throw Object.assign(new Error('connection closed'), { name: 'MongoNetworkError' });
    });
    /** @type {any} */
    const error = await apply(ctx, { cacheSizeGB: 400 / 1024 }, { confirm: true }).then(
      () => assert.fail('it must not succeed'),
      (one) => one,
    );
    assert.deepEqual([error.code, error.sent], ['TUNE-20006', {}]);
    assert.equal((await cacheOf(server)).maxBytes, 600 * 2 ** 20);
  });
});

describe('the string of another session that the log has forgotten', function () {
  this.timeout(60_000);
  const place = useServer();

  it('is not sent again: that session would take it for its own', async () => {
    const { server, context } = place;
    await setExternally(server, 'eviction_target=75');
    await setExternally(server, 'eviction_target=70');
    await floodLog(server);
    const shown = await apply(context(), { evictionTarget: 75 });
    assert.match(String(shown), /^ +"eviction_target=75" \}\)$/m);
    const done = await apply(context(), { evictionTarget: 75 }, { confirm: true });
    assert.match(done.commands[0].wiredTigerEngineRuntimeConfig, /^eviction_target=75 {1,40}$/);
    assert.equal(done.verified, true);
  });
});
