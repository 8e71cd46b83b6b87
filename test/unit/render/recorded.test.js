'use strict';

const assert = require('node:assert/strict');
const { renderPlot, renderRecord, renderRecorded } = require('../../../lib/render/recorded');
const { renderCompared } = require('../../../lib/render/compared');

const plain = (/** @type {string} */ text) => text;
const at = (/** @type {number} */ second) => new Date(Date.UTC(2026, 0, 1) + second * 1000);
/** @param {Record<string, (number | null)[]>} series @returns {any} */
const plotOf = (series, length = Object.values(series)[0].length) => ({ from: at(0), to: at(length), everySeconds: 1, at: Array.from({ length }, (_, i) => at(i + 1)), series });
const fits = (/** @type {string} */ text) => text.split('\n').forEach((line) => assert.ok(line.length <= 80, line));

describe('render/recorded', () => {
  it('draws each series up to its greatest value, ratios up to 1, within 80 columns', () => {
    const text = renderPlot(plotOf({ opsPerSec: [0, 500, 123_456], usedRatio: [0.5, 0.5, 0.5], readBytesPerSec: [0, 2 ** 29 * 1.23, 1], readLatencyMs: [1, null, 4] }), plain, { from: at(1), to: at(2) });
    assert.match(text, /opsPerSec +▁+▁.*█+ {2}up to 123,456/);
    assert.match(text, /usedRatio +▅+ {2}up to 50\.0 %/);
    assert.match(text, /readBytesPerSec .* up to 630 MiB/);
    assert.match(text, /readLatencyMs .* up to 4 ms/);
    assert.match(text, /judged +\^+\n +2026-01-01 00:00:01 to 2026-01-01 00:00:02$/);
    fits(text);
  });
  it('leaves out what is nothing, or not known', () => assert.doesNotMatch(renderPlot(plotOf({ opsPerSec: [1, 2], queued: [0, 0], cpuCores: [null, null], readingThreads: [0.001, 0.002] }), plain), /queued|cpuCores|readingThreads/));
  it('draws more values than there is room for by the greatest of each cell', () => {
    const text = renderPlot(plotOf({ opsPerSec: Array.from({ length: 600 }, (_, i) => (i === 300 ? 100 : 1)) }), plain);
    assert.equal([...text].filter((one) => one === '█').length, 1);
    fits(text);
  });
  it('leaves a cell empty where nothing is known', () => assert.match(renderPlot(plotOf({ opsPerSec: [1, null, 1] }), plain), /█+ +█+ {2}up to 1/));
  for (const plot of [null, plotOf({ opsPerSec: [] })]) it(`says when there is nothing to draw, ${plot && 'no value'}`, () => assert.equal(renderPlot(plot, plain), 'nothing to draw'));
  for (const [name, from, to] of /** @type {[string, number, number][]} */ ([['before the line', -99, -98], ['behind it', 99, 100], ['backwards', 2, 1]])) {
    it(`marks what is judged ${name} at its edge, for clocks are set back`, () => {
      const text = renderPlot(plotOf({ opsPerSec: [1, 2, 3] }), plain, { from: at(from), to: at(to) });
      assert.match(text, /judged +\^\n/);
      fits(text);
    });
  }
  it('marks a recording of one moment', () => assert.match(renderPlot({ ...plotOf({ opsPerSec: [1] }), to: at(0) }, plain, { from: at(0), to: at(0) }), /judged +\^/));

  const nothing = { window: { from: null, to: null, samples: 0 }, because: `Nothing, ${'really '.repeat(20)}nothing.`, notes: ['host \u001b[31m changes'] };
  it('says why there is no answer, and escapes what others named', () => {
    const text = renderRecorded(nothing, null, plain);
    assert.match(text, /^bottleneck: unknown\n {2}Nothing, really/);
    assert.doesNotMatch(text, /\u001b/);
    fits(text);
  });

  const done = { file: 'monday.ndjson', bytes: 2048, host: 'db1', samples: 9, seconds: 8, ended: 'complete', notes: [] };
  it('says what was recorded and how to go on', () => assert.equal(renderRecord(done, plain), 'monday.ndjson\n  9 looks at db1 in 8 s, 2 KiB\n  tune.replay("monday.ndjson") gives the advice, here or anywhere.'));
  it('says how it ended', () => {
    const text = renderRecord({ ...done, samples: 1, host: null, ended: 'lost', notes: ['The connection was lost.'] }, plain);
    assert.match(text, /1 look at \? in 8 s, 2 KiB \(lost\)\n.*\nnote: The connection was lost\.$/s);
  });
});

describe('render/compared', () => {
  const pair = (/** @type {number | null} */ before, /** @type {number | null} */ now) => ({ before, now, ratio: before && now !== null ? now / before : null });
  /** @param {any[]} rows @returns {any} */
  const compared = (rows) => ({ files: ['monday.ndjson'], from: at(0), to: at(60), samples: 61, bottleneck: 'cache-read', because: '', rows });
  const row = (/** @type {string} */ series, /** @type {any} */ usual, /** @type {any} */ most = usual) => ({ series, usual, most });

  it('sets two recordings side by side', () => {
    const text = renderCompared(compared([row('opsPerSec', pair(500, 4500), pair(600, 6000)), row('readLatencyMs', pair(10, 1)), row('queued', pair(1, 20)), row('usedRatio', pair(null, 0.5))]), 'none', plain);
    assert.match(text, /^compared with monday\.ndjson \(61 looks, 2026-01-01 00:00:00 to 2026-01-01\n {2}00:01:00 UTC\)\n {2}bottleneck: then cache-read, now none\n/);
    assert.match(text, /opsPerSec +500 +4,500 +9 +600 +6,000/);
    assert.match(text, /readLatencyMs +10 ms +1 ms +0\.1 /);
    assert.match(text, /queued +1 +20 +20 /);
    assert.match(text, /usedRatio +\? +50\.0 % +\? +50\.0 %/);
    fits(text);
  });
  it('leaves out what was nothing and still is', () => assert.doesNotMatch(renderCompared(compared([row('queued', pair(0, 0)), row('cpuCores', pair(null, 0)), row('opsPerSec', pair(1, 1))]), 'none', plain), /queued|cpuCores/));
  it('marks only what differs', () => {
    const marked = (/** @type {string} */ text, /** @type {string} */ tone) => (tone === 'accent' ? `<${text}>` : text);
    const text = renderCompared(compared([row('opsPerSec', pair(100, 104)), row('queued', pair(100, 106))]), 'none', marked);
    assert.doesNotMatch(text, /<1>/);
    assert.match(text, /<1\.1>/);
  });
});
