'use strict';

const assert = require('node:assert/strict');
const { washOutOf, isWashedOut, isSettled } = require('../../../lib/trial/pure/wash-out');

const MiB = 2 ** 20;

describe('the wash-out of a trial', () => {
  it(
    'is short for threads, longer for thresholds, longest for the cache, and never long beside ' +
      'the blocks',
    () => {
      assert.deepEqual(washOutOf({ evictionThreadsMax: 8 }, 30), {
        minSeconds: 2,
        maxSeconds: 2,
        levels: [],
      });
      assert.deepEqual(washOutOf({ evictionDirtyTrigger: 30 }, 30), {
        minSeconds: 3,
        maxSeconds: 30,
        levels: ['cache.dirtyBytes'],
      });
      assert.deepEqual(washOutOf({ cacheSizeGB: 1 }, 30), {
        minSeconds: 4,
        maxSeconds: 60,
        levels: ['cache.usedBytes', 'cache.dirtyBytes'],
      });
      assert.deepEqual(washOutOf({ cacheSizeGB: 1, evictionDirtyTrigger: 30 }, 5), {
        minSeconds: 4,
        maxSeconds: 10,
        levels: ['cache.usedBytes', 'cache.dirtyBytes'],
      });
      assert.deepEqual(washOutOf({ cacheSizeGB: 1 }, 1).maxSeconds, 4);
      assert.deepEqual(washOutOf({ syncdelaySeconds: 30 }, 30), {
        minSeconds: 0,
        maxSeconds: 0,
        levels: [],
      });
    },
  );

  const washOut = washOutOf({ cacheSizeGB: 1 }, 10);
  /** @param {number[]} usedMiB every half second */
  const samples = (usedMiB) =>
    usedMiB.map((used, i) => ({
      atMs: i * 500,
      counters: {
        'cache.maxBytes': 1024 * MiB,
        'cache.usedBytes': used * MiB,
        'cache.dirtyBytes': 10 * MiB,
      },
    }));
  const rising = (/** @type {number} */ length, step = 30) =>
    samples(Array.from({ length }, (_, i) => 100 + step * i));

  it('goes on while the cache fills, up to its limit', () => {
    assert.equal(isWashedOut(washOut, []), false);
    assert.equal(isWashedOut(washOut, rising(8)), false);
    assert.equal(isWashedOut(washOut, rising(20)), false);
    assert.equal(isWashedOut(washOut, rising(41)), true);
  });
  it('ends when the levels rest, but not before its least', () => {
    assert.equal(isWashedOut(washOut, samples(Array.from({ length: 7 }, () => 500))), false);
    assert.equal(isWashedOut(washOut, samples(Array.from({ length: 9 }, () => 500))), true);
    assert.equal(isWashedOut(washOut, samples([...Array(8).fill(500), 504])), true);
  });
  it('goes on while a large cache fills slowly, which one that is full as its target wants does not', () => {
    // 1 MiB each half second of 1 GiB: 0.2% a second.
    assert.equal(isWashedOut(washOut, rising(20, 1)), false);
    assert.equal(isWashedOut(washOut, rising(20, 0.4)), true);
    assert.equal(
      isWashedOut(washOut, samples(Array.from({ length: 20 }, (_, i) => 800 + i))),
      true,
    );
    // Its limit is reached: counting begins, and the block knows.
    assert.deepEqual(
      [
        isWashedOut(washOut, rising(41, 1)),
        isSettled(washOut, rising(41, 1)),
        isSettled(washOut, rising(41, 0)),
      ],
      [true, false, true],
    );
    assert.equal(isWashedOut(washOutOf({ evictionDirtyTrigger: 30 }, 10), rising(20, 1)), true);
  });
  it('a level that nobody knows holds nothing up', () => {
    assert.equal(
      isWashedOut(
        washOut,
        [0, 2000, 4000].map((atMs) => ({ atMs, counters: {} })),
      ),
      true,
    );
  });
});
