'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { listCommands, allCommands } = require('../../lib/shell/registry');
const { runMongosh } = require('../support/mongosh');
const { startServer } = require('../support/server');
const { LOAD_TUNE, evals, makeTuneHome } = require('./support/place');

const COMMANDS = listCommands();

/**
 * @import { Server } from '../support/server'
 */

/**
 * Some make load of their own, or try settings in turn: all together take half a minute, on a busy
 * machine more.
 */
const EXAMPLES_TIMEOUT_MS = 600_000;
/** They need more than the one server here. */
const NEED_MORE = new Set(['bench.compare']);
const EXAMPLES = allCommands(COMMANDS)
  .filter(([name]) => !NEED_MORE.has(name))
  .flatMap(([name, { examples }]) => examples.map((line) => ({ name, line })));
const mark = (i) => `@@ ${i} @@`;
/** What changes something on a server, by its own count of commands. */
const WRITING = [
  'applyOps',
  'collMod',
  'create',
  'createIndexes',
  'delete',
  'drop',
  'dropDatabase',
  'dropIndexes',
  'findAndModify',
  'insert',
  'renameCollection',
  'setParameter',
  'update',
];
const COUNT =
  `((counts) => print("## " + ${JSON.stringify(WRITING)}.map((name) => ` +
  'Number(counts[name]?.total ?? 0)).join(",")))(db.adminCommand({ serverStatus: 1 ' +
  '}).metrics.commands)';
const isConfirmed = (line) => /confirm: true|--confirm/.test(line);

