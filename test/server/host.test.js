'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { execFileSync, spawn, spawnSync } = require('node:child_process');
const { MongoClient } = require('mongodb');
const { endWithProcess, kill, killNow, temporaryFolder } = require('../support/cleanup');
const { contextOf } = require('../support/context');
const { startServer, mongod } = require('../support/server');
const { shellsHere, shellcheck } = require('../support/shells');
const { skipIf } = require('../support/skip');
const { run: host } = require('../../lib/commands/host');
const { run: hostCollect } = require('../../lib/commands/host-collect');

/**
 * @import { Server } from '../support/server'
 */

const say = (/** @type {string} */ command, /** @type {string[]} */ ...args) =>
  execFileSync(command, args, { encoding: 'utf8' }).trim();
const runs = (/** @type {string} */ command, /** @type {string[]} */ ...args) =>
  spawnSync(command, args, { stdio: 'ignore' }).status === 0;
const isRoot = process.getuid?.() === 0;
const GiB = 2 ** 30;
const VM = ['dirty_bytes', 'dirty_background_bytes', 'dirty_ratio', 'dirty_background_ratio'];
const vm = (/** @type {string} */ name) => Number(fs.readFileSync(`/proc/sys/vm/${name}`, 'utf8'));

/** @returns {string | null} why this machine does not let us */
function whyNoSysctl() {
  if (!isRoot) return "only root may set the kernel's writeback";
  try {
    fs.accessSync('/proc/sys/vm/dirty_bytes', fs.constants.W_OK);
    return null;
  } catch {
    return '/proc/sys is not writable here';
  }
}

/** @returns {string | null} why nobody here becomes another user */
function whyNoOtherUser() {
  if (!isRoot) return 'only root may become somebody else';
  return runs('setpriv', '--version') ? null : 'there is no setpriv here';
}

/** @returns {string | null} why this machine makes no namespace */
function whyNoNamespace() {
  if (process.platform !== 'linux') return 'only Linux has namespaces';
  if (!isRoot) return 'only root may make one';
  return runs('unshare', '--pid', '--fork', 'true') ? null : 'unshare does not make one here';
}

/** Only one of bytes and ratio is in effect; writing it sets the other to 0. */
function restorer() {
  const before = Object.fromEntries(VM.map((name) => [name, vm(name)]));
  return endWithProcessAnd(() =>
    VM.filter((name) => before[name] > 0).forEach((name) =>
      fs.writeFileSync(`/proc/sys/vm/${name}`, `${before[name]}`),
    ),
  );
}

/**
 * @param {() => void} restore
 * @returns {() => void} done at the end of this process at the latest
 */
function endWithProcessAnd(restore) {
  const forget = endWithProcess(restore);
  return () => {
    restore();
    forget();
  };
}

