'use strict';

const assert = require('node:assert/strict');
const { trendsOf } = require('../../../lib/series/trends');
const { NO_FACTS } = require('../../../lib/server/pure/facts');

/** @import { Facts } from '../../../lib/server/pure/types' */

const T0 = Date.UTC(2026, 0, 1);
const HOUR_MS = 3_600_000;
const MiB = 2 ** 20;
const GiB = 2 ** 30;

/**
 * One point each hour.
 * @param {number} days
 * @param {(day: number, hour: number) => Record<string, number>} counters `day`: with its fraction
 * @param {{ follows?: (hour: number) => boolean, facts?: Partial<Facts> }} [more]
 */
function trends(days, counters, { follows = (hour) => hour > 0, facts = {} } = {}) {
  const points = Array.from({ length: days * 24 + 1 }, (_, hour) => ({
    sample: { atMs: T0 + hour * HOUR_MS, uptimeMs: null, counters: counters(hour / 24, hour) },
    heldUpThreads: 0,
    follows: follows(hour),
  }));
  return trendsOf(points, { ...NO_FACTS, ...facts });
}
/** @param {ReturnType<typeof trends>} found */
const named = (found) => found?.map(({ name }) => name);
/** A day's rhythm. @param {number} hour */
const rhythm = (hour) => (hour % 24 >= 8 && hour % 24 < 20 ? 1 : 0);
/** A number of connections. @param {number} current */
const connections = (current, available = 1000 - current) => ({
  'connections.current': current,
  'connections.available': available,
});

