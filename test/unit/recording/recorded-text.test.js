'use strict';

const assert = require('node:assert/strict');
const {
  renderRecord,
  renderRecorded,
  renderCompared,
} = require('../../../lib/recording/pure/recorded-text');

const plain = (/** @type {string} */ text) => text;
const at = (/** @type {number} */ second) => new Date(Date.UTC(2026, 0, 1) + second * 1000);
const fits = (/** @type {string} */ text) =>
  text.split('\n').forEach((line) => assert.ok(line.length <= 80, line));

describe('recording/pure/recorded-text', () => {
  const nothing = {
    window: { from: null, to: null, samples: 0 },
    because: `Nothing, ${'really '.repeat(20)}nothing.`,
    notes: ['host \u001b[31m changes'],
  };
  it('says why there is no answer, and escapes what others named', () => {
    const text = renderRecorded(nothing, null, plain);
    assert.match(text, /^BOTTLENECK {3}unknown\n {2}Nothing, really/);
    assert.doesNotMatch(text, /\u001b/);
    fits(text);
  });

  const done = {
    file: 'monday.ndjson',
    bytes: 2048,
    host: 'db1',
    samples: 9,
    seconds: 8,
    ended: 'complete',
    notes: [],
  };
  it('says what was recorded and how to go on', () =>
    assert.equal(
      renderRecord(done, plain),
      'db1  9 samples in 8 s\nWRITTEN      monday.ndjson\n             2 KiB\n  Diagnose   ' +
        'tune.replay("monday.ndjson")',
    ));
  it('says how it ended', () => {
    const text = renderRecord(
      { ...done, samples: 1, host: null, ended: 'lost', notes: ['The connection was lost.'] },
      plain,
    );
    assert.match(
      text,
      /^\? {2}1 sample in 8 s\n.*\n {13}2 KiB, ended early: lost\n.*\n {2}note {2}The connection was lost\.$/s,
    );
  });
});

describe('recording/pure/recorded-text, a recording compared', () => {
  const pair = (/** @type {number | null} */ before, /** @type {number | null} */ now) => ({
    before,
    now,
    ratio: before && now !== null ? now / before : null,
  });
  /** @param {any[]} rows @returns {any} */
  const compared = (rows) => ({
    files: ['monday.ndjson'],
    from: at(0),
    to: at(60),
    samples: 61,
    bottleneck: 'cache-read',
    because: '',
    rows,
  });
  const row = (
    /** @type {string} */ series,
    /** @type {any} */ usual,
    /** @type {any} */ max = usual,
  ) => ({ series, usual, max });

  it('sets two recordings side by side', () => {
    const text = renderCompared(
      compared([
        row('opsPerSec', pair(500, 4500), pair(600, 6000)),
        row('readLatencyMs', pair(10, 1)),
        row('queued', pair(1, 20)),
        row('usedRatio', pair(null, 0.5)),
      ]),
      'none',
      plain,
    );
    assert.match(
      text,
      /^COMPARED {5}with monday\.ndjson\n {13}61 samples, 2026-01-01 00:00:00 to 2026-01-01 00:01:00 UTC\nBOTTLENECK {3}cache-read before, none now\n/,
    );
    assert.match(text, /operations\/s +500 +4,500 +×9 +600 +6,000/);
    assert.match(text, /read latency +10 ms +1 ms +×0\.1 /);
    assert.match(text, /queued operations +1 +20 +×20 /);
    assert.match(text, /cache used +\? +50\.0% +\? +50\.0%/);
    fits(text);
  });
  it('leaves out what was nothing and still is', () =>
    assert.doesNotMatch(
      renderCompared(
        compared([
          row('queued', pair(0, 0)),
          row('cpuCores', pair(null, 0)),
          row('opsPerSec', pair(1, 1)),
        ]),
        'none',
        plain,
      ),
      /queued|CPUs/,
    ));
  it('marks only what differs', () => {
    const marked = (/** @type {string} */ text, /** @type {string} */ tone) =>
      tone === 'accent' ? `<${text}>` : text;
    const text = renderCompared(
      compared([row('opsPerSec', pair(100, 104)), row('queued', pair(100, 106))]),
      'none',
      marked,
    );
    assert.doesNotMatch(text, /<×1>/);
    assert.match(text, /<×1\.1>/);
  });
});
