'use strict';

const assert = require('node:assert/strict');
const { sampleAt, blockOf, sliceOf, GapDetector } = require('../../../lib/series/columns');
const { SampledPoints, plotOf } = require('../../../lib/series/plot');
const { WorstWindows, samplesOf } = require('../../../lib/series/worst-windows');
const { RecordingScan } = require('../../../lib/series/recording-scan');
const { findStalls } = require('../../../lib/server/pure/stalls');
const { makeWindow } = require('../../../lib/server/pure/window');
const { whyNotExaminable, NO_FACTS } = require('../../../lib/server/pure/facts');

/**
 * @import { Sample } from '../../../lib/server/pure/sample'
 */

const T0 = Date.UTC(2026, 0, 1);
/** @param {number} i @param {Sample['counters']} [counters] @returns {Sample} */
const at = (i, counters = {}) => ({ atMs: T0 + i * 1000, uptimeMs: 50_000 + i * 1000, counters });
const range = (/** @type {number} */ n) => Array.from({ length: n }, (_, i) => i);

/**
 * Counters that grow by so much each second.
 * @param {number} seconds @param {(i: number) => Record<string, number>} perSecond
 */
function grown(seconds, perSecond) {
  /** @type {Record<string, number>} */ const totals = {};
  return range(seconds).map((i) => {
    for (const [name, n] of Object.entries(perSecond(i))) totals[name] = (totals[name] ?? 0) + n;
    return at(i, { ...totals });
  });
}

describe('series/columns', () => {
  const samples = [
    at(0, { 'cache.usedBytes': 1 }),
    { ...at(1, { 'cache.usedBytes': 2, 'cache.maxBytes': 9 }), uptimeMs: null },
  ];
  it('gives back the samples it was made of', () =>
    assert.deepEqual(
      range(2).map((i) => sampleAt(blockOf(samples), i)),
      samples,
    ));
  it('cuts a part out of every column', () => {
    const part = sliceOf(blockOf(samples), 1, 2);
    assert.deepEqual([part.length, sampleAt(part, 0)], [1, samples[1]]);
    assert.equal(sliceOf(part, 1, 0).length, 0);
  });
});

describe('series/columns', () => {
  /** @param {Sample[]} samples */
  function walk(samples) {
    const gaps = new GapDetector();
    const block = blockOf(samples);
    gaps.learnPace(block);
    const follows = samples.map((_, i) => gaps.next(block, i) !== null);
    return {
      kinds: gaps.breaks.map(({ kind }) => kind),
      follows,
      breaks: gaps.breaks,
      samples: gaps.samples,
    };
  }
  const steady = range(5).map((i) => at(i));

  it('breaks where another server goes on, once', () => {
    const gaps = new GapDetector();
    const block = blockOf(range(4).map((i) => at(i)));
    const follows = range(4).map((i) => {
      if (i === 2) gaps.change();
      return gaps.next(block, i) !== null;
    });
    assert.deepEqual(
      [follows, gaps.breaks],
      [[false, true, false, true], [{ fromMs: T0 + 1000, toMs: T0 + 2000, kind: 'server' }]],
    );
  });
  it('tells samples that come late from a restart', () => {
    const back = { ...at(100), atMs: T0 + 1000, uptimeMs: 51_000 };
    assert.deepEqual(
      [
        walk([at(10), at(11), back]).kinds,
        walk([at(10), at(11), { ...at(12), uptimeMs: 500 }]).kinds,
      ],
      [['order'], ['restart']],
    );
  });
  it('tells a clock that was set back from samples that come late, by the work between them', () => {
    const worked = (/** @type {number} */ second, /** @type {number} */ micros) => ({
      ...at(second),
      counters: { ...at(second).counters, 'process.userMicros': micros },
    });
    const back = { ...worked(100, 900), atMs: T0 + 1000, uptimeMs: 51_000 };
    const kinds = (/** @type {number} */ before) =>
      walk([worked(10, before - 1), worked(11, before), back]).kinds;
    assert.deepEqual([kinds(899), kinds(900), kinds(901)], [['clock'], ['order'], ['order']]);
  });
  it('sees nothing in a steady course', () =>
    assert.deepEqual(walk(steady).follows, [false, true, true, true, true]));
  for (const [name, next, kinds] of /** @type {[string, Sample, string[]][]} */ ([
    ['a gap of 10 s', at(14), []],
    ['a gap of more', at(14.001), ['gap']],
    ['a restart', { ...at(5), uptimeMs: 100 }, ['restart']],
    ['an uptime that goes back by 2 s', { ...at(5), uptimeMs: 52_000 }, []],
    ['an uptime that goes back by more', { ...at(5), uptimeMs: 51_999 }, ['restart']],
    ['a clock set back', { ...at(-60), uptimeMs: 55_000 }, ['clock']],
    ['a clock set back by 2 s', { ...at(2), uptimeMs: 55_000 }, []],
    ['an unknown uptime', { ...at(5), uptimeMs: null }, []],
    ['a gap in which it was restarted', { ...at(5000), uptimeMs: 10 }, ['restart']],
  ])) {
    it(`${kinds.length > 0 ? 'breaks' : 'goes on'} at ${name}`, () => {
      const { kinds: seen, follows, samples } = walk([...steady, next]);
      assert.deepEqual([seen, follows.at(-1), samples], [kinds, kinds.length === 0, 6]);
    });
  }
  it('takes a slow recorder for what it is', () =>
    assert.deepEqual(walk([0, 60, 120, 180, 480, 781].map((i) => at(i))).kinds, ['gap']));
  it('says from when to when', () =>
    assert.deepEqual(walk([...steady, at(100)]).breaks, [
      { fromMs: T0 + 4000, toMs: T0 + 100_000, kind: 'gap' },
    ]));
});

