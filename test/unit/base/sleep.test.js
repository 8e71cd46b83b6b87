'use strict';

const assert = require('node:assert/strict');
const { setImmediate: turn } = require('node:timers/promises');
const { sleep } = require('../../../lib/base/context');

describe('base/context sleep', () => {
  it('many that wait for one signal are no leak: Node warns of nothing', async () => {
    const warnings = /** @type {Error[]} */ ([]);
    const keep = (/** @type {Error} */ warning) => void warnings.push(warning);
    process.on('warning', keep);
    try {
      const { signal } = new AbortController();
      await Promise.all(Array.from({ length: 20 }, () => sleep(1, signal)));
      await turn();
    } finally {
      process.off('warning', keep);
    }
    assert.deepEqual(warnings, []);
  });
  it('an abort ends all of them', async () => {
    const abort = new AbortController();
    const waits = Array.from({ length: 20 }, () => sleep(60_000, abort.signal));
    abort.abort();
    const ends = await Promise.allSettled(waits);
    assert.deepEqual(
      ends.map((end) => end.status === 'rejected' && end.reason.code),
      waits.map(() => 'TUNE-30009'),
    );
  });
});
