'use strict';

const assert = require('node:assert/strict');
const { every } = require('../../../lib/watch/fixed-rate');

const pause = (ms) =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

describe('watch/fixed-rate', () => {
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