describe('series/plot', () => {
  /** @param {number} n @param {(i: number) => boolean} [follows] */
  function downsampleInPlace(n, follows = () => true) {
    const downsampled = new SampledPoints();
    const block = blockOf(range(n).map((i) => at(i, { 'cache.usedBytes': i })));
    for (const i of range(n))
      downsampled.add(block, i, { heldUpThreads: i === 777 ? 5 : 0, follows: i > 0 && follows(i) });
    return downsampled.points;
  }
  it('keeps everything of a short recording', () =>
    assert.equal(downsampleInPlace(600).length, 600));
  for (const n of [601, 5000, 100_000]) {
    it(`keeps a few hundred of ${n} samples, evenly apart, from the first to near the last`, () => {
      const points = downsampleInPlace(n);
      assert.ok(points.length > 250 && points.length <= 600, `${points.length}`);
      const steps = points.slice(1).map((point, i) => point.sample.atMs - points[i].sample.atMs);
      assert.ok(Math.max(...steps) <= 3 * Math.min(...steps));
      assert.equal(points[0].sample.atMs, T0);
      assert.ok(Number(points.at(-1)?.sample.atMs) >= T0 + n * 1000 - 2 * Math.max(...steps));
    });
  }
  it('loses no moment in which clients were held up', () =>
    assert.equal(
      Math.max(...downsampleInPlace(50_000).map(({ heldUpThreads }) => heldUpThreads)),
      5,
    ));
  it('loses no break', () =>
    assert.equal(
      downsampleInPlace(50_000, (i) => i !== 12_345 && i !== 30_000).filter(
        ({ follows }) => !follows,
      ).length,
      3,
    ));
});

