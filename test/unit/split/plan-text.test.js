'use strict';

const assert = require('node:assert/strict');
const { renderSplitPlan } = require('../../../lib/split/pure/plan-text');
const { makePlan } = require('../../../lib/split/pure/plan');
const { collection, server, asked } = require('./plan-kit');

const plain = (text) => text;
const shown = (collections, ask = {}, more = {}, sample = null) => {
  const text = renderSplitPlan(
    makePlan(asked(ask), { collections, server: server(more), sample }),
    plain,
  );
  for (const line of text.split('\n')) assert.ok(line.length <= 80 || /\S{60,}/.test(line), line);
  return text;
};
const MB = 2 ** 20;
const two = [
  collection('a', { writtenBytesPerSec: 3 * MB, bytes: 100 * MB, documents: 1e6 }),
  collection('b', { writtenBytesPerSec: MB, documents: 50, bytes: 1000 }),
];

describe('the text of a plan', () => {
  it('what moves, with the bars of before and after, and what comes next', () => {
    const lines = shown(two).split('\n');
    assert.deepEqual(lines.slice(0, 4), [
      'h  a plan, nothing was changed  20240101000000-abcdef',
      'app into app2: 1 collection moves, online; about 1 ms, 488 KiB more on disk',
      'until it is finished',
      '',
    ]);
    assert.equal(lines[4], 'worth it: no');
    const text = lines.join('\n');
    assert.match(
      text,
      /^by +documents +data +on disk +written\/s +copy ~ +indexes ~\napp\.b → app2\.b\n\$out +50 +1000 B +488 KiB +1 MiB +1 ms +0 ms\n\$out: \$out is the fastest/m,
    );
    assert.ok(
      text.includes(
        'written to disk\nbefore\n  app   ████████████████████████  4 MiB/s\n  app2  ' +
          '░░░░░░░░░░░░░░░░░░░░░░░░  0 B/s\nafter\n  app   ██████████████████░░░░░░  3 ' +
          'MiB/s\n  app2  ██████░░░░░░░░░░░░░░░░░░  1 MiB/s\n\nstays in app\n  app.a: for the ' +
          'balance\n',
      ),
      text,
    );
    assert.deepEqual(lines.slice(-3), [
      'apply:          tune.split.run(plan, { confirm: true })',
      'or by hand:     tune.split.script(plan)',
      '(keep it first: plan = tune.last)',
    ]);
  });
  it('several, by size, what is in the way, what is not known', () => {
    const text = shown(
      [
        collection('a', { documents: 1e9, bytes: null, storageBytes: null }),
        collection('b', { options: { capped: true, validator: {} } }),
        collection('c', { documents: null, bytes: 0 }),
      ],
      { names: ['a', 'b'] },
      { freeBytes: 10, users: null, host: null, oplog: null },
    );
    assert.match(text, /^\? {2}a plan/);
    assert.match(text, /2 collections move/);
    assert.match(text, /^\$merge in ranges +1 G +\? +\? +0 B +19 h \d+ min +0 ms$/m);
    assert.match(text, /\ndata \(nothing was written\)\nbefore\n/);
    assert.match(text, /\n\napp\.b\n✗ {2}It is capped[^]*\n! {2}It has a validator/);
    assert.match(text, /\n\nas a whole\n✗ {2}Both copies are on the disk[^]*\n! {2}\$lookup/);
    assert.match(text, /\n\? {2}Not known: which users reach it/);
    assert.match(text, /2 things have to be settled first \(✗\); then plan again\.$/);
    assert.match(
      shown(two, { names: ['a'] }, { freeBytes: 10 }),
      /1 thing has to be settled first/,
    );
    assert.match(
      shown([collection('a', { bytes: null }), collection('b')], { names: ['a', 'b'] }),
      /1000 KiB|976|977/,
    );
    assert.match(
      shown([collection('a', { bytes: null, documents: null })], { names: ['a'] }),
      /app2 {2}░+ {2}0 B\nafter/,
    );
  });
  it('nothing that moves; parts, and how to find them', () => {
    const none = shown([]);
    assert.match(
      none,
      /app into app2: 0 collections move, online\n\nworth it: no\n {2}There is no collection/,
    );
    assert.doesNotMatch(none, /before|to do it/);
    const drawn = Array.from({ length: 100 }, (_, i) => ({
      key: String(i),
      shown: String(i),
      bytes: 10,
      bornMs: null,
      missing: false,
    }));
    const by = (kind) =>
      /** @type {const} */ ({ names: ['a'], into: ['app'], by: { kind, field: 'k', parts: 2 } });
    const range = shown(two, by('range'), {}, { documents: 1000, drawn });
    assert.match(range, /^2 parts by range of k, estimated from a sample$/m);
    assert.match(range, /^app\.a_1 {2}█{12}░{12} {2}k < 50\n +500 +50 MiB +1\.5 MiB$/m);
    assert.match(
      shown(two, by('hash'), {}, { documents: 1000, drawn }),
      /the application asks it where a document is:\n {2}const partOf = \(value\) => \{\n[^]* {4}return \["app\.a_1", "app\.a_2"\]\[hash % 2\];\n {2}\};\n/,
    );
    assert.match(shown([], by('hash')), /^0 parts by hash of k$/m);
  });
});
