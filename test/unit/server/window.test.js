'use strict';

const assert = require('node:assert/strict');
const w = require('../../../lib/server/pure/window');
const { windowOf } = require('../../support/samples');

describe('server/pure/window', () => {
  it("knows its ends and its length by the server's own clock", () => {
    const window = windowOf({ 'ops.inserts': [1, 2, 3] }, { everyMs: 2000 });
    assert.equal(window.seconds, 4);
    assert.equal(window.to.getTime() - window.from.getTime(), 4000);
    assert.equal(window.restarts, 0);
  });

  it('falls back on the wall clock where the server tells no uptime', () => {
    assert.equal(windowOf({ 'ops.inserts': [1, 2] }, { uptimeMs: () => null }).seconds, 1);
  });

  it('begins again after a restart instead of giving negative rates', () => {
    const uptimes = [50_000, 51_000, 400, 1400];
    const window = windowOf({ 'ops.inserts': [900, 1000, 5, 15] }, { uptimeMs: (i) => uptimes[i] });
    assert.equal(window.restarts, 1);
    assert.equal(window.samples.length, 2);
    assert.equal(w.rate(window, 'ops.inserts'), 10);
  });

  it('a clock that goes back a little is no restart', () => {
    const window = (/** @type {number} */ backMs) =>
      windowOf(
        { 'ops.inserts': [1, 2, 3] },
        { uptimeMs: (i) => [9000, 10_000, 10_000 - backMs][i] },
      );
    assert.deepEqual(
      [1, 1000, 1001].map((ms) => window(ms).restarts),
      [0, 0, 1],
    );
    assert.deepEqual(w.rates(window(1), 'ops.inserts'), [1]);
  });

  it('keeps only the run after the last of several restarts', () => {
    const uptimes = [5000, 3000, 50, 1050];
    assert.deepEqual(
      [windowOf({ 'ops.inserts': [1, 2, 3, 4] }, { uptimeMs: (i) => uptimes[i] })].map((x) => [
        x.restarts,
        x.samples.length,
      ]),
      [[2, 2]],
    );
  });

  it('rate is growth per second; delta is growth', () => {
    const window = windowOf({ 'ops.inserts': [10, 15, 40] });
    assert.equal(w.rate(window, 'ops.inserts'), 15);
    assert.equal(w.delta(window, 'ops.inserts'), 30);
    assert.deepEqual(w.rates(window, 'ops.inserts'), [5, 25]);
  });

  it('a counter that shrank without a restart answers nothing', () => {
    const window = windowOf({ 'ops.inserts': [10, 5] });
    assert.equal(w.rate(window, 'ops.inserts'), undefined);
    assert.equal(w.delta(window, 'ops.inserts'), undefined);
    assert.deepEqual(w.rates(window, 'ops.inserts'), []);
  });

  it('one sample, no time between two samples, or no such counter: no rate', () => {
    assert.equal(
      w.rate(windowOf({ 'ops.inserts': [10] }, { samples: 1 }), 'ops.inserts'),
      undefined,
    );
    assert.equal(
      w.rate(windowOf({ 'ops.inserts': [10, 20] }, { uptimeMs: () => 5 }), 'ops.inserts'),
      undefined,
    );
    assert.equal(w.rate(windowOf({ 'ops.inserts': [1, 2] }), 'ops.deletes'), undefined);
    assert.equal(w.mean(windowOf({ 'ops.inserts': [1, 2] }), 'ops.deletes'), undefined);
    assert.equal(w.max(windowOf({ 'ops.inserts': [1, 2] }), 'ops.deletes'), undefined);
    assert.equal(
      w.share(windowOf({ 'ops.inserts': [1, 2] }), 'ops.deletes', () => true),
      undefined,
    );
    assert.equal(w.median(windowOf({ 'ops.inserts': [1, 2] }), 'ops.deletes'), undefined);
  });

  it('a sample without the counter (start-up) is stepped over, and the time with it', () => {
    const window = windowOf({
      'ops.inserts': [undefined, 10, undefined, 30],
      'ops.deletes': [0, 0, 0, 0],
    });
    assert.equal(w.rate(window, 'ops.inserts'), 10);
    assert.deepEqual(w.rates(window, 'ops.inserts'), [10]);
    assert.equal(w.first(window, 'ops.inserts'), 10);
    assert.equal(w.last(window, 'ops.inserts'), 30);
  });

  it('mean, max, median and share of a gauge', () => {
    const window = windowOf({ 'cache.dirtyBytes': [4, 1, 10, 1] });
    assert.equal(w.mean(window, 'cache.dirtyBytes'), 4);
    assert.equal(w.max(window, 'cache.dirtyBytes'), 10);
    assert.equal(w.median(window, 'cache.dirtyBytes'), 1);
    assert.equal(
      w.share(window, 'cache.dirtyBytes', (n) => n >= 4),
      0.5,
    );
    assert.deepEqual(w.values(window, 'cache.dirtyBytes'), [4, 1, 10, 1]);
  });
});
