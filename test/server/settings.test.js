'use strict';

const assert = require('node:assert/strict');
const { startServer } = require('../support/server');
const { contextOf } = require('../support/context');
const { temporaryFolder } = require('../support/cleanup');
const { run: apply } = require('../../lib/commands/apply');
const { run: config } = require('../../lib/commands/settings');
const { SETTING_NAMES } = require('../../lib/config/setting-table');

/**
 * @import { Server } from '../support/server'
 */

/** @param {Server} server @param {string} text */
const setExternally = (server, text) =>
  server.adminCommand({ setParameter: 1, wiredTigerEngineRuntimeConfig: text });

describe('config on a real server', () => {
  /** @type {Server} */ let server;
  before(async () => {
    server = await startServer({
      args: [
        '--wiredTigerEngineConfigString',
        'eviction=(threads_max=6),eviction_dirty_target=3',
        '--syncdelay',
        '30',
      ],
    });
  });
  after(() => server?.stop());

  it('shows what was set at start, and where it comes from', async () => {
    const seen = await config(contextOf(server.client));
    assert.deepEqual(
      Object.fromEntries(
        SETTING_NAMES.map((setting) => [setting, [seen[setting].value, seen[setting].from]]),
      ),
      {
        cacheSizeGB: [0.25, 'startup'],
        evictionThreadsMin: [4, 'default'],
        evictionThreadsMax: [6, 'startup'],
        evictionTarget: [80, 'default'],
        evictionTrigger: [95, 'default'],
        evictionDirtyTarget: [3, 'startup'],
        evictionDirtyTrigger: [20, 'default'],
        evictionUpdatesTarget: [1.5, 'default'],
        evictionUpdatesTrigger: [10, 'default'],
        evictionCheckpointTarget: [3, 'default'],
        syncdelaySeconds: [30, 'startup'],
      },
    );
    assert.deepEqual(
      [seen.drift, seen.notes, seen.complete, seen.version],
      [[], [], true, server.version],
    );
    assert.equal(
      seen.cacheSizeGB.default,
      Math.max(
        0.25,
        Math.floor(((await server.adminCommand({ hostInfo: 1 })).system.memLimitMB - 1024) / 2) /
          1024,
      ),
    );
  });

  it('follows what somebody else sets, and leaves out what the server refused', async () => {
    await setExternally(server, 'eviction=(threads_max=8)');
    await setExternally(server, 'cache_size=300M,eviction_target=70');
    await assert.rejects(setExternally(server, 'eviction_trigger=5'));
    const seen = await config(contextOf(server.client));
    assert.deepEqual(
      [
        seen.evictionThreadsMax.value,
        seen.cacheSizeGB.value,
        seen.evictionTarget.value,
        seen.evictionTrigger.value,
      ],
      [8, 300 / 1024, 70, 95],
    );
    assert.deepEqual(
      [
        seen.evictionTarget.from,
        seen.evictionTarget.by,
        seen.evictionTarget.sinceRestart,
        seen.evictionTrigger.from,
      ],
      ['runtime', 'others', true, 'default'],
    );
    assert.match(String(seen), /evictionTarget +70% +80% +other session, until restart$/m);
    assert.deepEqual(seen.drift, []);
  });

  it('a refusal that left a part behind is drift', async () => {
    await assert.rejects(
      setExternally(server, 'cache_size=600M,eviction=(threads_min=10,threads_max=9)'),
    );
    const seen = await config(contextOf(server.client));
    assert.deepEqual(
      seen.drift.map(({ setting, recorded, value }) => [setting, recorded, value]),
      [['cacheSizeGB', 300 / 1024, 600 / 1024]],
    );
    assert.equal(seen.cacheSizeGB.value, 600 / 1024);
    await setExternally(server, 'cache_size=256M');
    assert.deepEqual((await config(contextOf(server.client))).drift, []);
  });

  it('a syncdelay that only reads back as set is not believed', async () => {
    await server.adminCommand({ setParameter: 1, syncdelay: 5 });
    const { syncdelaySeconds, notes } = await config(contextOf(server.client));
    const major = Number.parseInt(server.version, 10);
    const since8 = major >= 8 ? 5 : null;
    const wanted = major <= 6 ? 30 : since8;
    assert.equal(syncdelaySeconds.value, wanted);
    assert.match(notes.join(), /reads back as 5/);
    await server.adminCommand({ setParameter: 1, syncdelay: 30 });
  });

  it('after the log has run over, what may have been lost is unknown', async function () {
    this.timeout(120_000);
    await flood(server);
    const seen = await config(contextOf(server.client));
    assert.equal(seen.complete, false);
    assert.match(seen.notes.join(), /log no longer covers earlier run-time changes/);
    assert.deepEqual(
      [seen.evictionTarget.value, seen.evictionTarget.from, seen.evictionTarget.default],
      [null, 'unknown', 80],
    );
    // Cache size is read back; the last string is known from getParameter.
    assert.deepEqual([seen.cacheSizeGB.value, seen.cacheSizeGB.from], [0.25, 'startup']);
    assert.deepEqual(seen.syncdelaySeconds.value, 30);
  });

  it('a restart is a new beginning', async () => {
    await server.restart();
    const seen = await config(contextOf(server.client));
    assert.deepEqual(
      [
        seen.complete,
        seen.evictionTarget.value,
        seen.evictionThreadsMax.value,
        seen.evictionThreadsMax.from,
      ],
      [true, 80, 6, 'startup'],
    );
  });

  it('a log that has run over without a set leaves nothing unknown', async function () {
    this.timeout(120_000);
    await flood(server);
    const seen = await config(contextOf(server.client));
    assert.deepEqual(
      [
        seen.complete,
        seen.evictionTarget.value,
        seen.evictionTarget.from,
        seen.evictionThreadsMax.value,
      ],
      [true, 80, 'default', 6],
    );
  });

  it('what was known when tune set something is known for good', async function () {
    this.timeout(120_000);
    const home = temporaryFolder('settings');
    const ctx = contextOf(server.client, { home: home.path });
    try {
      await server.restart();
      await setExternally(server, 'eviction_target=70,eviction=(threads_max=7)');
      await apply(ctx, { cacheSizeGB: 0.5 }, { confirm: true });
      await flood(server);
      const seen = await config(ctx);
      assert.deepEqual([seen.complete, seen.notes], [true, []]);
      assert.deepEqual(
        [seen.evictionTarget, seen.cacheSizeGB].map(({ value, from, by }) => [value, from, by]),
        [
          [70, 'runtime', 'others'],
          [0.5, 'runtime', 'tune'],
        ],
      );
      assert.equal((await config(contextOf(server.client))).complete, false);
    } finally {
      home.remove();
    }
  });

  it('unknown options are refused', async () =>
    assert.rejects(config(contextOf(server.client), /** @type {any} */ ({ all: true })), {
      code: 'TUNE-10002',
    }));
});

/**
 * Fills the ring of 1024 lines that getLog shows.
 * @param {Server} server
 */
async function flood(server) {
  await server.adminCommand({
    setParameter: 1,
    logComponentVerbosity: { command: { verbosity: 1 } },
  });
  for (let i = 0; i < 1100; i += 100)
    await Promise.all(Array.from({ length: 100 }, () => server.adminCommand({ ping: 1 })));
  await server.adminCommand({
    setParameter: 1,
    logComponentVerbosity: { command: { verbosity: 0 } },
  });
  const { log, totalLinesWritten } = await server.adminCommand({ getLog: 'global' });
  assert.ok(totalLinesWritten > log.length, `${totalLinesWritten} lines, ${log.length} kept`);
}
