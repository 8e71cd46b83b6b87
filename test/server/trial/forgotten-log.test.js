'use strict';

const assert = require('node:assert/strict');
const { useTrialServer, onProgress } = require('../../support/trial');
const { setExternally, floodLog } = require('../../support/engine');
const { config } = require('../../../lib/commands/config');

const IN_B = /^block \d of \d+, B: 0 of/;

describe('what another session set during a trial, which the log has forgotten', () => {
  const place = useTrialServer('paced');
  const now = async () => {
    const { evictionTarget, evictionThreadsMax } = await config(place.context());
    return { target: evictionTarget.value, max: evictionThreadsMax.value };
  };

  it('the same, hidden by a second string: it is not overwritten, and A is not said to be in force', async () => {
    /** @type {Promise<any> | undefined} */ let other;
    const ctx = onProgress(place.context(), IN_B, () => {
      other = (async () => {
        await setExternally(place.server, 'eviction_target=70');
        await setExternally(place.server, 'eviction=(threads_max=6)');
        await floodLog(place.server);
      })();
    });
    const done = await place.run({ evictionTarget: 75 }, { blocks: 4, seconds: 12 }, ctx);
    await other;
    assert.equal((await now()).target, 70);
    assert.equal(done.effective, null);
  });
});
