'use strict';

const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { temporaryFolder } = require('../support/cleanup');
const { makeHome, runMongosh } = require('../support/mongosh');
const { startReplicaSet } = require('../support/server');
const { writeBundle } = require('../../scripts/bundle/bundle');
const { SCRIPTS } = require('../../lib/shell/runbook');
const { listAll, listCommands } = require('../../lib/shell/registry');
const { ROOT } = require('./support/place');

/** What a runbook needs that has no server, or no more than one answer to give. */
const SCRIPT_ENV = /** @type {Record<string, Record<string, string>>} */ ({
  advise: { TUNE_SECONDS: '1' },
  check: { TUNE_SECONDS: '1' },
  drift: {},
  'host-collect': {},
  members: { TUNE_SECONDS: '1' },
  metrics: { TUNE_SECONDS: '1' },
  status: {},
  who: { TUNE_SECONDS: '1' },
});
const EXIT_CODES = [0, 1, 2];

describe('two files in an empty home, without npm', function () {
  this.timeout(300_000);
  /** @type {any} */ let folder;
  /** @type {any} */ let home;
  /** @type {any} */ let server;
  let loader = '';
  before(async () => {
    server = await startReplicaSet({ members: 1 });
    folder = temporaryFolder('two-files');
    home = makeHome();
    [loader] = await writeBundle(path.join(folder.path, 'copied'));
  });
  after(async () => {
    await server?.stop();
    home?.remove();
    folder?.remove();
  });

  // No npm, no node and no other program is on the path.
  const env = () => ({
    PATH: path.join(folder.path, 'no-programs'),
    NODE_PATH: '',
    MONGOSH_TUNE_HOME: path.join(folder.path, 'journal'),
  });
  /** @param {string[]} args @param {object} [more] */
  const shell = (args, more = {}) =>
    runMongosh(['--quiet', ...args], {
      home: home.path,
      cwd: folder.path,
      ...more,
      env: { ...env(), .../** @type {any} */ (more).env },
    });
  const load = () => `load(${JSON.stringify(loader)})`;
  /** @param {string[]} place @param {string} line */
  const asked = async (place, line) => {
    const { stdout, stderr } = await shell([
      ...place,
      '--json=relaxed',
      '--eval',
      load(),
      '--eval',
      line,
    ]);
    try {
      return JSON.parse(stdout);
    } catch (_notJson) {
      return assert.fail(`${line}: ${stdout}${stderr}`);
    }
  };

  it('are a loader of at most 1 kB and a bundle that a person can read', () => {
    assert.ok(fs.statSync(loader).size <= 1000);
    const text = fs.readFileSync(path.join(path.dirname(loader), 'tune-bundle.cjs'), 'utf8');
    assert.ok(
      text.includes('async function advise(ctx, { seconds, includeHost, includeMembers })'),
    );
    for (const [, file, at] of text.matchAll(/^\/\/=== (.+):(\d+)$/gm)) {
      const line = text.split('\n', Number(at)).at(-1);
      assert.match(String(line), /^\/\/ {4}/, `${file} begins at line ${at}`);
    }
    assert.doesNotMatch(text, /[^\n\t\x20-\x7e]/, 'V8 scans one byte for each character');
    assert.equal(fs.readdirSync(path.dirname(loader)).length, 2);
  });

  it('load without the last line end, and say so where they are cut', () => {
    const text = fs.readFileSync(path.join(path.dirname(loader), 'tune-bundle.cjs'), 'utf8');
    const loaded = (/** @type {string} */ code) => {
      const file = path.join(folder.path, 'copied.cjs');
      fs.writeFileSync(file, code);
      return spawnSync(process.execPath, ['-e', `require(${JSON.stringify(file)})`], {
        encoding: 'utf8',
        timeout: 10_000,
      });
    };
    for (const whole of [text.trimEnd(), text.replaceAll('\n', '\r\n')])
      assert.equal(loaded(whole).status, 0);
    const line = text.indexOf('\n//', text.length / 2) + 1;
    for (const end of [line + 2, text.lastIndexOf('//=== end') + 5])
      assert.match(loaded(text.slice(0, end)).stderr, /tune-bundle\.cjs is not whole/);
    // Cut between the characters of a line's beginning, it is no JavaScript.
    fs.writeFileSync(path.join(folder.path, 'tune-bundle.cjs'), text.slice(0, line + 1));
    fs.copyFileSync(loader, path.join(folder.path, 'tune.js'));
    const asShell = `globalThis.print = console.log; require(${JSON.stringify(path.join(folder.path, 'tune.js'))})`;
    assert.match(
      spawnSync(process.execPath, ['-e', asShell], { encoding: 'utf8', timeout: 10_000 }).stdout,
      /^tune is not loaded: tune-bundle\.cjs is not whole: copy it again\n/,
    );
  });

  it('write the same page as the package, to the character', async () => {
    const pages = [];
    for (const from of [loader, path.join(ROOT, 'index.js')]) {
      const page = path.join(folder.path, `demo-${pages.length}.html`);
      const { status } = spawnSync(
        process.execPath,
        [
          '-e',
          `require(${JSON.stringify(from)})(null).demo("report", { output: ${JSON.stringify(page)} })`,
        ],
        { cwd: folder.path },
      );
      assert.equal(status, 0);
      // It says when it was made.
      pages.push(fs.readFileSync(page, 'utf8').replace(/\d\d:\d\d(:\d\d)?/g, ''));
    }
    assert.equal(pages[0], pages[1]);
  });

  it('load every command, every rule and the demo without a server', async () => {
    const seen = await asked(
      ['--nodb'],
      '({ commands: Object.keys(tune), rules: tune.rules().length, demo: tune.demo("advise").advice.bottleneck })',
    );
    assert.deepEqual(seen.commands.sort(), Object.keys(listCommands()).sort());
    assert.equal(seen.rules, require('../../lib/rules/registry').loadAllRules().length);
    assert.equal(seen.demo, 'cache-dirty');
    const { stdout } = await shell(['--nodb', '--eval', load(), '--eval', 'tune.help()']);
    for (const { name } of listAll(listCommands()))
      assert.match(stdout, new RegExp(`tune\\.${name}`));
    assert.doesNotMatch(stdout, /cannot be loaded/);
  });

  it('need no network for that', function () {
    const isolated = ['unshare', '--net', '--map-root-user'];
    if (spawnSync(isolated[0], [...isolated.slice(1), 'true']).status !== 0) return this.skip();
    const { stdout } = spawnSync(
      isolated[0],
      [...isolated.slice(1), process.execPath, path.join(ROOT, 'node_modules/.bin/mongosh')].concat(
        ['--nodb', '--quiet', '--eval', load(), '--eval', 'print(tune.demo())'],
      ),
      { encoding: 'utf8', env: { ...process.env, HOME: home.path }, cwd: folder.path },
    );
    assert.match(stdout, /DEMO 1 of 4/);
    return undefined;
  });

  it('judge, change and restore a server, and write a page', async () => {
    const at = [server.uri];
    const { status } = { status: await asked(at, 'tune.status()') };
    assert.equal(typeof status.cache.usedRatio, 'number');
    assert.equal((await asked(at, 'tune.advise({ seconds: 1 })')).source, 'live');
    const changed = await asked(at, 'tune.apply({ evictionThreadsMax: 6 }, { confirm: true })');
    assert.equal(changed.verified, true);
    assert.equal((await asked(at, 'tune.undo({ confirm: true })')).verified, true);
    const page = path.join(folder.path, 'page.html');
    await asked(at, `tune.report(${JSON.stringify(page)}, { of: tune.advise({ seconds: 1 }) })`);
    assert.match(fs.readFileSync(page, 'utf8'), /uPlot/);
    assert.match((await asked(at, 'tune.host.collect()')).script, /^#!\/bin\/sh/);
  });

  describe('and the driver of MongoDB', () => {
    const bench =
      'tune.bench({ workload: "ycsb-c", records: 100, threads: 1, processes: 1, warmSeconds: 0, ' +
      'seconds: 1, confirm: true, force: true })';
    const cutover = 'tune.split.cutover({ confirm: true })';
    before(async () => {
      await server.client
        .db('shop')
        .collection('orders')
        .insertMany([{ _id: 1 }, { _id: 2 }]);
      const ran = await asked(
        [server.uri],
        'tune.split.run(tune.split.plan({ source: "shop", target: "shop2", seconds: 1, ' +
          'collections: ["orders"] }), { confirm: true })',
      );
      assert.equal(ran.splits.length, 1);
    });
    const failing = async (/** @type {string} */ line) =>
      (await shell([server.uri, '--eval', load(), '--eval', line])).stderr;

    it('say what is missing, and send nothing, where it is not there', async () => {
      const [noBench, noGuardian] = [await failing(bench), await failing(cutover)];
      assert.match(
        noBench,
        /TUNE-40011.*A client process of the benchmark needs the package mongodb/s,
      );
      assert.match(noGuardian, /TUNE-40011.*A guardian, the second process/s);
      assert.match(noGuardian, /\{ guardian: false \}/);
      const names = (await server.adminCommand({ listDatabases: 1, nameOnly: true })).databases;
      assert.ok(!names.some((/** @type {any} */ { name }) => name === 'tune_bench'));
      const { splits } = await asked([server.uri], 'tune.split.status()');
      assert.equal(splits[0].next.includes('cutover'), true);
    });

    it('start the guardian and the benchmark from the bundle where it lies beside it', async () => {
      const beside = path.join(path.dirname(loader), 'node_modules');
      fs.symlinkSync(path.join(ROOT, 'node_modules'), beside);
      try {
        const cut = await asked([server.uri], cutover);
        assert.equal(cut.splits[0].phase, 'switched');
        assert.ok((await asked([server.uri], bench)).opsPerSec > 0);
      } finally {
        fs.rmSync(beside);
      }
    });
  });

  it('run the runbook', async () => {
    for (const [name, variables] of Object.entries(SCRIPT_ENV)) {
      const { code, stdout, stderr } = await shell([server.uri, '--file', loader], {
        env: { MONGOSH_TUNE_SCRIPT: name, ...variables },
      });
      assert.ok(EXIT_CODES.includes(Number(code)), `${name}: ${code} ${stdout} ${stderr}`);
      assert.ok(stdout.trim() !== '', name);
    }
    assert.ok(Object.keys(SCRIPT_ENV).every((name) => name in SCRIPTS));
    const wrong = await shell(['--nodb', '--file', loader], {
      env: { MONGOSH_TUNE_SCRIPT: 'constructor' },
    });
    assert.equal(wrong.code, 3);
    assert.match(wrong.stdout, /there is no script constructor: advise, check/);
  });

  it('serve a program of Node.js too', () => {
    const { stdout } = spawnSync(
      process.execPath,
      [
        '-p',
        `require(${JSON.stringify(loader)})(null).demo().then(({ step }) => console.log(step)), ''`,
      ],
      { encoding: 'utf8', cwd: folder.path },
    );
    assert.match(stdout, /status/);
  });

  it('say in one sentence what is wrong where the bundle is missing', async () => {
    const alone = path.join(folder.path, 'alone', 'tune.js');
    fs.mkdirSync(path.dirname(alone));
    fs.copyFileSync(loader, alone);
    const { code, stdout } = await shell(['--nodb', '--eval', `load(${JSON.stringify(alone)})`]);
    assert.equal(code, 0);
    assert.match(stdout, /^tune is not loaded: Cannot find module '\.\/tune-bundle\.cjs'\n/);
  });
});
