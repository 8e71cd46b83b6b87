'use strict';

const assert = require('node:assert/strict');
const { startServer } = require('../../support/server');
const { contextOf } = require('../../support/context');
const { startForwarder } = require('../../support/forwarder');
const { temporaryFolder } = require('../../support/cleanup');
const { askedStrings } = require('../../support/engine');
const { run: apply } = require('../../../lib/commands/apply');
const { run: undo } = require('../../../lib/commands/undo');
const { run: history } = require('../../../lib/commands/history');

const SET = Object.freeze({ args: ['--replSet', 'rs'] });
const PATIENCE_MS = 60_000;

/** @param {() => Promise<boolean>} test */
async function until(test) {
  for (const end = Date.now() + PATIENCE_MS; !(await test());) {
    if (Date.now() > end) throw new Error('it does not come about');
    await new Promise((resolve) => {
      setTimeout(resolve, 100);
    });
  }
}

describe('two sets whose members have the same names', function () {
  this.timeout(180_000);
  /** @typedef {import('../../support/server').Server} Server */
  /** @type {Server} */ let production;
  /** @type {Server} */ let staging;
  /** @type {Awaited<ReturnType<typeof startForwarder>>} */ let forwarder;
  /** @type {{ path: string, remove(): void }} */ let home;
  const context = (/** @type {Server} */ server) => contextOf(server.client, { home: home.path });
  const initiate = async (/** @type {Server} */ server) => {
    forwarder.switchTo(server.port);
    await server.adminCommand({
      replSetInitiate: { _id: 'rs', members: [{ _id: 0, host: forwarder.host }] },
    });
    await until(async () => (await server.adminCommand({ hello: 1 })).isWritablePrimary);
  };

  before(async () => {
    production = await startServer(SET);
    forwarder = await startForwarder(production.port);
    await initiate(production);
    home = temporaryFolder('home');
  });
  after(async () => {
    await forwarder?.stop();
    await Promise.all([production, staging].map((server) => server?.stop()));
    home?.remove();
  });

  it('an undo at the one does not close the change of the other', async () => {
    const { id } = await apply(
      context(production),
      { evictionThreadsMax: 6 },
      { members: 'all', confirm: true },
    );
    // Another cluster, made later, behind the same forwarded port: undo without an id is typed there.
    staging = await startServer(SET);
    await initiate(staging);
    await undo(context(staging), { confirm: true }).catch(() => undefined);
    assert.equal((await askedStrings(staging)).length, 0);

    forwarder.switchTo(production.port);
    assert.equal((await history(context(production)))[0].outcome, 'applied');
    await undo(context(production), String(id), { confirm: true });
    assert.match((await askedStrings(production)).at(-1) ?? '', /threads_max=4/);
  });
});
