'use strict';

const assert = require('node:assert/strict');
const { startServer } = require('../../support/server');
const { startWorkload } = require('../../support/workload');
const { contextOf } = require('../../support/context');
const { temporaryFolder } = require('../../support/cleanup');
const { run: trial } = require('../../../lib/commands/trial');
const { run: history } = require('../../../lib/commands/history');

describe('a trial of a user who may not change settings', function () {
  this.timeout(60_000);
  /** @type {import('../../support/server').Server} */ let server;
  /** @type {Awaited<ReturnType<typeof startWorkload>> | undefined} */ let load;
  /** @type {{ path: string, remove(): void }} */ let home;
  before(async () => {
    server = await startServer({ auth: true });
    home = temporaryFolder('home');
    load = await startWorkload(server.uri, 'paced');
  });
  after(async () => {
    await load?.stop();
    await server?.stop();
    home?.remove();
  });

  it('is refused, and nothing of it is said to be in effect', async () => {
    const client = await server.connect(await server.addUser('reader', ['clusterMonitor']));
    const ctx = contextOf(client, { home: home.path });
    const error = await trial(
      ctx,
      { evictionTarget: 75 },
      { confirm: true, blocks: 4, blockSeconds: 1 },
    ).catch((one) => one);
    const [{ outcome }] = await history(ctx);
    assert.equal(error.code, 'TUNE-20005', error.message);
    assert.notEqual(outcome, 'unknown');
  });
});
