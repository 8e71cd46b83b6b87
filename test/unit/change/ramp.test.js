'use strict';

const assert = require('node:assert/strict');
const { nextDown, isDrained, writeRate } = require('../../../lib/change/pure/ramp');
const { defaultsFor } = require('../../../lib/config/config-layers');

const GB = 2 ** 30;
const MB = 2 ** 20;
/** 1 GB: dirty 5 and 20% (204.8 MB), updates half of them. */
const NOW = { ...defaultsFor(9 * GB), cacheSizeGB: 1 };
/**
 * @param {object} change
 * @param {{
 *   dirtyMB?: number | null, updatesMB?: number | null, usedMB?: number | null,
 *   mbPerSec?: number | null
 * }} seen
 * @param {object} [now]
 */
const next = (change, { dirtyMB = 0, updatesMB = 0, usedMB = 0, mbPerSec = null }, now = {}) => {
  const inBytes = (/** @type {number | null} */ mb) => (mb === null ? null : mb * MB);
  return nextDown({ ...NOW, ...now }, change, {
    levels: {
      usedBytes: inBytes(usedMB),
      dirtyBytes: inBytes(dirtyMB),
      updatesBytes: inBytes(updatesMB),
    },
    bytesPerSec: inBytes(mbPerSec),
  });
};

describe('change/pure/ramp: an unknown trigger', () => {
  it('lowering starts from the whole cache', () =>
    assert.deepEqual(
      next({ evictionDirtyTrigger: 4 }, { dirtyMB: 512 }, { evictionDirtyTrigger: null }),
      { evictionDirtyTrigger: 45 },
    ));
  it('what has no trigger of its own to lower is set itself', () =>
    assert.equal(next({ evictionTarget: 70 }, { usedMB: 1000 }, { evictionTrigger: null }), null));
});

