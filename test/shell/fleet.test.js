'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { startFleet, PASSWORD } = require('../support/fleet/fleet');
const { runMongosh } = require('../support/mongosh');
const { promlint } = require('../support/promlint');
const { startServer } = require('../support/server');
const { evals, makeTuneHome, ROOT } = require('./support/place');

/**
 * @import { Server } from '../support/server'
 */

/** One of each kind; the password of that which refuses comes from the environment. */
const KINDS = /** @type {const} */ (['well', 'busy', 'dead', 'refusing', 'well']);
const script = (/** @type {string} */ name) => [
  '--nodb',
  '--quiet',
  '--file',
  path.join(ROOT, 'snippets', `${name}.js`),
];

describe('a fleet, and metrics, in mongosh', function () {
  this.timeout(120_000);
  /** @type {Server} */ let server;
  let simulated;
  let place;
  before(async () => {
    server = await startServer();
    simulated = await startFleet(server.client, { servers: KINDS.length, kinds: KINDS });
    place = makeTuneHome();
    fs.writeFileSync(
      path.join(place.path, 'servers.txt'),
      simulated.servers.map(({ uri }) => uri.replace(PASSWORD, '${FLEET_PASSWORD}')).join('\n'),
    );
  });
  after(async () => {
    await simulated?.stop();
    await server?.stop();
    place?.remove();
  });
  const mongosh = async (args, { env = {}, ...more } = {}) => {
    const ended = await runMongosh(args, {
      cwd: place.path,
      env: { ...place.env, FLEET_PASSWORD: PASSWORD, ...env },
      ...more,
    });
    assert.ok(!(ended.stdout + ended.stderr).includes(PASSWORD), 'a password is shown');
    return ended;
  };

  it('tune.fleet needs no connection, and its connections are those of the shell', async () => {
    const { code, stdout, stderr } = await mongosh([
      '--nodb',
      ...evals(
        'const fleet = tune.fleet("servers.txt", { seconds: 1 }); print(fleet); ' +
          'print(JSON.stringify(fleet.rows.map(({ state }) => state)))',
      ),
    ]);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^5 servers {2}in [^]*\n {2}CRIT {2}127\.0\.0\.1:\d+ /);
    assert.deepEqual(JSON.parse(stdout.trim().split('\n').at(-1)).sort(), [
      'examined',
      'examined',
      'examined',
      'refused',
      'unreachable',
    ]);
    assert.equal(stderr, '');
  });
  it('as JSON every line is a document, the summary last', async () => {
    const { stdout } = await mongosh([
      '--nodb',
      ...evals('tune fleet servers.txt --seconds 1 --json'),
    ]);
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.deepEqual(
      lines.map(({ kind }) => kind),
      [...KINDS.map(() => 'server'), 'fleet'],
    );
    assert.equal(lines.at(-1).servers, KINDS.length);
  });
  it('Ctrl-C ends it with what is there', async () => {
    const servers = JSON.stringify(
      simulated.servers.filter(({ kind }) => kind === 'well').map(({ uri }) => uri),
    );
    const begun = path.join(place.path, 'begun');
    const onStart = async (child) => {
      while (!fs.existsSync(begun))
        await new Promise((resolve) => {
          setTimeout(resolve, 50);
        });
      setTimeout(() => child.kill('SIGINT'), 3000);
    };
    const { code, stdout } = await mongosh(
      [
        '--nodb',
        ...evals(
          `require('fs').writeFileSync(${JSON.stringify(begun)}, '')`,
          `tune.fleet(${servers}, { seconds: 60 })`,
          'print("NOT HERE")',
        ),
      ],
      { onStart },
    );
    assert.equal(code, 1);
    assert.match(stdout, /2 servers {2}in [\d.]+ s\n/);
    assert.doesNotMatch(stdout, /NOT HERE/);
  });
  it('a variable that is not set is named, and nothing is asked', async () => {
    const { code, stderr } = await mongosh(['--nodb', ...evals('tune.fleet("servers.txt")')], {
      env: { FLEET_PASSWORD: '' },
    });
    assert.equal(code, 1);
    assert.match(
      stderr,
      /\[TUNE-10006\] tune\.fleet: servers\.txt: environment variable not set: FLEET_PASSWORD\. Set it/,
    );
  });
  it('fleet.js ends with the code of the worst', async () => {
    const { code, stdout, stderr } = await mongosh(script('fleet'), {
      env: { TUNE_LIST: 'servers.txt', TUNE_SECONDS: '1' },
    });
    assert.equal(code, 2, stderr);
    assert.match(stdout, /^5 servers /);
  });
  it('fleet.js prints one form: what asks for two is refused before any server is asked', async () => {
    const { code, stdout, stderr } = await mongosh(script('fleet'), {
      env: { TUNE_LIST: 'servers.txt', TUNE_JSON: '1', TUNE_NDJSON: '1' },
    });
    assert.deepEqual([code, JSON.parse(stdout).error.code], [3, 'TUNE-10002']);
    assert.match(stderr, /TUNE_JSON and TUNE_NDJSON are two forms of the answer/);
  });
  it('Ctrl-C ends fleet.js with what is there, each server on a line of its own', async () => {
    const list = path.join(place.path, 'well.txt');
    fs.writeFileSync(
      list,
      simulated.servers
        .filter(({ kind }) => kind === 'well')
        .map(({ uri }) => uri)
        .join('\n'),
    );
    const begun = path.join(place.path, 'begun-script');
    const onStart = async (child) => {
      while (!fs.existsSync(begun))
        await new Promise((resolve) => {
          setTimeout(resolve, 50);
        });
      setTimeout(() => child.kill('SIGINT'), 5000);
    };
    const { code, stdout } = await mongosh(
      ['--eval', `require('fs').writeFileSync(${JSON.stringify(begun)}, '')`, ...script('fleet')],
      { env: { TUNE_LIST: list, TUNE_SECONDS: '600', TUNE_NDJSON: '1' }, onStart },
    );
    assert.equal(code, 1);
    // mongosh itself says that it stops.
    const lines = stdout
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line));
    assert.deepEqual(
      lines.map(({ kind }) => kind),
      ['server', 'server', 'fleet'],
      stdout,
    );
  });
  it('metrics.js writes its file, and says so where it cannot connect', async () => {
    const file = path.join(place.path, 'tune.prom');
    const env = {
      TUNE_URI: server.uri,
      TUNE_OUTPUT: file,
      TUNE_SECONDS: '1',
      TUNE_SERVER_NAME: 'shop',
    };
    const good = await mongosh(script('metrics'), { env });
    assert.equal(good.code, 0, good.stderr);
    assert.deepEqual(promlint(fs.readFileSync(file, 'utf8')).problems, []);
    const [, dead] = /@?(127[^/]+)/.exec(simulated.servers[KINDS.indexOf('dead')].uri);
    const bad = await mongosh(script('metrics'), {
      env: {
        ...env,
        TUNE_URI: `mongodb://watcher:${PASSWORD}@${dead}/?serverSelectionTimeoutMS=1000`,
        TUNE_SERVER_NAME: '',
      },
    });
    assert.equal(bad.code, 3);
    assert.match(bad.stderr, /TUNE-20011/);
    const { series, problems } = promlint(fs.readFileSync(file, 'utf8'));
    assert.deepEqual(
      [problems, series.map(({ value }) => value).slice(-1), series[0].labels.server],
      [[], [0], 'shop'],
    );
  });
});
