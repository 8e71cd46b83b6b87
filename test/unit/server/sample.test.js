'use strict';

const assert = require('node:assert/strict');
const { Long, EJSON, Timestamp, Decimal128, Double } = require('bson');
const { readSample, withSystem } = require('../../../lib/server/pure/sample');
const { toNumber, toMs } = require('../../../lib/base/pure/numbers');

const BIG = 5_000_000_000;

describe('server/pure/sample: numbers at the door', () => {
  const cases = [
    ['a number', BIG, BIG],
    ['a Long', Long.fromNumber(BIG), BIG],
    ['a negative Long', Long.fromNumber(-BIG), -BIG],
    ['an unsigned Long', Long.MAX_UNSIGNED_VALUE, 2 ** 64],
    ['$numberLong', { $numberLong: String(BIG) }, BIG],
    ['$numberInt', { $numberInt: '7' }, 7],
    ['$numberDouble', { $numberDouble: '0.5' }, 0.5],
    ['$numberDecimal', { $numberDecimal: '12.5' }, 12.5],
    [
      'JSON.stringify of a Long',
      JSON.parse(JSON.stringify({ high: 1, low: -1, unsigned: false })),
      2 ** 33 - 1,
    ],
    ['a Double', new Double(1.5), 1.5],
    ['true', true, 1],
    ['false', false, 0],
    ['a bigint', 12n, 12],
  ];
  for (const [title, value, wanted] of cases)
    it(title, () => assert.equal(toNumber(value), wanted));

  for (const value of [
    undefined,
    null,
    'text',
    NaN,
    Infinity,
    {},
    [],
    { $numberLong: 'x' },
    new Date(0),
    Decimal128.fromString('NaN'),
  ]) {
    it(`${String(value && value.constructor ? value.constructor.name : value)} is not a number`, () =>
      assert.equal(toNumber(value), undefined));
  }
  it('a Timestamp is no gauge', () => assert.notEqual(toNumber(new Timestamp({ t: 1, i: 1 })), 1));
});

describe('server/pure/sample: times', () => {
  const at = Date.UTC(2026, 10, 21);
  for (const [title, value] of [
    ['a Date', new Date(at)],
    ['ISO text', new Date(at).toISOString()],
    ['$date text', { $date: new Date(at).toISOString() }],
    ['$date with $numberLong', { $date: { $numberLong: String(at) } }],
    ['epoch seconds', at / 1000],
  ])
    it(title, () => assert.equal(toMs(value), at));
  it('nothing', () => assert.equal(toMs(undefined), undefined));
});

describe('server/pure/sample: a document', () => {
  const status = {
    localTime: new Date(5000),
    uptime: 12,
    uptimeMillis: Long.fromNumber(12_345),
    wiredTiger: {
      cache: {
        'maximum bytes configured': Long.fromNumber(BIG),
        'bytes currently in the cache': 17,
      },
    },
    mem: { resident: 3 },
    flowControl: { isLagged: true },
  };
  it('reads what is there and leaves out what is not', () => {
    const { counters, atMs, uptimeMs } = readSample(status);
    assert.deepEqual(counters, {
      'cache.maxBytes': BIG,
      'cache.usedBytes': 17,
      'process.residentBytes': 3 * 2 ** 20,
      'flowControl.lagged': 1,
    });
    assert.deepEqual([atMs, uptimeMs], [5000, 12_345]);
  });
  it('gives the same from extended JSON and from JSON.stringify', () => {
    assert.deepEqual(readSample(EJSON.serialize(status, { relaxed: false })), readSample(status));
    assert.deepEqual(readSample(JSON.parse(JSON.stringify(status))), readSample(status));
  });
  it('takes seconds of uptime, and the time it was told, where there is nothing better', () => {
    assert.deepEqual(readSample({ uptime: 12 }, 99), { atMs: 99, uptimeMs: 12_000, counters: {} });
    assert.deepEqual(readSample({ t: 2 }), { atMs: 2000, uptimeMs: null, counters: {} });
    assert.ok(Number.isNaN(readSample({}).atMs));
  });
  it('takes what is told of the machine afterwards as it takes what is told with it', () => {
    const systemMetrics = { start: new Date(5000), disks: { sda: { io_time_ms: 7 } } };
    assert.deepEqual(
      withSystem({ ...readSample(status), systemMetrics }),
      readSample({ ...status, systemMetrics }),
    );
    assert.equal(readSample({ ...status, systemMetrics }).counters['disk.busyMs@sda'], 7);
    assert.deepEqual(withSystem(readSample(status)), readSample(status));
  });
  it('what is below nothing is not known', () => {
    const { counters } = readSample({
      wiredTiger: {
        cache: { 'bytes currently in the cache': -1, 'tracked dirty bytes in the cache': 0 },
      },
    });
    assert.deepEqual([counters['cache.usedBytes'], counters['cache.dirtyBytes']], [undefined, 0]);
    assert.deepEqual(
      [{ uptimeMillis: -1 }, { uptime: -1 }, { uptimeMillis: 0 }].map(
        (reported) => readSample(reported).uptimeMs,
      ),
      [null, null, 0],
    );
  });
  it("prefers the newer spelling, and turns 9.0's percent times 100 into percent", () => {
    const { counters } = readSample({
      wiredTiger: {
        cache: {
          'pages evicted by application threads': 1,
          'page evict attempts by application threads': 2,
          'eviction threshold dirty trigger multiplied by 100 for precision': 2050,
        },
      },
    });
    assert.equal(counters['eviction.appPages'], 2);
    assert.equal(counters['eviction.dirtyTriggerPercent'], 20.5);
  });
});
