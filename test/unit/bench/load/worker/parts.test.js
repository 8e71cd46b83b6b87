'use strict';

const assert = require('node:assert/strict');
const { EventEmitter } = require('node:events');
const { BSON } = require('mongodb');
const { closedLoop, openLoop, TIMER_MS } = require('../../../../../lib/bench/load/worker/measure');
const { encode, inspect, Lane } = require('../../../../../lib/bench/load/worker/lane');
const { Recorder } = require('../../../../../lib/bench/load/worker/recorder');
const { makeSource } = require('../../../../../lib/bench/load/worker/runner');
const { mergeResults } = require('../../../../../lib/bench/load/workers');

describe('when operations begin', () => {
  it('closed loop: at once, and latency counts from then', () => {
    const schedule = closedLoop();
    assert.deepEqual(
      [schedule.next(7), schedule.fromMs(7, false), schedule.overdue(9)],
      [7, 7, []],
    );
    schedule.taken();
    assert.equal(schedule.next(8), 8);
  });
  it('open loop: at its moments, however late they are taken', () => {
    const schedule = openLoop({ ratePerSec: 100, startMs: 1000 });
    const taken = Array.from({ length: 4 }, () => {
      const moment = schedule.next(5000);
      schedule.taken();
      return [moment, schedule.fromMs(5000, false)];
    });
    assert.deepEqual(taken, [
      [1000, 1000],
      [1010, 1010],
      [1020, 1020],
      [1030, 1030],
    ]);
    assert.deepEqual(
      schedule.overdue(1065),
      [1040, 1050, 1060].map((moment) => ({ moment, count: 1 })),
    );
    assert.deepEqual(schedule.overdue(1040), []);
  });
  it('open loop: what a server leaves undone is put together, however much it is', () => {
    const left = openLoop({ ratePerSec: 1e6, startMs: 0 }).overdue(3600_000);
    assert.ok(left.length <= 1000);
    assert.equal(
      left.reduce((sum, { count }) => sum + count, 0),
      3600e6,
    );
    assert.ok(
      left.every(({ moment }, i) => moment > (left[i - 1]?.moment ?? 0)) &&
        Math.abs(left[0].moment - 1800) < 1,
    );
  });
  it("open loop: the lateness of a timer is not the server's, a longer one is counted", () => {
    const schedule = openLoop({ ratePerSec: 10, startMs: 0 });
    schedule.taken();
    assert.deepEqual(
      [
        schedule.fromMs(TIMER_MS, true),
        schedule.fromMs(TIMER_MS + 1, true),
        schedule.fromMs(TIMER_MS, false),
      ],
      [TIMER_MS, 0, 0],
    );
  });
});

/** @param {object} document as the server would answer */
const reply = (document) => encode(document, 1);

describe('messages', () => {
  it('a command is an OP_MSG with its body', () => {
    const message = encode({ find: 'c', $db: 'x' }, 42);
    assert.deepEqual(
      [message.readInt32LE(0), message.readInt32LE(4), message.readInt32LE(12), message[20]],
      [message.length, 42, 2013, 0],
    );
    assert.deepEqual(BSON.deserialize(message.subarray(21)), { find: 'c', $db: 'x' });
  });
  for (const [what, document, expected] of /** @type {[string, object, object][]} */ ([
    ['a write', { n: 1, nModified: 1, ok: 1 }, { ok: true, found: null }],
    [
      'a query with documents',
      { cursor: { firstBatch: [{ _id: 1 }], id: 0n, ns: 'x.c' }, ok: 1 },
      { ok: true, found: true },
    ],
    [
      'a query without',
      { cursor: { firstBatch: [], id: 0n, ns: 'x.c' }, ok: new BSON.Double(1) },
      { ok: true, found: false },
    ],
    ['a refusal', { ok: 0, errmsg: 'no', code: 13 }, { ok: false, code: 13, message: 'no' }],
    ['a refusal without a reason', { ok: 0 }, { ok: false, code: 'unknown', message: '' }],
    [
      'a write of which a part failed',
      { n: 1, writeErrors: [{ index: 0, code: 11000, errmsg: 'dup' }], ok: 1 },
      { ok: false, code: 11000, message: 'dup' },
    ],
    ['empty writeErrors', { n: 1, writeErrors: [], ok: 1 }, { ok: true, found: null }],
    [
      'fields whose names are as long',
      { ko: 1, cursed: 1, writeWonder: 1, ok: 1 },
      { ok: true, found: null },
    ],
  ]))
    it(`a reply: ${what}`, () => assert.deepEqual(inspect(reply(document)), expected));
});

