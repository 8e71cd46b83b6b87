'use strict';

const assert = require('node:assert/strict');
const { useTrialServer, onProgress } = require('../../support/trial');
const { setExternally, floodLog, askedStrings } = require('../../support/engine');
const { run: config } = require('../../../lib/commands/settings');
const { run: history } = require('../../../lib/commands/history');
const { run: undo } = require('../../../lib/commands/undo');

const IN_B = /^block \d of \d+, B: 0 of/;

describe('what another session set during a trial, which the log has forgotten', () => {
  const place = useTrialServer('paced');

  it('the same, hidden by a second string: it is not overwritten, and A is not said to be in effect', async () => {
    /** @type {Promise<any> | undefined} */ let other;
    const ctx = onProgress(place.context(), IN_B, () => {
      other = (async () => {
        await setExternally(place.server, 'eviction_target=70');
        await setExternally(place.server, 'eviction=(threads_max=6)');
        await floodLog(place.server);
      })();
    });
    const done = await place.run({ evictionTarget: 75 }, { blocks: 4, blockSeconds: 12 }, ctx);
    await other;
    assert.deepEqual(await askedStrings(place.server), [], 'nothing was set after it');
    assert.equal(done.effective, null);
    assert.match(String(done.because), /log no longer covers all external changes/);
    assert.equal(done.undo, `tune.undo("${done.id}", { confirm: true, force: true })`);
    assert.equal((await history(place.context())).at(-1)?.outcome, 'unknown');
    await undo(place.context(), String(done.id), { confirm: true, force: true });
    assert.equal((await config(place.context())).evictionTarget.value, 80);
  });
});
