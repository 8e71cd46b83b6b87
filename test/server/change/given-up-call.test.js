'use strict';

const assert = require('node:assert/strict');
const { startServer } = require('../../support/server');
const { contextOf } = require('../../support/context');
const { temporaryFolder } = require('../../support/cleanup');
const { setExternally } = require('../../support/engine');
const { run: apply } = require('../../../lib/commands/apply');
const { run: undo } = require('../../../lib/commands/undo');
const { run: config } = require('../../../lib/commands/settings');
const { run: history } = require('../../../lib/commands/history');

const DO = Object.freeze({ confirm: true });
const ON_CALL = (/** @type {any} */ command) =>
  /eviction_target=75/.test(command.wiredTigerEngineRuntimeConfig ?? '');

describe('a call that the driver gives up', function () {
  this.timeout(60_000);
  /** @type {import('../../support/server').Server} */ let server;
  /** @type {{ path: string, remove(): void }} */ let home;
  const context = (client = server.client) => contextOf(client, { home: home.path });
  const target = async () => (await config(context())).evictionTarget.value;
  before(async () => {
    server = await startServer();
  });
  after(async () => {
    await server?.stop();
  });
  beforeEach(async () => {
    home = temporaryFolder('home');
    await setExternally(server, 'eviction_target=80');
  });
  afterEach(() => home?.remove());

  // As the driver 6 does it, which mongosh 2 has, with timeoutMS in its connection string.
  for (const name of ['MongoOperationTimeoutError', 'MongoUnexpectedServerResponseError'])
    it(`${name}: it is not said that the server refused it, and it is not forgotten`, async () => {
      const ctx = context();
      const { adminCommand } = ctx.port;
      /** @type {Promise<unknown> | undefined} */ let late;
      ctx.port.adminCommand = async (command) => {
        if (!ON_CALL(command)) return adminCommand(command);
        // It waits for a checkpoint at the server, which goes on whatever the client does.
        late = new Promise((resolve) => {
          setTimeout(resolve, 1000);
        }).then(() => adminCommand(command));
        throw Object.assign(new Error('Timed out during socket read (1500ms)'), { name });
      };
      const done = await apply(ctx, { evictionTarget: 75 }, DO).catch((error) => error);
      await late;
      const [{ outcome }] = await history(context());
      await undo(context(), DO).catch(() => undefined);
      assert.notEqual(done.code, 'TUNE-20008', done.message);
      assert.equal(outcome, 'unknown');
      assert.equal(await target(), 80);
    });
});
