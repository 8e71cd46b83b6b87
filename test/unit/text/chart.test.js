'use strict';

const assert = require('node:assert/strict');
const { cellsOf, marksOf, piecesOf, renderChart, barRows } = require('../../../lib/text/chart');
const { chartDataOf } = require('../../../lib/series/chart-data');

const plain = (/** @type {string} */ text) => text;
const second = (/** @type {number} */ i) => Date.UTC(2026, 0, 1) + i * 1000;
const times = (/** @type {number} */ n) => Array.from({ length: n }, (_, i) => second(i));
/** @param {Record<string, (number | null)[]>} series @param {object} [more] */
const timeChart = (series, more = {}, options = {}) =>
  renderChart(chartDataOf(times(Object.values(series)[0].length), series, more), plain, options);
const fits = (/** @type {string[]} */ rows) =>
  rows.forEach((row) => assert.ok(row.length <= 80, `${row.length}: ${row}`));

describe('time in cells', () => {
  const axis = (/** @type {number} */ width) => ({ fromMs: 0, toMs: 100, width });
  it('keeps the least and the most of each', () => {
    assert.deepEqual(cellsOf(piecesOf([0, 10, 40, 60, 100], [1, 9, 5, null, 2]), axis(2)), {
      min: [1, 2],
      max: [9, 2],
    });
  });
  it('a value fills the cells that its time reaches over, and takes none that has its own', () => {
    assert.deepEqual(
      cellsOf(
        [
          { fromMs: 0, toMs: 0, value: 7 },
          { fromMs: 0, toMs: 80, value: 3 },
        ],
        axis(4),
      ).max,
      [7, 3, 3, 3],
    );
  });
  it('leaves a gap empty', () =>
    assert.deepEqual(cellsOf(piecesOf([0, 10, 90], [1, null, 2]), axis(4)).max, [
      1,
      undefined,
      undefined,
      2,
    ]));
  it('a time outside, or a line of one moment, is at the edge', () => {
    assert.deepEqual(
      cellsOf(
        [
          { fromMs: -50, toMs: -40, value: 1 },
          { fromMs: 900, toMs: 950, value: 2 },
        ],
        axis(3),
      ).max,
      [1, undefined, 2],
    );
    assert.deepEqual(
      cellsOf([{ fromMs: 5, toMs: 5, value: 1 }], { fromMs: 5, toMs: 5, width: 1 }).max,
      [1],
    );
    assert.deepEqual(cellsOf([{ fromMs: 90, toMs: 10, value: 1 }], axis(2)).max, [1, undefined]);
  });
  it('marks what was, the later over the earlier', () =>
    assert.equal(
      marksOf(
        [
          { fromMs: 0, toMs: 60, mark: 'A' },
          { fromMs: 50, toMs: 70, mark: 'B' },
        ],
        axis(5),
      ),
      'AABB',
    ));
});

