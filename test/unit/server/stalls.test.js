'use strict';

const assert = require('node:assert/strict');
const {
  findStalls,
  quietShare,
  cacheWaitShare,
  stallsIn,
  checkpointPace,
} = require('../../../lib/server/pure/stalls');
const { makeWindow } = require('../../../lib/server/pure/window');
const { windowOf } = require('../../support/samples');

/**
 * Counters from what each second completed and how long it had taken.
 * @param {{ ops: number, ms?: number, running?: number }[]} seconds
 * @param {any} [options]
 */
function windowFrom(seconds, options) {
  const sums = (/** @type {number[]} */ list) =>
    list.reduce((all, n) => [...all, /** @type {number} */ (all.at(-1)) + n], [0]);
  return windowOf(
    {
      'latency.readOps': sums(seconds.map(({ ops }) => ops)),
      'latency.readMicros': sums(seconds.map(({ ops, ms = ops }) => ms * 1000)),
      'latency.writeOps': 0,
      'latency.writeMicros': 0,
      'checkpoint.running': [0, ...seconds.map(({ running = 0 }) => running)],
    },
    options,
  );
}
const busy = (/** @type {number} */ n, /** @type {any} */ more = {}) =>
  Array.from({ length: n }, () => ({ ops: 600, ...more }));
const still = (/** @type {number} */ n, /** @type {any} */ more = {}) =>
  Array.from({ length: n }, () => ({ ops: 0, ms: 0, ...more }));
/**
 * Right after a stall of `seconds` come the operations that 8 clients had waited with.
 * @param {number} seconds
 */
const released = (seconds) => ({ ops: 1000, ms: 1000 + 8000 * seconds });

describe('server/pure/stalls', () => {
  it('finds the seconds in which clients waited and nothing was completed', () => {
    const window = windowFrom([
      ...busy(10),
      ...still(4),
      released(4),
      ...busy(10),
      ...still(2),
      released(2),
      ...busy(5),
    ]);
    assert.deepEqual(findStalls(window), { seconds: 6, longestSeconds: 4, inCheckpointSeconds: 0 });
  });
  it('a pause of the clients is none: nobody had waited', () => {
    assert.deepEqual(findStalls(windowFrom([...busy(10), ...still(4), ...busy(10)])), {
      seconds: 0,
      longestSeconds: 0,
      inCheckpointSeconds: 0,
    });
  });
  it('half of the stall must have been waited, by one client at least', () => {
    const after = (/** @type {number} */ waitedMs) =>
      findStalls(
        windowFrom([...busy(10), ...still(4), { ops: 1000, ms: 1000 + waitedMs }, ...busy(10)]),
      )?.seconds;
    assert.equal(after(2000), 4);
    assert.equal(after(1999), 0);
  });
  it('a stall at the end of the window cannot be told from a pause', () =>
    assert.equal(findStalls(windowFrom([...busy(12), ...still(4)]))?.seconds, 0));
  it('next to nothing counts as nothing, a twentieth does not', () => {
    const slow = (/** @type {number} */ ops) =>
      findStalls(windowFrom([...busy(10), { ops, ms: 0 }, released(1), ...busy(10)]))?.seconds;
    assert.equal(slow(29), 1);
    assert.equal(slow(30), 0);
  });
  it('says how much of it fell into a checkpoint', () => {
    const window = windowFrom([
      ...busy(10),
      ...still(2, { running: 1 }),
      ...still(2),
      released(4),
      ...busy(10),
    ]);
    // The second after the end still began inside it.
    assert.deepEqual(findStalls(window), { seconds: 4, longestSeconds: 4, inCheckpointSeconds: 3 });
  });
  it('stays right when the server stalls most of the time', () => {
    const window = windowFrom([...busy(3), ...still(12), released(12), ...busy(3)]);
    assert.equal(findStalls(window)?.longestSeconds, 12);
  });
  it('says nothing of too few, too coarse, or too idle intervals', () => {
    assert.equal(findStalls(windowFrom(busy(9))), undefined);
    assert.notEqual(findStalls(windowFrom(busy(10))), undefined);
    assert.equal(findStalls(windowFrom(busy(10), { everyMs: 5001 })), undefined);
    assert.notEqual(findStalls(windowFrom(busy(10), { everyMs: 5000 })), undefined);
    assert.equal(findStalls(windowFrom(busy(10, { ops: 19 }))), undefined);
    assert.notEqual(findStalls(windowFrom(busy(10, { ops: 20 }))), undefined);
    assert.equal(findStalls(windowOf({ 'latency.readOps': [1, 2, 3] })), undefined);
    assert.equal(stallsIn([]), undefined);
  });
});

