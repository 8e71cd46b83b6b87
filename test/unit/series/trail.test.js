'use strict';

const assert = require('node:assert/strict');
const { Trail } = require('../../../lib/series/trail');
const { TrialTrail } = require('../../../lib/series/trial-trail');
const { lineOf } = require('../../../lib/series/line');
const { keepTrace, traceOf, traceOfTrail } = require('../../../lib/series/trace');
const { NO_FACTS } = require('../../../lib/server/pure/facts');
const { makeWindow } = require('../../../lib/server/pure/window');

const look = (/** @type {number} */ i, metrics = {}) => ({
  atMs: i * 1000,
  uptimeMs: 5000 + i * 1000,
  metrics: { 'ops.queries': i * i, 'tickets.readOut': i % 7, ...metrics },
});

describe('the line behind a server that is looked at now', () => {
  it('is the same as that of its window', () => {
    const samples = Array.from({ length: 40 }, (_, i) => look(i));
    const trail = new Trail(1);
    samples.forEach((sample) => trail.add(sample));
    assert.deepEqual(trail.drawn(1000, {}), lineOf(makeWindow(samples)).drawn(1000, {}, []));
  });
  it('of a week stays in its room, and has every extreme', () => {
    const trail = new Trail(10);
    const looks = 60_480;
    const extremes = new Map([
      [777, 120],
      [50_000, -3],
    ]);
    for (let i = 0; i < looks; i++)
      trail.add({
        atMs: i * 10_000,
        uptimeMs: 5000 + i * 10_000,
        metrics: { 'tickets.readOut': extremes.get(i) ?? 5 },
      });
    assert.ok(trail.line.envelope.buckets.length <= 3600, `${trail.line.envelope.buckets.length}`);
    const { summary, looks: counted, at } = trail.drawn(7000, {});
    assert.deepEqual(
      [summary.readTickets.least, summary.readTickets.most, counted],
      [-3, 120, looks],
    );
    assert.deepEqual([at[0], at[at.length - 1]], [0, (looks - 1) * 10_000]);
  });
  it('is broken where the server restarted, and where nobody looked', () => {
    const trail = new Trail(1);
    [
      look(0),
      look(1),
      { ...look(2), uptimeMs: 10 },
      { ...look(3), uptimeMs: 1010 },
      { ...look(60), uptimeMs: 58_010 },
    ].forEach((sample) => trail.add(sample));
    const { breaks, tracks } = trail.drawn(100, {});
    assert.deepEqual(
      breaks.map(({ kind }) => kind),
      ['restart', 'gap'],
    );
    assert.deepEqual(tracks.readTickets, [0, 1, null, 2, 3, null, 4]);
  });
  it('tells the levels of its last look, and none before the first', () => {
    const trail = new Trail(1);
    const made = traceOf(keepTrace({}, traceOfTrail(trail, NO_FACTS)));
    assert.deepEqual(made?.(10).at, []);
    trail.add(look(1, { 'tickets.readTotal': 128 }));
    assert.deepEqual(made?.(10).levels, { readTickets: 128 });
  });
});

describe('the line behind a trial', () => {
  it('knows what was in force when, and the means of each block', () => {
    const trail = new TrialTrail(0.5);
    const samples = [0, 1, 2, 3, 4].map((i) => look(i));
    samples.forEach((sample) => trail.add(sample));
    trail.addBlock('A', samples.slice(0, 3));
    trail.addBlock('B', samples.slice(3));
    assert.deepEqual(
      trail
        .drawn(100, {})
        .blocks.map(({ fromMs, toMs, setting, means }) => [
          fromMs,
          toMs,
          setting,
          means?.readsPerSec,
          means?.readTickets,
        ]),
      [
        [0, 2000, 'A', 2, 1],
        [3000, 4000, 'B', 7, 3.5],
      ],
    );
  });
});
