'use strict';

const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { REGISTRY, concernedBy, namesNear } = require('../../../../scripts/testing/concerned');

const ROOT = path.join(__dirname, '../../../..');
const known = (/** @type {string} */ word) => {
  const found = concernedBy(word, ROOT);
  assert.ok(found, word);
  return found;
};

describe('what a name concerns', () => {
  for (const [what, word, source, test] of [
    ['a rule', 'cache-fill', 'lib/rules/engine/cache-fill.js', 'rules/engine/cache-fill'],
    ['a file', 'lib/config/safety.js', 'lib/config/safety.js', 'config/safety'],
    [
      'a file that its test loads',
      'lib/split/atomic-step.js',
      'lib/split/atomic-step.js',
      'split/one-step',
    ],
    ['a command', 'status', 'lib/commands/status.js', 'server/status-text'],
    ['a command as it is typed', 'tune.split.plan', 'lib/commands/split-plan.js', null],
    [
      'a folder',
      'lib/bench/load/workloads',
      'lib/bench/load/workloads/operations.js',
      'bench/load/workloads/fnv',
    ],
    ['a script', 'scripts/testing/lanes.js', 'scripts/testing/lanes.js', 'scripts/testing/lanes'],
  ])
    it(`${what}: ${word}`, () => {
      const { sources, tests } = known(String(word));
      assert.ok(sources.includes(String(source)), sources.join());
      if (test !== null) assert.ok(tests.includes(`test/unit/${test}.test.js`), tests.join());
    });
  it('a page has no test of its own', () => assert.deepEqual(known('docs/README.md').tests, []));
  it('a test that is named is run, however long it takes', () => {
    const file = 'test/server/split/endurance.test.js';
    assert.deepEqual(known(file), { sources: [], tests: [file], slow: [] });
    assert.deepEqual(known('endurance').slow, [file]);
  });
  it('the tests over everything exist', () =>
    assert.deepEqual(
      REGISTRY.filter((file) => !fs.existsSync(path.join(ROOT, file))),
      [],
    ));
  it('what nothing is called names those that are nearly so', () => {
    assert.equal(concernedBy('cache-fil', ROOT), null);
    assert.equal(namesNear('cache-fil', ROOT)[0], 'cache-fill');
    assert.ok(namesNear('eviction', ROOT).includes('app-eviction'));
    assert.deepEqual(namesNear('xyzzyx', ROOT), []);
    const { status, stderr } = spawnSync(process.execPath, ['scripts/quick.js', 'cache-fil'], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    assert.equal(status, 2);
    assert.match(stderr, /^"cache-fil" is no file [^]* Near: cache-fill/);
  });
});