describe('series/worst-windows', () => {
  /** @param {Sample[]} samples @param {number} [stretchLength] */
  function search(samples, stretchLength = 100) {
    const worst = new WorstWindows();
    const stretches = range(Math.ceil(samples.length / stretchLength)).map((i) =>
      blockOf(samples.slice(i * stretchLength, (i + 1) * stretchLength)),
    );
    const gaps = new GapDetector();
    for (const block of stretches)
      for (const i of range(block.length))
        worst.add(block, i, { before: gaps.next(block, i), usualSeconds: 1 });
    return worst.found;
  }
  const busy = { 'latency.readOps': 100, 'latency.readMicros': 1e5 };
  const seconds = (/** @type {{ fromMs: number, toMs: number }} */ { fromMs, toMs }) =>
    [fromMs, toMs].map((ms) => (ms - T0) / 1000);

  it('finds the minute in which clients read pages, across the joints of stretches', () => {
    const [first, ...rest] = search(
      grown(900, (i) => ({ ...busy, 'eviction.appReadMicros': i >= 370 && i < 430 ? 2e6 : 0 })),
    );
    const [from, to] = seconds(first);
    assert.ok(from >= 365 && from <= 370 && to - from === 60, `${from} to ${to}`);
    assert.ok(Math.abs(first.heldUpThreads - 2) < 0.1, String(first.heldUpThreads));
    assert.ok(rest.every(({ heldUpThreads }) => heldUpThreads < 0.1));
    const samples = samplesOf(first);
    assert.deepEqual(
      [samples.length, samples[0].atMs, samples[60].atMs],
      [61, T0 + from * 1000, T0 + to * 1000],
    );
  });

  it('counts the larger one of evicting and waiting, and what queues', () => {
    const [first] = search(
      grown(100, () => ({ ...busy, 'eviction.appMicros': 1e6, 'eviction.waitMicros': 3e6 })).map(
        (sample) => ({
          ...sample,
          counters: { ...sample.counters, 'queue.readers': 2, 'queue.writers': 5 },
        }),
      ),
    );
    assert.ok(Math.abs(first.heldUpThreads - 10) < 1e-6, String(first.heldUpThreads));
  });

  it('finds a stall, in which nothing is counted at all', () => {
    const [first] = search(
      grown(600, (i) =>
        i >= 300 && i < 320
          ? { 'latency.readOps': 0 }
          : { 'latency.readOps': 100, 'latency.readMicros': i === 320 ? 160e6 : 8e5 },
      ),
    );
    const [from, to] = seconds(first);
    assert.ok(
      from <= 300 && to >= 320 && first.heldUpThreads > 1,
      JSON.stringify([from, to, first.heldUpThreads]),
    );
  });

  it('finds the busiest minute where nobody was held up', () => {
    const [first] = search(
      grown(600, (i) => ({
        'latency.readOps': 100,
        'latency.readMicros': i >= 200 && i < 260 ? 9e5 : 1e4,
      })),
    );
    assert.deepEqual(seconds(first), [200, 260]);
    assert.equal(first.heldUpThreads, 0);
  });

  it('keeps the five worst that do not overlap, the worst first', () => {
    const found = search(
      grown(2000, (i) => ({
        ...busy,
        'eviction.appReadMicros': i % 300 < 60 ? Math.ceil((i + 1) / 300) * 1e5 : 0,
      })),
    );
    assert.equal(found.length, 5);
    assert.deepEqual(
      found.map(({ fromMs }) => Math.round((fromMs - T0) / 300_000)),
      [6, 5, 4, 3, 2],
    );
    for (const a of found)
      for (const b of found) assert.ok(a === b || a.toMs <= b.fromMs || b.toMs <= a.fromMs);
  });

  it('does not reach over a restart or a gap, nor judge a piece that is too short', () => {
    const samples = grown(200, () => ({ ...busy, 'eviction.appReadMicros': 1e6 })).filter(
      (_, i) => (i < 90 || i >= 150) && (i < 29 || i >= 60),
    );
    const found = search(samples).map(seconds);
    assert.ok(found.length > 0);
    for (const [from, to] of found)
      assert.ok(
        (from >= 60 && to <= 89) === false && (from >= 150 || to < 29 || (from >= 60 && to < 90)),
        JSON.stringify(found),
      );
    assert.ok(found.every(([from, to]) => to - from >= 30));
  });

  it('counts no processor time while a checkpoint runs, which uses it too', () => {
    const inCheckpoint = (/** @type {number} */ running) =>
      search(
        grown(120, (i) => ({
          'latency.readOps': i >= 60 && i < 80 ? 0 : 100,
          'latency.readMicros': i === 80 ? 2e7 : 1e5,
          'process.userMicros': 9e5,
        })).map((sample) => ({
          ...sample,
          counters: { ...sample.counters, 'checkpoint.running': running },
        })),
      )[0].heldUpThreads;
    assert.ok(inCheckpoint(1) > inCheckpoint(0), `${inCheckpoint(1)} ${inCheckpoint(0)}`);
  });
  it('goes by the wall clock where no uptime is told, and past two samples in one moment', () => {
    const samples = grown(90, () => busy)
      .flatMap((sample, i) => (i === 40 ? [sample, sample] : [sample]))
      .map((sample) => ({ ...sample, uptimeMs: null }));
    const [{ fromMs, toMs }] = search(samples);
    assert.ok(toMs - fromMs >= 30_000);
  });
  it('bears clocks that stall, and bounds what it keeps of them', () => {
    const worst = new WorstWindows();
    const still = blockOf(
      range(6000).map((i) => ({ ...at(0), counters: { 'latency.readOps': i } })),
    );
    for (let i = 0; i < still.length; i++)
      worst.add(still, i, { before: i === 0 ? null : { block: still, i: i - 1 }, usualSeconds: 0 });
    assert.ok(worst.pairs.length <= 5000);
    assert.deepEqual(worst.found, []);
    assert.deepEqual(
      search(
        [
          ...grown(60, () => busy),
          ...grown(60, () => busy).map((sample) => ({
            ...sample,
            atMs: T0 + 59_000,
            uptimeMs: 50_000 + 59_000,
          })),
        ].filter((_, i) => i < 61),
      ).length,
      1,
    );
  });
  it('has nothing to say of less than half a minute', () =>
    assert.deepEqual(search(grown(25, () => busy)), []));
});

