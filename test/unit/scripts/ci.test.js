'use strict';

const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { temporaryFolder } = require('../../support/cleanup');
const { skipIf } = require('../../support/skip');

const RUN = path.join(__dirname, '../../../.ci/run');

describe('.ci/run', () => {
  let folder;
  beforeEach(function () {
    skipIf(this, process.platform === 'win32' ? 'it is a script of bash' : null);
    folder = temporaryFolder('ci');
    for (const name of ['.ci', 'bin']) fs.mkdirSync(path.join(folder.path, name));
    fs.copyFileSync(RUN, path.join(folder.path, '.ci/run'));
    program('chromium', 'exit 0');
  });
  afterEach(() => folder?.remove());

  const program = (/** @type {string} */ name, /** @type {string} */ text) =>
    fs.writeFileSync(path.join(folder.path, 'bin', name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  /** What it prints where npm prints this, and ends so. @param {string} core @param {string} rest */
  const run = (core, rest) => {
    program('npm', `case "$*" in cit) ${core};; 'run test:all') ${rest};; esac`);
    const { status, stdout } = spawnSync('bash', [path.join(folder.path, '.ci/run')], {
      env: {
        ...process.env,
        PATH: `${path.join(folder.path, 'bin')}${path.delimiter}${process.env.PATH}`,
      },
      encoding: 'utf8',
    });
    return { status, lines: stdout.trimEnd().split('\n') };
  };

  for (const [
    what,
    core,
    rest,
    last,
    status,
  ] of /** @type {[string, string, string, string, number][]} */ ([
    [
      'adds up both parts',
      'echo "40 passed, 0 failed, 3 skipped"',
      'echo "2 passed, 0 failed"',
      '42 passed, 0 failed',
      0,
    ],
    [
      'runs the rest after a failure, and passes over what npm adds',
      'echo "40 passed, 2 failed"; echo "npm error"; exit 1',
      'echo "2 passed, 0 failed"',
      '42 passed, 2 failed',
      1,
    ],
    [
      'counts failures of the rest',
      'echo "40 passed, 1 failed"; exit 1',
      'echo "2 passed, 3 failed"; echo "npm error"; exit 1',
      '42 passed, 4 failed',
      1,
    ],
    [
      'counts an installation that fails',
      'echo "npm error"; exit 1',
      'echo "2 passed, 0 failed"',
      '2 passed, 1 failed',
      1,
    ],
  ]))
    it(what, () => {
      const { status: code, lines } = run(core, rest);
      assert.equal(lines.at(-1), last);
      assert.equal(code, status);
      assert.equal(lines.filter((line) => /^\d+ passed, \d+ failed/.test(line)).length, 1);
    });
  it('tells the parts apart, and what was skipped', () => {
    const { lines } = run('echo "1 passed, 0 failed, 3 skipped"', 'echo "1 passed, 0 failed"');
    assert.deepEqual(lines, [
      'core: 1 passed, 0 failed, 3 skipped',
      'rest: 1 passed, 0 failed',
      '3 skipped',
      '2 passed, 0 failed',
    ]);
  });
});
