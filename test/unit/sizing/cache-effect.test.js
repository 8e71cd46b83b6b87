'use strict';

const assert = require('node:assert/strict');
const { cacheEffect, cacheEffectWords, doesDataFit } = require('../../../lib/sizing/cache-effect');
const { recommendationFor } = require('../../../lib/diagnose/recommendation');
const { READ_BOUND, GiB } = require('../../support/readings');

const MiB = GiB / 1024;
/** 1000 MiB of data, 1100 in the cache, of which 256 MiB hold 204.8 below the target. */
const DATA = {
  ...READ_BOUND,
  'data.bytes': 1000 * MiB,
  'cache.pagesReadPerSec': 100,
  'clients.readingThreads': 4,
  'clients.busyThreads': 8,
};
const effect = (/** @type {number} */ mib, /** @type {any} */ more = {}) =>
  cacheEffect({ ...DATA, ...more }, mib * MiB);
const near = (/** @type {number | null | undefined} */ seen, /** @type {number} */ wanted) =>
  assert.ok(Math.abs(Number(seen) - wanted) < 1e-9, `${seen}, not ${wanted}`);

describe('sizing/cache-effect', () => {
  it('as many fewer reads as there is less of the data outside', () => {
    const twice = effect(512);
    near(twice?.readsPerSec, (100 * (1100 - 409.6)) / (1100 - 204.8));
    near(twice?.savedPerSec, 100 - Number(twice?.readsPerSec));
    assert.equal(twice?.fits, false);
  });
  it('the time of the clients that goes into reads shrinks, the rest stays', () =>
    near(effect(512)?.speedup, 1 / (0.5 + (0.5 * (1100 - 409.6)) / (1100 - 204.8))));
  it('a smaller cache reads more', () => {
    const half = effect(128);
    assert.ok(Number(half?.savedPerSec) < 0 && Number(half?.speedup) < 1);
  });
  it('a cache that holds all of it reads nothing', () => {
    assert.deepEqual(effect(1400), { readsPerSec: 0, savedPerSec: 100, speedup: 2, fits: true });
    assert.equal(effect(1340)?.fits, false);
    assert.equal(effect(1350)?.fits, true);
  });
  it('a target of its own counts', () =>
    assert.equal(effect(1200, { 'config.targetRatio': 0.95 })?.fits, true));
  it('never more than 10 times, nor more than the CPUs have room for', () => {
    assert.equal(effect(1400, { 'clients.readingThreads': 8 })?.speedup, 10);
    assert.equal(
      effect(1400, { 'clients.readingThreads': 8, 'process.cpuRatio': 0.4 })?.speedup,
      2.5,
    );
    assert.equal(effect(1400, { 'process.cpuRatio': 1.5 })?.speedup, 1);
  });
  it("without the clients' time no gain, without data or reads nothing at all", () => {
    assert.equal(effect(512, { 'clients.readingThreads': undefined })?.speedup, null);
    for (const name of ['data.bytes', 'cache.maxBytes', 'cache.pagesReadPerSec']) {
      assert.equal(effect(512, { [name]: undefined }), null);
      assert.equal(cacheEffectWords({ ...DATA, [name]: undefined }), null);
    }
  });
  it('data that fits gains nothing', () => {
    assert.equal(effect(4096, { 'cache.maxBytes': 1400 * MiB }), null);
    assert.deepEqual(
      [1340, 1350].map((mib) => doesDataFit({ ...DATA, 'cache.maxBytes': mib * MiB })),
      [false, true],
    );
  });
});

describe('sizing/cache-effect: in words', () => {
  const words = (/** @type {any} */ more = {}) => String(cacheEffectWords({ ...DATA, ...more }));
  it('half, twice, and all', () => {
    assert.equal(
      words(),
      'Estimated page reads (now 100/s with 256 MiB): 128 MiB: 111/s (+11), about 0.95 times ' +
        'the throughput; 512 MiB: 77/s (-23), about 1.13 times the throughput; 1.5 GiB: none, all ' +
        'data fits, up to 2 times the throughput.',
    );
  });
  it('what hardly shows is said so', () =>
    assert.match(
      words({ 'clients.readingThreads': 0.2 }),
      /512 MiB: 77\/s \(-23\), about the same throughput/,
    ));
  it("nothing is said of operations where the clients' time is not known", () =>
    assert.doesNotMatch(words({ 'clients.readingThreads': undefined }), /serve/));
  it('no size beyond memory', () =>
    assert.doesNotMatch(words({ 'host.memoryBytes': 1.6 * GiB }), /1\.5 GiB/));
  it('twice is not named beside a size that is nearly that', () =>
    assert.doesNotMatch(words({ 'cache.maxBytes': 700 * MiB }), /1\.37 GiB/));
  it('data that all but fits: a size above the present one', () =>
    assert.match(
      words({ 'cache.maxBytes': 1340 * MiB }),
      /670 MiB: .*; 1\.5 GiB: none, all data fits/,
    ));
  it('a memory that is full', () =>
    assert.match(words({ 'host.memoryBytes': GiB }), /^There is more data than RAM/));
  it('goes with the advice for readers', () =>
    assert.match(
      String(recommendationFor('cache-read', DATA).explain.at(-1)),
      /^Estimated page reads \(now 100\/s/,
    ));
  it('and stays out where it is not known', () =>
    assert.doesNotMatch(
      recommendationFor('cache-read', { ...DATA, 'data.bytes': undefined }).explain.join('\n'),
      /Estimate/,
    ));
});
