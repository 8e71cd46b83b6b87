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
      'h  MongoDB 6.0.5  10 s observed',
      'CHECKPOINTS  1 (interval 60 s)',
      'OPERATIONS   40/s during checkpoints, 40.0% of the 100/s outside',
      'STALLS       2, longest 2 s, total 3 s, of it 1 s during checkpoints',
      '  start (UTC)   took  all writes  by checkpoint  ops/s  stalled',
      '  08:00:02     1.5 s       1 MiB          1 KiB     40      1 s',
      '  all writes: from the sample before the checkpoint to the one after it',
      '  ops/s      █▅▁█  max 100',
      '  checkpoint  ━━',
      '  stalled      !',
      '  Diagnose   tune.advise()',
      '  note  something.',
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
    assert.deepEqual(text.slice(0, 3), [
      '?  MongoDB 6.0.5  10 s observed',
      'CHECKPOINTS  2',
      'STALLS       none',
    ]);
    assert.match(text.join('\n'), /^ {2}08:00:02 +running +1 MiB +1 KiB +40 +0$/m);
    assert.match(text.join('\n'), /^ {2}08:00:02 +1\.5 s +\? +1 KiB +40 +\?$/m);
    assert.equal(text.at(-1), '  note  something.');
    assert.doesNotMatch(text.join('\n'), /^ {2}(stalled|checkpoint) /m);
  });
  it('no checkpoint, nothing told, nothing completed', () => {
    assert.match(
      lines({ checkpoints: [], everySeconds: 0 }).join('\n'),
      /\nCHECKPOINTS {2}none \(syncdelay 0: none by interval\)\n/,
    );
    assert.match(lines({ checkpoints: null })[1], /^CHECKPOINTS {2}not reported by this server/);
    assert.deepEqual(
      lines({
        checkpoints: null,
        timeline: [],
        stalls: null,
        opsPerSec: { inside: 1, outside: 0 },
        notes: [],
      }).slice(2),
      ['STALLS       unknown: too little work, or too few samples', '  Diagnose   tune.advise()'],
    );
  });
  it('a long window stays on one line, and loses no second of it', () => {
    const all = lines({
      timeline: Array.from({ length: 250 }, (_, i) => ({
        ...moment(0, { checkpoint: i === 249, opsPerSec: i === 100 ? 0 : 100 }),
        from: new Date(at(0).getTime() + i * 1000),
      })),
    });
    assert.deepEqual(all.slice(7, 10), [
      `  ops/s      ${'█'.repeat(50)}  max 100`,
      `  minimum    ${'█'.repeat(20)}▁${'█'.repeat(29)}  min 0`,
      `  checkpoint ${' '.repeat(49)}━`,
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
        .slice(7, 11),
      [
        '  ops/s      █▅▁█  max 100',
        '  latency    ▁█▁▁  max 500 ms',
        '  checkpoint  ━━',
        '  stalled      !',
      ],
    );
  });
});
