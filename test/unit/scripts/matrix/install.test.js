'use strict';

const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { installRelease } = require('../../../../scripts/matrix/install');
const { matrixTable } = require('../../../../scripts/matrix/table');
const { skipIf } = require('../../../support/skip');
const { emptyMachine } = require('../support/places');

const SCRIPTS = path.join(__dirname, '../../../../scripts');

describe('installRelease', () => {
  let machine;
  beforeEach(function () {
    skipIf(
      this,
      process.platform === 'win32' ? 'the npm of this test is a script of a POSIX shell' : null,
    );
    machine = emptyMachine();
  });
  afterEach(() => machine?.remove());

  const asked = () => fs.readFileSync(path.join(machine.home, 'asked'), 'utf8').trim().split('\n');
  /**
   * An npm that knows one release, and writes down what it was asked.
   * @param {string} [install] what it does then
   */
  const npm = (
    install = '/bin/mkdir -p "$p/node_modules/$n" && echo "{}" > "$p/node_modules/$n/package.json"',
  ) =>
    machine.program(
      'npm',
      `
    echo "$@" >> "${machine.home}/asked"
    for word; do case "$last" in --prefix) p=$word;; esac; last=$word; done
    n=\${last%@*}
    case "$1" in view) echo '["2.11.1","2.12.0","2.9.2"]';; install) ${install};; esac`,
    );
  const install = (/** @type {string} */ wanted) =>
    installRelease('mongosh', wanted, { env: machine.env });

  it('installs a version once, without anything that runs, and keeps it', async () => {
    npm();
    const { folder, version, why } = /** @type {any} */ (await install('2.3.9'));
    assert.equal(why, undefined);
    assert.deepEqual(
      [version, folder],
      ['2.3.9', path.join(machine.cache, 'mongosh-tune/mongosh-2.3.9/node_modules/mongosh')],
    );
    assert.ok(fs.existsSync(path.join(folder, 'package.json')));
    await install('2.3.9');
    assert.equal(asked().length, 1);
    assert.match(asked()[0], /^install --ignore-scripts .* mongosh@2\.3\.9$/);
  });
  it('asks which is the newest, of those that fit', async () => {
    npm();
    assert.equal(/** @type {any} */ (await install('latest')).version, '2.12.0');
    assert.match(asked()[0], /^view mongosh@latest version --json$/);
  });
  it('says in one line why there is none, and leaves nothing that looks installed', async () => {
    npm(
      'echo "npm warn Unknown user config" >&2; echo "npm error notarget No matching ' +
        'version" >&2; echo more >&2; exit 1',
    );
    assert.deepEqual(await install('9.9.9'), { why: 'npm error notarget No matching version' });
    assert.deepEqual(fs.readdirSync(path.join(machine.cache, 'mongosh-tune')), []);
  });
  it('says so where there is no npm', async () =>
    assert.match(/** @type {any} */ (await install('2.3.9')).why, /spawn npm ENOENT/));
});

describe('matrixTable', () => {
  const passed = { name: '2.3.9', passed: 90, failed: 0, skipped: 2, ms: 61_400, notes: [] };
  it('has a line for each, and the sum last', () => {
    const { text, code } = matrixTable('mongosh', [passed, { name: 'latest', why: 'no network' }]);
    assert.equal(code, 0);
    assert.equal(
      text,
      [
        '',
        'mongosh     passed   failed  skipped  seconds',
        '2.3.9           90        0        2       61',
        'latest     not to be had: no network',
        '',
        '1 of 2, 1 not to be had',
        '90 passed, 0 failed, 2 skipped',
      ].join('\n'),
    );
  });
  it('fails when a test did, and when nothing could be had', () => {
    assert.equal(matrixTable('mongosh', [passed, { ...passed, failed: 1 }]).code, 1);
    assert.equal(matrixTable('mongosh', [{ name: 'latest', why: 'no network' }]).code, 1);
  });
});

describe('the scripts of the matrix', () => {
  for (const [script, wrong, usage] of [
    ['test-shells.js', 'newest', 'npm run test:shells -- [--all] [version …]'],
    ['test-nodes.js', 'latest', 'npm run test:nodes -- [version …]'],
    ['test-nodes.js', '--all', 'npm run test:nodes -- [version …]'],
  ]) {
    it(`${script} is not run for what is no version: ${wrong}`, () => {
      const { status, stderr } = spawnSync(
        process.execPath,
        [path.join(SCRIPTS, script), '20.19.0', wrong],
        { encoding: 'utf8' },
      );
      assert.equal(status, 2);
      assert.ok(stderr.startsWith(`"${wrong}" is not a version. ${usage}`), stderr);
    });
  }
});
