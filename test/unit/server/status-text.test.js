'use strict';

const assert = require('node:assert/strict');
const { statusOf } = require('../../../lib/server/pure/status');
const { NO_FACTS } = require('../../../lib/server/pure/facts');
const { makeWindow } = require('../../../lib/server/pure/window');
const { renderStatus } = require('../../../lib/server/pure/status-text');
const { makeWatchLines, renderWatched } = require('../../../lib/watch/pure/watch-text');
const { metricsOf } = require('../../../lib/server/pure/metrics');
const { windowOf } = require('../../support/samples');

const plain = (/** @type {string} */ text) => text;
const MB = 2 ** 20;
const BUSY = {
  'cache.maxBytes': 256 * MB,
  'cache.usedBytes': 208 * MB,
  'cache.dirtyBytes': 54 * MB,
  'cache.updatesBytes': MB,
  'cache.readBytes': [0, 20 * MB],
  'cache.writtenBytes': [0, 8 * MB],
  'eviction.appPages': [0, 82],
  'eviction.workerPages': [0, 200],
  'eviction.serverPages': [0, 46],
  'eviction.cleanPages': [0, 60],
  'eviction.modifiedPages': [0, 270],
  'eviction.appMicros': [0, 2e6],
  'eviction.waitMicros': [0, 3.5e6],
  'eviction.appReadMicros': [0, 1e5],
  'eviction.threadsActive': 4,
  'eviction.aggressiveScore': 100,
  'checkpoint.running': 1,
  'checkpoint.lastMs': 3249,
  'checkpoint.maxMs': 5000,
  'checkpoint.count': [3, 3],
  'tickets.readInUse': 11,
  'tickets.readTotal': 128,
  'tickets.writeInUse': 16,
  'tickets.writeTotal': 128,
  'ops.queries': [0, 300],
  'ops.updates': [0, 320],
  'latency.readMicros': [0, 14_000],
  'latency.readOps': [0, 1],
  'latency.writeMicros': [0, 29_000],
  'latency.writeOps': [0, 1],
};
const unknown = { value: null, from: 'unknown', default: null, sinceRestart: false };
const setting = (/** @type {number} */ value) => ({
  value,
  from: 'default',
  default: value,
  sinceRestart: false,
});
const config = /** @type {any} */ ({
  cacheSizeGB: setting(0.25),
  evictionThreadsMin: setting(4),
  evictionThreadsMax: setting(4),
  evictionTarget: setting(80),
  evictionTrigger: setting(95),
  evictionDirtyTarget: setting(5),
  evictionDirtyTrigger: setting(20),
  evictionUpdatesTarget: setting(0),
  evictionUpdatesTrigger: setting(0),
  evictionCheckpointTarget: setting(1),
  syncdelaySeconds: unknown,
});
const facts = {
  ...NO_FACTS,
  host: 'vm:27017',
  version: '6.0.5',
  role: /** @type {const} */ ('standalone'),
  engine: 'wiredTiger',
  config,
};

describe('server/pure/status', () => {
  const s = statusOf(windowOf(BUSY), facts);
  it('has the fields of the contract, with ratios from 0 to 1', () => {
    assert.deepEqual(Object.keys(s.cache), [
      'maxBytes',
      'usedBytes',
      'usedRatio',
      'dirtyBytes',
      'dirtyRatio',
      'updatesBytes',
      'updatesRatio',
      'readBytesPerSec',
      'writtenBytesPerSec',
    ]);
    assert.equal(s.cache.usedRatio, 208 / 256);
    assert.deepEqual(s.clients, { readingThreads: 0.1, evictingThreads: 2, waitingThreads: 3.5 });
    assert.deepEqual(s.eviction, {
      threadsMin: 4,
      threadsMax: 4,
      threadsActive: 4,
      pagesPerSec: 330,
      appPagesPerSec: 82,
      appRatio: 82 / 328,
      appMsPerSec: 2000,
      aggressiveScore: 100,
    });
    assert.deepEqual(s.ops, {
      readsPerSec: 300,
      writesPerSec: 320,
      readLatencyMs: 14,
      writeLatencyMs: 29,
    });
    assert.equal(s.thresholds.updatesTriggerRatio, 0.1);
  });
  it('counts checkpoints per minute since the start in a short window, in the window in a long one', () => {
    const window = windowOf(BUSY);
    const up = (/** @type {number} */ uptimeMs) =>
      statusOf({ ...window, samples: window.samples.map((one) => ({ ...one, uptimeMs })) }, facts)
        .checkpoint.perMinute;
    assert.deepEqual([s.checkpoint.perMinute, up(299_999), up(360_000)], [null, null, 0.5]);
    assert.equal(
      statusOf(windowOf({ ...BUSY, 'checkpoint.count': [3, 6] }, { everyMs: 180_000 }), facts)
        .checkpoint.perMinute,
      1,
    );
    assert.equal(statusOf(windowOf({ 'cache.maxBytes': 1 }), facts).checkpoint.perMinute, null);
  });
  it('an unknown server is null all over, never 0', () => {
    const empty = statusOf(windowOf({}), NO_FACTS);
    for (const part of [
      empty.cache,
      empty.eviction,
      empty.checkpoint,
      empty.tickets,
      empty.clients,
      empty.ops,
      empty.thresholds,
    ]) {
      for (const [name, value] of Object.entries(part)) assert.equal(value, null, name);
    }
  });
});

