'use strict';

const assert = require('node:assert/strict');
const { startReplicaSet } = require('../../support/server');
const { contextOf } = require('../../support/context');
const { temporaryFolder } = require('../../support/cleanup');
const { run: apply } = require('../../../lib/commands/apply');

describe('an election while a change is made over a connection of its own', function () {
  this.timeout(120_000);
  /** @type {Awaited<ReturnType<typeof startReplicaSet>>} */ let set;
  /** @type {{ path: string, remove(): void }} */ let home;
  before(async () => {
    set = await startReplicaSet({ members: 3 });
    home = temporaryFolder('home');
  });
  after(async () => {
    await set?.stop();
    home?.remove();
  });

  it('the answer does not show what another member has as what is in force now', async () => {
    const old = await set.primary();
    for (const host of set.hosts.filter((one) => one !== old))
      await (
        await set.connect(set.uriOf(host))
      )
        .db('admin')
        .command({ setParameter: 1, wiredTigerEngineRuntimeConfig: 'eviction_target=60' });
    const ctx = contextOf(set.client, { home: home.path });
    const own = {
      ...ctx,
      connect: async (/** @type {string} */ host) => {
        const connected = await ctx.connect(host);
        const adminCommand = async (/** @type {any} */ command) => {
          const answer = await connected.port.adminCommand(command);
          if (command.setParameter) {
            await connected.port.adminCommand({
              replSetStepDown: 60,
              secondaryCatchUpPeriodSecs: 10,
            });
            for (const end = Date.now() + 30_000; Date.now() < end;) {
              const now = await set.primary().catch(() => undefined);
              if (now !== undefined && now !== old) break;
            }
          }
          return answer;
        };
        return { ...connected, port: { ...connected.port, adminCommand } };
      },
    };
    const done = await apply(own, { evictionTarget: 75 }, { confirm: true }).catch(
      (error) => error,
    );
    const shown = String(done.message ?? done);
    assert.deepEqual(
      [
        done.host?.endsWith(`:${old.split(':')[1]}`),
        done.verified,
        done.after?.evictionTarget ?? null,
      ],
      [true, true, 75],
      shown,
    );
  });
});
