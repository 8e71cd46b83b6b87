'use strict';

const assert = require('node:assert/strict');
const { mapConcurrent, isProgressDue, every, CONCURRENCY } = require('../../../lib/base/timing');

const soon = () => new Promise((resolve) => setImmediate(resolve));
const pause = (ms) =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
const never = new AbortController().signal;

describe('a few at a time', () => {
  it('does everything once, with four in flight', async () => {
    let flying = 0;
    let max = 0;
    const done = [];
    await mapConcurrent(
      Array.from({ length: 25 }, (_, i) => i),
      async (i) => {
        max = Math.max(max, ++flying);
        await soon();
        flying -= 1;
        done.push(i);
      },
      { signal: never },
    );
    assert.deepEqual([max, done.length, new Set(done).size], [CONCURRENCY, 25, 25]);
    await mapConcurrent([], () => assert.fail('there is nothing to do'), { signal: never });
  });

  it('gives the results in the order of the items', async () => {
    const later = async (/** @type {number} */ n) => {
      for (let i = 0; i < n; i++) await soon();
      return n;
    };
    assert.deepEqual(await mapConcurrent([3, 1, 2], later, { concurrency: 2 }), [3, 1, 2]);
  });

  it('a failure ends it when nothing is in flight any more', async () => {
    let flying = 0;
    let begun = 0;
    await assert.rejects(
      mapConcurrent(
        Array.from({ length: 25 }, (_, i) => i),
        async (i) => {
          begun += 1;
          flying += 1;
          await soon();
          if (i !== 2) await soon();
          flying -= 1;
          if (i === 2) throw new Error('the third');
        },
        { signal: never },
      ),
      /the third/,
    );
    assert.equal(flying, 0);
    assert.ok(begun < 10, `${begun} begun`);
  });

  it('tells of the first, the last, and some between', () => {
    assert.deepEqual(
      Array.from({ length: 45 }, (_, i) => i + 1).filter((done) => isProgressDue(done, 45)),
      [1, 21, 41, 45],
    );
  });

  it('Ctrl-C begins nothing more', async () => {
    const stop = new AbortController();
    let begun = 0;
    await assert.rejects(
      mapConcurrent(
        Array.from({ length: 25 }, (_, i) => i),
        async () => {
          begun += 1;
          if (begun === 6) stop.abort();
          await soon();
        },
        { signal: stop.signal },
      ),
      { code: 'TUNE-30009' },
    );
    assert.ok(begun < 10, `${begun} begun`);
  });
});

describe('at a fixed rate', () => {
  it('begins at once, and ends when it is stopped', async () => {
    let beats = 0;
    const stop = every(
      5,
      async () => {
        beats += 1;
      },
      assert.fail,
    );
    assert.equal(beats, 1);
    while (beats < 4) await pause(5);
    stop();
    const before = beats;
    await pause(30);
    assert.equal(beats, before);
  });

  it('leaves a beat out while the last one goes on', async () => {
    let beats = 0;
    /** @type {() => void} */ let go = () => {};
    const stop = every(
      2,
      () => {
        beats += 1;
        return new Promise((resolve) => {
          go = () => resolve(undefined);
        });
      },
      assert.fail,
    );
    await pause(40);
    assert.equal(beats, 1);
    go();
    while (beats < 2) await pause(2);
    stop();
  });

  it('tells a failure, and goes on', async () => {
    /** @type {unknown[]} */ const failures = [];
    const stop = every(
      2,
      async () => {
        throw new Error('no');
      },
      (error) => failures.push(error),
    );
    while (failures.length < 2) await pause(2);
    stop();
    assert.equal(failures[0].message, 'no');
  });
});
