'use strict';

const assert = require('node:assert/strict');
const { Histogram } = require('../../../../lib/bench/pure/histogram');
const { stallsIn } = require('../../../../lib/bench/load/worker/recorder');
const { mergeResults } = require('../../../../lib/bench/load/workers');
const { clientLimit, disturbances, wantsProcess } = require('../../../../lib/bench/thread-count');
const { turns } = require('../../../../lib/bench/compare-servers');
const { gainsOf } = require('../../../../lib/bench/measure-steps');
const {
  missingPieces,
  insertFrom,
  dealt,
  INSERTS_PER_RUN,
} = require('../../../../lib/bench/load/data');

/** @param {...[number, number]} runs of slots: how many, with how many operations each */
const slots = (...runs) => runs.flatMap(([length, ops]) => new Array(length).fill(ops));

describe('stalls of a benchmark', () => {
  for (const [what, seen, expected] of /** @type {[string, number[], object | null][]} */ ([
    ['none in a steady run', slots([100, 50]), { count: 0, longestMs: 0, totalMs: 0 }],
    [
      'half a second without anything',
      slots([50, 50], [5, 0], [45, 50]),
      { count: 1, longestMs: 500, totalMs: 500 },
    ],
    [
      'less than that is none',
      slots([50, 50], [4, 0], [46, 50]),
      { count: 0, longestMs: 0, totalMs: 0 },
    ],
    [
      'next to nothing is nothing',
      slots([50, 50], [10, 2], [40, 50]),
      { count: 1, longestMs: 1000, totalMs: 1000 },
    ],
    [
      'a twentieth of the usual is something',
      slots([50, 40], [10, 2], [40, 40]),
      { count: 0, longestMs: 0, totalMs: 0 },
    ],
    [
      'two, one up to the end',
      slots([30, 50], [20, 0], [40, 50], [10, 0]),
      { count: 2, longestMs: 2000, totalMs: 3000 },
    ],
    [
      'most of the time stalls',
      slots([70, 0], [30, 50]),
      { count: 1, longestMs: 7000, totalMs: 7000 },
    ],
    ['too few operations to tell', slots([100, 1]), null],
    ['nothing at all', [], null],
  ]))
    it(what, () => assert.deepEqual(stallsIn(seen), expected));
});

/**
 * What a worker answers.
 * @param {{ kinds: Record<string, number[]>, slots: number[], [more: string]: any }} about `kinds`:
 *   latencies in ms
 */
function measured({ kinds, slots: ops, ...more }) {
  return {
    ops: Uint32Array.from(ops),
    maxMs: Float64Array.from(ops, (n) => n),
    sumMs: Float64Array.from(ops, (n) => n * 2),
    missed: 0,
    notStarted: 0,
    errors: [],
    cpuMs: 500,
    busyRatio: 0.2,
    kinds: Object.entries(kinds).map(([kind, ms]) => {
      const histogram = new Histogram();
      ms.forEach((one) => histogram.record(one * 1000));
      return { kind, ops: ms.length, histogram: histogram.toCounts() };
    }),
    ...more,
  };
}

describe('the results of several workers, as one', () => {
  const one = measured({
    kinds: { read: [1, 2, 3], update: [10] },
    slots: slots([20, 5]),
    missed: 1,
    errors: [{ code: 11000, count: 2, message: 'duplicate' }],
  });
  const two = measured({
    kinds: { read: [4, 100] },
    slots: slots([20, 6]),
    notStarted: 3,
    busyRatio: 0.7,
    errors: [
      { code: 11000, count: 1, message: 'duplicate' },
      { code: 'connection', count: 4, message: 'reset' },
    ],
  });
  const whole = mergeResults([one, two], 2000);
  const near = (/** @type {number} */ a, /** @type {number} */ b) =>
    assert.ok(Math.abs(a - b) <= b * 0.002, `${a}, not ${b}`);

  it('adds operations and histograms', () => {
    assert.deepEqual(
      [whole.ops, whole.opsPerSec, whole.operations.read.ops, whole.operations.read.opsPerSec],
      [6, 3, 5, 2.5],
    );
    near(whole.latencyMs?.max ?? 0, 100);
    near(whole.latencyMs?.p50 ?? 0, 3);
    near(whole.operations.update.latencyMs.max, 10);
  });
  it('tells each second', () => {
    assert.deepEqual(whole.perSecond, [
      { second: 1, opsPerSec: 110, meanMs: 2, maxMs: 6 },
      { second: 2, opsPerSec: 110, meanMs: 2, maxMs: 6 },
    ]);
    assert.deepEqual(
      mergeResults([measured({ kinds: {}, slots: slots([10, 0]) })], 1000).perSecond,
      [{ second: 1, opsPerSec: 0, meanMs: null, maxMs: null }],
    );
  });
  it('counts errors by what they are, and the rest', () => {
    assert.deepEqual(whole.errors, {
      count: 7,
      byCode: [
        { code: 'connection', count: 4, message: 'reset' },
        { code: 11000, count: 3, message: 'duplicate' },
      ],
    });
    assert.deepEqual(
      [whole.notFound, whole.notStarted, whole.client],
      [1, 3, { cpuCores: 0.5, busyRatio: 0.7 }],
    );
  });
  it('knows nothing where nothing ended', () => {
    const nothing = mergeResults([], 1000);
    assert.deepEqual(
      [nothing.latencyMs, nothing.stalls, nothing.opsPerSec, nothing.client.busyRatio],
      [null, null, 0, 0],
    );
  });
});

