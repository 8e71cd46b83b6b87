'use strict';

const assert = require('node:assert/strict');
const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const {
  checkCoverage,
  coverageFolder,
  keepCore,
  takeCore,
} = require('../../../../scripts/testing/coverage');
const { temporaryFolder } = require('../../../support/cleanup');

const WELL = 'module.exports = (a) => a;\n';
// Two of its twelve lines are not run: 83.3%.
const BADLY =
  `'use strict';\nmodule.exports = (a) => {\n  if (a === 1) {\n    a += 1;\n  }\n  return ` +
  `a;\n};\n${'// more\n'.repeat(5)}`;

describe('checkCoverage', () => {
  let root;
  beforeEach(() => {
    root = temporaryFolder('coverage');
  });
  afterEach(() => root.remove());

  /** What the floors say of these files, after the first ones were run and the others not. */
  async function judge(run, notRun = {}) {
    fs.mkdirSync(coverageFolder(root.path), { recursive: true });
    for (const [name, text] of Object.entries({ ...run, ...notRun })) {
      fs.mkdirSync(path.dirname(path.join(root.path, name)), { recursive: true });
      fs.writeFileSync(path.join(root.path, name), text);
    }
    const script = Object.keys(run)
      .map((name) => `require(${JSON.stringify(path.join(root.path, name))})(2);`)
      .join('');
    execFileSync(process.execPath, ['-e', script], {
      env: { ...process.env, NODE_V8_COVERAGE: coverageFolder(root.path) },
    });
    const [pure, rest] = await checkCoverage({ root: root.path });
    return {
      pure: [pure.failed, pure.notes.join('\n')],
      rest: [rest.failed, rest.notes.join('\n')],
    };
  }

  it('is content when every line was run', async () => {
    const { pure, rest } = await judge({ 'lib/config/a.js': WELL, 'lib/host/b.js': WELL });
    assert.deepEqual([pure[0], rest[0]], [0, 0]);
    assert.equal(pure[1], '100.0% of 1 lines in 1 files, floor 100.0%');
  });

  it('asks for every line of a pure layer, and names the lines', async () => {
    const { pure } = await judge({ 'lib/split/pure/a.js': BADLY, 'lib/config/b.js': WELL });
    assert.equal(pure[0], 1);
    assert.match(pure[1], /83\.3% {2}lib\/split\/pure\/a\.js {2}4-5$/);
  });

  it('lets a file of another layer stay below, when the layer is not, and still names it', async () => {
    const { rest } = await judge({ 'lib/change/a.js': BADLY, 'lib/entry.js': WELL.repeat(8) });
    assert.equal(rest[0], 0);
    assert.match(rest[1], /^90\.0% of 20 lines/);
    assert.match(rest[1], /83\.3% {2}lib\/change\/a\.js/);
  });

  it('fails the other layers one line below their floor', async () => {
    const { rest } = await judge({ 'lib/change/a.js': BADLY, 'lib/entry.js': WELL.repeat(7) });
    assert.equal(rest[0], 1);
    assert.match(rest[1], /^89\.4% of 19 lines/);
  });

  it('counts files that no test loads', async () => {
    const { pure } = await judge({ 'lib/config/a.js': WELL }, { 'lib/text/b.js': WELL });
    assert.equal(pure[0], 1);
    assert.match(pure[1], /0\.0% {2}lib\/text\/b\.js {2}1$/);
  });
});

describe('the coverage of the core', () => {
  let root;
  beforeEach(() => {
    root = temporaryFolder('kept');
    write('lib/a.js', '1');
    write('docs/a.md', '1');
    left('a.json');
  });
  afterEach(() => root.remove());

  const write = (/** @type {string} */ name, /** @type {string} */ text) => {
    fs.mkdirSync(path.dirname(path.join(root.path, name)), { recursive: true });
    fs.writeFileSync(path.join(root.path, name), text);
  };
  /** What a process leaves behind. @param {string} name */
  const left = (name) =>
    write(path.relative(root.path, path.join(coverageFolder(root.path), name)), '{}');
  const there = () => fs.readdirSync(coverageFolder(root.path)).sort();

  it('is added to that of the rest, as often as that is run', () => {
    keepCore(root.path);
    for (let round = 0; round < 2; round += 1) {
      fs.rmSync(coverageFolder(root.path), { recursive: true, force: true });
      left('a.json');
      assert.equal(takeCore(root.path), true);
      assert.deepEqual(there(), ['a.json', 'core-a.json']);
    }
  });
  for (const [what, change, taken] of /** @type {[string, () => void, boolean][]} */ ([
    ['not when the code is another one', () => write('lib/a.js', '2'), false],
    ['not when a test is another one', () => write('test/a.test.js', '2'), false],
    ['also when a page is another one', () => write('docs/a.md', '2'), true],
  ]))
    it(what, () => {
      keepCore(root.path);
      left('b.json');
      change();
      assert.equal(takeCore(root.path), taken);
    });
  it('without it no floor is judged, and that is said', async () => {
    left('b.json');
    assert.equal(takeCore(root.path), false);
    for (const { failed, skipped, notes } of await checkCoverage({ root: root.path, whole: false }))
      assert.deepEqual(
        [failed, skipped, notes.join()],
        [0, 1, 'not checked: npm test was not run before, with this very code'],
      );
  });
});
