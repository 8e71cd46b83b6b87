'use strict';

const assert = require('node:assert/strict');
const { BATCH, BatchSize } = require('../../../lib/split/pure/batch-size');

describe('split: how many events a stream asks for at once', () => {
  it('never none', () => {
    const batches = new BatchSize();
    for (let i = 0; i < 5; i += 1) batches.failed();
    assert.equal(batches.size, 1);
  });
  it('in full again behind many batches, also where it is never idle', () => {
    const batches = new BatchSize();
    batches.failed();
    assert.equal(batches.size, BATCH / 10);
    for (let i = 1; i < 100; i += 1) assert.equal(batches.isFullAgain(false), false);
    assert.equal(batches.isFullAgain(false), true);
    assert.equal(batches.size, BATCH);
    assert.equal(batches.isFullAgain(true), false);
  });
});
