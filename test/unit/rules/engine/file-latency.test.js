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
  ['none', slow(0), 'ok', /0 writes of 2,000 calls and 0 reads of 4,000 calls took 50 ms/],
  ['one in a hundred', slow(20, 40), 'ok'],
  ['just more', { 'fileSystem.writes': 20_000, 'fileSystem.slowWrites': 201 }, 'warning'],
  ['more writes', slow(21, 40), 'warning', /21 writes of 2,000 calls .*1\.1 %/, /vm\.dirty_bytes/],
  [
    'more reads, which the kernel does not write back',
    slow(20, 41),
    'warning',
    /41 reads of 4,000/,
    /credits are used\.$/,
  ],
  ['the worse of both is told', slow(40, 400), 'warning', /400 reads .*10\.0 %/, /vm\.dirty_bytes/],
  ['nine of few are chance', { 'fileSystem.writes': 20, 'fileSystem.slowWrites': 9 }, 'ok'],
  ['ten are not', { 'fileSystem.writes': 20, 'fileSystem.slowWrites': 10 }, 'warning', /50\.0 %/],
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