describe('server/pure/stalls: what the engine writes meanwhile', () => {
  /**
   * A checkpoint of eight seconds in the middle of the window.
   * @param {number[]} written MB in each of its seconds
   */
  const quietIn = (written) => {
    const seconds = [
      ...busy(12),
      { ops: 500, running: 1 },
      ...still(6, { running: 1 }),
      released(6),
      ...busy(12),
    ];
    const each = [...Array(12).fill(5), ...written, ...Array(12).fill(5)];
    const { samples } = windowFrom(seconds);
    let bytes = 0;
    return quietShare(
      makeWindow(
        samples.map((sample, i) => {
          bytes += i === 0 ? 0 : each[i - 1] * 1e6;
          return { ...sample, counters: { ...sample.counters, 'cache.writtenBytes': bytes } };
        }),
      ),
    );
  };
  // Measured: 51 MB in the first second of the checkpoint, then six seconds of waiting for the
  // disk.
  it('nothing: it waits itself', () => assert.equal(quietIn([51, 0, 0, 0, 0, 0, 0, 0]), 1));
  it('a twentieth of the usual rate is next to nothing', () =>
    assert.equal(quietIn([20, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 5]), 1));
  it('pages: the checkpoint is at work', () =>
    assert.equal(quietIn([8, 8, 8, 8, 0, 0, 0, 0]), 0.5));
  it('is not known without a stall, without writes, or where the server does not report', () => {
    assert.equal(quietShare(windowFrom(busy(20))), undefined);
    assert.equal(quietIn(Array(8).fill(0)), 1);
    assert.equal(
      quietShare(windowFrom([...busy(10), ...still(4), released(4), ...busy(10)])),
      undefined,
    );
  });
});

describe('server/pure/stalls: the pace in checkpoints', () => {
  it('compares what is done inside with what is done outside', () => {
    const window = windowFrom([
      ...busy(10),
      ...busy(4, { ops: 300, ms: 600, running: 1 }),
      { ops: 300, ms: 600 },
      ...busy(10),
    ]);
    assert.equal(checkpointPace(window), 0.5);
  });
  it('says nothing when clients wanted less meanwhile', () => {
    assert.equal(
      checkpointPace(
        windowFrom([
          ...busy(10),
          ...busy(4, { ops: 300, ms: 299, running: 1 }),
          { ops: 300, ms: 299 },
          ...busy(10),
        ]),
      ),
      undefined,
    );
    assert.notEqual(
      checkpointPace(
        windowFrom([
          ...busy(10),
          ...busy(4, { ops: 300, ms: 300, running: 1 }),
          { ops: 300, ms: 300 },
          ...busy(10),
        ]),
      ),
      undefined,
    );
  });
  it('says nothing without a checkpoint, without time outside of one, or without work', () => {
    assert.equal(checkpointPace(windowFrom(busy(20))), undefined);
    assert.equal(checkpointPace(windowFrom(busy(20, { running: 1 }))), undefined);
    assert.equal(checkpointPace(windowFrom([...busy(4), ...busy(4, { running: 1 })])), undefined);
    assert.equal(
      checkpointPace(windowFrom([...busy(10, { ops: 19 }), ...busy(4, { ops: 19, running: 1 })])),
      undefined,
    );
  });
});

describe('server/pure/stalls: what a stall waits for', () => {
  /** @param {(i: number) => number} waited micros of application threads for the cache, until then */
  const stalled = (waited) =>
    makeWindow(
      Array.from({ length: 40 }, (_, i) => {
        const ops = Math.max(Math.min(i, 20), i - 4) * 600;
        return {
          atMs: i * 1000,
          uptimeMs: 90_000 + i * 1000,
          counters: {
            'latency.readOps': ops,
            'latency.readMicros': ops * 1000 + (i > 24 ? 32e6 : 0),
            'latency.writeOps': 0,
            'latency.writeMicros': 0,
            ...(waited(i) >= 0 && { 'eviction.waitMicros': waited(i) }),
          },
        };
      }),
    );
  it('the cache, also where the wait is counted right after it', () =>
    assert.deepEqual(
      [
        cacheWaitShare(stalled((i) => (i > 24 ? 2e6 : 0))),
        cacheWaitShare(stalled((i) => (i > 24 ? 1.9e6 : 0))),
        cacheWaitShare(stalled((i) => (i > 26 ? 9e6 : 0))),
      ],
      [1, 0, 0],
    ));
  it('is not known without the counter, or without a stall', () => {
    assert.equal(cacheWaitShare(stalled(() => -1)), undefined);
    assert.equal(cacheWaitShare(makeWindow(stalled(() => 0).samples.slice(0, 15))), undefined);
  });
});
