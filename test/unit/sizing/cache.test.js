'use strict';

const assert = require('node:assert/strict');
const { sizeCache } = require('../../../lib/sizing/cache');
const { roundUpGB, roundDownGB } = require('../../../lib/sizing/cache-effect');
const { headroomOf, isMemoryFull, needBytes } = require('../../../lib/signals/cache');
const { READ_BOUND, WRITE_BOUND, GiB } = require('../../support/readings');

const MiB = GiB / 1024;
const read = (/** @type {any} */ more = {}) => sizeCache({ ...READ_BOUND, ...more }, 'read');
const write = (/** @type {any} */ more = {}) => sizeCache({ ...WRITE_BOUND, ...more }, 'write');

describe('sizing/cache: for readers', () => {
  it('holds the data below the eviction target, rounded up', () => {
    const { change, explain } = read();
    assert.deepEqual(change, { cacheSizeGB: 1.75 }); // 1.1 GiB × 1.1 ÷ 0.8 = 1.51 GiB
    assert.match(
      explain.join('\n'),
      /16 GiB[\s\S]*7\.5 GiB[\s\S]*80%[\s\S]*cache is 256 MiB[\s\S]*1\.1 GiB on disk, about 1\.21 GiB[\s\S]*Read-bound[\s\S]*Recommended: 1\.75 GiB/,
    );
  });
  it('a target of its own counts', () =>
    assert.deepEqual(read({ 'config.targetRatio': 0.95 }).change, { cacheSizeGB: 1.5 }));
  it('warns of a memory limit that is not known, where reads are slow', () => {
    assert.match(read().explain.join(' '), /memory limit below 16 GiB/);
    assert.doesNotMatch(
      read({ 'eviction.pageReadMs': 0.1 }).explain.join(' '),
      /memory limit below/,
    );
  });
  it('never more than 75% of memory', () =>
    assert.deepEqual(read({ 'data.bytes': 14 * GiB }).change, { cacheSizeGB: 12 }));
  it('never more than what the process itself leaves', () =>
    assert.deepEqual(read({ 'data.bytes': 14 * GiB, 'process.otherBytes': 6 * GiB }).change, {
      cacheSizeGB: 10,
    }));
  it('nor what the second WiredTiger of 8.2 may still take', () => {
    const of = (/** @type {any} */ more) =>
      read({ 'data.bytes': 14 * GiB, 'process.otherBytes': 6 * GiB, ...more }).change;
    assert.deepEqual(of({ 'spill.unusedBytes': 0.2 * GiB }), { cacheSizeGB: 9.5 });
    const unknown = { 'spill.unusedBytes': undefined };
    assert.deepEqual(of({ ...unknown, 'server.versionNumber': 80_200 }), { cacheSizeGB: 9.5 });
    assert.deepEqual(of({ ...unknown, 'server.versionNumber': 80_199 }), { cacheSizeGB: 10 });
  });
  it('no change for a gain below a quarter', () => {
    assert.equal(read({ 'cache.maxBytes': 1.5 * GiB }).change, null);
    assert.match(
      read({ 'cache.maxBytes': 1.5 * GiB }).explain.join(' '),
      /No change: .* less than 25% larger/,
    );
    assert.deepEqual(read({ 'cache.maxBytes': 1.4 * GiB }).change, { cacheSizeGB: 1.75 });
  });
  it('no change when the data fits', () =>
    assert.match(
      read({ 'cache.maxBytes': 2 * GiB }).explain.join(' '),
      /already fits in the cache/,
    ));
  it('where writes take the disk from the reads, all data may be dirty in it, up to the default', () => {
    const writing = {
      'data.bytes': 0.22 * GiB,
      'cache.maxBytes': 0.0625 * GiB,
      'cache.usedBytes': 0.05 * GiB,
      'eviction.modifiedPagesPerSec': 275,
      'cache.writtenBytesPerSec': 8e6,
    };
    const { change, explain } = read(writing);
    assert.deepEqual(change, { cacheSizeGB: 2 }); // 0.22 GiB × 1.1 ÷ 12.5% = 1.94 GiB
    assert.match(explain.join(' '), /Eviction writes 31\.5% of the pages that the disk serves/);
    const holdsData = { cacheSizeGB: 0.5 };
    const of = (/** @type {any} */ more) => read({ ...writing, ...more }).change;
    assert.deepEqual(of({ 'eviction.modifiedPagesPerSec': 100 }), holdsData, 'few writes');
    assert.deepEqual(of({ 'eviction.modifiedPagesPerSec': undefined }), holdsData, 'not known');
    assert.deepEqual(of({ 'eviction.pageReadMs': 3 }), holdsData, 'a disk with room');
    assert.deepEqual(
      of({ 'cache.writtenBytesPerSec': 2e6 }),
      holdsData,
      'a checkpoint takes longer',
    );
    assert.deepEqual(of({ 'cache.writtenBytesPerSec': undefined }), holdsData, 'or is not known');
    assert.deepEqual(
      of({ 'host.memoryBytes': 2 * GiB }),
      holdsData,
      'the default is half of 1 GiB',
    );
  });
  it('without memory no size', () => {
    assert.deepEqual(read({ 'host.memoryBytes': undefined }), {
      change: null,
      explain: ['Memory available to the server is not known: no cache size can be computed.'],
    });
    assert.equal(read({ 'cache.maxBytes': undefined }).change, null);
  });
  it('without the data: up to the default, and no further', () => {
    assert.deepEqual(read({ 'data.bytes': undefined }).change, { cacheSizeGB: 7.5 });
    assert.match(
      read({ 'data.bytes': undefined }).explain.join(' '),
      /use the default first.* memory limit below 16 GiB/,
    );
    const { change, explain } = read({ 'data.bytes': undefined, 'cache.maxBytes': 7.5 * GiB });
    assert.equal(change, null);
    assert.match(explain.join(' '), /depends on the data size/);
  });
});

