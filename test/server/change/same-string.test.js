'use strict';

const assert = require('node:assert/strict');
const { startServer } = require('../../support/server');
const { contextOf } = require('../../support/context');
const { temporaryFolder } = require('../../support/cleanup');
const { setExternally, lastString, floodLog } = require('../../support/engine');
const { run: apply } = require('../../../lib/commands/apply');
const { run: undo } = require('../../../lib/commands/undo');
const { run: ladder } = require('../../../lib/commands/ladder');

const QUICK = Object.freeze({
  workload: 'ycsb-b',
  records: 1000,
  seconds: 1,
  warmSeconds: 0.2,
  threads: 4,
  processes: 1,
  force: true,
  confirm: true,
  rechecks: 9,
});

describe('the very string of a ladder, set by another session', function () {
  this.timeout(120_000);
  /** @type {import('../../support/server').Server} */ let server;
  /** @type {{ path: string, remove(): void }} */ let home;
  before(async () => {
    server = await startServer();
    home = temporaryFolder('home');
  });
  after(async () => {
    await server?.stop();
    home?.remove();
  });

  it('while its step is measured stays in force', async () => {
    const ctx = contextOf(server.client, { home: home.path });
    const { progress } = ctx;
    let isSet = false;
    const { adminCommand } = ctx.port;
    ctx.port.adminCommand = async (command) => {
      const answer = await adminCommand(command);
      isSet ||= Boolean(command.setParameter);
      return answer;
    };
    /** @type {Promise<unknown> | null} */ let other = null;
    ctx.progress = (text) => {
      progress(text);
      if (isSet && other === null && /of 1 s/.test(text ?? ''))
        other = setExternally(server, 'eviction_target=75');
    };
    const seen = await ladder(ctx, [{ evictionTarget: 75 }], QUICK);
    await other;
    assert.equal(
      await lastString(server),
      'eviction_target=75',
      `${seen.ended}: ${seen.because}\n${JSON.stringify(seen.externalChanges)}`,
    );
  });
});

describe('the very string of a change, set by another session after the log ran over', function () {
  this.timeout(120_000);
  /** @type {import('../../support/server').Server} */ let server;
  /** @type {{ path: string, remove(): void }} */ let home;
  before(async () => {
    server = await startServer();
    home = temporaryFolder('home');
  });
  after(async () => {
    await server?.stop();
    home?.remove();
  });

  it('is theirs: its line in the log is of a moment long after the answer to ours', async () => {
    const context = () => contextOf(server.client, { home: home.path });
    await apply(context(), { evictionTarget: 75 }, { confirm: true });
    await setExternally(server, 'eviction_target=70');
    await new Promise((resolve) => {
      setTimeout(resolve, 3000);
    });
    await floodLog(server);
    await assert.rejects(undo(context(), { confirm: true }), { code: 'TUNE-30006' });
    await setExternally(server, 'eviction_target=75');
    const done = await undo(context(), { confirm: true }).catch((error) => error);
    assert.equal(await lastString(server), 'eviction_target=75', String(done.message ?? done));
  });
});
