'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { spawnSync } = require('node:child_process');
const { runMongosh, startMongosh } = require('../support/mongosh');
const { startServer } = require('../support/server');
const { temporaryFolder } = require('../support/cleanup');
const { skipIf } = require('../support/skip');
const { whyNoTerminal } = require('../support/terminal');
const { LOAD_TUNE, evals, makeTuneHome } = require('./support/place');

/**
 * @import { ChildProcess } from 'node:child_process'
 */

const BENCH =
  'tune.bench({ workload: "ycsb-c", records: 1000, threads: 4, processes: 2, warmSeconds: 0, ' +
  'seconds: 600, confirm: true, force: true })';
const pause = (/** @type {number} */ ms) =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

describe('tune.bench in mongosh', function () {
  this.timeout(120_000);
  let server;
  let place;
  before(async function () {
    if (process.platform !== 'linux') this.skip();
    server = await startServer({ auth: true });
    place = makeTuneHome();
  });
  after(async () => {
    await server?.stop();
    place?.remove();
  });

  /** Processes that make load for the shells of this test. */
  const loadMakers = () =>
    fs
      .readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .filter((pid) => {
        try {
          return (
            fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('bench/load/worker/main.js') &&
            fs.readFileSync(`/proc/${pid}/environ`, 'utf8').includes(place.path)
          );
        } catch (_gone) {
          return false;
        }
      });
  const databases = async () =>
    (await server.adminCommand({ listDatabases: 1, nameOnly: true })).databases.map(
      ({ name }) => name,
    );
  /** Reads of the load are under way. */
  async function atWork() {
    const reads = async () =>
      Number((await server.adminCommand({ serverStatus: 1 })).opcounters.query);
    const before = await reads();
    while (loadMakers().length < 2 || (await reads()) < before + 500) await pause(100);
  }
  async function nothingLeft() {
    for (let tries = 0; loadMakers().length > 0 && tries < 50; tries++) await pause(100);
    assert.deepEqual(loadMakers(), []);
    assert.ok(!(await databases()).includes('tune_bench'));
  }

  it('runs through the connection of the shell, and prints only data with --json', async () => {
    const { code, stdout, stderr } = await runMongosh(
      [server.uri, '--json=relaxed', ...evals(BENCH.replace('600', '1'))],
      { timeout: 110_000, env: place.env },
    );
    assert.equal(code, 0, stdout + stderr);
    const seen = JSON.parse(stdout);
    assert.ok(seen.opsPerSec > 0 && seen.latencyMs.p99 > 0);
    assert.deepEqual([seen.perSecond.length, seen.errors.count, seen.ended], [1, 0, 'complete']);
    assert.doesNotMatch(stdout + stderr, /root-password/);
    await nothingLeft();
  });

  it('takes the certificates that mongosh was given', async function () {
    const folder = temporaryFolder('tls');
    const file = (/** @type {string} */ name) => path.join(folder.path, name);
    const made = spawnSync('openssl', [
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-days',
      '2',
      '-subj',
      '/CN=localhost',
      '-addext',
      'subjectAltName=IP:127.0.0.1',
      '-keyout',
      file('key'),
      '-out',
      file('ca'),
    ]);
    skipIf(this, made.status === 0 ? null : 'openssl is not here to make a certificate');
    fs.writeFileSync(
      file('both'),
      Buffer.concat([fs.readFileSync(file('key')), fs.readFileSync(file('ca'))]),
    );
    // The test's own client needs none.
    const tls = await startServer({
      args: [
        '--tlsMode',
        'preferTLS',
        '--tlsCertificateKeyFile',
        file('both'),
        '--tlsCAFile',
        file('ca'),
        '--tlsAllowConnectionsWithoutCertificates',
      ],
    });
    try {
      const { stdout, stderr } = await runMongosh(
        [
          `mongodb://127.0.0.1:${tls.port}/`,
          '--tls',
          '--tlsCAFile',
          file('ca'),
          '--json=relaxed',
          ...evals(BENCH.replace('600', '1')),
        ],
        { timeout: 110_000, env: place.env },
      );
      assert.equal(JSON.parse(stdout).errors.count, 0, stdout + stderr);
      const { connections } = await tls.adminCommand({ serverStatus: 1 });
      assert.ok(connections.totalCreated > 4);
    } finally {
      await tls.stop();
      folder.remove();
    }
  });

  it('Ctrl-C in a script ends it and its processes, and the data goes', async () => {
    const onStart = async (/** @type {ChildProcess} */ child) => {
      await atWork();
      child.kill('SIGINT');
    };
    const { code, stdout } = await runMongosh([server.uri, ...evals(BENCH)], {
      timeout: 110_000,
      env: place.env,
      onStart,
    });
    assert.equal(code, 1);
    assert.match(stdout, /interrupted[^]*RESULT {7}[\d,]+ operations\/s/);
    await nothingLeft();
  });

  it('a shell that is killed leaves no process behind', async () => {
    const onStart = async (/** @type {ChildProcess} */ child) => {
      await atWork();
      child.kill('SIGKILL');
    };
    const { signal } = await runMongosh([server.uri, ...evals(BENCH)], {
      timeout: 110_000,
      env: place.env,
      onStart,
    });
    assert.equal(signal, 'SIGKILL');
    for (let tries = 0; loadMakers().length > 0 && tries < 50; tries++) await pause(100);
    assert.deepEqual(loadMakers(), []);
    // Its data is still there, and known to be ours.
    const { stdout } = await runMongosh(
      [server.uri, ...evals('tune.bench.clean({ confirm: true }).dropped')],
      { timeout: 110_000, env: place.env },
    );
    assert.match(stdout, /true/);
    await nothingLeft();
  });

  it('at the prompt: a line of progress each second, and Ctrl-C', async function () {
    skipIf(this, whyNoTerminal());
    const terminal = await startMongosh([server.uri, '--quiet'], {
      timeout: 110_000,
      env: place.env,
      columns: 120,
    });
    try {
      await terminal.waitFor(/test> $/);
      terminal.type(`${LOAD_TUNE}; "loaded"`);
      await terminal.waitFor(/loaded\s+test> $/);
      terminal.type(BENCH);
      await terminal.waitFor(/tune\.bench: \d+ of 600 s, \d+ operations\/s/, 60_000);
      // A terminal sends it to every process there.
      terminal.write('\x03');
      await terminal.waitFor(/interrupted[^]*kept as tune\.last\.\s+test> $/, 60_000);
      await nothingLeft();
      terminal.type('"saw " + (tune.last.opsPerSec > 0)');
      await terminal.waitFor(/saw true\s+test> $/);
    } finally {
      await terminal.close();
    }
  });
});