describe('the time series of a server in text', () => {
  it('draws each line max its greatest value, ratios max 1, within 80 columns', () => {
    const rows = timeChart({
      readsPerSec: [0, 500, 123_456],
      usedRatio: [0.5, 0.5, 0.5],
      writtenBytesPerSec: [0, 2 ** 29 * 1.23, 1],
      readLatencyMs: [1, null, 4],
    });
    assert.deepEqual(rows, [
      '                    2026-01-01 00:00:00 to 2026-01-01 00:00:02  UTC',
      'reads/s             ▁▁█  max 123,456',
      'read latency        ▃ █  max 4 ms',
      'cache used          ▅▅▅  max 50.0%',
      'written/s           ▁█▁  max 630 MiB',
    ]);
    fits(rows);
  });
  it('puts the times over a line that is long enough', () => {
    const [head] = timeChart({ readsPerSec: Array(60).fill(1) });
    assert.equal(head, '                    2026-01-01 00:00:00      2026-01-01 00:00:59  UTC');
  });
  it('leaves out what is nothing, or not known', () =>
    assert.doesNotMatch(
      timeChart({
        readsPerSec: [1, 2],
        queued: [0, 0],
        cpuCores: [null, null],
        readingThreads: [0.001, 0.002],
      }).join(),
      /queued|CPUs|threads reading/,
    ));
  it('loses no second of a day: neither the most of it, nor work that was not done', () => {
    const rows = timeChart({
      readsPerSec: Array(86_400).fill(100).with(43_210, 0).with(70_000, 200),
      writeLatencyMs: Array.from({ length: 86_400 }, (_, i) => (i === 43_210 ? 900 : 1)),
    });
    assert.match(rows[1], /^reads\/s {13}▅{35}█▅{8} {2}max 200$/);
    assert.match(rows[2], /^ {2}minimum {11}▅{22}▁▅{21} {2}min 0$/);
    assert.match(rows[3], /^write latency {7}▁{22}█▁{21} {2}max 900 ms$/);
    fits(rows);
  });
  it('says what was in effect, checkpoints, stalls and gaps below, and what was judged', () => {
    const span = (/** @type {number} */ from, /** @type {number} */ to, more = {}) => ({
      fromMs: second(from),
      toMs: second(to),
      ...more,
    });
    const rows = timeChart(
      { readsPerSec: Array(10).fill(1) },
      {
        blocks: [span(0, 4, { setting: 'A' }), span(5, 9, { setting: 'B' })],
        checkpoints: [span(2, 3)],
        stalls: [span(9, 9)],
        breaks: [span(5, 5, { kind: 'gap' })],
      },
      { judged: { from: new Date(second(1)), to: new Date(second(2)) }, indent: '  ' },
    );
    assert.deepEqual(rows.slice(1), [
      '  reads/s           ██████████  max 1',
      '  active setting    AAAAABBBBB',
      '  checkpoint          ━━',
      '  stalled                    !',
      '  gap or restart         ┊',
      '  analyzed           ^^',
      '                    2026-01-01 00:00:01 to 2026-01-01 00:00:02',
    ]);
  });
  for (const [name, from, to] of /** @type {[string, number, number][]} */ ([
    ['before the line', -99, -98],
    ['behind it', 99, 100],
    ['backwards', 2, 1],
  ])) {
    it(`marks what is judged ${name} at its edge, for clocks are set back`, () =>
      assert.match(
        timeChart(
          { readsPerSec: [1, 2, 3] },
          {},
          { judged: { from: new Date(second(from)), to: new Date(second(to)) } },
        ).join('\n'),
        /analyzed +\^\n/,
      ));
  }
  it('has no second row where work comes and goes all the time', () =>
    assert.doesNotMatch(
      timeChart({ readsPerSec: Array.from({ length: 600 }, (_, i) => i % 2) }).join(),
      /minimum/,
    ));
  it('leaves out what is shown as nothing, and checkpoints that are everywhere and short', () => {
    const short = Array.from({ length: 600 }, (_, i) => ({
      fromMs: second(i),
      toMs: second(i) + 100,
    }));
    const rows = timeChart(
      {
        readsPerSec: Array(600).fill(1),
        dirtyRatio: Array(600).fill(0.0004),
        readBytesPerSec: Array(600).fill(0.2),
      },
      { checkpoints: short },
    );
    assert.deepEqual(
      rows.map((row) => row.slice(0, 18).trim()),
      ['', 'reads/s'],
    );
    const long = timeChart(
      { readsPerSec: Array(600).fill(1) },
      { checkpoints: [{ fromMs: second(0), toMs: second(590) }] },
    );
    assert.match(long[2], /^checkpoint {10}━{44}$/);
  });
  it('says when there is nothing to draw', () => {
    assert.deepEqual(renderChart(null, plain), ['nothing to draw']);
    assert.deepEqual(timeChart({ readsPerSec: [0, 0] }), ['nothing to draw']);
  });
  it('has no second row without its words', () =>
    assert.deepEqual(
      barRows(
        { label: 'x ', cells: { min: [0, undefined], max: [8, undefined] }, says: '' },
        plain,
      ),
      ['x █'],
    ));
});
