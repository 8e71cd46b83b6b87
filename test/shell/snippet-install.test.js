'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { spawnSync } = require('node:child_process');
const { whatIsWrong } = require('../../scripts/release/contents');
const { temporaryFolder } = require('../support/cleanup');
const { makeHome, runMongosh } = require('../support/mongosh');
const { startServer } = require('../support/server');
const { ROOT } = require('./support/place');
const { startRegistry } = require('./support/registry');

// By mongosh itself, from an index and a registry on 127.0.0.1.
describe('snippet install tune', function () {
  this.timeout(300_000);
  let folder;
  let registry;
  let home;
  before(async () => {
    folder = temporaryFolder('registry');
    registry = await startRegistry(folder.path);
    home = makeHome({
      config: {
        snippetIndexSourceURLs: `${registry.url}index.bson.br`,
        snippetRegistryURL: registry.url,
      },
    });
  });
  after(() => {
    registry?.close();
    home?.remove();
    folder?.remove();
  });

  // What the machine has set for npm must not lead past our registry.
  const env = {
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_update_notifier: 'false',
    npm_config_fetch_retries: '0',
  };
  const script = (...lines) =>
    runMongosh(['--nodb', '--quiet', ...lines.flatMap((line) => ['--eval', line])], {
      home: home.path,
      env,
    });
  const prompt = (...lines) =>
    runMongosh(['--nodb', '--quiet'], { home: home.path, env, input: `${lines.join('\n')}\n` });
  const snippets = () => path.join(home.path, '.mongodb/mongosh/snippets');

  describe('the package', () => {
    it(
      'holds what is needed and nothing else: no tests, no recordings, no coverage, and no ' +
        'more bytes than it may',
      () => assert.equal(whatIsWrong(registry.ours), null),
    );
    it('holds every file of lib and snippets', () => {
      const files = new Set(registry.ours.files.map((file) => file.path));
      const ours = ['lib', 'snippets'].flatMap((name) =>
        fs
          .readdirSync(path.join(ROOT, name), {
            recursive: true,
            withFileTypes: true,
            encoding: 'utf8',
          })
          .filter((entry) => entry.isFile())
          .map((entry) =>
            path.relative(ROOT, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'),
          ),
      );
      assert.ok(ours.length > 500);
      assert.deepEqual(
        ours.filter((name) => !files.has(name)),
        [],
      );
    });
    it('runs nothing when it is installed, and its errorMatchers and main exist', () => {
      const manifest = JSON.parse(fs.readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
      for (const hook of ['preinstall', 'install', 'postinstall', 'prepare', 'prepublish'])
        assert.equal(manifest.scripts[hook], undefined);
      for (const file of [manifest.main, manifest.errorMatchers])
        assert.ok(
          registry.ours.files.some((one) => one.path === file),
          file,
        );
    });
  });

  it('is what mongosh suggests to who types tune without having it', async () => {
    const { stdout } = await prompt(
      'snippet search',
      'tune.status()',
      'throw new Error("WiredTiger reconfiguration failed with error code (22): Invalid argument")',
    );
    assert.match(stdout, /tune is not defined \(Try running `snippet install tune`\)/);
    assert.match(stdout, /\(22\): Invalid argument \(tune\.lint\("…"\) says what is wrong/);
  });

  it('shows the README as its help', async () => {
    const { stdout } = await script('print(snippet("help", "tune"))');
    assert.equal(stdout.trim(), fs.readFileSync(path.join(ROOT, 'README.md'), 'utf8').trim());
  });

  it('installs it with all it needs, and loads it at once', async () => {
    const { code, stdout, stderr } = await script(
      'snippet install tune',
      'print(typeof tune.status)',
    );
    assert.equal(code, 0, stdout + stderr);
    assert.match(stdout, /Installed new snippets tune[^]*function/);
    assert.ok(registry.requests.includes('GET mongosh-tune'));
  });

  it('its runbook scripts run from there', async () => {
    const file = path.join(snippets(), 'node_modules/mongosh-tune/snippets/check.js');
    const { code, stdout } = await runMongosh(['--nodb', '--quiet', '--file', file], {
      home: home.path,
      env: { ...env, TUNE_URI: 'mongodb://127.0.0.1:1/' },
    });
    assert.match(
      stdout,
      /^TUNE UNKNOWN - \[TUNE-20011\] The server cannot be reached: connect ECONNREFUSED/,
    );
    assert.equal(code, 3);
  });

  it(
    'is complete: every command and every rule can be loaded from there, and help and explain ' +
      'need nothing else',
    async () => {
      const index = path.join(snippets(), 'node_modules/mongosh-tune');
      const script = `
      const { allCommands, listCommands } = require('./lib/shell/registry');
      const fs = require('fs'), path = require('path');
      allCommands(listCommands());
      for (const name of fs.readdirSync('lib', { recursive: true })) if (name.endsWith('.js') && !/report.page|worker.(process|main|child)/.test(name)) load(name);
      // The client processes of a benchmark need the driver, which is optional: no other file may.
      function load(name) {
        try { require(path.resolve('lib', name)); }
        catch (error) { if (!/bench.load.worker/.test(name) || !error.message.startsWith("Cannot find module 'mongodb'")) throw error; }
      }
      const tune = require('.')({ db: () => ({}) });
      Promise.all(require('./lib/rules/registry').loadAllRules().map(({ id }) => tune.explain(id))).then((all) => console.log(all.length + ' explained, ' + String(require('util').inspect(tune.help())).length + ' of help'));`;
      const { status, stdout, stderr } = spawnSync(process.execPath, ['-e', script], {
        cwd: index,
        encoding: 'utf8',
      });
      assert.equal(status, 0, stderr);
      assert.match(stdout, /^\d\d+ explained, \d{4,} of help\n$/);
    },
  );

  it('looks at a real server', async () => {
    const server = await startServer();
    const { code, stdout, stderr } = await runMongosh(
      [
        server.uri,
        '--quiet',
        '--eval',
        'snippet("load-all")',
        '--eval',
        'print(tune.status({ seconds: 1 }))',
      ],
      { home: home.path, env },
    );
    await server.stop();
    assert.equal(code, 0, stderr);
    assert.match(stdout, /MongoDB \d+\.\d+\.\d+ +standalone +[\d.]+ m?s sample[^]*CACHE /);
  });

  it('loads it into every new mongosh, complete', async () => {
    const { code, stdout, stderr } = await prompt(
      'tune',
      'tune.rules()',
      'tune.status({ secs: 1 })',
    );
    assert.equal(code, 0, stderr);
    assert.match(stdout, /tune \d+\.\d+\.\d+: /);
    assert.match(stdout, /dirty-ratio/);
    assert.match(stdout, /\[TUNE-10001\]/);
  });

  it('loads it into a script that asks for the installed snippets', async () => {
    const { stdout, stderr } = await script('snippet("load-all")', 'print(tune)');
    assert.match(stdout, /tune \d+\.\d+\.\d+: /, stderr);
  });

  it('works from a copy of the folder, as on a machine without a network', async () => {
    const copy = temporaryFolder('copy');
    fs.cpSync(path.join(snippets(), 'node_modules'), path.join(copy.path, 'node_modules'), {
      recursive: true,
    });
    const index = path.join(copy.path, 'node_modules/mongosh-tune/index.js');
    const { stdout, stderr } = await runMongosh(['--nodb', '--quiet'], {
      rc: `load(${JSON.stringify(index)})`,
      input: 'tune.rules()\n',
    });
    copy.remove();
    assert.match(stdout, /dirty-ratio/, stderr);
  });

  it('uninstalls it, and a new mongosh has it no more', async () => {
    const { code, stdout, stderr } = await script('snippet uninstall tune');
    assert.equal(code, 0, stdout + stderr);
    assert.equal(fs.existsSync(path.join(snippets(), 'node_modules/mongosh-tune')), false);
    assert.match((await prompt('print("tune is " + typeof tune)')).stdout, /tune is undefined/);
  });

  it('when it failed half-way, the way out that docs/install.md gives works', async () => {
    registry.broken.tarballs = true;
    // Else npm takes it from its cache.
    fs.rmSync(path.join(home.path, '.npm'), { recursive: true, force: true });
    const failed = await script('snippet install tune');
    assert.equal(failed.code, 1);
    assert.equal((await prompt('1')).code, 1, 'mongosh starts, so there is nothing to get out of');
    const cure = /^mongosh (--nodb --eval '(snippet\("uninstall","tune"\))')$/m.exec(
      fs.readFileSync(path.join(ROOT, 'docs/install.md'), 'utf8'),
    );
    assert.equal((await script(cure[2])).code, 0);
    const { code, stdout } = await prompt('print("mongosh " + "starts")');
    assert.equal(code, 0);
    assert.match(stdout, /mongosh starts/);
  });
});
