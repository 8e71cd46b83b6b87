'use strict';

const assert = require('node:assert/strict');
const { startReplicaSet } = require('../../support/server');
const { contextOf } = require('../../support/context');
const { temporaryFolder } = require('../../support/cleanup');
const { run: apply } = require('../../../lib/commands/apply');

const ALL = Object.freeze({ members: /** @type {const} */ ('all'), confirm: true });

describe('two changes that go from member to member', function () {
  this.timeout(120_000);
  /** @type {Awaited<ReturnType<typeof startReplicaSet>>} */ let set;
  /** @type {{ path: string, remove(): void }} */ let home;
  const context = () => contextOf(set.client, { home: home.path });
  before(async () => {
    set = await startReplicaSet({ members: 3 });
  });
  beforeEach(() => {
    home = temporaryFolder('home');
  });
  afterEach(() => home?.remove());
  after(async () => {
    await set?.stop();
  });

  it('begun at the same moment: one of them is refused', async () => {
    const done = await Promise.allSettled([
      apply(context(), { evictionThreadsMax: 6 }, ALL),
      apply(context(), { evictionTarget: 75 }, ALL),
    ]);
    assert.equal(
      done.filter(({ status }) => status === 'fulfilled').length,
      1,
      done.map((one) => one.reason?.message ?? 'done').join('\n'),
    );
  });

  it('between two members: a change of one of them alone is refused', async () => {
    const ctx = context();
    const [first] = set.hosts.filter((one) => one !== set.client.options.hosts[0].toString());
    let outcome = '';
    let calls = 0;
    const own = {
      ...ctx,
      connect: async (/** @type {string} */ host) => {
        const connected = await ctx.connect(host);
        const adminCommand = async (/** @type {any} */ command) => {
          if (command.setParameter && (calls += 1) === 2) {
            const before = outcome;
            const other = contextOf(await set.connect(set.uriOf(first)), { home: home.path });
            outcome =
              before +
              (await apply(other, { evictionDirtyTarget: 4 }, { confirm: true }).then(
                () => 'done',
                (error) => error.message,
              ));
          }
          return connected.port.adminCommand(command);
        };
        return { ...connected, port: { ...connected.port, adminCommand } };
      },
    };
    await apply(own, { evictionThreadsMax: 7 }, ALL);
    assert.match(outcome, /TUNE-30010/);
  });
});