describe('a lane', () => {
  function open() {
    const socket = Object.assign(new EventEmitter(), {
      written: /** @type {Buffer[]} */ ([]),
      destroyed: false,
      write(/** @type {Buffer} */ b) {
        this.written.push(b);
      },
      destroy() {
        this.destroyed = true;
      },
    });
    const seen = {
      replies: /** @type {Buffer[]} */ ([]),
      lost: /** @type {(Error | null)[]} */ ([]),
    };
    const lane = new Lane(/** @type {any} */ (socket), {
      replied: (_, message) => {
        seen.replies.push(message);
      },
      lost: (_, error) => {
        seen.lost.push(error);
      },
    });
    return { socket, seen, lane };
  }
  const message = reply({ ok: 1, much: 'x'.repeat(100) });
  for (const sizes of [
    [message.length],
    [1, message.length - 1],
    [2, 1, 3, message.length - 6],
    [50, message.length - 50],
  ]) {
    it(`puts together what comes in pieces of ${sizes}`, () => {
      const { socket, seen } = open();
      for (let twice = 0; twice < 2; twice++)
        for (let at = 0, i = 0; i < sizes.length; at += sizes[i++])
          socket.emit('data', message.subarray(at, at + sizes[i]));
      assert.deepEqual(
        seen.replies.map((one) => one.toString('hex')),
        [message, message].map((one) => one.toString('hex')),
      );
    });
  }
  it('tells once that it is lost, and nothing once it was closed', () => {
    const { socket, seen } = open();
    socket.emit('error', new Error('reset'));
    socket.emit('close');
    assert.deepEqual(
      seen.lost.map((error) => error?.message),
      ['reset'],
    );
    const other = open();
    other.lane.close();
    other.socket.emit('close');
    assert.deepEqual([other.seen.lost, other.socket.destroyed], [[], true]);
  });
});

describe('what one worker counts', () => {
  it('leaves the warm-up apart, and what ends after the end out of the rate only', () => {
    const recorder = new Recorder({ fromMs: 1000, untilMs: 2000 });
    recorder.done('read', 990, 999);
    recorder.done('read', 995, 1005);
    recorder.done('read', 1500, 1503);
    recorder.done('read', 1900, 2900);
    recorder.failed(13, 'no', 999);
    recorder.failed(13, 'no', 1100);
    recorder.failed(13, 'no', 1200);
    recorder.waited('read', 250, 1);
    const whole = mergeResults([{ ...recorder.result(), cpuMs: 0, busyRatio: 0 }], 1000);
    assert.deepEqual(
      [recorder.total, whole.ops, whole.opsPerSec, whole.errors.count, whole.notStarted],
      [4, 2, 2, 2, 1],
    );
    assert.ok(Math.abs((whole.latencyMs?.max ?? 0) - 1000) < 1);
    assert.deepEqual([recorder.ops[0], recorder.ops[5], recorder.maxMs[0]], [1, 1, 10]);
  });
});

describe('randomness', () => {
  it('gives as many bytes as asked, not the same ones', () => {
    const { bytes } = makeSource();
    const [one, other] = [bytes(100), bytes(100)];
    assert.deepEqual([one.length, other.length], [100, 100]);
    assert.notDeepEqual(one, other);
  });
});
