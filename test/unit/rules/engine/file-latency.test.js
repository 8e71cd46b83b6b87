'use strict';

const assert = require('node:assert/strict');
const { testRule } = require('../../../support/rule-tester');
const { readSample } = require('../../../../lib/server/pure/sample');

const slow = (/** @type {number} */ writes, /** @type {number} */ reads = 0) => ({
  'fileSystem.writes': 2000,
  'fileSystem.slowWrites': writes,
  'fileSystem.reads': 4000,
  'fileSystem.slowReads': reads,
});

testRule(__filename, [
  [
    'none',
    slow(0),
    'ok',
    'fine',
    { writes: 2000, slowWrites: 0, slowWriteRatio: 0, reads: 4000, slowReads: 0, slowReadRatio: 0 },
  ],
  ['one in a hundred', slow(20, 40), 'ok', 'fine'],
  [
    'just more',
    { 'fileSystem.writes': 20_000, 'fileSystem.slowWrites': 201 },
    'warning',
    'slow-writes',
  ],
  [
    'more writes',
    slow(21, 40),
    'warning',
    'slow-writes',
    { writes: 2000, slowWrites: 21, slowWriteRatio: 0.0105 },
  ],
  [
    'more reads, which the kernel does not write back',
    slow(20, 41),
    'warning',
    'slow-reads',
    { reads: 4000, slowReads: 41 },
  ],
  [
    'the worse of both is told',
    slow(40, 400),
    'warning',
    'slow-reads-and-writes',
    { slowReads: 400, slowReadRatio: 0.1 },
  ],
  ['nine of few are chance', { 'fileSystem.writes': 20, 'fileSystem.slowWrites': 9 }, 'ok', 'fine'],
  [
    'ten are not',
    { 'fileSystem.writes': 20, 'fileSystem.slowWrites': 10 },
    'warning',
    'slow-writes',
    { slowWriteRatio: 0.5 },
  ],
]);

describe('latency classes', () => {
  const name = (/** @type {number} */ bucket, /** @type {string} */ label) =>
    `file system write latency histogram (bucket ${bucket}) - ${label}`;
  const slowest = (/** @type {Record<string, number>} */ perf) =>
    readSample({ wiredTiger: { perf } }).counters;
  it('are found by their label: until 7.0 50 ms is the second, from 8.0 on the third', () => {
    assert.deepEqual(
      slowest({ [name(1, '10-49ms')]: 9, [name(2, '50-99ms')]: 5, [name(6, '1000ms+')]: 1 }),
      { 'fileSystem.writes50Ms': 5, 'fileSystem.writes1000Ms': 1 },
    );
    assert.deepEqual(
      slowest({
        [name(1, '0-10ms')]: 99,
        [name(2, '10-49ms')]: 9,
        [name(3, '50-99ms')]: 5,
        [name(7, '1000ms+')]: 1,
      }),
      { 'fileSystem.writes50Ms': 5, 'fileSystem.writes1000Ms': 1 },
    );
  });
  it('a class that is not known is not taken for another', () =>
    assert.deepEqual(slowest({ [name(2, '10-29ms')]: 5 }), {}));
});
