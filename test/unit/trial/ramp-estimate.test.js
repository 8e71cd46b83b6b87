'use strict';

const assert = require('node:assert/strict');
const { rampEstimateOf, rampEstimateWords } = require('../../../lib/trial/pure/ramp-estimate');
const { defaultsFor } = require('../../../lib/config/config-layers');

const GB = 2 ** 30;
const MB = 2 ** 20;
const RAW = { ...defaultsFor(9 * GB), cacheSizeGB: 1 };
const LIVE = {
  'cache.usedBytes': 800 * MB,
  'cache.dirtyBytes': 100 * MB,
  'cache.updatesBytes': 10 * MB,
};
/** @param {object} A @param {object} B @param {object} [live] */
const ways = (A, B, live = LIVE) =>
  rampEstimateOf({ A, B, raw: RAW, live }).map((way) => ({
    ...way,
    ...Object.fromEntries(
      /** @type {const} */ (['usedBytes', 'dirtyBytes', 'updatesBytes']).map((name) => [
        name,
        way[name] === null ? null : Math.round(way[name] / MB),
      ]),
    ),
  }));

describe('what is known of a switch that goes down', () => {
  it('to a smaller B: what is in the cache now', () => {
    const [way, ...none] = ways({ cacheSizeGB: 1 }, { cacheSizeGB: 0.25 });
    assert.deepEqual(none, []);
    assert.deepEqual(
      [way.to, way.basis, way.usedBytes, way.dirtyBytes, way.updatesBytes, way.maxSeconds],
      ['B', 'now', 569, 51, 0, 60],
    );
    // 800 MB, ten times 13% off, is under 243 MB.
    assert.equal(Number(way.minSeconds).toFixed(1), '2.7');
  });
  it('back from a larger B: what its triggers let in at most', () => {
    const [way, ...none] = ways({ cacheSizeGB: 1 }, { cacheSizeGB: 2 });
    assert.deepEqual(none, []);
    assert.deepEqual(
      [way.to, way.basis, way.usedBytes, way.dirtyBytes, way.updatesBytes],
      ['A', 'max', 1021, 215, 108],
    );
  });
  it('a lower trigger by itself: how long is for the disk to say', () => {
    const [way] = ways({ evictionDirtyTrigger: 20 }, { evictionDirtyTrigger: 5 });
    assert.deepEqual(
      [way.to, way.usedBytes, way.dirtyBytes, way.minSeconds],
      ['B', null, 51, null],
    );
    assert.equal(
      rampEstimateWords(/** @type {any} */ ({ ...way, dirtyBytes: 51 * MB, updatesBytes: 0 }), {
        evictionDirtyTrigger: 5,
      }),
      'Each switch to B sets a lower trigger in steps (at most 60 s) and may ' +
        'block clients. It evicts what is above the limits of B first, now 51 MiB dirty.',
    );
  });
  it('both ways, where each is lower in something', () => {
    assert.deepEqual(
      ways(
        { cacheSizeGB: 1, evictionDirtyTrigger: 20 },
        { cacheSizeGB: 4, evictionDirtyTrigger: 2 },
      ).map(({ to }) => to),
      ['B', 'A'],
    );
  });
  it('what is not known is not nothing, and what does not go down is not there', () => {
    const [way] = ways({ cacheSizeGB: 1 }, { cacheSizeGB: 0.25 }, {});
    assert.deepEqual([way.usedBytes, way.dirtyBytes, way.minSeconds], [null, null, null]);
    assert.equal(
      rampEstimateWords(/** @type {any} */ (way), { cacheSizeGB: 0.25 }),
      'Each switch to B sets a smaller cache in steps (at most 60 s) and may ' + 'block clients.',
    );
    assert.deepEqual(ways({ evictionThreadsMax: 4 }, { evictionThreadsMax: 8 }), []);
    assert.deepEqual(
      rampEstimateOf({
        A: { evictionDirtyTrigger: 20 },
        B: { evictionDirtyTrigger: 5 },
        raw: { ...RAW, cacheSizeGB: null },
        live: LIVE,
      }),
      [],
    );
  });
});