describe('server/pure/stalls', () => {
  const writes = { 'latency.writeOps': 0, 'latency.writeMicros': 0, 'process.systemMicros': 0 };
  const usual = { ...writes, 'latency.readOps': 100, 'latency.readMicros': 5e5 };
  /** @param {object} after what a second is like from the 60th on */
  const stalls = (after) =>
    findStalls(
      makeWindow(
        grown(80, (i) =>
          i < 60
            ? { ...usual, 'process.userMicros': 5e5 }
            : { ...writes, 'latency.readOps': 1, 'latency.readMicros': 9e5, ...after },
        ),
      ),
    );
  it('takes few long operations for a stall when the process does nothing meanwhile', () =>
    assert.equal(stalls({ 'process.userMicros': 1e4 })?.seconds, 20));
  it('takes them for what they are when it works for them', () =>
    assert.equal(stalls({ 'process.userMicros': 9e5 })?.seconds, 0));
  it("takes them for a stall where the processor's time is not known", () => {
    const samples = grown(80, (i) =>
      i < 60 ? usual : { ...writes, 'latency.readOps': 1, 'latency.readMicros': 9e5 },
    );
    assert.equal(findStalls(makeWindow(samples))?.seconds, 20);
  });
});

describe('series/recording-scan', () => {
  /** @param {Sample[]} samples @param {number} [cut] */
  function examine(samples, cut = 100) {
    /** @type {RecordingScan<number>} */ const scan = new RecordingScan();
    for (let i = 0; i < samples.length; i += cut)
      scan.add(blockOf(samples.slice(i, i + cut)), i / cut);
    return scan;
  }
  const load = (/** @type {number} */ n) =>
    grown(n, (i) => ({
      'latency.readOps': 100,
      'latency.readMicros': 1e5,
      'eviction.appReadMicros': i > 240 && i < 290 ? 1e6 : 0,
    }));

  it('judges a short recording as a whole', () => {
    const [only, ...more] = examine(load(121)).windows();
    assert.deepEqual(
      [only.window.samples.length, only.heldUpThreads, only.context, more],
      [121, null, 1, []],
    );
  });
  it('judges a longer one by its worst minute', () => {
    assert.ok(
      examine(load(122))
        .windows()
        .every(({ window }) => window.samples.length <= 61),
    );
    const [worst] = examine(load(500)).windows();
    assert.deepEqual([(worst.window.from.getTime() - T0) / 1000 < 241, worst.context], [true, 2]);
  });
  it('judges what is left where no minute is whole', () => {
    const samples = grown(600, () => ({ 'latency.readOps': 1 })).filter((_, i) => i % 40 < 20);
    const [only] = examine(samples).windows();
    assert.ok(only.window.samples.length > 1);
  });
  it('knows when nothing was seen', () =>
    assert.deepEqual([examine([]).windows(), examine([]).span], [[], null]));
  it('spans all that was seen', () =>
    assert.deepEqual(examine(load(300)).span, { fromMs: T0, toMs: T0 + 299_000 }));
  it('does not keep all samples of a quick recorder', () =>
    assert.ok(
      examine(range(3000).map((i) => at(i / 100))).windows()[0].window.samples.length < 3000,
    ));
});

describe('series/plot', () => {
  /** @param {Sample[]} samples @param {number[]} [breaks] */
  const draw = (samples, breaks = []) =>
    plotOf(
      samples.map((sample, i) => ({
        sample,
        heldUpThreads: i,
        follows: i > 0 && !breaks.includes(i),
      })),
      NO_FACTS,
    );

  it('gives rates between neighbours, and null over a break', () => {
    const plot = draw(
      grown(4, () => ({ 'ops.queries': 7, 'cache.readBytes': 10 })),
      [2],
    );
    assert.deepEqual(
      [plot.series.opsPerSec, plot.series.readBytesPerSec, plot.series.heldUpThreads],
      [
        [7, null, 7],
        [10, null, 10],
        [1, null, 3],
      ],
    );
    assert.deepEqual(
      [plot.at.length, plot.everySeconds, plot.from.getTime(), plot.to.getTime()],
      [3, 1, T0, T0 + 3000],
    );
    assert.deepEqual(plot.series.cpuCores, [null, null, null]);
  });
  it('is empty for one sample', () =>
    assert.deepEqual([draw([at(0)]).at, draw([at(0)]).everySeconds], [[], 0]));
});

describe('server/pure/facts', () => {
  for (const [role, engine, pattern] of /** @type {[any, string | null, RegExp][]} */ ([
    ['mongos', null, /mongos/],
    ['arbiter', 'wiredTiger', /arbiter/],
    ['standalone', 'mmapv1', /"mmapv1"/],
  ])) {
    it(`says why nothing can be said of a ${role} with ${engine}`, () =>
      assert.match(String(whyNotExaminable({ role, engine })), pattern));
  }
  for (const [role, engine] of /** @type {[any, string | null][]} */ ([
    ['primary', 'wiredTiger'],
    ['secondary', null],
    [null, null],
  ])) {
    it(`has nothing against a ${role} with ${engine}`, () =>
      assert.equal(whyNotExaminable({ role, engine }), null));
  }
});