describe('commands in mongosh on a real server', function () {
  this.timeout(EXAMPLES_TIMEOUT_MS + 20_000);
  /** @type {Server} */
  let server;
  let place;
  before(async () => {
    server = await startServer();
    await server.client.db('shop').collection('orders').insertOne({ a: 1 });
    place = makeTuneHome();
  });
  after(async () => {
    await server?.stop();
    place?.remove();
  });
  const mongosh = (args, more = {}) => runMongosh(args, { env: place.env, ...more });
  const json = async (...lines) => {
    const { code, stdout, stderr } = await mongosh([
      server.uri,
      '--json=relaxed',
      ...evals(...lines),
    ]);
    assert.equal(code, 0, stdout + stderr);
    return JSON.parse(stdout);
  };

  describe('every example of the help', () => {
    /** @type {string[]} what was printed for each */
    let printed;
    /** @type {number[][]} of writing commands, before the first example and after each */
    let counts;
    before(async () => {
      // The same in a second, and on the data of this server.
      const here = (text, i) =>
        text
          // Each writes a bundle of its own, and none over the one that is read.
          .replace(/(incident[. ]bundle.*)night\.json/, `$1night-${i}.json`)
          .replace(/(seconds:? )\d+/, (_, name) => `${name}1`)
          // No split waits for it here, and the collection stays where later examples read it.
          .replace(/^(tune\.split\..*)confirm: true/, '$1confirm: false')
          .replace(/^(tune split .*) --confirm$/, '$1')
          .replace('/etc/mongod.conf', 'mongod.conf')
          .replace('/var/lib/mongodb', server.dbPath);
      // As the collecting script writes it on a machine of which it may see nothing.
      fs.writeFileSync(
        path.join(place.path, 'host.json'),
        JSON.stringify({
          format: 'mongosh-tune host',
          version: 1,
          pid: 1,
          snapshots: [{ atMs: 0, files: {} }],
          links: {},
          commands: {},
        }),
      );
      fs.writeFileSync(
        path.join(place.path, 'night.json'),
        JSON.stringify({ format: 'tune-incident', version: 1 }),
      );
      fs.writeFileSync(path.join(place.path, 'mongod.conf'), 'storage: { engine: wiredTiger }\n');
      fs.writeFileSync(path.join(place.path, 'servers.txt'), `${server.uri}\n`);
      const lines = [
        COUNT,
        ...EXAMPLES.flatMap(({ line }, i) => [`print("${mark(i)}")`, here(line, i), COUNT]),
      ];
      const { code, stdout, stderr } = await mongosh([server.uri, '--quiet'], {
        cwd: place.path,
        timeout: EXAMPLES_TIMEOUT_MS,
        input: [LOAD_TUNE, ...lines, 'print("@@ end @@")', ''].join('\n'),
      });
      assert.equal(code, 0, stderr);
      counts = [...stdout.matchAll(/^.*## ([\d,]+)$/gm)].map(([, numbers]) =>
        numbers.split(',').map(Number),
      );
      printed = stdout
        .replace(/^.*## [\d,]+$/gm, '')
        .split(/@@ \w+ @@/)
        .slice(1, -1);
      assert.deepEqual(
        [printed.length, counts.length],
        [EXAMPLES.length, EXAMPLES.length + 1],
        stdout,
      );
    });
    for (const [i, { line }] of EXAMPLES.entries()) {
      it(line, () => {
        // A script that is printed may speak of errors.
        assert.doesNotMatch(printed[i], /Uncaught|^\s*\w*Error\b/m);
        // watch prints on its way; what is kept in a variable is not printed.
        const silent = line.startsWith('const ') && !line.includes('tune.watch');
        assert.equal(printed[i].replace(/^.*> /gm, '').trim() === '', silent, printed[i]);
        const written = WRITING.filter((_, n) => counts[i + 1][n] > counts[i][n]);
        if (!isConfirmed(line)) assert.deepEqual(written, [], 'nothing is written without confirm');
      });
    }
  });

  it('gives data: in expressions, in conditions, in JSON, and as tune.last', async () => {
    const seen = await json(`
      const ratio = tune.status({ seconds: 0.2 }).cache.usedRatio;
      const { cache: { maxBytes } } = tune.status({ seconds: 0.2 });
      const low = tune.status({ seconds: 0.2 }).cache.usedRatio < 0.5;
      const json = JSON.parse(JSON.stringify(tune.status({ seconds: 0.2 }))).cache.maxBytes;
      const list = [0.2].map((seconds) => tune.status({ seconds }).cache.maxBytes);
      ({ ratio, maxBytes, same: tune.last.cache.maxBytes === maxBytes, low, json, list })`);
    const { maxBytes } = seen;
    assert.equal(maxBytes, 256 * 1024 ** 2);
    assert.ok(seen.ratio >= 0 && seen.ratio < 0.5, seen.ratio);
    assert.deepEqual(
      { ...seen, ratio: 0 },
      { ratio: 0, maxBytes, same: true, low: true, json: maxBytes, list: [maxBytes] },
    );
  });

  it('prints only data with --json, also for command words', async () => {
    const status = await json('tune status --seconds 0.2');
    assert.equal(status.seconds < 1, true);
    assert.deepEqual(Object.keys(status.cache).slice(0, 3), ['maxBytes', 'usedBytes', 'usedRatio']);
  });

  it('lets a script catch its errors, by their codes', async () => {
    assert.deepEqual(
      await json(
        'try { tune.status({ secs: 1 }) } catch (error) { ({ name: error.name, code: ' +
          'error.code, value: error.value }) }',
      ),
      { name: 'TuneError', code: 'TUNE-10001', value: 'secs' },
    );
  });

  it('follows the shell to another connection', async () => {
    const { stdout } = await mongosh([
      '--nodb',
      ...evals(
        `db = connect(${JSON.stringify(server.uri)}); print(tune.status({ seconds: 0.2 }).version)`,
      ),
    ]);
    assert.equal(stdout.trim(), server.version);
  });

  describe('without a connection', () => {
    it('says in one sentence that it needs one, and fails the script', async () => {
      const { code, stdout, stderr } = await mongosh([
        '--nodb',
        ...evals('tune.status()', 'print("NOT HERE")'),
      ]);
      assert.equal(code, 1);
      assert.equal(stdout, '');
      assert.match(
        stderr,
        /^TuneError: \[TUNE-20001\] The shell is not connected to a server\. Connect first: .*\n$/,
      );
    });

    it('help, rules, explain, lint for a release and history work', async () => {
      const { code, stdout, stderr } = await mongosh([
        '--nodb',
        ...evals(`
        print(help); print(help()); print(tune.help()); print(help(tune)); print(help(tune.lint)); print(tune); print(tune.rules()); print(tune.explain("dirty-ratio"));
        print(tune.lint("eviction_dirty_target=5", { version: "6.0.5" })); print(tune.history({ all: true }))`),
      ]);
      assert.equal(code, 0, stderr);
      assert.equal(stdout.match(/Shell Help:\n/g).length, 2, 'mongosh keeps its own help');
      assert.equal(
        stdout.match(/tune diagnoses and tunes the WiredTiger storage engine:\n/g).length,
        2,
      );
      assert.match(stdout, /tune\.lint\(text, \{ version, at \}\):\n[^]*Examples:/);
      assert.doesNotMatch(stdout, /Error\b/);
    });

    it('command words work in --eval, and a wrong one names the right one', async () => {
      const { code, stdout, stderr } = await mongosh([
        '--nodb',
        ...evals('tune help status', 'tune stats'),
      ]);
      assert.equal(code, 1);
      assert.equal(stdout, '');
      assert.match(
        stderr,
        /\[TUNE-10005\] There is no command "stats"\. Did you mean "tune status"\?/,
      );
    });
  });
});