describe("tune.host() on the server's own machine", () => {
  /** @type {Server} */ let server;
  before(function () {
    skipIf(this, process.platform === 'linux' ? null : 'only Linux has /proc');
  });
  before(async () => {
    server = await startServer();
  });
  after(() => server?.stop());
  const snapshot = (/** @type {object} */ options = {}) =>
    host(contextOf(server.client), { seconds: 1, ...options });

  it('proves that it is, and judges every rule', async () => {
    const seen = await snapshot();
    assert.deepEqual([seen.place.kind, seen.place.pid], ['here', server.pid]);
    assert.match(seen.place.say, /this connection ends at it/);
    assert.equal(seen.findings.filter(({ status }) => status === 'error').length, 0, `${seen}`);
    assert.ok(seen.findings.filter(({ status }) => status !== 'unknown').length > 25, `${seen}`);
    for (const line of `${seen}`.split('\n')) assert.ok(line.length <= 80, line);
  });

  it('its facts are what sysctl, df, findmnt and nproc say', async function () {
    skipIf(
      this,
      ['sysctl', 'df', 'findmnt', 'nproc']
        .map((command) => (runs('which', command) ? null : `there is no ${command} here`))
        .find((why) => why !== null) ?? null,
    );
    const { facts } = await snapshot();
    const sysctl = (/** @type {string} */ name) => Number(say('sysctl', '-n', name));
    assert.deepEqual(
      [
        facts.writeback.dirtyBytes,
        facts.writeback.dirtyRatioPercent,
        facts.writeback.dirtyBackgroundRatioPercent,
        facts.writeback.expireMs,
        facts.sysctl.maxMapCount,
      ],
      [
        sysctl('vm.dirty_bytes'),
        sysctl('vm.dirty_ratio'),
        sysctl('vm.dirty_background_ratio'),
        10 * sysctl('vm.dirty_expire_centisecs'),
        sysctl('vm.max_map_count'),
      ],
    );
    const found = (/** @type {string} */ column) =>
      say('findmnt', '--noheadings', '--output', column, '--target', server.dbPath);
    assert.deepEqual(
      [facts.files.type, facts.files.mountPoint],
      [found('FSTYPE'), found('TARGET')],
    );
    assert.equal(
      facts.files.totalBytes,
      1024 * Number(say('df', '-Pk', server.dbPath).split('\n')[1].split(/\s+/)[1]),
    );
    assert.equal(facts.cpu.allowed, Number(say('nproc')), 'mongod may run where we may');
  });

  it('asks the server a handful of questions once, and takes no longer than it was told to look', async () => {
    const ctx = contextOf(server.client);
    /** @type {string[]} */ const asked = [];
    const { adminCommand } = ctx.port;
    ctx.port.adminCommand = (command) => {
      asked.push(Object.keys(command)[0]);
      return adminCommand(command);
    };
    await host(ctx, { seconds: 2 });
    assert.deepEqual(asked.sort(), [
      'getCmdLineOpts',
      'getDiagnosticData',
      'getLog',
      'hostInfo',
      'serverStatus',
      'whatsmyuri',
    ]);
  });

  it('Ctrl-C: what was seen until then', async () => {
    const stop = new AbortController();
    const ctx = contextOf(server.client, { signal: stop.signal });
    ctx.progress = (text) => {
      if (/2 of/.test(text ?? '')) stop.abort();
    };
    const seen = await host(ctx, { seconds: 600 });
    assert.deepEqual(seen.notes, ['Stopped after 2 of 601 samples.']);
    assert.ok(seen.facts.cpu.busyRatio >= 0);
  });

  it('a server that says to be a process which is not here: only what it tells itself', async () => {
    const ctx = contextOf(server.client);
    const { adminCommand } = ctx.port;
    ctx.port.adminCommand = async (command) => ({
      ...(await adminCommand(command)),
      ...(command.serverStatus && { pid: 4_000_000 }),
    });
    const seen = await host(ctx, { seconds: 2 });
    assert.equal(seen.place.kind, 'elsewhere');
    assert.match(
      `${seen}`,
      /No process on this machine has the id\s+4000000[^]*tune\.host\.collect\(\)/,
    );
    assert.deepEqual(
      [seen.facts.memory.totalBytes > 0, seen.facts['cpu'].logical, seen.facts.clock],
      [true, os.cpus().length, undefined],
    );
    assert.match(String(seen.unknown['sysctl.pidMax']), /available only on its own machine/);
  });

  describe('the script of what is advised', () => {
    it('sets vm.dirty_bytes on this machine, then nothing more, and takes it back', async function () {
      skipIf(this, whyNoSysctl());
      const restore = restorer();
      try {
        fs.writeFileSync('/proc/sys/vm/dirty_background_bytes', `${GiB}`);
        fs.writeFileSync('/proc/sys/vm/dirty_bytes', `${2 * GiB}`);
        const seen = await snapshot();
        const finding = seen.findings.find(({ rule }) => rule === 'kernel-writeback');
        assert.equal(finding?.status, 'info', finding?.message);
        assert.match(
          String(finding?.script.apply),
          /^sysctl -w vm\.dirty_background_bytes=67108864\nsysctl -w vm\.dirty_bytes=536870912$/m,
        );
        const folder = temporaryFolder('host-script');
        const file = path.join(folder.path, 'tune-host.sh');
        fs.writeFileSync(file, seen.script().script);
        for (const {
          name,
          command: [program, ...args],
        } of shellsHere()) {
          const run = (/** @type {string[]} */ ...more) =>
            spawnSync(program, [...args, file, ...more], { encoding: 'utf8' });
          assert.match(run().stdout, /vm\.dirty_bytes: is 2147483648, would be 536870912/, name);
          assert.deepEqual(
            [vm('dirty_background_bytes'), vm('dirty_bytes')],
            [GiB, 2 * GiB],
            'showing changes nothing',
          );
          assert.match(
            run('--apply').stdout,
            /vm\.dirty_bytes: was 2147483648, is 536870912/,
            name,
          );
          assert.deepEqual(
            [vm('dirty_background_bytes'), vm('dirty_bytes')],
            [64 * 2 ** 20, 512 * 2 ** 20],
            name,
          );
          assert.match(run('--apply').stdout, /vm\.dirty_bytes: 536870912 already/, name);
          assert.match(run('--undo').stdout, /vm\.dirty_bytes: 2147483648 again/, name);
          assert.deepEqual([vm('dirty_background_bytes'), vm('dirty_bytes')], [GiB, 2 * GiB], name);
        }
        folder.remove();
      } finally {
        restore();
      }
    });

    it('so do the commands of the finding itself; by ratio it goes back to the ratio', async function () {
      skipIf(this, whyNoSysctl() ?? (runs('which', 'sysctl') ? null : 'there is no sysctl here'));
      const restore = restorer();
      try {
        fs.writeFileSync('/proc/sys/vm/dirty_background_ratio', '40');
        fs.writeFileSync('/proc/sys/vm/dirty_ratio', '80');
        const finding = (await snapshot()).findings.find(({ rule }) => rule === 'kernel-writeback');
        skipIf(
          this,
          finding?.status === 'ok'
            ? 'this machine has too little memory for data to accumulate'
            : null,
        );
        say('sh', '-c', String(finding?.script.apply));
        assert.deepEqual(VM.map(vm), [512 * 2 ** 20, 64 * 2 ** 20, 0, 0]);
        assert.equal(
          (await snapshot()).findings.find(({ rule }) => rule === 'kernel-writeback')?.status,
          'ok',
        );
        say('sh', '-ec', String(finding?.script.undo));
        assert.deepEqual(VM.map(vm), [0, 0, 80, 40]);
      } finally {
        restore();
      }
    });
  });

  describe('the collecting script', () => {
    /** @type {{ path: string, remove(): void }} */ let folder;
    /** @type {string} */ let file;
    before(async () => {
      folder = temporaryFolder('host-collect');
      fs.chmodSync(folder.path, 0o755);
      file = path.join(folder.path, 'collect.sh');
      fs.writeFileSync(file, (await hostCollect(contextOf(server.client))).script);
    });
    after(() => folder?.remove());

    it('shellcheck has nothing to say', function () {
      const found = shellcheck(fs.readFileSync(file, 'utf8'));
      skipIf(this, found === null ? 'there is no shellcheck here' : null);
      assert.equal(found, '');
    });

    for (const [what, args] of /** @type {[string, string[]][]} */ ([
      ['sh -s', ['-s']],
      ['sh -s 1', ['-s', '1']],
      ['sh -c "sh -s", as kubectl exec -i or ssh run it', ['-c', 'sh -s']],
      ['sh -c "exec sh", with the folder of a container', ['-c', 'cd / && exec sh']],
    ]))
      it(`through a pipe: ${what}`, async () => {
        const { status, stdout, stderr } = spawnSync('sh', args, {
          input: fs.readFileSync(file),
          env: { PATH: process.env.PATH },
          encoding: 'utf8',
          maxBuffer: 2 ** 28,
        });
        assert.deepEqual([status, stderr], [0, '']);
        const json = path.join(folder.path, 'piped.json');
        fs.writeFileSync(json, stdout);
        const there = await host(contextOf(/** @type {any} */ (null)), { file: json });
        assert.deepEqual([there.place.kind, there.place.pid], ['file', server.pid]);
        assert.equal(there.facts.memory.totalBytes, (await snapshot()).facts.memory.totalBytes);
      });

    for (const { name, command } of shellsHere()) {
      it(`${name}: what it finds is what is found here`, async () => {
        const [program, ...args] = command;
        const { status, stdout, stderr } = spawnSync(program, [...args, file, '1'], {
          encoding: 'utf8',
          maxBuffer: 2 ** 28,
        });
        assert.deepEqual([status, stderr], [0, '']);
        const json = path.join(folder.path, 'host.json');
        fs.writeFileSync(json, stdout);
        const [there, here] = [
          await host(contextOf(/** @type {any} */ (null)), { file: json }),
          await snapshot(),
        ];
        assert.deepEqual(
          [there.place.kind, there.place.pid, there.version],
          ['file', server.pid, server.version],
        );
        const lasting = (/** @type {typeof here} */ { facts }) =>
          [
            facts.cpu.logical,
            facts.cpu.cores,
            facts.memory.totalBytes,
            facts.files,
            facts.disk.name,
            facts.disk.schedulers,
            facts.kernel,
            facts.os,
            facts.thp,
            facts.sysctl,
            facts.process.files,
            facts.clock,
            facts.server,
          ].map((part) => (part === facts.files ? { ...part, freeBytes: 0, blocked: [] } : part));
        assert.deepEqual(lasting(there), lasting(here));
        assert.deepEqual(
          there.findings.filter(({ status: how }) => how === 'error'),
          [],
        );
      });
    }

    it('as somebody else: less, and why', async function () {
      skipIf(this, whyNoOtherUser());
      const { status, stdout, stderr } = spawnSync(
        'setpriv',
        ['--reuid=65534', '--regid=65534', '--clear-groups', 'sh', file, '1'],
        { encoding: 'utf8', maxBuffer: 2 ** 28 },
      );
      assert.deepEqual([status, stderr], [0, '']);
      const json = path.join(folder.path, 'nobody.json');
      fs.writeFileSync(json, stdout);
      const seen = await host(contextOf(/** @type {any} */ (null)), { file: json });
      for (const name of /** @type {const} */ ([
        'process.maps',
        'process.rseqTunable',
        'process.openFiles',
      ]))
        assert.match(String(seen.unknown[name]), /not readable by this user/, name);
      assert.equal(seen.facts.memory.totalBytes, os.totalmem());
    });
  });
});