describe('sizing/cache: for writers', () => {
  it('four times as large, where the disk can write its dirty part in time', () => {
    const { change, explain } = write();
    assert.deepEqual(change, { cacheSizeGB: 1 });
    assert.match(
      explain.join('\n'),
      /Write-bound[\s\S]*205 MiB in 26\.5 s \(limit: 60 s checkpoint interval\)/,
    );
  });
  it('twice, where it is slower', () =>
    assert.deepEqual(write({ 'cache.writtenBytesPerSec': 2e6 }).change, { cacheSizeGB: 0.5 }));
  it('not at all, where it is too slow even for that', () => {
    const { change, explain } = write({ 'cache.writtenBytesPerSec': 1e6 });
    assert.equal(change, null);
    assert.match(explain.join(' '), /cannot flush the dirty data/);
  });
  it('what is not known does not size', () =>
    assert.equal(write({ 'cache.writtenBytesPerSec': undefined }).change, null));
  it('not above the default', () => {
    assert.deepEqual(write({ 'host.memoryBytes': 2 * GiB, 'data.bytes': 5 * GiB }).change, {
      cacheSizeGB: 0.5,
    });
    assert.match(
      write({ 'host.memoryBytes': 1.5 * GiB }).explain.join(' '),
      /default size or more/,
    );
  });
  it('data that fits is no reason against it: it is written out all the same once too much is dirty', () =>
    assert.deepEqual(write({ 'data.bytes': 0.15 * GiB }).change, { cacheSizeGB: 1 }));
  it('not above what lets all data be dirty', () => {
    assert.deepEqual(write({ 'data.bytes': 0.055 * GiB, 'cache.usedBytes': 0.055 * GiB }).change, {
      cacheSizeGB: 0.5,
    }); // 0.055 × 1.1 ÷ 0.125 = 0.484 GiB
    assert.match(
      write({ 'data.bytes': 0.025 * GiB, 'cache.usedBytes': 0.025 * GiB }).explain.join(' '),
      /not the limit/,
    );
  });
  it('data that was counted when there was less of it than is in the cache now says nothing', () => {
    assert.deepEqual(write({ 'data.bytes': 0.19 * GiB }).change, { cacheSizeGB: 1 }); // 0.209 GiB, of 0.22 in use
    assert.deepEqual(write({ 'data.bytes': 0.04 * GiB }).change, { cacheSizeGB: 1 });
  });
  it('a trigger raised to nobody knows what lets as much be dirty as is', () => {
    // Measured at 10/40: 512 MB, 40.2% dirty, 8.46 MB/s. At 20% a cache of 2 GiB would have
    // seemed to be written in 51 s.
    const { change, explain } = write({
      'cache.maxBytes': 0.5 * GiB,
      'cache.dirtyRatio': 0.402,
      'cache.writtenBytesPerSec': 8.46e6,
      'host.memoryBytes': 24 * GiB,
    });
    assert.deepEqual(change, { cacheSizeGB: 1 });
    assert.match(explain.join('\n'), /412 MiB in 51 s/);
  });
  it('a higher trigger in effect lets more be dirty', () =>
    assert.deepEqual(write({ 'config.dirtyTriggerRatio': 0.6 }).change, { cacheSizeGB: 0.5 }));
});

describe('sizing: what a person would type', () => {
  for (const [bytes, up, down] of /** @type {[number, number, number][]} */ ([
    [100 * MiB, 0.25, 0],
    [256 * MiB, 0.25, 0.25],
    [257 * MiB, 0.5, 0.25],
    [4 * GiB, 4, 4],
    [4.1 * GiB, 4.5, 4],
    [16 * GiB, 16, 16],
    [16.1 * GiB, 17, 16],
  ])) {
    it(`${bytes / MiB} MiB is ${up} GB at least, ${down} GB at most`, () =>
      assert.deepEqual([roundUpGB(bytes), roundDownGB(bytes)], [up, down]));
  }
  it('is a whole number of MB, always', () => {
    for (let mib = 200; mib < 40_000; mib += 137)
      assert.ok(
        Number.isInteger(roundUpGB(mib * MiB) * 1024) &&
          Number.isInteger(roundDownGB(mib * MiB) * 1024),
      );
  });
});

describe('signals/cache: headroom', () => {
  it('knows nothing without memory', () => {
    assert.equal(headroomOf({}), null);
    assert.equal(isMemoryFull({ 'data.bytes': 1 }), undefined);
    assert.equal(isMemoryFull({ 'host.memoryBytes': 1 }), undefined);
    assert.equal(needBytes({}), undefined);
  });
  it('the default is never below 256 MB', () =>
    assert.equal(headroomOf({ 'host.memoryBytes': GiB })?.defaultBytes, 256 * MiB));
  it('a process larger than the memory leaves nothing, not less', () =>
    assert.equal(
      headroomOf({ 'host.memoryBytes': GiB, 'process.otherBytes': 2 * GiB })?.capBytes,
      0,
    ));
  it('is full when the data, as it is in a cache, is more than it', () => {
    assert.equal(isMemoryFull({ 'host.memoryBytes': 1.2 * GiB, 'data.bytes': 1.1 * GiB }), true); // 1.21 GiB
    assert.equal(isMemoryFull({ 'host.memoryBytes': 1.22 * GiB, 'data.bytes': 1.1 * GiB }), false);
    assert.equal(
      isMemoryFull({
        'host.memoryBytes': 1.22 * GiB,
        'data.bytes': 1.1 * GiB,
        'process.otherBytes': 0.1 * GiB,
      }),
      true,
    );
  });
});
