'use strict';

const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { temporaryFolder } = require('../support/cleanup');

const root = path.join(__dirname, '..', '..');
const MOCHA = path.join(path.dirname(require.resolve('mocha/package.json')), 'bin/mocha.js');
const read = (/** @type {string} */ page) => fs.readFileSync(path.join(root, page), 'utf8');
/** A file of the project, in backticks. */
const NAMED = /`(?:lib|test)\/[^`]*\.js`/g;
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  ...fs
    .readdirSync(path.join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

/** @param {string[]} args @param {string} cwd */
function node(args, cwd, env = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, NODE_V8_COVERAGE: '', ...env },
  });
  assert.equal(status, 0, `${stdout}${stderr}`);
  return stdout;
}

describe('what pages show to who works on tune', () => {
  for (const page of pages)
    for (const [, script] of read(page).matchAll(/node -e '(.*?)'/g))
      it(`${page}: node -e '${script.slice(0, 40)}…' runs`, () =>
        assert.notEqual(node(['-e', script], root), ''));

  it('the lines of docs/dev/adding-a-metric.md are those of the files it names', () => {
    const page = read('docs/dev/adding-a-metric.md');
    const shown = [...page.matchAll(/```js\n([^]*?)```/g)];
    assert.ok(shown.length > 0);
    for (const { 1: lines, index } of shown) {
      const file = String(page.slice(0, index).match(NAMED)?.at(-1)).slice(1, -1);
      for (const line of lines.trim().split('\n'))
        assert.ok(read(file).includes(line.trim()), `${file} has no line "${line.trim()}"`);
    }
  });
  it('the rule of docs/dev/adding-a-rule.md passes its own test, once both are where they belong', () => {
    const { copy, files } = copyWith('docs/dev/adding-a-rule.md', ['lib', 'test/support']);
    const test = files.find((file) => file.startsWith('test/unit/rules/'));
    assert.ok(
      test !== undefined && files.some((file) => file.startsWith('lib/rules/')),
      'the page shows a rule and its test, each after the name of its file',
    );
    // The first run writes the snapshot of its sentences, the second one compares.
    node([MOCHA, test], copy.path, { UPDATE_MESSAGES: '1' });
    const said = node([MOCHA, test], copy.path);
    copy.remove();
    assert.match(said, /\d passing/);
  }).timeout(60_000);
  it('the command of docs/dev/adding-a-command.md has all that a command owes, and its test loads it', () => {
    const { copy, files } = copyWith('docs/dev/adding-a-command.md', [
      'lib',
      'test/support',
      'test/unit/commands',
      'scripts',
      'index.js',
      'package.json',
      'tsconfig.json',
    ]);
    const [command, test] = files;
    const name = path.basename(command, '.js');
    assert.deepEqual(
      [command, test],
      [`lib/commands/${name}.js`, `test/server/${name}.test.js`],
      'the page shows a command and its test, each after the name of its file',
    );
    const registry = 'test/unit/commands/registry.test.js';
    node(['scripts/schemas.js'], copy.path);
    const owes = node([MOCHA, registry, '-f', `${name}:`], copy.path);
    const loads = node([MOCHA, test, '--dry-run'], copy.path);
    copy.remove();
    assert.match(owes, /4 passing/);
    assert.match(loads, /1 passing/);
  }).timeout(120_000);
});

/**
 * A copy of folders and files of this project, with the files that a page shows.
 * @param {string} page
 * @param {string[]} names
 */
function copyWith(page, names) {
  const copy = temporaryFolder('example');
  for (const name of names)
    fs.cpSync(path.join(root, name), path.join(copy.path, name), { recursive: true });
  fs.symlinkSync(path.join(root, 'node_modules'), path.join(copy.path, 'node_modules'));
  const text = read(page);
  const files = [...text.matchAll(/```js\n([^]*?)```/g)].map(({ 1: code, index }) => {
    const file = String(text.slice(0, index).match(NAMED)?.at(-1)).slice(1, -1);
    fs.mkdirSync(path.dirname(path.join(copy.path, file)), { recursive: true });
    fs.writeFileSync(path.join(copy.path, file), code);
    return file;
  });
  return { copy, files };
}
