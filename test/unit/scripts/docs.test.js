'use strict';

const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { main } = require('../../../scripts/docs');
const { loadAllRules } = require('../../../lib/load-rules');

const root = path.join(__dirname, '..', '..', '..');

/** @param {string[]} args @param {string} folder @returns {{ code: number, said: string }} */
function run(args, folder) {
  /** @type {string[]} */ const said = [];
  const log = (/** @type {string} */ text) => { said.push(text); };
  return { code: main(args, { folder, out: { log, error: log } }), said: said.join('\n') };
}

describe('scripts/docs', () => {
  /** @type {string} */ let folder;
  beforeEach(() => { folder = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'mongosh-tune-docs-')), 'rules'); });
  afterEach(() => fs.rmSync(path.dirname(folder), { recursive: true }));

  it('writes a page for every rule and the list, once', () => {
    assert.match(run([], folder).said, /wrote README\.md, aggressive-mode\.md/);
    assert.deepEqual(fs.readdirSync(folder).sort(), ['README.md', ...loadAllRules().map(({ id }) => `${id}.md`)].sort());
    assert.match(run([], folder).said, /nothing to do/);
    assert.equal(run(['--check'], folder).code, 0);
  });
  it('--check names what differs, is missing, or belongs to no rule, and writes nothing', () => {
    run([], folder);
    fs.appendFileSync(path.join(folder, 'tickets.md'), 'more');
    fs.rmSync(path.join(folder, 'cache-fill.md'));
    fs.writeFileSync(path.join(folder, 'gone.md'), 'of a rule that is no more');
    const { code, said } = run(['--check'], folder);
    assert.equal(code, 1);
    assert.deepEqual(said.match(/\w[\w-]*\.md/g), ['cache-fill.md', 'gone.md', 'tickets.md']);
    assert.match(fs.readFileSync(path.join(folder, 'tickets.md'), 'utf8'), /more$/);
    assert.ok(!fs.existsSync(path.join(folder, 'cache-fill.md')));
  });
  it('puts right what differs, and takes away what belongs to no rule', () => {
    run([], folder);
    fs.appendFileSync(path.join(folder, 'tickets.md'), 'more');
    fs.writeFileSync(path.join(folder, 'gone.md'), '');
    assert.equal(run([], folder).code, 0);
    assert.ok(!fs.existsSync(path.join(folder, 'gone.md')));
    assert.equal(run(['--check'], folder).code, 0);
  });
  it('--check fails where there are no pages at all', () => assert.equal(run(['--check'], folder).code, 1));
  it('the pages of this checkout are those of its rules', () => {
    const { status, stderr } = spawnSync(process.execPath, [path.join(root, 'scripts/docs.js'), '--check'], { encoding: 'utf8' });
    assert.equal(status, 0, stderr);
  });
});
