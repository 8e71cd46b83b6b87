'use strict';

const assert = require('node:assert/strict');
const path = require('node:path');
const { entriesOf } = require('../../lib/change/pure/journal');
const { readLines } = require('../../lib/change/journal');
const { throwAwayCertificate } = require('../support/certificate');
const { startReplicaSet } = require('../support/server');
const { skipIf } = require('../support/skip');
const { runMongosh } = require('../support/mongosh');
const { ROOT, evals, makeTuneHome } = require('./support/place');

/**
 * @import { ChildProcess } from 'node:child_process'
 */

const script = (/** @type {string} */ name) => path.join(ROOT, 'snippets', `${name}.js`);
const CHANGE = 'tune.apply({ evictionThreadsMax: 6 }, { members: "all", confirm: true })';

describe('the members of a replica set with users, from mongosh', function () {
  this.timeout(180_000);
  /** @type {Awaited<ReturnType<typeof startReplicaSet>>} */ let server;
  /** @type {string} */ let looker;
  /** @type {string} */ let changer;
  let place;
  const certificate = throwAwayCertificate();
  before(async () => {
    server = await startReplicaSet({
      members: [{}, { priority: 0 }],
      auth: true,
      args: certificate?.args ?? [],
    });
    looker = await server.addUser('looker', ['clusterMonitor']);
    changer = await server.addUser('changer', ['clusterMonitor', 'hostManager']);
    place = makeTuneHome();
  });
  after(async () => {
    await server?.stop();
    place?.remove();
  });
  /** @param {string[]} args @param {object} [more] */
  async function mongosh(args, more = {}) {
    const ended = await runMongosh(args, { env: place.env, ...more });
    assert.doesNotMatch(ended.stdout + ended.stderr, /(looker|changer)-password/);
    return ended;
  }
  /** @param {string} uri @param {...string} lines */
  async function json(uri, ...lines) {
    const { code, stdout, stderr } = await mongosh([uri, '--json=relaxed', ...evals(...lines)]);
    assert.equal(code, 0, stdout + stderr);
    return JSON.parse(stdout);
  }
  const threads = async () =>
    (await json(looker, 'tune.members({ seconds: 0.1 })')).sets[0].members.map(
      (/** @type {any} */ one) => one.settings.evictionThreadsMax.value,
    );

  it('tune.members() and its words, over the set and over one member', async () => {
    const { code, stdout, stderr } = await mongosh([
      looker,
      ...evals('print(tune.members({ seconds: 0.1 }))', 'tune members --seconds 0.1'),
    ]);
    assert.deepEqual([code, stderr], [0, ''], stdout);
    for (const host of server.hosts) assert.equal(stdout.split(host).length, 3, stdout);
    const lone = await json(
      looker
        .replace(server.hosts.join(','), server.hosts[1])
        .replace(/replicaSet=\w+/, 'directConnection=true'),
      'tune.members({ seconds: 0.1 })',
    );
    assert.deepEqual(
      lone.sets[0].members.map((/** @type {any} */ one) => [one.role, one.reached]),
      [
        ['primary', true],
        ['secondary', true],
      ],
    );
  });

  it('a change on all of them, and back', async () => {
    const done = await json(changer, CHANGE);
    assert.deepEqual(
      [done.verified, done.order, await threads()],
      [true, [server.hosts[1], server.hosts[0]], [6, 6]],
    );
    const back = await json(changer, `tune.undo("${done.id}", { confirm: true })`);
    assert.deepEqual([back.verified, await threads()], [true, [4, 4]]);
  });

  it('Ctrl-C between two members takes back what was done, before the shell ends', async () => {
    const sent = () =>
      entriesOf(readLines(place.path).lines).filter(
        ({ group, outcome }) => group && outcome === 'applied',
      ).length;
    const before = sent();
    await mongosh([changer, ...evals(CHANGE)], {
      onStart: (/** @type {ChildProcess} */ child) => {
        const sample = setInterval(() => {
          if (sent() === before) return;
          clearInterval(sample);
          child.kill('SIGINT');
        }, 5);
        child.on('close', () => clearInterval(sample));
      },
    });
    assert.equal(new Set(await threads()).size, 1, 'all of them have the same');
    const left = entriesOf(readLines(place.path).lines).filter(
      ({ outcome }) => outcome === 'unknown',
    );
    assert.deepEqual(left, []);
    // The signal came when all was done.
    if ((await threads())[0] === 6) await json(changer, 'tune.undo({ confirm: true })');
    assert.deepEqual(await threads(), [4, 4]);
  });

  it('runbook scripts: members.js and drift.js', async () => {
    const variables = { ...place.env, TUNE_JSON: '1' };
    const seen = await mongosh([looker, '--quiet', '--file', script('members')], {
      env: { ...variables, TUNE_SECONDS: '0.1' },
    });
    assert.deepEqual(
      [seen.code, seen.stderr, JSON.parse(seen.stdout).sets[0].members.length],
      [0, '', 2],
    );
    const same = await mongosh([looker, '--quiet', '--file', script('drift')], { env: variables });
    assert.deepEqual([same.code, JSON.parse(same.stdout).drift], [0, []], same.stdout);
    await server.adminCommand({ setParameter: 1, ttlMonitorSleepSecs: 33 });
    const drifted = await mongosh(['--nodb', '--quiet', '--file', script('drift')], {
      env: { ...place.env, TUNE_URI: looker },
    });
    await server.adminCommand({ setParameter: 1, ttlMonitorSleepSecs: 60 });
    assert.equal(drifted.code, 1);
    assert.match(drifted.stdout, /ttlMonitorSleepSecs: running 33, on \S+: 60/);
  });

  it(
    'with requireTLS, and a user that is a certificate (X.509): by connection string and by ' +
      'options of the shell',
    async function () {
      this.timeout(600_000);
      skipIf(this, certificate === null ? 'no openssl' : null);
      const { file, subject } = /** @type {NonNullable<typeof certificate>} */ (certificate).client(
        'watcher',
      );
      const roles = ['clusterMonitor', 'hostManager'].map((role) => ({ role, db: 'admin' }));
      await server.client.db('$external').command({ createUser: subject, roles });
      for (const host of server.hosts)
        await (
          await server.connect(server.uriOf(host))
        )
          .db('admin')
          .command({ setParameter: 1, tlsMode: 'requireTLS' });
      const set = `mongodb://${server.hosts.join(',')}/?replicaSet=tune`;
      const [own, authority] = [file, /** @type {any} */ (certificate).authority].map(
        encodeURIComponent,
      );
      const uri = `${set}&tls=true&tlsCAFile=${authority}&tlsCertificateKeyFile=${own}&authMechanism=MONGODB-X509`;
      const flags = [
        set,
        '--tls',
        '--tlsCAFile',
        /** @type {any} */ (certificate).authority,
        '--tlsCertificateKeyFile',
        file,
        '--authenticationMechanism',
        'MONGODB-X509',
      ];
      for (const args of [[uri], flags]) {
        // With TLS mongosh reads all certificates of the machine for each connection: on a busy one
        // a member may not be reached in time.
        const lines = evals(
          'let rows; for (let i = 0; i < 6; i += 1) { rows = tune.members({ seconds: 0.1 ' +
            '}).sets[0].members; if (rows.every((one) => one.reached)) break; }',
          'print(JSON.stringify([rows.map(({ reached, why }) => [reached, why]), ' +
            'tune.drift().drift]))',
        );
        const { code, stdout, stderr } = await mongosh([...args, '--quiet', ...lines], {
          timeout: 170_000,
        });
        assert.equal(code, 0, stdout + stderr);
        assert.deepEqual(
          JSON.parse(stdout),
          [
            [
              [true, null],
              [true, null],
            ],
            [],
          ],
          stdout,
        );
      }
      const fleet = await mongosh(
        [
          '--nodb',
          '--quiet',
          ...evals(
            `const { rows } = tune.fleet([${JSON.stringify(uri)}], { seconds: 1, ` +
              'serverTimeoutSeconds: 60 }); print(JSON.stringify(rows.map(({ state, error }) => ' +
              '[state, error])))',
          ),
        ],
        { timeout: 170_000 },
      );
      assert.equal(fleet.stdout.trim(), '[["examined",null]]', fleet.stderr);
    },
  );

  it('a certificate (X.509) that logged in by db.auth() changes all members', async function () {
    this.timeout(300_000);
    skipIf(this, certificate === null ? 'no openssl' : null);
    const { authority, client } = /** @type {NonNullable<typeof certificate>} */ (certificate);
    const uri = `${looker}&tls=true&tlsCAFile=${encodeURIComponent(authority)}&tlsCertificateKeyFile=${encodeURIComponent(client('watcher').file)}`;
    const done = await json(
      uri,
      'db.getSiblingDB("$external").auth({ mechanism: "MONGODB-X509" })',
      CHANGE,
    );
    assert.deepEqual([done.verified, done.order.length], [true, 2]);
  });
});
