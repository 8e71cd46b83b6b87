'use strict';

const assert = require('node:assert/strict');
const { startServer } = require('../support/server');
const { contextOf } = require('../support/context');
const { temporaryFolder } = require('../support/cleanup');
const { run: bench } = require('../../lib/commands/bench');
const { run: benchClean } = require('../../lib/commands/bench-clean');
const { run: ladder } = require('../../lib/commands/ladder');

const QUICK = Object.freeze({
  workload: 'ycsb-b',
  records: 1000,
  seconds: 1,
  warmSeconds: 0.2,
  threads: 4,
  processes: 1,
  force: true,
  confirm: true,
});

describe('two operators who begin a benchmark in one database', function () {
  this.timeout(120_000);
  /** @type {import('../support/server').Server} */ let server;
  /** @type {{ path: string, remove(): void }} */ let home;
  const context = () => contextOf(server.client, { home: home.path });
  before(async () => {
    server = await startServer();
    home = temporaryFolder('home');
  });
  after(async () => {
    await server?.stop();
    home?.remove();
  });

  it('the second does not take the mark of the first away: its data can be dropped', async () => {
    const ctx = context();
    const { command } = ctx.port;
    let isDone = false;
    ctx.port.command = async (database, spec) => {
      if (!isDone && spec.update) {
        isDone = true;
        await bench(context(), { ...QUICK, keep: true });
      }
      return command(database, spec);
    };
    const second = await bench(ctx, QUICK).catch((error) => error);
    await benchClean(context(), { confirm: true });
    const left = await server.db('tune_bench').listCollections({}, { nameOnly: true }).toArray();
    assert.deepEqual(
      left.map(({ name }) => name),
      [],
      `${second.message ?? 'it ran'}\n${await benchClean(context(), {})}`,
    );
  });
});

describe('a ladder whose data another operator cleans away', function () {
  this.timeout(120_000);
  /** @type {import('../support/server').Server} */ let server;
  /** @type {{ path: string, remove(): void }} */ let home;
  before(async () => {
    server = await startServer();
    home = temporaryFolder('home');
  });
  after(async () => {
    await server?.stop();
    home?.remove();
  });

  it('does not take operations on nothing for a gain', async () => {
    const ctx = contextOf(server.client, { home: home.path });
    const { adminCommand } = ctx.port;
    let isCleaned = false;
    ctx.port.adminCommand = async (command) => {
      const answer = await adminCommand(command);
      if (command.setParameter && !isCleaned) {
        isCleaned = true;
        const elsewhere = temporaryFolder('elsewhere');
        const other = contextOf(server.client, { home: elsewhere.path });
        assert.equal((await benchClean(other, { confirm: true })).dropped, true);
        elsewhere.remove();
      }
      return answer;
    };
    const seen = await ladder(ctx, [{ evictionThreadsMax: 6 }], {
      ...QUICK,
      records: 50_000,
      workload: 'ycsb-c',
      seconds: 3,
    }).catch((error) => error);
    assert.ok(
      seen instanceof Error || /not found|nothing|gone|missing/i.test(String(seen)),
      `${seen.ended}\n${seen}`,
    );
  });
});
