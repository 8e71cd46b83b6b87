'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const net = require('node:net');
const path = require('node:path');
const { spawnSync } = require('node:child_process');
const { runMongosh } = require('../support/mongosh');
const { startServer } = require('../support/server');
const { skipIf } = require('../support/skip');
const { evals, makeTuneHome } = require('./support/place');

/**
 * @import { Server } from '../support/server'
 */

/**
 * Sockets: /proc/<pid>/net/tcp has a line of 150 characters for each, and the kernel gives it in
 * pieces of a page.
 */
const MORE_THAN_A_PAGE = 100;

/**
 * tune.host() as a person meets it: at the prompt of the real shell, with scripts that the shell
 * only shows.
 */
describe('tune.host in mongosh', function () {
  this.timeout(180_000);
  /** @type {Server} */ let server;
  /** @type {ReturnType<typeof makeTuneHome>} */ let place;
  before(function () {
    skipIf(this, process.platform === 'linux' ? null : 'only Linux has /proc');
  });
  before(async () => {
    server = await startServer();
    place = makeTuneHome();
  });
  after(async () => {
    await server?.stop();
    place?.remove();
  });
  /** @param {...string} lines @returns {Promise<string>} */
  async function shown(...lines) {
    const { code, stdout, stderr } = await runMongosh([server.uri, ...evals(...lines)], {
      env: place.env,
    });
    assert.equal(code, 0, stdout + stderr);
    return stdout;
  }

  it('names the place, what to do, and what comes next, in 80 columns; the script is shown and not run', async () => {
    const swappiness = fs.readFileSync('/proc/sys/vm/swappiness', 'utf8');
    const text = await shown(
      'const seen = tune.host({ seconds: 1 }); print(seen); print("@@"); print(seen.script())',
    );
    const [seen, script] = text.split('@@\n');
    assert.match(seen, new RegExp(`mongod is process ${server.pid} on this machine`));
    assert.match(seen, /\nFINDINGS {5}[^\n]* OK\)\n/);
    for (const line of seen.split('\n')) assert.ok(line.length <= 80, line);
    assert.match(script, /^#!\/bin\/sh\n# Settings of the operating system for mongod on /);
    assert.equal(fs.readFileSync('/proc/sys/vm/swappiness', 'utf8'), swappiness);
    const file = path.join(place.path, 'tune-host.sh');
    fs.writeFileSync(file, script);
    const { status, stdout, stderr } = spawnSync('sh', [file], { encoding: 'utf8' });
    assert.deepEqual([status, stderr], [0, ''], 'what was printed is the whole script');
    assert.match(stdout, /nothing is changed|Nothing is advised/);
  });

  it(
    'tune.host.collect() prints a script; what that prints, tune.host({ file }) reads, also ' +
      'without a connection',
    async () => {
      const file = path.join(place.path, 'collect.sh');
      fs.writeFileSync(file, await shown('tune host collect'));
      const { status, stdout, stderr } = spawnSync('sh', [file, '1'], {
        encoding: 'utf8',
        maxBuffer: 2 ** 28,
      });
      assert.deepEqual([status, stderr], [0, '']);
      const json = path.join(place.path, 'host.json');
      fs.writeFileSync(json, stdout);
      const { code, stdout: said } = await runMongosh(
        ['--nodb', ...evals(`tune.host({ file: ${JSON.stringify(json)} })`)],
        { env: place.env },
      );
      assert.equal(code, 0);
      assert.match(
        said.replace(/\s+/g, ' '),
        new RegExp(`2 samples of .*, the last at .* UTC; mongod is process ${server.pid}`),
      );
      const none = await runMongosh(['--nodb', ...evals('tune.host.collect()')], {
        env: place.env,
      });
      assert.match(
        none.stdout,
        /^#!\/bin\/sh\n[^]*\nWANTED_PORT=\n/,
        'without a server it serves for any',
      );
    },
  );

  it('data: facts, findings with their commands, reasons for what is not known', async () => {
    const { code, stdout } = await runMongosh(
      [server.uri, '--json=relaxed', ...evals('tune.host({ seconds: 1 })')],
      { env: place.env },
    );
    assert.equal(code, 0);
    const seen = JSON.parse(stdout);
    assert.deepEqual(
      [seen.place.kind, seen.facts.files.path, typeof seen.facts.cpu.busyRatio],
      ['here', server.dbPath, 'number'],
    );
    for (const { rule, script, source } of seen.findings) {
      assert.deepEqual(Object.keys(script), ['apply', 'persist', 'undo'], rule);
      assert.ok(source.length > 0, rule);
    }
  });

  it('is sure of the place on a machine with many sockets, too', async () => {
    const many = await Promise.all(
      Array.from(
        { length: MORE_THAN_A_PAGE },
        () =>
          new Promise((resolve) => {
            const one = net.createServer().listen(0, '127.0.0.1', () => resolve(one));
          }),
      ),
    );
    try {
      assert.match(await shown('print(tune.host({ seconds: 1 }).place.kind)'), /^here$/m);
    } finally {
      for (const one of many) one.close();
    }
  });

  it('a wrong option and a file that is none, each with its code', async () => {
    const { code, stderr } = await runMongosh([server.uri, ...evals('tune.host({ second: 1 })')], {
      env: place.env,
    });
    assert.equal(code, 1);
    assert.match(stderr, /\[TUNE-10001\].*seconds/);
    const none = await runMongosh(['--nodb', ...evals('tune host --file /proc/version')], {
      env: place.env,
    });
    assert.match(
      none.stderr,
      /\[TUNE-40006\] tune\.host: \/proc\/version is not a file of the collecting script/,
    );
  });

  it('somebody who is not root is told what only root may see', async function () {
    skipIf(this, process.getuid?.() === 0 ? null : 'only root may become somebody else');
    skipIf(this, spawnSync('setpriv', ['--version']).error ? 'there is no setpriv here' : null);
    const folder = path.join(place.path, 'nobody');
    fs.mkdirSync(folder);
    for (const name of [place.path, folder]) fs.chmodSync(name, 0o777);
    const program = fs.realpathSync(path.join(__dirname, '../../node_modules/.bin/mongosh'));
    const env = { PATH: process.env.PATH, HOME: folder, MONGOSH_TUNE_HOME: folder };
    const { status, stdout, stderr } = spawnSync(
      'setpriv',
      [
        '--reuid=65534',
        '--regid=65534',
        '--clear-groups',
        process.execPath,
        program,
        server.uri,
        ...evals(
          'const seen = tune.host({ seconds: 1 }); print(seen.place.kind); ' +
            'print(seen.unknown["process.maps"])',
        ),
      ],
      { encoding: 'utf8', env, timeout: 60_000 },
    );
    skipIf(
      this,
      /EACCES|Cannot find module|permission denied/i.test(stderr)
        ? 'somebody else may not read this folder'
        : null,
    );
    assert.equal(status, 0, stderr);
    assert.match(stdout, /^here\n\/proc\/\d+\/maps is not readable by this user$/m);
  });
});
