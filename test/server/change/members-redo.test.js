'use strict';

const assert = require('node:assert/strict');
const { MongoNetworkError } = require('mongodb');
const { startReplicaSet } = require('../../support/server');
const { contextOf } = require('../../support/context');
const { temporaryFolder } = require('../../support/cleanup');
const { run: apply } = require('../../../lib/commands/apply');
const { run: undo } = require('../../../lib/commands/undo');
const { run: config } = require('../../../lib/commands/settings');

const DO = Object.freeze({ confirm: true });

describe('an undo of the undo of a change of members, cut short', function () {
  this.timeout(120_000);
  /** @type {Awaited<ReturnType<typeof startReplicaSet>>} */ let set;
  /** @type {{ path: string, remove(): void }} */ let home;
  const context = () => contextOf(set.client, { home: home.path });
  const targets = () =>
    Promise.all(
      set.hosts.map(async (host) => {
        const client = await set.connect(set.uriOf(host));
        return (await config(contextOf(client, { home: home.path }))).evictionTarget.value;
      }),
    );
  before(async () => {
    set = await startReplicaSet({ members: 3 });
    home = temporaryFolder('home');
  });
  after(async () => {
    await set?.stop();
    home?.remove();
  });

  it('whose last call came, and was not answered: an undo of the change takes that back, too', async () => {
    const { id } = await apply(
      context(),
      { evictionTarget: 75 },
      { members: 'all', confirm: true },
    );
    const { id: back } = await undo(context(), id, DO);
    const ctx = context();
    let calls = 0;
    const losing = {
      ...ctx,
      connect: async (/** @type {string} */ host) => {
        const connected = await ctx.connect(host);
        const adminCommand = async (/** @type {any} */ command) => {
          if (calls === 3) throw new MongoNetworkError('connection 7 closed');
          const answer = await connected.port.adminCommand(command);
          if (command.setParameter && (calls += 1) === 3)
            throw new MongoNetworkError('connection 7 closed');
          return answer;
        };
        return { ...connected, port: { ...connected.port, adminCommand } };
      },
    };
    await assert.rejects(undo(losing, back, DO), { code: 'TUNE-20006' });
    assert.deepEqual(await targets(), [75, 75, 75]);
    await undo(context(), id, DO);
    assert.deepEqual(await targets(), [80, 80, 80]);
    await assert.rejects(undo(context(), id, DO), { code: 'TUNE-30007' });
  });
});