describe('series/trends', () => {
  it('has none of a recording of less than two days, nor of nothing', () => {
    assert.equal(
      trends(1, (day) => connections(100 + 100 * day)),
      null,
    );
    assert.equal(trendsOf([], NO_FACTS), null);
  });

  it('connections: start, end, how many more each day, and when the limit is met', () => {
    const found = trends(4, (day) => connections(100 + 100 * day));
    assert.deepEqual(named(found), ['connections']);
    const [{ from, to, perDay, days, limit, limitMs, fromMs, toMs }] = found ?? [];
    assert.ok(Math.abs(perDay - 100) < 1 && from > 100 && from < 200 && to > 400 && to < 500);
    assert.deepEqual([days, limit, fromMs, toMs - fromMs], [4, 1000, T0, 4 * 24 * HOUR_MS]);
    const inDays = (Number(limitMs) - toMs) / 24 / HOUR_MS;
    assert.ok(inDays > 5 && inDays < 6.5, `${inDays}`);
  });

  it('growth beneath a daily rhythm', () =>
    assert.deepEqual(
      named(trends(2, (day, hour) => connections(100 + 60 * day + 300 * rhythm(hour)))),
      ['connections'],
    ));

  for (const [
    title,
    counters,
  ] of /** @type {[string, (day: number, hour: number) => number][]} */ ([
    ['a daily rhythm alone', (_, hour) => 100 + 300 * rhythm(hour)],
    ['one step', (day) => (day > 1 ? 400 : 100)],
    ['a step in the middle of a long time', (day) => (day > 2 ? 400 : 100)],
    ['one peak', (day) => (day > 1 && day < 1.5 ? 900 : 100)],
    ['what falls', (day) => 900 - 100 * day],
    ['too little', (day) => 20 + 10 * day],
    ['little of much, with a limit that is far', (day) => 5000 + 20 * day],
  ]))
    for (const days of [2, 4])
      it(`no growth in ${days} days: ${title}`, () =>
        assert.deepEqual(named(trends(days, (...at) => connections(counters(...at), 50_000))), []));

  it('nothing where two thirds are not known', () =>
    assert.deepEqual(
      named(trends(2, (day, hour) => (hour < 16 ? connections(100 + 200 * day) : {}))),
      [],
    ));

  it('across a restart nothing is known to grow', () =>
    assert.deepEqual(named(trends(4, (day) => connections(100 + 100 * (day % 2)))), []));

  const memory = (/** @type {number} */ resident, used = GiB) => ({
    'process.residentBytes': resident,
    'cache.usedBytes': used,
    'cache.maxBytes': 2 * GiB,
  });
  it('memory beside the cache, up to what the cache leaves', () => {
    for (const facts of [
      { memoryBytes: 8 * GiB },
      { memLimitBytes: 8 * GiB, memoryBytes: 64 * GiB },
    ]) {
      const [{ name, limit, perDay }] =
        trends(3, (day) => memory(2 * GiB + day * 512 * MiB), { facts }) ?? [];
      assert.deepEqual([name, limit], ['memory', 6 * GiB]);
      assert.ok(Math.abs(perDay - 512 * MiB) < MiB);
    }
    const [{ limit }] =
      trends(3, (day) => ({ ...memory(2 * GiB + day * GiB), 'memory.totalBytes': 10 * GiB })) ?? [];
    assert.equal(limit, 8 * GiB);
    const [{ limit: unknown, limitMs }] = trends(3, (day) => memory(2 * GiB + day * GiB)) ?? [];
    assert.deepEqual([unknown, limitMs], [null, null]);
  });
  it('a cache that fills explains memory that grows with it', () =>
    assert.deepEqual(
      named(trends(3, (day) => memory(GiB + day * 300 * MiB, GiB / 2 + day * 300 * MiB))),
      ['cache'],
    ));
  it('memory that is free in the allocator is no growth', () =>
    assert.deepEqual(
      named(
        trends(3, (day) => ({
          ...memory(2 * GiB + day * GiB),
          'process.freeHeapBytes': day * GiB,
        })),
      ),
      [],
    ));

  it('the disk of dbPath, of which only what holds it', () => {
    const space = (/** @type {number} */ day) => ({
      'space.freeBytes@/': 90 * GiB,
      'space.freeBytes@/data': (50 - 10 * day) * GiB,
      'space.freeBytes@/data/backup': 5 * GiB,
      'space.freeBytes@/dat': GiB * day,
    });
    const [{ name, limit, limitMs, toMs, perDay }] =
      trends(2, space, { facts: { dbPath: '/data/db' } }) ?? [];
    assert.deepEqual([name, limit, Math.round(perDay / GiB)], ['space', 0, -10]);
    assert.ok(Number(limitMs) - toMs > 2.9 * 24 * HOUR_MS);
    assert.deepEqual(named(trends(2, space, { facts: { dbPath: '/var' } })), []);
    assert.deepEqual(named(trends(2, space)), []);
  });

  it('the rest: history, checkpoints, handles, latency', () => {
    let micros = 0;
    const found = trends(3, (day, hour) => {
      micros += 100 * (3000 + 3000 * day);
      return {
        'cache.historyOnDiskBytes': GiB + day * 2 * GiB,
        'checkpoint.lastMs': 10_000 + day * 30_000,
        'handles.active': 5000 + 1000 * day,
        'latency.readMicros': micros,
        'latency.readOps': 100 * hour,
        'latency.writeMicros': 1000 * hour,
        'latency.writeOps': hour,
      };
    });
    assert.deepEqual(named(found), ['history', 'checkpoints', 'handles', 'readLatency']);
    const checkpoints = found?.find(({ name }) => name === 'checkpoints');
    assert.deepEqual([checkpoints?.limit, checkpoints?.limitMs], [60_000, checkpoints?.toMs]);
    const latency = found?.find(({ name }) => name === 'readLatency');
    assert.ok(Math.abs(Number(latency?.perDay) - 3) < 0.2);
  });

  it('latency across a gap is not known', () =>
    assert.deepEqual(
      named(
        trends(
          2,
          (day, hour) => ({ 'latency.readMicros': hour ** 3 * 1e6, 'latency.readOps': hour * 10 }),
          { follows: () => false },
        ),
      ),
      [],
    ));
});
