'use strict';

const assert = require('node:assert/strict');
const { useTrialServer, onProgress } = require('../../support/trial');
const { setExternally, lastString } = require('../../support/engine');

const IN_B = /^block \d of \d+, B: 1 of/;

describe('the very string of a trial, set by another session', () => {
  const place = useTrialServer('paced');

  it('in a block of B stays in force: it came last', async () => {
    const ctx = onProgress(place.context(), IN_B, () => {
      void setExternally(place.server, 'eviction_target=75');
    });
    const done = await place.run(
      { evictionTarget: 75 },
      { blocks: 4, seconds: 4, keep: 'never' },
      ctx,
    );
    assert.equal(await lastString(place.server), 'eviction_target=75', String(done));
  });
});
