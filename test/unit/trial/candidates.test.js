'use strict';

const assert = require('node:assert/strict');
const { dimensionsFor, SEARCHED, betterHalf } = require('../../../lib/trial/pure/candidates');

const GiB = 2 ** 30;
const RAW = Object.freeze({
  cacheSizeGB: 1,
  evictionThreadsMin: 4,
  evictionThreadsMax: 4,
  evictionTarget: 80,
  evictionTrigger: 95,
  evictionDirtyTarget: 5,
  evictionDirtyTrigger: 20,
  evictionUpdatesTarget: 0,
  evictionUpdatesTrigger: 0,
});
const known = (more = {}) => ({
  raw: RAW,
  memoryBytes: 16 * GiB,
  cores: 8,
  diagnosed: null,
  ...more,
});

describe('what a search may try', () => {
  it('only what is the mechanism of the bottleneck', () => {
    assert.deepEqual(dimensionsFor('cache-read', known()), [
      { kind: 'cache', changes: [{ cacheSizeGB: 2 }, { cacheSizeGB: 4 }, { cacheSizeGB: 8 }] },
    ]);
    assert.deepEqual(dimensionsFor('eviction-threads', known()), [
      { kind: 'threads', changes: [{ evictionThreadsMax: 8 }] },
    ]);
    assert.deepEqual(
      dimensionsFor('cache-dirty', known()).map(({ kind }) => kind),
      ['cache', 'dirty'],
    );
    for (const bottleneck of /** @type {const} */ ([
      'none',
      'idle',
      'disk',
      'cpu',
      'concurrency',
      'history',
      'checkpoint',
      'unknown',
    ]))
      assert.deepEqual(dimensionsFor(bottleneck, known()), []);
  });
  it('the kind and the value that the diagnosis proposes come first', () => {
    const raw = { ...RAW, evictionDirtyTarget: 1, evictionDirtyTrigger: 3 };
    const [dirty, cache] = dimensionsFor(
      'cache-dirty',
      known({ raw, diagnosed: { evictionDirtyTarget: 3, evictionDirtyTrigger: 25 } }),
    );
    assert.deepEqual([dirty.kind, cache.kind], ['dirty', 'cache']);
    assert.deepEqual(
      dirty.changes.map(({ evictionDirtyTrigger }) => evictionDirtyTrigger),
      [25, 20, 40],
    );
    assert.deepEqual(
      dimensionsFor('cache-read', known({ diagnosed: { cacheSizeGB: 1.5 } }))[0].changes,
      [{ cacheSizeGB: 1.5 }, { cacheSizeGB: 2 }, { cacheSizeGB: 4 }, { cacheSizeGB: 8 }],
    );
  });
  it('a cache of no more than half of the memory, and none where it is not known', () => {
    assert.deepEqual(dimensionsFor('cache-read', known({ memoryBytes: 6 * GiB }))[0].changes, [
      { cacheSizeGB: 2 },
      { cacheSizeGB: 3 },
    ]);
    assert.deepEqual(dimensionsFor('cache-read', known({ memoryBytes: 2 * GiB })), []);
    assert.deepEqual(dimensionsFor('cache-read', known({ memoryBytes: null })), []);
    assert.deepEqual(
      dimensionsFor('cache-read', known({ raw: { ...RAW, cacheSizeGB: null } })),
      [],
    );
  });
  it("no more threads than cores, but mongod's own number", () => {
    assert.deepEqual(dimensionsFor('eviction-threads', known({ cores: 2 })), []);
    const one = { ...RAW, evictionThreadsMin: 1, evictionThreadsMax: 1 };
    assert.deepEqual(
      dimensionsFor('eviction-threads', known({ raw: one, cores: null }))[0].changes,
      [{ evictionThreadsMax: 4 }],
    );
    assert.deepEqual(dimensionsFor('eviction-threads', known({ raw: one, cores: 64 }))[0].changes, [
      { evictionThreadsMax: 4 },
      { evictionThreadsMax: 8 },
      { evictionThreadsMax: 12 },
    ]);
  });
  it('what contradicts another setting is not tried', () => {
    const raw = {
      ...RAW,
      evictionUpdatesTarget: 22,
      evictionUpdatesTrigger: 0,
      evictionDirtyTrigger: 50,
    };
    const [dirty] = dimensionsFor(
      'cache-dirty',
      known({ raw, settings: ['evictionDirtyTarget', 'evictionDirtyTrigger'] }),
    );
    assert.equal(dirty, undefined);
    assert.deepEqual(
      dimensionsFor(
        'eviction-threads',
        known({ raw: { ...RAW, evictionThreadsMin: 6, evictionThreadsMax: 6 } }),
      )[0].changes,
      [{ evictionThreadsMax: 8 }],
    );
  });
  it('only the settings that the user names', () => {
    assert.deepEqual(
      dimensionsFor('cache-dirty', known({ settings: ['cacheSizeGB'] })).map(({ kind }) => kind),
      ['cache'],
    );
    assert.deepEqual(dimensionsFor('cache-dirty', known({ settings: ['evictionDirtyTrigger'] })), [
      { kind: 'dirty', changes: [{ evictionDirtyTrigger: 25 }, { evictionDirtyTrigger: 40 }] },
    ]);
    assert.deepEqual(
      dimensionsFor('cache-read', known({ settings: ['evictionDirtyTrigger'] })),
      [],
    );
    assert.deepEqual(
      [...SEARCHED],
      ['cacheSizeGB', 'evictionDirtyTarget', 'evictionDirtyTrigger', 'evictionThreadsMax'],
    );
  });
});

describe('halving', () => {
  const of = (/** @type {number[]} */ ...scores) =>
    betterHalf(scores.map((score, i) => ({ candidate: 'abcdef'[i], score }))).join('');
  it('keeps the better half in its order', () => {
    assert.equal(of(1, 3, 2, 4), 'bd');
    assert.equal(of(1, 3, 2), 'bc');
    assert.equal(of(1, 3), 'b');
    assert.equal(of(1), 'a');
  });
  it('drops what is clearly worse than what is in effect, and what the guardrail ended', () => {
    assert.equal(of(0.5, 0, 1.2, 0.7), 'c');
    assert.equal(of(0.5, 0), '');
    assert.equal(of(0.95, 0.5), 'a');
  });
});
