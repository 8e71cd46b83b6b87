'use strict';

const assert = require('node:assert/strict');
const { startServer } = require('../../support/server');
const { startWorkload } = require('../../support/workload');
const { contextOf } = require('../../support/context');
const { temporaryFolder } = require('../../support/cleanup');
const { run: trial } = require('../../../lib/commands/trial');
const { run: undo } = require('../../../lib/commands/undo');
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

  it('from the second call on: what was refused is not said to be on its way', async () => {
    const may = [
      ...['serverStatus', 'getParameter', 'hostInfo', 'getCmdLineOpts', 'getLog'],
      ...['setParameter', 'inprog', 'replSetGetStatus', 'replSetGetConfig'],
    ];
    const privileges = (/** @type {string[]} */ actions) => [
      { resource: { cluster: true }, actions },
    ];
    await server.addRole('changer', privileges(may));
    const client = await server.connect(
      await server.addUser('changer', [{ role: 'changer', db: 'admin' }]),
    );
    const context = () => contextOf(client, { home: home.path });
    const ctx = context();
    const { adminCommand } = ctx.port;
    let isRevoked = false;
    ctx.port.adminCommand = async (command) => {
      const answer = await adminCommand(command);
      if (!command.setParameter || isRevoked) return answer;
      isRevoked = true;
      await server.adminCommand({
        revokePrivilegesFromRole: 'changer',
        privileges: privileges(['setParameter']),
      });
      return answer;
    };
    const change = { evictionTarget: 75, evictionThreadsMax: 8 };
    const error = await trial(ctx, change, { confirm: true, blocks: 4, blockSeconds: 1 }).catch(
      (one) => one,
    );
    assert.equal(error.code, 'TUNE-30010', error.message);
    assert.doesNotMatch(error.message, /is not known/);
    await server.adminCommand({
      grantPrivilegesToRole: 'changer',
      privileges: privileges(['setParameter']),
    });
    const back = await undo(context(), error.id, { confirm: true });
    assert.equal(back.verified, true, String(back));
    assert.doesNotMatch(String(back), /was not answered/);
    assert.equal((await history(context())).find(({ id }) => id === error.id)?.outcome, 'undone');
  });

  it('is refused, and nothing of it is said to be in effect', async () => {
    const client = await server.connect(await server.addUser('reader', ['clusterMonitor']));
    const ctx = contextOf(client, { home: home.path });
    const error = await trial(
      ctx,
      { evictionTarget: 75 },
      { confirm: true, blocks: 4, blockSeconds: 1 },
    ).catch((one) => one);
    const outcome = (await history(ctx)).at(-1)?.outcome;
    assert.equal(error.code, 'TUNE-20005', error.message);
    assert.notEqual(outcome, 'unknown');
  });
});
