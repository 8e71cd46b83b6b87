'use strict';

const assert = require('node:assert/strict');
const {
  makeSchedule,
  washOutOf,
  isWashedOut,
  isSettled,
} = require('../../../lib/trial/pure/schedule');
const { seeded } = require('../../support/chance');

const MiB = 2 ** 20;

describe('the schedule of a trial', () => {
  const orders = (/** @type {ReturnType<typeof makeSchedule>} */ slots) =>
    slots
      .filter((_, i) => i % 2 === 0)
      .map(({ setting }) => setting)
      .join('');

  it('has one of each in every pair, and as many pairs that begin with A as with B', () => {
    for (let seed = 1; seed <= 50; seed += 1) {
      const slots = makeSchedule(8, seeded(seed));
      assert.deepEqual(
        slots.map(({ number, pair }) => [number, pair]),
        [
          [1, 1],
          [2, 1],
          [3, 2],
          [4, 2],
          [5, 3],
          [6, 3],
          [7, 4],
          [8, 4],
        ],
      );
      for (let i = 0; i < 8; i += 2) assert.notEqual(slots[i].setting, slots[i + 1].setting);
      assert.equal([...orders(slots)].filter((one) => one === 'A').length, 2);
    }
  });
  it('every balanced order comes about as often as any other', () => {
    const seen = new Map();
    const random = seeded(7);
    for (let i = 0; i < 6000; i += 1) {
      const order = orders(makeSchedule(8, random));
      seen.set(order, (seen.get(order) ?? 0) + 1);
    }
    assert.equal(seen.size, 6);
    for (const times of seen.values()) assert.ok(times > 850 && times < 1150, `${times} of 6000`);
  });
  it('an odd number of pairs has one more of either', () => {
    const random = seeded(3);
    const more = Array.from(
      { length: 200 },
      () => [...orders(makeSchedule(6, random))].filter((one) => one === 'A').length,
    );
    assert.deepEqual([...new Set(more)].sort(), [1, 2]);
    assert.ok(more.filter((n) => n === 1).length > 60 && more.filter((n) => n === 2).length > 60);
  });
});

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
