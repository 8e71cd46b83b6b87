'use strict';

const assert = require('node:assert/strict');
const { spawn } = require('node:child_process');
const { once } = require('node:events');
const { startServer } = require('../support/server');
const { contextOf } = require('../support/context');
const { temporaryFolder } = require('../support/cleanup');
const { setExternally, floodLog, lastString } = require('../support/engine');
const { run: undo } = require('../../lib/commands/undo');
const { run: config } = require('../../lib/commands/settings');
const { run: history } = require('../../lib/commands/history');

/**
 * @import { Server } from '../support/server'
 */

const DO = Object.freeze({ confirm: true });
const CHANGE = {
  cacheSizeGB: 0.5,
  evictionThreadsMax: 6,
  evictionDirtyTarget: 10,
  evictionDirtyTrigger: 30,
};

describe('the shell was killed in the middle, and the log of the server has forgotten it', () => {
  /** @type {Server} */ let server;
  /** @type {{ path: string, remove(): void }} */ let home;
  const context = () => contextOf(server.client, { home: home.path });
  const seen = async () => {
    const { cacheSizeGB, evictionDirtyTarget, evictionThreadsMax } = await config(context());
    return [cacheSizeGB.value, evictionDirtyTarget.value, evictionThreadsMax.value];
  };
  before(async () => {
    server = await startServer();
  });
  after(() => server?.stop());
  beforeEach(() => {
    home = temporaryFolder('home');
  });
  afterEach(async () => {
    home.remove();
    await server.restart();
  });

  /** @param {string} moment */
  async function killAt(moment) {
    const child = spawn(
      process.execPath,
      [
        require.resolve('../support/dying-apply'),
        server.uri,
        home.path,
        moment,
        JSON.stringify(CHANGE),
      ],
      { stdio: ['ignore', 'inherit', 'inherit'] },
    );
    const [, signal] = await once(child, 'exit');
    assert.equal(signal, 'SIGKILL');
  }

  for (const [moment, effective, sends] of /** @type {[string, number[], number][]} */ ([
    ['begun', [0.25, 5, 4], 0],
    ['asked-1', [0.25, 5, 4], 0],
    ['answered-1', [0.5, 5, 4], 1],
    ['asked-2', [0.5, 5, 4], 1],
    ['answered-3', [0.5, 10, 6], 3],
  ])) {
    it(`${moment}: a new shell knows what is its own, and brings it back without force`, async () => {
      await floodLog(server);
      await killAt(moment);
      await floodLog(server);
      assert.deepEqual(await seen(), effective);
      const back = await undo(context(), DO);
      assert.deepEqual(
        [back.commands.length, back.warnings.filter((text) => /[Ss]omebody/.test(text))],
        [sends, []],
      );
      assert.deepEqual(await seen(), [0.25, 5, 4]);
      // A call that was on its way may still arrive.
      assert.equal(
        (await history(context()))[0].outcome,
        moment.startsWith('asked') ? 'unknown' : 'undone',
      );
    });
  }

  for (const moment of ['begun', 'asked-1']) {
    it(`${moment}, and an older string of somebody is in effect: it is not taken for a later one`, async () => {
      await setExternally(server, 'eviction=(threads_max=5)');
      await killAt(moment);
      await floodLog(server);
      const back = await undo(context(), DO);
      assert.deepEqual([back.commands, await lastString(server)], [[], 'eviction=(threads_max=5)']);
    });
  }

  it('what somebody set after it is still not overwritten in silence', async () => {
    await killAt('answered-1');
    await setExternally(server, 'cache_size=300M');
    await floodLog(server);
    await assert.rejects(
      undo(context(), DO),
      (error) =>
        error.code === 'TUNE-30006' && /another session set "cache_size=300M"/.test(error.message),
    );
  });
});
