'use strict';

const assert = require('node:assert/strict');
const { MS_PER_DAY } = require('../../../lib/base/pure/units');
const {
  ttlIndexesOf,
  dueOf,
  firstDue,
  expiryOf,
  hoursOf,
  quietRatio,
  workOf,
  HOUR_MS,
} = require('../../../lib/ttl/pure/ttl');

const collection = { database: 'd', name: 'c', ns: 'd.c', type: 'collection', options: null };
const byHour = (some) => Array.from({ length: 24 }, (_, i) => some[i] ?? 0);

describe('TTL indexes of a collection', () => {
  it('are those with expireAfterSeconds, zero among them, in whatever number type', () => {
    const specs = [
      { name: '_id_', key: { _id: 1 } },
      { name: 'a', key: { 'at.end': 1 }, expireAfterSeconds: 0 },
      {
        name: 'b',
        key: { b: -1 },
        expireAfterSeconds: { high: 0, low: 60 },
        partialFilterExpression: { x: 1 },
      },
    ];
    const where = { ns: 'd.c', database: 'd', collection: 'c', kind: 'index' };
    assert.deepEqual(ttlIndexesOf(collection, specs), [
      { ...where, index: 'a', field: 'at.end', expireAfterSeconds: 0, partial: null },
      { ...where, index: 'b', field: 'b', expireAfterSeconds: 60, partial: { x: 1 } },
    ]);
  });
  it('what is no number, as old releases took it, is not known', () => {
    assert.deepEqual(
      ttlIndexesOf(collection, [{ name: 'a', key: { a: 1 }, expireAfterSeconds: NaN }]).map(
        ({ expireAfterSeconds }) => expireAfterSeconds,
      ),
      [null],
    );
  });
  it('without its options nobody knows whether a time series expires; with them it may not', () => {
    const series = { ...collection, type: 'timeseries' };
    assert.deepEqual(
      ttlIndexesOf(series, []).map(({ kind, expireAfterSeconds }) => [kind, expireAfterSeconds]),
      [['timeseries', null]],
    );
    assert.deepEqual(ttlIndexesOf({ ...series, options: {} }, []), []);
    assert.deepEqual(ttlIndexesOf({ ...collection, options: {} }, []), []);
  });
  it('a clustered collection and a time series expire as a whole', () => {
    const options = { expireAfterSeconds: 3600 };
    const kinds = [
      [{ ...collection, options }, 'clustered', '_id'],
      [{ ...collection, name: 'system.buckets.c', options }, 'timeseries', null],
      [{ ...collection, type: 'timeseries', options }, 'timeseries', null],
    ];
    for (const [namespace, kind, field] of kinds) {
      const [one, ...more] = ttlIndexesOf(/** @type {any} */ (namespace), [
        { name: '_id_', key: { _id: 1 }, clustered: true, expireAfterSeconds: 3600 },
      ]);
      assert.deepEqual(
        [one.kind, one.field, one.index, one.expireAfterSeconds, more.length],
        [kind, field, null, 3600, 0],
      );
    }
  });
});

describe('when documents are due', () => {
  const nowMs = Date.UTC(2026, 0, 1, 10, 30);
  const due = (ms) => new Date(nowMs - 60_000 + ms);
  const of = (values, more = {}) =>
    expiryOf(
      values.map((value) => dueOf(value, 60)),
      { sampled: values.length, documents: values.length, nowMs, ...more },
    );
  it('by the first of several indexes', () =>
    assert.deepEqual([[5, 3, undefined], [undefined, 7], [undefined], [2, 9]].map(firstDue), [
      3,
      7,
      undefined,
      2,
    ]));
  it('a date that is none never comes', () => assert.equal(of([new Date(NaN)]).never, 1));
  for (const [ms, when] of /** @type {const} */ ([
    [0, 'overdue'],
    [1, 'nextDay'],
    [MS_PER_DAY - 1, 'nextDay'],
    [MS_PER_DAY, 'later'],
  ])) {
    it(`${ms} ms from now: ${when}`, () => assert.equal(of([due(ms)])[when], 1));
  }
  it('by hour of day, of the next day only', () => {
    assert.deepEqual(
      of([due(HOUR_MS), due(HOUR_MS), due(-HOUR_MS), due(2 * MS_PER_DAY), due(15 * HOUR_MS)]).hours,
      byHour({ 11: 2, 1: 1 }),
    );
  });
  it('the earliest date of an array; what has no date never', () => {
    assert.deepEqual(
      of([[due(2 * MS_PER_DAY), 'x', due(HOUR_MS)], null, undefined, 17e11, 'x', []]),
      { sampled: 6, overdue: 0, nextDay: 1, hours: byHour({ 11: 1 }), later: 0, never: 5 },
    );
  });
  it('stands for all documents', () => {
    assert.deepEqual(of([due(HOUR_MS), due(-1)], { sampled: 4, documents: 1000 }), {
      sampled: 4,
      overdue: 250,
      nextDay: 250,
      hours: byHour({ 11: 250 }),
      later: 0,
      never: 0,
    });
    assert.equal(of([], { sampled: 0, documents: 0 }).nextDay, 0);
  });
  it('all indexes together, and how much lies in quiet hours, over midnight too', () => {
    const hours = hoursOf([
      of([due(HOUR_MS)]),
      null,
      of([due(HOUR_MS), due(13 * HOUR_MS), due(14 * HOUR_MS)]),
    ]);
    assert.deepEqual(hours, byHour({ 11: 2, 23: 1, 0: 1 }));
    assert.equal(hoursOf([null]), null);
    assert.equal(
      quietRatio(byHour({ 11: 2, 23: 1, 0: 1 }), { startHour: 23, lengthHours: 2 }),
      0.5,
    );
    assert.equal(
      quietRatio(byHour({ 11: 2, 23: 1, 0: 1 }), { startHour: 11, lengthHours: 1 }),
      0.5,
    );
    assert.equal(quietRatio(byHour({ 11: 2, 23: 1, 0: 1 }), { startHour: 12, lengthHours: 11 }), 0);
    assert.equal(quietRatio(byHour({}), { startHour: 0, lengthHours: 2 }), null);
  });
});

describe('the work of TTL', () => {
  it('since the server started', () => {
    assert.deepEqual(
      workOf({ metrics: { ttl: { deletedDocuments: 500, passes: 10 } }, uptimeMillis: 100_000 }),
      {
        deletedDocuments: 500,
        passes: 10,
        uptimeSeconds: 100,
        deletedPerSec: 5,
        deletedPerPass: 50,
      },
    );
  });
  it('no pass yet, and nothing told', () => {
    assert.equal(
      workOf({ metrics: { ttl: { deletedDocuments: 0, passes: 0 } }, uptimeMillis: 5 })
        .deletedPerPass,
      null,
    );
    assert.deepEqual(workOf({}), {
      deletedDocuments: null,
      passes: null,
      uptimeSeconds: null,
      deletedPerSec: null,
      deletedPerPass: null,
    });
  });
});