describe('what was the limit', () => {
  const seen = {
    busyRatio: 0.3,
    clientCores: 0.5,
    serverCores: 1,
    cores: 8,
    machineBusyRatio: 0.5,
    machineCores: 8,
    sameMachine: false,
  };
  for (const [what, more, bound] of /** @type {[string, object, boolean][]} */ ([
    ['nobody is busy', {}, false],
    ['the client has no time, the server has', { busyRatio: 0.85 }, true],
    ['the client has a little time', { busyRatio: 0.84 }, false],
    ['neither has time', { busyRatio: 0.99, serverCores: 6.8 }, false],
    ['the server does not report', { busyRatio: 0.99, serverCores: null }, true],
    ['the machine of the client is full', { machineBusyRatio: 0.95 }, true],
    ['the machine that both share is full', { machineBusyRatio: 0.95, sameMachine: true }, true],
  ])) {
    it(what, () => {
      const { clientBound, because } = clientLimit({ ...seen, ...more });
      assert.deepEqual([clientBound, because !== null], [bound, bound]);
    });
  }
  it('says that others had a part of the machine', () => {
    assert.deepEqual(disturbances({ ...seen, machineBusyRatio: 1, clientCores: 7 }), []);
    assert.deepEqual(disturbances({ ...seen, machineBusyRatio: 0.9 }), []);
    assert.match(disturbances({ ...seen, machineBusyRatio: 1 })[0], /about 7\.5 of its 8 CPUs/);
    assert.match(
      disturbances({ ...seen, machineBusyRatio: 1, sameMachine: true })[0],
      /about 6\.5 of its 8/,
    );
    assert.match(
      disturbances({ ...seen, machineBusyRatio: 1, sameMachine: true, serverCores: null })[0],
      /about 7\.5 of its 8/,
    );
  });
  it('wants another process only where that may help', () => {
    const sample = (/** @type {number} */ busyRatio, /** @type {number} */ serverCores) => ({
      client: { busyRatio },
      serverCores,
    });
    assert.deepEqual(
      [sample(0.9, 1), sample(0.5, 1), sample(0.9, 7)].map((one) => wantsProcess(one, 8)),
      [true, false, false],
    );
  });
});

describe('turns', () => {
  for (const [count, rounds] of [
    [2, 6],
    [3, 12],
    [4, 8],
  ]) {
    it(`of ${count} in ${rounds} rounds: each once a round, each as often first`, () => {
      const all = turns(count, rounds);
      assert.ok(all.every((round) => new Set(round).size === count && round.length === count));
      const first = Array.from(
        { length: count },
        (_, who) => all.filter((round) => round[0] === who).length,
      );
      assert.equal(new Set(first).size, 1, first.join());
    });
  }
  it('of two: one after the other, then the other way round', () =>
    assert.deepEqual(turns(2, 4), [
      [0, 1],
      [1, 0],
      [1, 0],
      [0, 1],
    ]));
});

describe('the gains of steps', () => {
  const at = (
    /** @type {'baseline' | 'step'} */ kind,
    /** @type {number} */ opsPerSec,
    hostSteps = 0,
  ) => ({ kind, opsPerSec, hostSteps });
  const rounded = (/** @type {any[]} */ measuredSteps) =>
    measuredSteps.map(({ ratio, gain, drift }) =>
      [ratio, gain, drift].map((n) => Number(n.toFixed(3))),
    );
  it('each against the baseline and the one before', () => {
    assert.deepEqual(
      rounded(
        gainsOf([at('baseline', 100), at('step', 120), at('step', 180), at('baseline', 100)]),
      ),
      [
        [1, 1, 1],
        [1.2, 1.2, 1],
        [1.8, 1.5, 1],
        [1, 1, 1],
      ],
    );
  });
  it('takes out what the machine drifted', () => {
    assert.deepEqual(rounded(gainsOf([at('baseline', 100), at('step', 108), at('baseline', 80)])), [
      [1, 1, 1],
      [1.2, 1.2, 0.9],
      [1, 1, 0.8],
    ]);
  });
  it('takes no step outside the engine for drift', () => {
    const measuredSteps = rounded(
      gainsOf([
        at('baseline', 100),
        at('step', 150, 1),
        at('baseline', 140, 1),
        at('step', 150, 1),
        at('baseline', 70, 1),
      ]),
    );
    assert.deepEqual(measuredSteps, [
      [1, 1, 1],
      [1.5, 1.5, 1],
      [1.4, 1, 1],
      [2, 1.333, 0.75],
      [1.4, 1, 0.5],
    ]);
  });
  it('goes on with the last known drift', () =>
    assert.deepEqual(
      rounded(gainsOf([at('baseline', 100), at('baseline', 50), at('step', 50)]))[2],
      [1, 1, 0.5],
    ));
});

describe('the pieces of the data', () => {
  it('those that are missing', () => {
    assert.deepEqual(missingPieces(3500, [0, 2]), [1, 3]);
    assert.deepEqual(missingPieces(3000, [0, 1, 2]), []);
    assert.deepEqual(missingPieces(0, []), []);
  });
  it('dealt among workers', () =>
    assert.deepEqual(dealt([1, 2, 3, 4, 5], 2), [
      [1, 3, 5],
      [2, 4],
    ]));
  it('no run inserts what another one may have inserted', () =>
    assert.deepEqual([insertFrom(10, 0), insertFrom(10, 3)], [10, 10 + 3 * INSERTS_PER_RUN]));
});
