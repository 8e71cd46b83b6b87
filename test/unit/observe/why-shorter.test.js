'use strict';

const assert = require('node:assert/strict');
const { whyShorter } = require('../../../lib/observe/observe');

const of = (/** @type {number} */ seconds, requested = { seconds: 10, every: 1 }) =>
  whyShorter(requested, 'complete', { seconds, restarts: 0 }).length;

describe('a window shorter than requested', () => {
  it('has a note from half a second on, and 5%', () => {
    assert.deepEqual([of(8.84), of(9.4), of(9.51), of(9.77), of(10)], [1, 1, 0, 0, 0]);
    assert.deepEqual(
      [of(97, { seconds: 100, every: 1 }), of(94, { seconds: 100, every: 1 })],
      [0, 1],
    );
  });
  it('none where the samples are further apart, after Ctrl-C, or after a restart', () => {
    assert.equal(of(9, { seconds: 10, every: 3 }), 0);
    assert.deepEqual(
      whyShorter({ seconds: 10, every: 1 }, 'interrupted', { seconds: 3, restarts: 0 }),
      [],
    );
    assert.deepEqual(
      whyShorter({ seconds: 10, every: 1 }, 'complete', { seconds: 3, restarts: 1 }),
      [],
    );
  });
});