describe('server/pure/status-text', () => {
  it('shows a server under write pressure', () => {
    const text = renderStatus({ ...statusOf(windowOf(BUSY), facts), notes: ['a note'] }, plain);
    for (const wanted of [
      /^vm:27017 {2}MongoDB 6\.0\.5 {2}standalone/,
      /\nRESULT {6}WARN [^\n]*\nCLIENTS +3\.6 application threads blocked by the cache on average\n/,
      /\nCACHE +208 MiB of 256 MiB +now +target +trigger\n/,
      /used .* 81\.3% +80% +95%\n/,
      /dirty .* 21\.1% +5% +20%/,
      /330 pages\/s by 4 of 4 threads, 82 pages\/s by application threads/,
      /aggressive: score 100 of 100/,
      /reading pages 0\.1, waiting for cache space 3\.5, of which evicting 2\n/,
      /running, last 3\.25 s, longest 5 s/,
      /read 11 of 128 in use, write 16 of 128/,
      /writes 320\/s at 29 ms/,
      /note: a note/,
    ])
      assert.match(text, wanted);
  });
  it('colours by threshold: bad at the trigger, warn in the upper half, good below, faint when unknown', () => {
    const tones = (/** @type {number} */ dirtyMB, /** @type {any} */ f) => {
      /** @type {string[]} */ const seen = [];
      renderStatus(
        { ...statusOf(windowOf({ ...BUSY, 'cache.dirtyBytes': dirtyMB * MB }), f), notes: [] },
        (text, tone) => {
          if (/[█░]/.test(text)) seen.push(tone);
          return text;
        },
      );
      return seen[1];
    };
    assert.deepEqual(
      [51.2, 51.1, 32.1, 32].map((mb) => tones(mb, facts)),
      ['bad', 'warn', 'warn', 'good'],
    );
    assert.equal(tones(51.2, NO_FACTS), 'faint');
  });
  it('says a question mark for what it does not know', () => {
    const text = renderStatus({ ...statusOf(windowOf({}), NO_FACTS), notes: [] }, plain);
    assert.match(text, /\? application threads blocked by the cache on average\n/);
    assert.match(text, /reads \?\/s, writes \?\/s/);
    assert.doesNotMatch(text, /null|undefined|NaN/);
  });
});

