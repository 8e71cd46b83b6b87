'use strict';

const assert = require('node:assert/strict');
const { chartDataOf } = require('../../../lib/series/chart-data');
const { renderCheckpoints } = require('../../../lib/commands/pure/checkpoints-text');

const plain = (text) => text;
const at = (second) => new Date(Date.UTC(2026, 0, 1, 8, 0, second));
const moment = (i, more = {}) => ({
  from: at(i),
  opsPerSec: 100,
  checkpoint: false,
  stalled: false,
  ...more,
});
const checkpoint = {
  from: at(2),
  durationMs: 1500,
  running: false,
  writtenBytes: 2 ** 20,
  checkpointBytes: 1024,
  opsPerSec: 40,
  stalledSeconds: 1,
};
const data = {
  at: at(9),
  host: 'h',
  version: '6.0.5',
  seconds: 10,
  everySeconds: 60,
  checkpoints: [checkpoint],
  opsPerSec: { inside: 40, outside: 100 },
  stalls: [
    { from: at(3), seconds: 1, inCheckpoint: true },
    { from: at(7), seconds: 2, inCheckpoint: false },
  ],
  stalledSeconds: 3,
  stalledInCheckpointSeconds: 1,
  timeline: [
    moment(0),
    moment(1, { checkpoint: true, opsPerSec: 50 }),
    moment(2, { checkpoint: true, stalled: true, opsPerSec: 0 }),
    moment(3),
  ],
  ended: 'complete',
  notes: ['something.'],
};
const lines = (more = {}) =>
  renderCheckpoints(/** @type {any} */ ({ ...data, ...more }), plain).split('\n');

describe('the text of checkpoints', () => {
  it('a chart with marks, a line for each, the pace and the stalls', () => {
    assert.deepEqual(lines(), [
      'h watched for 10 s: 1 checkpoint seen; the server begins one 60 s after the one',
      '  before',
      '',
      'ops/s        █▅▁█  up to 100',
      'checkpoint    ━━',
      'stalled        !',
      '',
      'start (UTC)   took  written by all  by the checkpoint  ops/s  stalled',
      '08:00:02     1.5 s           1 MiB              1 KiB     40      1 s',
      '',
      'operations while a checkpoint ran: 40/s, otherwise 100/s (40.0% of it)',
      'stalls: 2, together 3 s, the longest 2 s; in checkpoints: 1 s',
      'note: something.',
    ]);
  });
  it('what is running, not stalled, not known', () => {
    const [running, unknown] = [
      { ...checkpoint, running: true, durationMs: null, stalledSeconds: 0 },
      { ...checkpoint, stalledSeconds: null, writtenBytes: null },
    ];
    const text = lines({
      checkpoints: [running, unknown],
      host: null,
      everySeconds: null,
      stalls: [],
      opsPerSec: { inside: null, outside: 5 },
      timeline: [moment(0)],
    });
    assert.equal(text[0], '? watched for 10 s: 2 checkpoints seen');
    assert.match(text.join('\n'), /^08:00:02 +runs +1 MiB +1 KiB +40 +0$/m);
    assert.match(text.join('\n'), /^08:00:02 +1\.5 s +\? +1 KiB +40 +\?$/m);
    assert.deepEqual(text.slice(-3), ['', 'stalls: none', 'note: something.']);
    assert.doesNotMatch(text.join('\n'), /^(stalled|checkpoint) /m);
  });
  it('no checkpoint, nothing told, nothing completed', () => {
    assert.match(
      lines({ checkpoints: [], everySeconds: 0 }).join('\n'),
      /: no checkpoints seen; the server begins none by itself\s+\(syncdelay 0\)\n/,
    );
    assert.match(lines({ checkpoints: null })[0], /tells nothing of its checkpoints/);
    assert.deepEqual(
      lines({
        checkpoints: null,
        timeline: [],
        stalls: null,
        opsPerSec: { inside: 1, outside: 0 },
        notes: [],
      }).slice(2),
      ['', 'stalls: too little work, or too few samples, to tell'],
    );
  });
  it('a long window stays on one line, and loses no second of it', () => {
    const all = lines({
      timeline: Array.from({ length: 250 }, (_, i) => ({
        ...moment(0, { checkpoint: i === 249, opsPerSec: i === 100 ? 0 : 100 }),
        from: new Date(at(0).getTime() + i * 1000),
      })),
    });
    assert.deepEqual(all.slice(3, 6), [
      `ops/s        ${'█'.repeat(50)}  up to 100`,
      `  the least  ${'█'.repeat(20)}▁${'█'.repeat(29)}  least 0`,
      `checkpoint   ${' '.repeat(49)}━`,
    ]);
    assert.ok(all.every((line) => line.length <= 80));
  });
  it('has what writes took and what was dirty beside it, where that was seen', () => {
    const drawn = chartDataOf(
      [0, 1, 2, 3, 4].map((i) => at(i).getTime()),
      { writeLatencyMs: [1, 2, 500, 2, 2], dirtyRatio: [0, 0, 0, 0, 0] },
    );
    assert.deepEqual(
      renderCheckpoints(/** @type {any} */ (data), plain, () => drawn)
        .split('\n')
        .slice(3, 7),
      [
        'ops/s        █▅▁█  up to 100',
        'writes take  ▁█▁▁  up to 500 ms',
        'checkpoint    ━━',
        'stalled        !',
      ],
    );
  });
});
