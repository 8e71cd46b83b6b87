'use strict';

const assert = require('node:assert/strict');
const {
  growth,
  perSecond,
  secondsBetween,
  intervalBetween,
} = require('../../../lib/server/pure/growth');

/** @param {Record<string, number>} counters @returns {(name: string) => number} */
const reader = (counters) => (name) => counters[name] ?? NaN;
const BEFORE = {
  'latency.readOps': 10,
  'latency.writeOps': 5,
  'latency.readMicros': 1e6,
  'latency.writeMicros': 0,
};
const NOW = {
  'latency.readOps': 30,
  'latency.writeOps': 5,
  'latency.readMicros': 3e6,
  'latency.writeMicros': 0,
};
const WHEN = { seconds: 2, toMs: 7000 };
const between = (/** @type {object} */ more = {}, /** @type {object} */ when = {}) =>
  intervalBetween(reader(BEFORE), reader({ ...NOW, ...more }), { ...WHEN, ...when });

describe('server/pure/growth', () => {
  it('a counter grows, and may stall', () => {
    assert.equal(growth(3, 5), 2);
    assert.equal(growth(3, 3), 0);
  });
  it('is not known where one end is not, or the counter was reset', () => {
    for (const [from, to] of [
      [undefined, 5],
      [5, undefined],
      [null, 5],
      [NaN, 5],
      [5, NaN],
      [5, 4],
    ])
      assert.equal(growth(/** @type {any} */ (from), /** @type {any} */ (to)), undefined);
  });
  it('has no rate without time', () => {
    assert.equal(perSecond(6, 2), 3);
    assert.equal(perSecond(6, 0), undefined);
    assert.equal(perSecond(6, -1), undefined);
    assert.equal(perSecond(undefined, 2), undefined);
  });
  it("time goes by the server's own clock where both samples have it", () => {
    assert.equal(secondsBetween({ atMs: 0, uptimeMs: 1000 }, { atMs: 9000, uptimeMs: 3000 }), 2);
    assert.equal(secondsBetween({ atMs: 0, uptimeMs: null }, { atMs: 9000, uptimeMs: 3000 }), 9);
  });
  it('the work between two samples', () => {
    assert.deepEqual(between(), {
      seconds: 2,
      ops: 20,
      clientSeconds: 2,
      cpuSeconds: 0,
      inCheckpoint: false,
      toMs: 7000,
    });
    assert.equal(between({ 'checkpoint.running': 1 })?.inCheckpoint, true);
  });
  it('is not known without time, and where a counter is not or was reset', () => {
    assert.equal(between({}, { seconds: 0 }), null);
    assert.equal(between({ 'latency.readOps': NaN }), null);
    assert.equal(between({ 'latency.readOps': 1 }), null);
    assert.equal(between({ 'latency.readMicros': 1 }), null);
  });
});
