'use strict';

const assert = require('node:assert/strict');
const { startReplicaSet } = require('../../support/server');
const { startWorkload } = require('../../support/workload');
const { onProgress } = require('../../support/trial');
const { contextOf } = require('../../support/context');
const { temporaryFolder } = require('../../support/cleanup');
const { run: trial } = require('../../../lib/commands/trial');
const { run: history } = require('../../../lib/commands/history');

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
      { confirm: true, blocks: 4, seconds: 8 },
    ).catch((error) => error);
    const { wiredTigerEngineRuntimeConfig: last } = await there.command({
      getParameter: 1,
      wiredTigerEngineRuntimeConfig: 1,
    });
    const found = await history(contextOf(server.client, { home: home.path }), { all: true });
    assert.equal(last, 'eviction_target=75');
    assert.doesNotMatch(String(done.because), /restarted/);
    assert.equal(found[0].outcome, 'unknown');
  });
});
