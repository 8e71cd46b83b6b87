'use strict';

const assert = require('node:assert/strict');
const { MongoNetworkError } = require('mongodb');
const { QUICK_STEPS, useServer } = require('../../support/one-server');
const { setExternally, lastString } = require('../../support/engine');
const { run: benchSteps } = require('../../../lib/commands/bench-steps');
const { run: undo } = require('../../../lib/commands/undo');
const { run: config } = require('../../../lib/commands/settings');
const { run: history } = require('../../../lib/commands/history');

describe('a sequence of steps whose call arrives, and whose answer is lost', function () {
  this.timeout(120_000);
  const place = useServer({ config: 'eviction=(threads_min=4,threads_max=4)' });

  for (const [title, nth] of /** @type {const} */ ([
    ['of a step', 1],
    ['of the way back', 2],
  ])) {
    it(`${title}: it is not said to be of another session, and not forgotten`, async () => {
      const ctx = place.context();
      const { adminCommand } = ctx.port;
      let calls = 0;
      ctx.port.adminCommand = async (command) => {
        const answer = await adminCommand(command);
        if (command.setParameter && (calls += 1) === nth)
          throw new MongoNetworkError('connection 7 closed');
        return answer;
      };
      const seen = await benchSteps(ctx, [{ evictionThreadsMax: 6 }], QUICK_STEPS).catch(
        (error) => error,
      );
      const said = `${seen.because ?? seen.message}`;
      const [{ outcome, reason }] = await history(ctx);
      const stands = await lastString(place.server);
      const back = await undo(place.context(), { confirm: true }).catch((error) => error);
      const last = await lastString(place.server);
      const all = `${stands} in effect; said: ${said}\njournal: ${outcome}, ${reason}\nundo: ${back.message ?? 'done'}; then ${last}`;
      assert.match(last, /threads_(min=4,threads_)?max=4/, all);
      assert.doesNotMatch(said, /Another session/, all);
    });
  }

  it('and that comes later, beside what another session set: it is taken back by tune.undo()', async () => {
    await setExternally(place.server, 'eviction_target=80');
    const ctx = place.context();
    const { adminCommand } = ctx.port;
    let calls = 0;
    /** @type {any} */ let late = null;
    ctx.port.adminCommand = async (command) => {
      if (command.setParameter && (calls += 1) === 2) {
        late = command;
        await setExternally(place.server, 'eviction_target=70');
        throw new MongoNetworkError('connection 7 closed');
      }
      return adminCommand(command);
    };
    const seen = await benchSteps(
      ctx,
      [{ evictionTarget: 75 }, { evictionThreadsMax: 6 }],
      QUICK_STEPS,
    );
    await place.server.adminCommand(late);
    const [{ outcome }] = await history(ctx);
    assert.equal(outcome, 'unknown');
    assert.match(seen.because, /tune\.undo\("[^"]+", \{ confirm: true, force: true \}\)/);
    const own = place.context();
    await assert.rejects(undo(own, { confirm: true }), { code: 'TUNE-30006' });
    await undo(own, { confirm: true, force: true });
    const { evictionThreadsMax } = await config(own);
    assert.equal(evictionThreadsMax.value, 4);
  });

  it('a step that the server would refuse is not sent, nor said to be on its way', async () => {
    const steps = [{ evictionThreadsMax: 6 }, { evictionDirtyTrigger: 400 * 2 ** 20 }];
    const seen = await benchSteps(place.context(), steps, QUICK_STEPS).catch((error) => error);
    assert.doesNotMatch(`${seen.ended}: ${seen.because ?? seen.message}`, /may still arrive/);
  });
});
