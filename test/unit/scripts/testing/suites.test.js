'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { runSuite } = require('../../../../scripts/testing/suites');
const { temporaryFolder } = require('../../../support/cleanup');

describe('runSuite', () => {
  let root;
  beforeEach(() => {
    root = temporaryFolder('suite');
  });
  afterEach(() => root.remove());

  /** Runs these test files as a suite. */
  async function run(files, { limitMs = 20_000, except = [], tries = 1 } = {}) {
    fs.mkdirSync(path.join(root.path, 'test/deep'), { recursive: true });
    files.forEach((text, i) =>
      fs.writeFileSync(path.join(root.path, 'test/deep', `f${i}.test.js`), text),
    );
    const env = { ...process.env, NODE_V8_COVERAGE: undefined };
    const { passed, failed, skipped, notes } = await runSuite(
      { name: 'x', folders: ['test', 'absent'], except, tries },
      { root: root.path, env, limitMs, lingerMs: 500 },
    );
    return { counts: [passed, failed, skipped], notes: notes.join('\n') };
  }

  for (const [what, files, counts, note] of [
    [
      'adds up the files',
      ['it("a", () => {});', 'it("b", () => {}); it("c", () => {});'],
      [3, 0, 0],
      /^$/,
    ],
    [
      'counts failures, with their reason, and how to run one alone',
      ['it("a", () => {}); it("it\'s b", () => { throw new Error("boom"); });'],
      [1, 1, 0],
      /b:\s+Error: boom[^]+npx mocha test.deep.f0\.test\.js -f 'it'\\''s b'/,
    ],
    [
      'counts skips',
      ['it("a", () => {}); it("b", function () { this.skip(); });'],
      [1, 0, 1],
      /^$/,
    ],
    [
      'counts a failing hook',
      ['before(() => { throw new Error("no server"); }); it("a", () => {});'],
      [0, 1, 0],
      /no server/,
    ],
    [
      'counts a file that cannot be loaded',
      ['it("a", () => {});', 'this is no JavaScript'],
      [0, 1, 0],
      /SyntaxError/,
    ],
    [
      'counts a suite without tests',
      ['describe("nothing", () => {});'],
      [0, 1, 0],
      /no test was run/,
    ],
    [
      'counts a suite that skips everything',
      ['it("a", function () { this.skip(); });'],
      [0, 1, 1],
      /no test was run/,
    ],
    [
      'counts a crash in the middle',
      ['it("a", () => {}); it("b", () => process.exit(0)); it("c", () => {});'],
      [1, 1, 0],
      /ended before its tests did \(exit code 0\)/,
    ],
    [
      'counts what a test leaves behind',
      ['it("a", () => { setInterval(() => {}, 1000); });'],
      [1, 1, 0],
      /something they started was not/,
    ],
    ['has nothing to say of folders without files', [], [0, 0, 0], /no test files yet/],
  ]) {
    it(what, async () => {
      const result = await run(files);
      assert.deepEqual(result.counts, counts, result.notes);
      assert.match(result.notes, note);
    });
  }

  it('leaves out a folder that another suite runs, and none whose name only begins alike', async () => {
    assert.match(
      (await run(['it("a", () => {});'], { except: ['test/deep'] })).notes,
      /no test files yet/,
    );
    assert.deepEqual(
      (await run(['it("a", () => {});'], { except: ['test/de'] })).counts,
      [1, 0, 0],
    );
  });

  it('tries what stands on the machine once more where it may, and tells of it', async () => {
    const files = [
      'let n = 0; it("a", () => { n += 1; if (n < 2) throw new Error("too slow"); });',
    ];
    assert.deepEqual((await run(files)).counts, [0, 1, 0]);
    const { counts, notes } = await run(files, { tries: 2 });
    assert.deepEqual(counts, [1, 0, 0]);
    assert.match(notes, /tried again: a: too slow[^]+1 tried again/);
    assert.deepEqual(
      (await run(['it("a", () => { throw new Error("boom"); });'], { tries: 2 })).counts,
      [0, 1, 0],
    );
  });

  it('ends a suite that does not end', async () => {
    const { counts, notes } = await run(
      [
        'it("a", () => {}); it("b", () => { throw new Error("boom"); }); it("c", (done) => ' +
          '{}).timeout(60000);',
      ],
      { limitMs: 6000 },
    );
    assert.deepEqual(counts, [1, 2, 0]);
    assert.match(notes, /boom[^]+did not end within 6 s/);
  });
});