describe('change/pure/ramp: a smaller cache', () => {
  const TO = { cacheSizeGB: 0.25 };
  it('takes as much from the level as the disk writes in half a second', () => {
    // 200 - 40 = 160 MB are 20% of 800 MB.
    assert.deepEqual(next(TO, { dirtyMB: 200, mbPerSec: 80 }), { cacheSizeGB: 800 / 1024 });
    assert.deepEqual(next(TO, { dirtyMB: 200, mbPerSec: 160 }), { cacheSizeGB: 600 / 1024 });
  });
  it('a tenth of it while nobody knows the disk', () =>
    assert.deepEqual(next(TO, { dirtyMB: 200 }), { cacheSizeGB: 900 / 1024 }));
  it('starts from the level, however far that is below the present trigger', () =>
    assert.deepEqual(next(TO, { dirtyMB: 100, mbPerSec: 20 }), { cacheSizeGB: 450 / 1024 }));
  it('at the end as soon as the rest is drained in half a second, not a byte before', () => {
    assert.equal(next(TO, { dirtyMB: 51.2 + 40, mbPerSec: 80 }), null);
    assert.deepEqual(next(TO, { dirtyMB: 51.2 + 40.1, mbPerSec: 80 }), { cacheSizeGB: 257 / 1024 });
  });
  it('a level above the trigger counts as if it were at it', () => {
    // 204.8 - 40 = 164.8 MB are 20% of 824.
    assert.deepEqual(next(TO, { dirtyMB: 300, mbPerSec: 80 }), { cacheSizeGB: 824 / 1024 });
    assert.deepEqual(next(TO, { dirtyMB: 204.8, mbPerSec: 80 }), { cacheSizeGB: 824 / 1024 });
  });
  it('by whole megabytes, by one at least', () => {
    assert.deepEqual(next(TO, { dirtyMB: 204.7, mbPerSec: 0.001 }), { cacheSizeGB: 1023 / 1024 });
    assert.deepEqual(next(TO, { dirtyMB: 199.3, mbPerSec: 0.2 }), { cacheSizeGB: 996 / 1024 });
    assert.deepEqual(
      next(TO, { dirtyMB: 199.9, mbPerSec: 0.001 }, { cacheSizeGB: 1000 / 1024 + 1 / GB }),
      { cacheSizeGB: 1000 / 1024 },
    );
  });
  it('never under the end', () =>
    assert.equal(next({ cacheSizeGB: 1023.5 / 1024 }, { dirtyMB: 204.78, mbPerSec: 0.001 }), null));
  it('whichever of dirty and updates is nearer to its trigger counts', () => {
    // 100 - 10 = 90 MB are 10% of 900 MB.
    assert.deepEqual(next(TO, { dirtyMB: 60, updatesMB: 100, mbPerSec: 20 }), {
      cacheSizeGB: 900 / 1024,
    });
  });
  it(
    'clean pages leave by sizes whose trigger lies just above the level, so that no client has ' +
      'to evict',
    () => {
      // 95% of 840 MB are 798 MB, of which 774 are 97%.
      assert.deepEqual(next(TO, { usedMB: 774 }), { cacheSizeGB: 840 / 1024 });
      assert.deepEqual(next(TO, { usedMB: 774, mbPerSec: 1 }), { cacheSizeGB: 840 / 1024 });
      assert.equal(next(TO, { usedMB: 235 }), null);
      assert.deepEqual(next(TO, { usedMB: 237 }), { cacheSizeGB: 258 / 1024 });
    },
  );
  it('where the load holds clean pages at the trigger, by a tenth', () => {
    for (const usedMB of [900, 972.8, 1100])
      assert.deepEqual(next(TO, { usedMB }), { cacheSizeGB: 922 / 1024 });
  });
  it('of clean pages and dirty data, what allows less counts', () => {
    assert.deepEqual(next(TO, { usedMB: 774, dirtyMB: 200, mbPerSec: 20 }), {
      cacheSizeGB: 950 / 1024,
    });
    assert.deepEqual(next(TO, { usedMB: 774, dirtyMB: 100, mbPerSec: 160 }), {
      cacheSizeGB: 840 / 1024,
    });
  });
  it('what is not known holds nothing up', () =>
    assert.equal(next(TO, { dirtyMB: null, updatesMB: null, usedMB: null }), null));
  it('a larger one is at its end at once', () =>
    assert.equal(next({ cacheSizeGB: 2 }, { dirtyMB: 300 }), null));
});

describe('change/pure/ramp: a lower trigger', () => {
  const TO = { evictionDirtyTarget: 3, evictionDirtyTrigger: 5 };
  it('whole percent, rounded up, and no target', () => {
    // 200 - 40 = 160 MB are 15.6%.
    assert.deepEqual(next(TO, { dirtyMB: 200, mbPerSec: 80 }), { evictionDirtyTrigger: 16 });
    assert.deepEqual(next(TO, { dirtyMB: 204.8, mbPerSec: 20.48 }), { evictionDirtyTrigger: 19 });
  });
  it('bytes where a percent is more than the step', () =>
    assert.deepEqual(next(TO, { dirtyMB: 204.8, mbPerSec: 20 }), {
      evictionDirtyTrigger: Math.ceil(194.8 * MB),
    }));
  it('and on from bytes', () => {
    const now = { evictionDirtyTrigger: Math.ceil(194.8 * MB) };
    assert.deepEqual(next(TO, { dirtyMB: 194.8, mbPerSec: 0.2 }, now), {
      evictionDirtyTrigger: Math.ceil(194.7 * MB),
    });
    assert.deepEqual(next(TO, { dirtyMB: 194.8, mbPerSec: 20 }, now), { evictionDirtyTrigger: 19 });
  });
  it('the end, as with a cache', () => {
    assert.equal(next(TO, { dirtyMB: 51.2 + 40, mbPerSec: 80 }), null);
    assert.deepEqual(next(TO, { dirtyMB: 51.2 + 40.1, mbPerSec: 80 }), { evictionDirtyTrigger: 6 });
  });
  it('updates that follow it count, too', () =>
    assert.deepEqual(next(TO, { updatesMB: 102.4, mbPerSec: 20.48 }), {
      evictionDirtyTrigger: 18,
    }));
  it('an updates trigger of its own that is to follow again', () =>
    assert.deepEqual(
      next(
        { evictionUpdatesTrigger: 0 },
        { updatesMB: 180, mbPerSec: 40 },
        { evictionUpdatesTrigger: 18 },
      ),
      { evictionUpdatesTrigger: 16 },
    ));
  it('the trigger of the whole cache', () =>
    assert.deepEqual(
      next({ evictionTarget: 60, evictionTrigger: 70 }, { usedMB: 972.8, mbPerSec: 100 }),
      { evictionTrigger: 91 },
    ));
  it('comes to an end from anywhere', () => {
    let now = { ...NOW };
    for (let steps = 0; steps < 1000; steps += 1) {
      const triggerMB =
        now.evictionDirtyTrigger > 100
          ? now.evictionDirtyTrigger / MB
          : (now.evictionDirtyTrigger / 100) * 1024;
      const change = next(TO, { dirtyMB: triggerMB, mbPerSec: 3 }, now);
      if (change === null) {
        assert.ok(steps > 90, `${steps}`);
        return;
      }
      now = { ...now, ...change };
    }
    assert.fail('no end');
  });
});

