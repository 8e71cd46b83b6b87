'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { startServer, startReplicaSet } = require('../support/server');
const { contextOf } = require('../support/context');
const { run: bench } = require('../../lib/commands/bench');
const { startWorker } = require('../../lib/bench/load/workers');

/**
 * @import { Server } from '../support/server'
 * @import { MongoClient } from 'mongodb'
 */

const QUICK = Object.freeze({
  records: 1000,
  seconds: 30,
  warmSeconds: 0,
  threads: 4,
  processes: 2,
  confirm: true,
  force: true,
  workload: 'ycsb-b',
});

/** Processes of ours that make load. @returns {{ pid: number, commandLine: string }[]} */
function loadMakers() {
  return fs
    .readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const parent = Number(
          /^PPid:\s+(\d+)/m.exec(fs.readFileSync(`/proc/${name}/status`, 'utf8'))?.[1],
        );
        const commandLine = fs.readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ');
        return parent === process.pid &&
          commandLine.includes(path.join('bench', 'load', 'worker', 'main.js'))
          ? [{ pid: Number(name), commandLine }]
          : [];
      } catch (_gone) {
        return [];
      }
    });
}

describe('tune.bench when something goes wrong', function () {
  this.timeout(120_000);
  before(function () {
    if (process.platform !== 'linux') this.skip();
  });
  afterEach(() => assert.deepEqual(loadMakers(), []));

  describe('on a server with users', () => {
    /** @type {Server} */ let server;
    before(async () => {
      server = await startServer({ auth: true });
    });
    after(() => server?.stop());
    /**
     * @param {(seconds: number) => void} onSecond
     * @param {MongoClient} [client]
     */
    function context(onSecond, client = server.client) {
      const ctx = contextOf(client);
      ctx.progress = (text) => {
        const [, seconds] = /: (\d+) of/.exec(text ?? '') ?? [];
        if (seconds) onSecond(Number(seconds));
      };
      return ctx;
    }

    it('the processes log in as the shell has, and no command line or message tells how', async () => {
      const uri = await server.addUser('bencher', [
        'readWriteAnyDatabase',
        'dbAdminAnyDatabase',
        'clusterMonitor',
      ]);
      const client = await server.connect(uri);
      /** @type {string[]} */ const lines = [];
      const ctx = context(
        () => lines.push(...loadMakers().map(({ commandLine }) => commandLine)),
        client,
      );
      const seen = await bench(ctx, { ...QUICK, seconds: 2 });
      assert.equal(seen.errors.count, 0);
      assert.ok(lines.length >= 2);
      assert.ok(
        ![...lines, JSON.stringify(seen), String(seen)].some((text) => /bencher/.test(text)),
      );
    });

    it('who may not write is told what is missing', async () => {
      const client = await server.connect(await server.addUser('looker', ['clusterMonitor']));
      await assert.rejects(bench(contextOf(client), { ...QUICK, seconds: 1 }), {
        code: 'TUNE-20005',
      });
    });

    it('a process that dies ends it, with an error, and the data goes', async () => {
      let killed = false;
      const ctx = context(() => {
        const [first] = loadMakers();
        if (killed || !first) return;
        killed = true;
        process.kill(first.pid, 'SIGKILL');
      });
      await assert.rejects(
        bench(ctx, { ...QUICK, seconds: 60 }),
        (error) =>
          error.code === 'TUNE-40007' &&
          /SIGKILL/.test(error.message) &&
          error.seen.ended === 'lost' &&
          error.seen.tookSeconds < 60,
      );
      assert.ok(
        !(await server.adminCommand({ listDatabases: 1, nameOnly: true })).databases.some(
          ({ name }) => name === 'tune_bench',
        ),
      );
    });

    it('a worker ends when the process that started it is gone', async () => {
      const { spawn } = require('node:child_process');
      const script =
        'const { startWorker } = ' +
        `require(${JSON.stringify(require.resolve('../../lib/bench/load/workers'))}); const worker ` +
        `= startWorker(0, () => {}); worker.ask('stop').then(() => console.log(worker.pid));`;
      const parent = spawn(process.execPath, ['-e', script], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const pid = Number(
        await new Promise((resolve) => {
          parent.stdout.once('data', (text) => resolve(String(text)));
        }),
      );
      parent.kill('SIGKILL');
      for (let tries = 0; fs.existsSync(`/proc/${pid}`) && tries < 100; tries++)
        await new Promise((resolve) => {
          setTimeout(resolve, 100);
        });
      assert.ok(pid > 1 && !fs.existsSync(`/proc/${pid}`));
    });
  });

  it('a server that dies in the middle: what was seen until then comes with the error', async () => {
    const server = await startServer();
    try {
      let killed = false;
      const ctx = contextOf(server.client);
      ctx.progress = (text) => {
        if (killed || !/: [23] of/.test(text ?? '')) return;
        killed = true;
        process.kill(server.pid, 'SIGKILL');
      };
      await assert.rejects(
        bench(ctx, { ...QUICK, seconds: 60 }),
        (error) =>
          error.code === 'TUNE-20006' &&
          error.seen.ops !== 0 &&
          error.seen.opsPerSec > 0 &&
          error.seen.errors.count > 0,
      );
    } finally {
      await server.stop();
    }
  });

  it('a server that restarts in the middle: it goes on, and counts the errors', async () => {
    const server = await startServer();
    try {
      /** @type {Promise<void> | undefined} */ let restarted;
      const ctx = contextOf(server.client);
      ctx.progress = (text) => {
        if (!restarted && /: 2 of/.test(text ?? '')) restarted = server.restart();
      };
      const seen = await bench(ctx, { ...QUICK, seconds: 9 });
      await restarted;
      assert.equal(seen.ended, 'complete');
      assert.ok(
        seen.errors.byCode.some(({ code }) => code === 'connection') && seen.stalls.count >= 1,
      );
      assert.ok(seen.perSecond.at(-1).opsPerSec > 0, 'it runs again at the end');
    } finally {
      await server.stop();
    }
  });

  it('a replica set: its primary is measured, a secondary is refused, for it takes no writes', async () => {
    const set = await startReplicaSet({ members: [{}, {}] });
    try {
      const { hosts } = await set.adminCommand({ hello: 1 });
      const { primary } = await set.adminCommand({ hello: 1 });
      const secondary = await set.connect(
        `mongodb://${hosts.find((host) => host !== primary)}/?directConnection=true`,
      );
      await assert.rejects(bench(contextOf(secondary), QUICK), { code: 'TUNE-31003' });
      const seen = await bench(contextOf(set.client), { ...QUICK, seconds: 1, workload: 'ycsb-a' });
      assert.deepEqual([seen.role, seen.errors.count, seen.opsPerSec > 0], ['primary', 0, true]);
    } finally {
      await set.stop();
    }
  });

  it('the driver still has the inside that is used here', async () => {
    const server = await startServer();
    const worker = startWorker(0, () => {});
    try {
      await worker.ask('connect', { address: { uri: server.uri, options: {} } });
      assert.equal(
        JSON.parse(await worker.ask('command', { database: 'admin', command: '{"ping":1}' })).ok,
        1,
      );
      await assert.rejects(
        worker.ask('command', { database: 'admin', command: '{"nonsense":1}' }),
        (error) => error.code === 59 && error.name === 'MongoServerError',
      );
    } finally {
      await worker.quit();
      await server.stop();
    }
  });
});
