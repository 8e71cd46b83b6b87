'use strict';

const assert = require('node:assert/strict');
const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { SUITES, coreFiles, partOf } = require('../../../../scripts/testing/parts');
const { filesOf } = require('../../../../scripts/testing/suites');

const ROOT = path.join(__dirname, '../../../..');
// Two lanes of ten minutes, without lint, types, unit and browser tests and the installation.
const MAX_SECONDS = 650;

/** @param {string[]} args @returns {string[]} the files that it would run */
const listed = (...args) =>
  execFileSync(process.execPath, ['scripts/test.js', '--list', ...args], {
    cwd: ROOT,
    encoding: 'utf8',
  })
    .trim()
    .split('\n')
    .map((line) => String(line.split(/\s{2,}/).at(-1)));

describe('the parts of the tests', () => {
  it('core and rest are all test files, each once', () => {
    const all = fs
      .readdirSync(path.join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.test.js'))
      .map((name) => path.join('test', name));
    assert.deepEqual([...listed(), ...listed('--rest')].sort(), all.sort());
    assert.deepEqual(listed('--long').sort(), all);
  });
  it('what stands in the core exists, and belongs to its suite', () => {
    for (const suite of Object.values(SUITES)) {
      const own = filesOf(suite, ROOT).map((file) => path.relative(ROOT, file));
      assert.deepEqual(
        Object.keys(coreFiles(suite)).filter((file) => !own.includes(file)),
        [],
      );
    }
  });
  it('the core has a server, a split, a trial, a shell and a browser', () => {
    for (const name of ['unit', 'server', 'splits', 'trials', 'shell', 'browser'])
      assert.ok(filesOf(partOf(name, 'core'), ROOT).length > 0, name);
  });
  it('the core stays short', () => {
    const seconds = Object.values(SUITES)
      .flatMap((suite) => Object.values(coreFiles(suite)))
      .reduce((sum, one) => sum + one, 0);
    assert.ok(seconds <= MAX_SECONDS, `${seconds} s`);
  });
});
