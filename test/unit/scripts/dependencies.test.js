'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { pack } = require('../../../scripts/release/contents');

const ROOT = path.join(__dirname, '../../..');
const MAX_PACKAGES = 12;
const MAX_BYTES = 6_000_000;
/** No exact version and no tag: a user gets fixes without a release of tune. */
const RANGE = /^(?:\^\d+\.\d+\.\d+|>=\d+\.\d+\.\d+ <\d+)$/;

const readJson = (/** @type {string} */ file) =>
  JSON.parse(fs.readFileSync(path.join(ROOT, file), 'utf8'));
const manifest = readJson('package.json');
const page = fs.readFileSync(path.join(ROOT, 'docs/dev/dependencies.md'), 'utf8');

/** The rows of a section: package, and the other cells. @param {string} title */
function rowsOf(title) {
  const [, text = ''] = page.split(`## ${title}\n`);
  return text
    .split('\n## ')[0]
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
    .map(([name, ...cells]) => ({ name: String(/`([^`]+)`/.exec(name)?.[1]), cells }));
}

/** Everything that npm installs for a user, by folder. @returns {string[]} */
function installed() {
  const { packages } = readJson('package-lock.json');
  const seen = new Set(Object.keys(manifest.dependencies));
  for (const name of seen) {
    const locked = packages[`node_modules/${name}`];
    for (const one of Object.keys({ ...locked.dependencies, ...locked.optionalDependencies }))
      seen.add(one);
  }
  return [...seen];
}

/** @param {string} folder @returns {string[]} */
const filesIn = (folder) =>
  fs
    .readdirSync(folder, { recursive: true, withFileTypes: true, encoding: 'utf8' })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));

describe('dependencies', function () {
  this.timeout(60_000);
  it('are those of docs/dev/dependencies.md, by name and range, each with all it has to say', () => {
    for (const [title, wanted] of /** @type {const} */ ([
      ['Installed with tune', manifest.dependencies],
      ['Optional: found if it is there', manifest.peerDependencies],
    ])) {
      const rows = rowsOf(title);
      assert.deepEqual(
        Object.fromEntries(rows.map(({ name, cells }) => [name, cells[0]])),
        wanted,
        title,
      );
      for (const { name, cells } of rows) {
        assert.ok(cells.length === 6 && cells.every((cell) => cell !== ''), name);
        const { license } = readJson(`node_modules/${name}/package.json`);
        assert.equal(cells[3], license, name);
      }
    }
    for (const { name } of [
      ...rowsOf('Done without'),
      ...rowsOf('Tools with a part in what is shipped'),
    ])
      assert.ok(!(name in manifest.dependencies), name);
  });

  it('are ranges, and the optional one is a tool of the tests as well', () => {
    for (const [name, range] of Object.entries({
      ...manifest.dependencies,
      ...manifest.peerDependencies,
    }))
      assert.match(/** @type {string} */ (range), RANGE, name);
    assert.deepEqual(Object.keys(manifest.peerDependencies), ['mongodb']);
    assert.equal(manifest.peerDependenciesMeta.mongodb.optional, true);
    assert.ok('mongodb' in manifest.devDependencies, 'a clean clone must pass all tests');
  });

  it('are few, small, and bring no install script, native code or WebAssembly', () => {
    const names = installed();
    assert.ok(names.length + 1 <= MAX_PACKAGES, names.join(', '));
    const folders = names.map((name) => path.join(ROOT, 'node_modules', name));
    const files = folders.flatMap(filesIn);
    const own = pack({ root: ROOT, env: process.env, manifest });
    const bytes = files.reduce((sum, file) => sum + fs.statSync(file).size, own.unpackedSize);
    assert.ok(bytes <= MAX_BYTES, `${bytes} bytes unpacked`);
    for (const folder of folders) {
      const { scripts = {} } = JSON.parse(
        fs.readFileSync(path.join(folder, 'package.json'), 'utf8'),
      );
      for (const hook of ['preinstall', 'install', 'postinstall'])
        assert.ok(!(hook in scripts), `${folder}: ${hook}`);
    }
    const foreign = [...files, ...own.files.map((file) => path.join(ROOT, file.path))].filter(
      (file) => /\.(?:node|wasm|gyp|so|dylib|dll)$/.test(file),
    );
    assert.deepEqual(foreign, []);
    const wasm = [...files, ...filesIn(path.join(ROOT, 'lib'))].filter(
      (file) => /\.[cm]?js$/.test(file) && fs.readFileSync(file, 'utf8').includes('WebAssembly'),
    );
    assert.deepEqual(wasm, []);
  });

  it('are loaded by nothing in lib but those', () => {
    const loaded = new Set(
      filesIn(path.join(ROOT, 'lib'))
        .filter((file) => file.endsWith('.js') && !file.includes(`${path.sep}page${path.sep}`))
        .flatMap((file) =>
          [...fs.readFileSync(file, 'utf8').matchAll(/\brequire\('([^.'][^']*)'\)/g)].map(
            ([, name]) => name,
          ),
        )
        .filter((name) => !name.startsWith('node:')),
    );
    assert.deepEqual(
      [...loaded].sort(),
      Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }).sort(),
    );
  });

  it('have the charts’ library unchanged in vendor', () => {
    for (const [file, from] of [
      ['uPlot.iife.min.js', 'dist/uPlot.iife.min.js'],
      ['uPlot.min.css', 'dist/uPlot.min.css'],
      ['LICENSE', 'LICENSE'],
    ])
      assert.deepEqual(
        fs.readFileSync(path.join(ROOT, 'vendor/uplot', file)),
        fs.readFileSync(path.join(ROOT, 'node_modules/uplot', from)),
      );
  });
});
