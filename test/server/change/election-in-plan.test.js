'use strict';

const assert = require('node:assert/strict');
const { startReplicaSet } = require('../../support/server');
const { contextOf } = require('../../support/context');
const { temporaryFolder } = require('../../support/cleanup');
const { floodLog } = require('../../support/engine');
const { readLines } = require('../../../lib/change/journal');
const { run: apply } = require('../../../lib/commands/apply');
const { run: undo } = require('../../../lib/commands/undo');

const MB = 2 ** 20;

describe('an election while a change is planned', function () {
  this.timeout(120_000);
  /** @type {Awaited<ReturnType<typeof startReplicaSet>>} */ let set;
  /** @type {{ path: string, remove(): void }} */ let home;
  before(async () => {
    set = await startReplicaSet({ members: 3 });
    home = temporaryFolder('home');
  });
  after(async () => {
    await set?.stop();
    home?.remove();
  });

  it('does not write down what another member had as what this one had before', async () => {
    const old = await set.primary();
    /** @type {any} */ let there;
    for (const host of set.hosts) {
      const client = await set.connect(set.uriOf(host));
      const admin = client.db('admin');
      if (host === old) there = client;
      for (const text of [`cache_size=${host === old ? 512 : 300}M`, 'eviction=(threads_max=5)'])
        await admin.command({ setParameter: 1, wiredTigerEngineRuntimeConfig: text });
      /** @type {any} */
      const one = {
        db: (/** @type {string} */ name) => client.db(name),
        adminCommand: (/** @type {any} */ command) => admin.command(command),
      };
      await floodLog(one);
    }
    const ctx = contextOf(set.client, { home: home.path });
    const { adminCommand } = ctx.port;
    let looks = 0;
    ctx.port.adminCommand = async (command) => {
      if (command.serverStatus && (looks += 1) === 2) {
        await there.db('admin').command({ replSetStepDown: 60, secondaryCatchUpPeriodSecs: 10 });
        for (const end = Date.now() + 30_000; Date.now() < end;) {
          const now = await set.primary().catch(() => undefined);
          if (now !== undefined && now !== old) break;
        }
      }
      return adminCommand(command);
    };
    const done = await apply(ctx, { cacheSizeGB: 1 }, { confirm: true }).catch((error) => error);
    const [intent] = /** @type {any[]} */ (readLines(home.path).lines);
    const back = await undo(contextOf(there, { home: home.path }), { confirm: true }).catch(
      (error) => error,
    );
    const { wiredTiger } = await there.db('admin').command({ serverStatus: 1 });
    assert.equal(
      Number(wiredTiger.cache['maximum bytes configured']) / MB,
      512,
      `${done.message ?? done}\nbefore: ${JSON.stringify(intent?.before)}\n${back.message ?? back}`,
    );
  });
});
