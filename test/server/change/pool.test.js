'use strict';

const assert = require('node:assert/strict');
const { NodeDriverServiceProvider } = require('@mongosh/service-provider-node-driver');
const { startReplicaSet } = require('../../support/server');
const { contextOf } = require('../../support/context');
const { temporaryFolder } = require('../../support/cleanup');
const { lastString } = require('../../support/engine');
const { connectTo } = require('../../../lib/shell/member-connection');
const { makePort, senderOf } = require('../../../lib/shell/port');
const { run: apply } = require('../../../lib/commands/apply');
const { run: undo } = require('../../../lib/commands/undo');

const PRODUCT = { productName: 'mongosh-tune tests', productDocsLink: 'https://example.invalid/' };
const DO = Object.freeze({ confirm: true });

describe('a connection string with minPoolSize', function () {
  this.timeout(120_000);
  /** @type {Awaited<ReturnType<typeof startReplicaSet>>} */ let set;
  /** @type {{ path: string, remove(): void }} */ let home;
  /** @type {any} */ let provider;
  before(async () => {
    set = await startReplicaSet({ args: ['--setParameter', 'enableTestCommands=1'], members: 3 });
    home = temporaryFolder('home');
    provider = await NodeDriverServiceProvider.connect(`${set.uri}&minPoolSize=30`, PRODUCT);
  });
  after(async () => {
    await provider?.close();
    await set?.stop();
    home?.remove();
  });

  /** As mongosh itself connects to a member. */
  const context = () => ({
    ...contextOf(set.client, { home: home.path }),
    port: makePort(senderOf(provider)).port,
    connect: async (/** @type {string} */ host) => connectTo(provider, host),
  });
  /** A call that waits on the server, as behind a checkpoint. @param {any} client */
  const slow = (client) =>
    client
      .db('admin')
      .command({
        configureFailPoint: 'failCommand',
        mode: { times: 1 },
        data: { failCommands: ['setParameter'], blockConnection: true, blockTimeMS: 2000 },
      });
  const over = () =>
    new Promise((resolve) => {
      setTimeout(resolve, 2500);
    });

  it('a call that waits for two seconds is not said to be never sent, and is not forgotten', async () => {
    await slow(set.client);
    const done = await apply(context(), { evictionTarget: 75 }, DO).catch((error) => error);
    await over();
    assert.equal(await lastString(set), 'eviction_target=75');
    assert.doesNotMatch(String(done.message), /nothing was sent/i);
    await undo(context(), DO);
    assert.equal(await lastString(set), 'eviction_target=80');
  });

  it('in a rolling change no member keeps it', async () => {
    // Which 100 ms the call falls into is chance.
    for (let attempt = 0; attempt < 8; attempt += 1) await rollOnce();
  });

  async function rollOnce() {
    const own = context();
    let calls = 0;
    const ctx = {
      ...own,
      connect: async (/** @type {string} */ to) => {
        const connected = await own.connect(to);
        const adminCommand = async (/** @type {any} */ command) => {
          if (command.setParameter && (calls += 1) === 1)
            await slow(await set.connect(set.uriOf(to)));
          return connected.port.adminCommand(command);
        };
        return { ...connected, port: { ...connected.port, adminCommand } };
      },
    };
    const error = await apply(
      ctx,
      { evictionThreadsMax: 6 },
      { confirm: true, members: 'all' },
    ).catch((one) => one);
    await over();
    const strings = [];
    for (const one of set.hosts) {
      const client = await set.connect(set.uriOf(one));
      const { wiredTigerEngineRuntimeConfig: text } = await client
        .db('admin')
        .command({ getParameter: 1, wiredTigerEngineRuntimeConfig: 1 });
      strings.push(text.trimEnd());
    }
    assert.ok(
      !(error instanceof Error) || strings.every((text) => text !== 'eviction=(threads_max=6)'),
      `${strings.join(' | ')}\n${error.message}`,
    );
  }
});