describe('change/pure/ramp: when clients are let go', () => {
  const drained = (/** @type {object} */ change, /** @type {any} */ levels) =>
    isDrained(NOW, change, { usedBytes: null, dirtyBytes: null, updatesBytes: null, ...levels });
  it('at the trigger in effect, give or take what a level there swings', () => {
    const trigger = 0.2 * GB;
    assert.equal(drained({ cacheSizeGB: 0.5 }, { dirtyBytes: trigger * 1.019 }), true);
    assert.equal(drained({ cacheSizeGB: 0.5 }, { dirtyBytes: trigger * 1.021 }), false);
    assert.equal(drained({ evictionDirtyTrigger: 10 }, { dirtyBytes: trigger * 1.021 }), false);
  });
  it('each of the triggers that are lowered, and no other', () => {
    assert.equal(drained({ cacheSizeGB: 0.5 }, { dirtyBytes: 0, updatesBytes: 0.11 * GB }), false);
    assert.equal(drained({ evictionDirtyTrigger: 10 }, { usedBytes: 0.99 * GB }), true);
    assert.equal(drained({ evictionTrigger: 90 }, { usedBytes: 0.99 * GB, dirtyBytes: GB }), false);
    assert.equal(drained({ evictionTrigger: 90 }, { usedBytes: 0.9 * GB, dirtyBytes: GB }), true);
  });
  it('with a smaller cache, as soon as the next tenth costs no client anything', () => {
    assert.equal(drained({ cacheSizeGB: 0.5 }, { usedBytes: 0.83 * GB }), false);
    assert.equal(drained({ cacheSizeGB: 0.5 }, { usedBytes: 0.82 * GB }), true);
  });
  it('what is not known holds nobody', () => assert.equal(drained({ cacheSizeGB: 0.5 }, {}), true));
});

describe('change/pure/ramp: how fast the disk is', () => {
  const at = (/** @type {number} */ atMs, /** @type {number | undefined} */ writtenBytes) => ({
    atMs,
    writtenBytes,
  });
  it('is bytes a second', () => assert.equal(writeRate(at(1000, 10), at(1500, 30)), 40));
  it('is not known when nothing was written, it is not reported, or no time has passed', () => {
    assert.deepEqual(
      [writeRate(at(0, 10), at(1000, 10)), writeRate(at(0, 10), at(1000, 11))],
      [null, 1],
    );
    assert.deepEqual(
      [
        writeRate(at(0, undefined), at(1000, 11)),
        writeRate(at(0, 10), at(1000, undefined)),
        writeRate(at(0, 10), at(0, 20)),
        writeRate(at(0, 20), at(1000, 10)),
      ],
      [null, null, null, null],
    );
  });
});