describe('watch/pure/watch-text', () => {
  const LEVELS = {
    'cache.maxBytes': 256 * MB,
    'cache.usedBytes': 208 * MB,
    'cache.dirtyBytes': 54 * MB,
    'cache.updatesBytes': MB,
  };
  const sample = (/** @type {number} */ i) => ({
    atMs: Date.UTC(2026, 0, 1, 0, 0, i),
    uptimeMs: i * 1000,
    counters: { ...LEVELS, 'checkpoint.running': i % 2 },
  });
  it('lines have the width of their head, and the head comes again after a screenful', () => {
    const lines = makeWatchLines({ rows: 10 });
    const out = Array.from({ length: 9 }, (_, i) =>
      lines.next(sample(i), metricsOf(windowOf(BUSY), NO_FACTS)),
    ).flat();
    assert.equal(out.filter((line) => line.includes('dirty%')).length, 2);
    assert.equal(new Set(out.map((line) => [...line].length)).size, 1, out.join('\n'));
    assert.match(out[1], /^00:00:00 {2}81\.3 {3}21\.1/);
    assert.match(out[2], /runs/);
    assert.match(lines.title(facts).join(), /vm:27017.*Ctrl-C/);
  });
  for (const [width, heads] of [
    [80, /^ +time used% dirty% reading {3}evict waiting writes\/s +dirty +blocked$/],
    [60, /^ +time used% dirty% reading {3}evict waiting writes\/s$/],
    [40, /^used% dirty% reading {3}evict waiting$/],
    [100, /reads\/s/],
    [Infinity, /read in +written +evict\/s/],
  ]) {
    it(`fits a screen of ${width}, and drops what tells least`, () => {
      const lines = makeWatchLines({ width: Number(width) }).next(
        sample(0),
        metricsOf(windowOf(BUSY), NO_FACTS),
      );
      assert.ok(
        lines.every((line) => [...line].length <= Number(width)),
        lines.join('\n'),
      );
      assert.match(lines[0], /** @type {RegExp} */ (heads));
    });
  }
  it('asks for no 0 where nothing is known', () => {
    const [, line] = makeWatchLines().next({ atMs: 0, uptimeMs: null, counters: {} }, {});
    assert.equal((line.match(/\?/g) ?? []).length, 13);
  });
  it('its end is a short account', () => {
    const window = windowOf(BUSY);
    const text = renderWatched(
      {
        host: 'vm:1',
        seconds: 3,
        samples: 4,
        restarts: 0,
        metrics: metricsOf(window, NO_FACTS),
        notes: ['n'],
      },
      plain,
    );
    assert.match(
      text,
      /^vm:1 {2}4 samples in 3 s\nCLIENTS [^]*\nCACHE {8}used 81\.3%, dirty 21\.1% \(max 21\.1%\)\n {2}note {2}n$/,
    );
    assert.match(
      renderWatched(
        { host: null, seconds: 0, samples: 1, restarts: 0, metrics: {}, notes: [] },
        plain,
      ),
      /^\? {2}1 sample in 0 ms\n/,
    );
  });
});

describe('server/sampler', () => {
  const { downsampleInPlace, MAX_SAMPLES } = require('../../../lib/server/sampler');
  const list = (/** @type {number} */ n) =>
    Array.from({ length: n }, (_, i) => ({
      atMs: i,
      uptimeMs: i * 1000,
      counters: { 'ops.inserts': i },
    }));
  it('leaves a short watch alone', () => {
    const samples = list(MAX_SAMPLES);
    downsampleInPlace(samples);
    assert.equal(samples.length, MAX_SAMPLES);
  });
  it('stays bounded for ever, with exact ends, spread over all of the time', () => {
    /** @type {any[]} */ const samples = [];
    for (const sample of list(10_000)) {
      samples.push(sample);
      downsampleInPlace(samples);
    }
    assert.equal(samples.length, MAX_SAMPLES);
    assert.deepEqual([samples[0].atMs, samples[samples.length - 1].atMs], [0, 9999]);
    const apart = samples.slice(1).map(({ atMs }, i) => atMs - samples[i].atMs);
    assert.ok(Math.max(...apart) <= (4 * 10_000) / MAX_SAMPLES, `${Math.max(...apart)}`);
  });
  it('keeps the most of each level, whenever it was', () => {
    /** @type {any[]} */ const samples = [];
    for (const sample of list(3000)) {
      samples.push({
        ...sample,
        counters: {
          'cache.dirtyBytes': sample.atMs === 77 ? 900 : 5,
          'tickets.readInUse': sample.atMs === 1234 ? 128 : 1,
        },
      });
      downsampleInPlace(samples);
    }
    assert.deepEqual(
      ['cache.dirtyBytes', 'tickets.readInUse'].map((name) =>
        Math.max(...samples.map(({ counters }) => counters[name])),
      ),
      [900, 128],
    );
  });
  it('stays bounded where the server restarts at every other look', () => {
    const samples = list(MAX_SAMPLES + 1).map((sample, i) => ({ ...sample, uptimeMs: i % 2 }));
    downsampleInPlace(samples);
    assert.deepEqual(
      [samples.length, samples[0].atMs, samples[samples.length - 1].atMs],
      [MAX_SAMPLES, 0, MAX_SAMPLES],
    );
  });
  it('a restart is still seen after thinning', () => {
    const samples = list(MAX_SAMPLES + 1).map((sample, i) => ({
      ...sample,
      uptimeMs: i < 301 ? 1e6 + i * 1000 : i,
    }));
    downsampleInPlace(samples);
    assert.equal(makeWindow(samples).restarts, 1);
    assert.equal(makeWindow(samples).samples[0].atMs, 301);
  });
});
