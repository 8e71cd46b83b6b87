'use strict';

const assert = require('node:assert/strict');
const { makeSchedule } = require('../../../lib/trial/pure/schedule');
const { seeded } = require('../../support/chance');

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
