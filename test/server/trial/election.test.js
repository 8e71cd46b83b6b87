'use strict';

const assert = require('node:assert/strict');
const { startReplicaSet } = require('../../support/server');
const { startWorkload } = require('../../support/workload');
const { onProgress } = require('../../support/trial');
const { contextOf } = require('../../support/context');
const { temporaryFolder } = require('../../support/cleanup');
const { run: trial } = require('../../../lib/commands/trial');
const { run: history } = require('../../../lib/commands/history');
const { readLines } = require('../../../lib/change/journal');
const { entriesOf } = require('../../../lib/change/pure/journal');
const { readFactsAndSettings } = require('../../../lib/observe/settings');
const { searchOne } = require('../../../lib/trial/search');

const IN_B = /^block \d of \d+, B: 0 of/;
const PATIENCE_MS = 60_000;

/** @param {() => Promise<boolean>} test */
async function until(test) {
  for (const end = Date.now() + PATIENCE_MS; !(await test().catch(() => false));) {
    if (Date.now() > end) throw new Error('it does not come about');
    await new Promise((resolve) => {
      setTimeout(resolve, 200);
    });
  }
}

describe('a trial whose set elects a member that was started later', function () {
  this.timeout(240_000);
  /** @type {Awaited<ReturnType<typeof startReplicaSet>>} */ let server;
  /** @type {Awaited<ReturnType<typeof startWorkload>> | undefined} */ let load;
  /** @type {{ path: string, remove(): void }} */ let home;
  before(async () => {
    server = await startReplicaSet({ members: 3 });
    home = temporaryFolder('home');
  });
  after(async () => {
    await load?.stop();
    await server?.stop();
    home?.remove();
  });

  it('does not say that a restart took B back, and leaves its entry open', async () => {
    const old = await server.primary();
    const younger = server.hosts.filter((host) => host !== old);
    for (const host of younger) {
      await server.kill(host);
      await server.revive(host);
    }
    await until(async () =>
      (await server.adminCommand({ replSetGetStatus: 1 })).members.every(
        (/** @type {any} */ { stateStr }) => /PRIMARY|SECONDARY/.test(stateStr),
      ),
    );
    assert.equal(await server.primary(), old);
    load = await startWorkload(server.uri, 'paced');
    const there = (await server.connect(server.uriOf(old))).db('admin');
    const ctx = onProgress(contextOf(server.client, { home: home.path }), IN_B, () => {
      void there.command({ replSetStepDown: 60, secondaryCatchUpPeriodSecs: 10 });
    });
    const done = await trial(
      ctx,
      { evictionTarget: 75 },
      // A set on a busy machine may take some seconds to elect another one.
      { confirm: true, blocks: 4, blockSeconds: 16 },
    ).catch((error) => error);
    const { wiredTigerEngineRuntimeConfig: last } = await there.command({
      getParameter: 1,
      wiredTigerEngineRuntimeConfig: 1,
    });
    const found = await history(contextOf(server.client, { home: home.path }), { all: true });
    const told = JSON.stringify([done.ended, done.because ?? done.message, done.effective, found]);
    assert.equal(last, 'eviction_target=75', told);
    assert.doesNotMatch(String(done.because), /restarted/);
    assert.equal(found.at(-1).outcome, 'unknown', told);
  });
});

describe('a search whose set elects another primary between two trials', function () {
  this.timeout(240_000);
  /** @type {Awaited<ReturnType<typeof startReplicaSet>>} */ let set;
  /** @type {Awaited<ReturnType<typeof startWorkload>> | undefined} */ let load;
  /** @type {{ path: string, remove(): void }} */ let home;
  before(async () => {
    set = await startReplicaSet({ members: 3 });
    home = temporaryFolder('home');
    load = await startWorkload(set.uri, 'paced');
  });
  after(async () => {
    await load?.stop();
    await set?.stop();
    home?.remove();
  });

  it('does not go on with another member', async () => {
    const ctx = contextOf(set.client, { home: home.path });
    const { adminCommand } = ctx.port;
    let isMoved = false;
    ctx.port.adminCommand = async (command) => {
      if (
        !isMoved &&
        entriesOf(readLines(home.path).lines).some(({ outcome }) => outcome === 'undone')
      ) {
        isMoved = true;
        await set.electAnother();
      }
      return adminCommand(command);
    };
    const { facts, settings } = await readFactsAndSettings(ctx);
    /** @type {any} */
    const search = {
      facts,
      settingsBefore: settings,
      metric: 'opsPerSec',
      guardrail: {},
      endsAtMs: performance.now() + 90_000,
      path: [],
      ended: null,
      endedBecause: null,
    };
    /** @type {any} */
    const dimension = { changes: [{ evictionThreadsMax: 6 }, { evictionThreadsMax: 8 }] };
    await assert.rejects(searchOne(ctx, search, dimension), {
      code: 'TUNE-20010',
      message: /planned for .* a failover\?/,
    });
    const hosts = entriesOf(readLines(home.path).lines).map(({ host }) => host);
    assert.deepEqual([hosts, search.path.length], [[settings.run.host], 1]);
  });
});
