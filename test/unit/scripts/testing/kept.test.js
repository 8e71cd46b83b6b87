'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { checkCoverage, coverageFolder } = require('../../../../scripts/testing/coverage');
const { keepCore, takeCore } = require('../../../../scripts/testing/kept');
const { temporaryFolder } = require('../../../support/cleanup');

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
