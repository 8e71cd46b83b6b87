'use strict';

const assert = require('node:assert/strict');
const { windowOf } = require('../../support/samples');
const { findCheckpoints, checkpointsOf } = require('../../../lib/server/pure/checkpoints');

const START = Date.UTC(2026, 0, 1);
/**
 * One sample a second.
 * @param {number[]} running
 * @param {number[]} totalMs
 * @param {number[]} generation
 * @param {object} [more]
 */
const timeChart = (running, totalMs, generation, more = {}) =>
  windowOf({
    'checkpoint.running': running,
    'checkpoint.totalMs': totalMs,
    'checkpoint.generation': generation,
    'checkpoint.lastMs': totalMs.map((total, i) =>
      i > 0 && total > totalMs[i - 1] ? total - totalMs[i - 1] : 0,
    ),
    ...more,
  });
const seen = (window) =>
  findCheckpoints(window)?.map(({ fromMs, durationMs, before, after }) => [
    (fromMs - START) / 1000,
    durationMs,
    before,
    after,
  ]);

describe('checkpoints as samples show them', () => {
  it('one that samples saw running: its duration to the millisecond, its beginning between two samples', () => {
    assert.deepEqual(
      seen(timeChart([0, 0, 1, 1, 1, 0, 0], [5, 5, 5, 5, 5, 2905, 2905], [1, 1, 2, 2, 2, 2, 2])),
      [[1.55, 2900, 1, 5]],
    );
  });
  it('one between two samples', () => {
    assert.deepEqual(seen(timeChart([0, 0, 0], [5, 205, 205], [1, 2, 2])), [[0.4, 200, 0, 1]]);
  });
  it('one that had begun before the window', () => {
    assert.deepEqual(seen(timeChart([1, 1, 0], [0, 0, 9000], [2, 2, 2])), [[-7.5, 9000, 0, 2]]);
  });
  it('one that still runs at the end', () => {
    assert.deepEqual(seen(timeChart([0, 0, 1, 1], [5, 5, 5, 5], [1, 1, 2, 2])), [[2, null, 1, 3]]);
  });
  it('the flag that stays up a little longer is no second one, at the beginning of the window neither', () => {
    assert.equal(
      seen(timeChart([0, 1, 1, 0, 0], [0, 0, 700, 700, 700], [1, 2, 2, 2, 2])).length,
      1,
    );
    assert.deepEqual(
      seen(timeChart([1, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 100], [1, 1, 1, 1, 1, 2])),
      [[4.45, 100, 4, 5]],
    );
  });
  it('one right behind another', () => {
    assert.deepEqual(
      seen(timeChart([1, 1, 1, 0], [0, 0, 900, 1800], [2, 2, 3, 3])).map(([, ms, before]) => [
        ms,
        before,
      ]),
      [
        [900, 0],
        [900, 1],
      ],
    );
  });
  it('two between two samples', () => {
    const window = timeChart([0, 0], [0, 300], [1, 3], { 'checkpoint.lastMs': [0, 100] });
    assert.deepEqual(
      seen(window).map(([, ms]) => ms),
      [200, 100],
    );
  });
  it('without its duration the growth of the total is one', () => {
    assert.deepEqual(
      seen(timeChart([0, 0], [0, 300], [1, 2], { 'checkpoint.lastMs': undefined })).map(
        ([, ms]) => ms,
      ),
      [300],
    );
  });
  it('none is an empty list; a server that does not report, or one sample, is not known', () => {
    assert.deepEqual(findCheckpoints(timeChart([0, 0], [5, 5], [1, 1])), []);
    assert.equal(findCheckpoints(windowOf({ 'checkpoint.running': [0, 0] })), null);
    assert.equal(
      findCheckpoints({
        ...timeChart([0, 0], [5, 5], [1, 1]),
        samples: timeChart([0, 0], [5, 5], [1, 1]).samples.slice(0, 1),
      }),
      null,
    );
  });
});

/**
 * Twenty seconds at 100 operations a second; in `still` none is completed, and those after it had
 * waited.
 * @param {number[]} still
 */
function work(still) {
  const ops = [0];
  const micros = [0];
  for (let i = 1; i <= 20; i++) {
    ops.push(ops[i - 1] + (still.includes(i) ? 0 : 100));
    micros.push(
      micros[i - 1] + (still.includes(i) ? 0 : 100_000) + (still.includes(i - 1) ? 8e6 : 0),
    );
  }
  return {
    'latency.readOps': ops,
    'latency.readMicros': micros,
    'latency.writeOps': 0,
    'latency.writeMicros': 0,
  };
}
const from = (at, value) => Array.from({ length: 21 }, (_, i) => (i >= at ? value : 0));
const running = Array.from({ length: 21 }, (_, i) => (i >= 5 && i < 8 ? 1 : 0));
const one = (still, more = {}) =>
  checkpointsOf(timeChart(running, from(8, 2800), from(5, 1), { ...work(still), ...more }));

describe('what operations did meanwhile', () => {
  it('a stall in the checkpoint, with what was written', () => {
    const answer = one([6, 7], {
      'block.writtenBytes': from(6, 5000),
      'block.checkpointBytes': from(7, 900),
    });
    assert.deepEqual(answer.stalls, [
      { from: new Date(START + 5000), seconds: 2, inCheckpoint: true },
    ]);
    const [checkpoint] = answer.checkpoints;
    assert.deepEqual(
      [
        checkpoint.durationMs,
        checkpoint.running,
        checkpoint.writtenBytes,
        checkpoint.checkpointBytes,
        checkpoint.stalledSeconds,
        checkpoint.opsPerSec,
      ],
      [2800, false, 5000, 900, 2, 50],
    );
    assert.deepEqual(answer.opsPerSec, { inside: 50, outside: 100 });
    const markOf = ({ checkpoint: isRunning, stalled }) => {
      if (stalled) return '!';
      return isRunning ? '-' : '.';
    };
    assert.equal(answer.timeline.map(markOf).join(''), '....-!!-............');
  });
  it('a stall outside of it', () => {
    const answer = one([15]);
    assert.deepEqual(
      answer.stalls.map(({ seconds, inCheckpoint }) => [seconds, inCheckpoint]),
      [[1, false]],
    );
    assert.deepEqual(
      [
        answer.checkpoints[0].stalledSeconds,
        answer.checkpoints[0].writtenBytes,
        answer.checkpoints[0].opsPerSec,
      ],
      [0, null, 100],
    );
  });
  it('no stall is an empty list, too little work is not known', () => {
    assert.deepEqual(one([]).stalls, []);
    const idle = one([], { 'latency.readOps': 0, 'latency.readMicros': 0 });
    assert.deepEqual(
      [idle.stalls, idle.checkpoints[0].stalledSeconds, idle.opsPerSec],
      [null, null, { inside: 0, outside: 0 }],
    );
    assert.deepEqual(one([], { 'latency.readOps': undefined }).opsPerSec, {
      inside: null,
      outside: null,
    });
  });
  it('a counter of bytes that shrank is not known', () => {
    assert.equal(one([], { 'block.writtenBytes': from(6, -5) }).checkpoints[0].writtenBytes, null);
  });
  it('a server that tells nothing of checkpoints still shows its stalls', () => {
    const answer = checkpointsOf(windowOf(work([9])));
    assert.deepEqual(
      [answer.checkpoints, answer.stalls.length, answer.opsPerSec.inside],
      [null, 1, null],
    );
  });
});