describe('tune.host() and a mongod in a namespace of its own', () => {
  before(function () {
    skipIf(this, whyNoNamespace());
  });

  it('is found by the number that it has there', async () => {
    const folder = temporaryFolder('contained');
    const { path: binary, libraryPath } = await mongod();
    const port = 20_000 + (process.pid % 20_000);
    const inner = spawn(
      'unshare',
      [
        '--pid',
        '--fork',
        '--kill-child',
        binary,
        '--dbpath',
        folder.path,
        '--port',
        `${port}`,
        '--bind_ip',
        '127.0.0.1',
        '--wiredTigerCacheSizeGB',
        '0.25',
        '--nounixsocket',
        '--logpath',
        path.join(folder.path, 'log'),
      ],
      {
        stdio: 'ignore',
        env: { ...process.env, ...(libraryPath && { LD_LIBRARY_PATH: libraryPath }) },
      },
    );
    const forget = endWithProcess(() => killNow([inner]));
    const client = new MongoClient(`mongodb://127.0.0.1:${port}/?directConnection=true`, {
      serverSelectionTimeoutMS: 30_000,
    });
    try {
      await client.connect();
      const reported = (await client.db('admin').command({ serverStatus: 1 })).pid;
      const seen = await host(contextOf(client), { seconds: 1 });
      assert.equal(Number(reported), 1);
      assert.equal(seen.place.kind, 'here-container', seen.place.say);
      assert.match(
        fs.readFileSync(`/proc/${seen.place.pid}/status`, 'utf8'),
        /^NSpid:\s+\d+\s+1$/m,
      );
      assert.match(
        seen.place.say,
        /^mongod is process \d+ on this machine in a container, as process 1 there/,
      );
      assert.equal(seen.facts.memory.totalBytes, os.totalmem());
    } finally {
      await client.close();
      await kill([inner]);
      forget();
      folder.remove();
    }
  });
});
