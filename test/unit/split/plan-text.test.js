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
    { isWhole: true },
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
    assert.deepEqual(lines.slice(0, 3), [
      'h  MongoDB 6.0.5  PLAN ONLY: nothing was changed  20240101000000-abcdef',
      'PLAN         app → app2, 1 collection, online',
      'BENEFIT      NO',
    ]);
    const text = lines.join('\n');
    assert.match(
      text,
      /^COLLECTIONS {2}~ estimated\n {4}method +documents +data +disk +written\/s +copy ~ +indexes ~\n {2}app\.b → app2\.b\n {4}out +50 +1000 B +488 KiB +1 MiB +1 ms +0 ms\n {2}out \(\$out\): the fastest method/m,
    );
    assert.ok(
      text.includes(
        '  app   ██████████████████░░░░░░  written 4 MiB/s → 3 MiB/s\n' +
          '  app2  ██████░░░░░░░░░░░░░░░░░░  written 0 B/s → 1 MiB/s\nBLOCKERS     none\nCOLLECTIONS  ~ estimated\n',
      ),
      text,
    );
    assert.match(
      text,
      /\nCOST {9}copying takes about 1 ms; 488 KiB more disk on every member until\s+tune\.split\.finish\(\)\. At the cutover both names refuse reads and\s+writes for about 1 s, up to 90 s behind a transaction; then only\s+the source name does\.\nSTAYS {8}1 in app\n {2}app\.a: so that both databases have a share of the writes\n/,
    );
    assert.equal(lines.at(-1), 'NEXT         nothing to run: this split brings no benefit');
    const plan = makePlan(asked(), { collections: two, server: server(), sample: null });
    const next = (/** @type {any} */ more) =>
      renderSplitPlan({ ...plan, ...more }, plain).split('\nNEXT')[1];
    assert.match(
      next({ worthIt: 'unknown' }).trim(),
      /^plan again under load; [^\n]+\n {2}Plan {7}tune\.split\.plan\(\{ source: "app", collections: \["b"\], seconds: 65 \}\)\n {2}Keep {7}plan = tune\.last\n {2}Dry run {4}tune\.split\.run\(plan\)$/,
    );
    assert.match(
      next({ worthIt: 'unknown', into: ['app3'] }),
      /target:\s+"app3", seconds: 65 \}\)/,
    );
    const yes = next({ worthIt: 'yes' });
    assert.match(yes, /tune\.split\.abort\(\)[^]*tune\.split\.rollback\(\)/);
    assert.deepEqual(yes.split('\n').slice(-5, -2), [
      '  Keep       plan = tune.last',
      '  Dry run    tune.split.run(plan)',
      '  Run        tune.split.run(plan, { confirm: true })',
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
    assert.match(text, /^\? {2}MongoDB 6\.0\.5 {2}PLAN ONLY/);
    assert.match(text, /PLAN {9}app → app2, 2 collections/);
    assert.match(text, /^ {4}ranges +1 G +\? +\? +0 B +19 h \d+ min +0 ms$/m);
    assert.match(text, /\n {2}app {3}[█░]{24} {2}data .* → /);
    assert.match(
      text,
      /\nBLOCKERS {5}2\n {2}CRIT {2}app\.b: It is capped[^]*\n {2}CRIT {2}Both copies are on the disk/,
    );
    assert.match(
      text,
      /\nWARNINGS {5}2\n {2}WARN {2}app\.b: It has a validator[^]*\n {2}WARN {2}\$lookup/,
    );
    assert.match(text, /\n {2}UNKN {2}Unknown: the users that reach it/);
    assert.match(text, /\nNEXT {9}remove the blockers, then plan again$/);
    assert.match(
      shown(two, { names: ['a'] }, { freeBytes: 10 }),
      /\nNEXT {9}remove the blocker, then plan again$/,
    );
    assert.match(
      shown([collection('a', { bytes: null }), collection('b')], { names: ['a', 'b'] }),
      /1000 KiB|976|977/,
    );
    assert.match(
      shown([collection('a', { bytes: null, documents: null })], { names: ['a'] }),
      /\nBENEFIT[^]*\nBLOCKERS/,
    );
  });
  it('nothing that moves; parts, and how to find them', () => {
    const none = shown([]);
    assert.match(
      none,
      /\nPLAN {9}app → app2, 0 collections, online\nBENEFIT {6}NO\n {2}There is no collection[^\n]*\nBLOCKERS {5}none$/,
    );
    assert.doesNotMatch(none, /→ 0|NEXT/);
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
    assert.match(range, /^PLAN {9}2 parts by range of k, estimated from a sample$/m);
    assert.match(range, /^ {2}app\.a_1 {2}█{12}░{12} {2}k < 50\n +500 +50 MiB +1\.5 MiB$/m);
    assert.match(
      shown(two, by('hash'), {}, { documents: 1000, drawn }),
      /ROUTING {6}the application calls this function to find the part\n {2}const partOf = \(value\) => \{\n[^]* {4}return \["app\.a_1", "app\.a_2"\]\[hash % 2\];\n {2}\};\n/,
    );
    assert.match(shown([], by('hash')), /^PLAN {9}0 parts by hash of k$/m);
  });

  it('is one screen, whatever the plan; what has no lines is counted', () => {
    for (const n of [1, 2, 3, 8, 40]) {
      const many = Array.from({ length: n }, (_, i) =>
        collection(`c${i}`, { options: { validator: { a: 1 } }, indexes: [] }),
      );
      const blocked = many.map((one) => ({ ...one, options: { capped: true } }));
      for (const collections of [many, blocked]) {
        const plan = makePlan(asked({ names: many.map(({ name }) => name) }), {
          collections,
          server: server(),
          sample: null,
        });
        const screen = renderSplitPlan(plan, plain).split('\n');
        assert.ok(screen.length <= 24, `${n}: ${screen.length} lines`);
        const whole = renderSplitPlan(plan, plain, { isWhole: true });
        assert.equal(whole.match(/ → app2\.c\d+$/gm)?.length, n);
        const moves = screen.filter((line) => / → app2\.c\d+( {2}|$)/.test(line)).length;
        assert.ok(moves > 0, screen.join('\n'));
        if (moves < n) assert.ok(screen.includes(`  and ${n - moves} more: tune.last.all()`));
      }
    }
  });
});
