'use strict';

const assert = require('node:assert/strict');
const { aroundCall, aroundCommand } = require('../../support/around-command');
const { startReplicaSet } = require('../../support/server');
const { contextOf } = require('../../support/context');
const { temporaryFolder } = require('../../support/cleanup');
const { cacheOf, floodLog, lastString, setExternally } = require('../../support/engine');
const { run: apply } = require('../../../lib/commands/apply');
const { run: undo } = require('../../../lib/commands/undo');

describe('an election while one server is changed', function () {
  this.timeout(180_000);
  /** @type {Awaited<ReturnType<typeof startReplicaSet>>} */ let set;
  /** @type {{ path: string, remove(): void }} */ let home;
  /** @type {string} */ let old;
  before(async () => {
    set = await startReplicaSet({ members: 3 });
  });
  after(() => set?.stop());
  beforeEach(async () => {
    home = temporaryFolder('home');
    old = await set.primary();
    for (const host of set.hosts) {
      const one = await there(host);
      if (host !== old) await setExternally(one, 'eviction_target=60');
      await setExternally(one, `cache_size=${host === old ? 512 : 300}M`);
    }
  });
  afterEach(() => home?.remove());

  /** @param {string} host */
  const clientOf = (host) => set.connect(set.uriOf(host));
  /** @param {string} host @returns {Promise<any>} */
  async function there(host) {
    const client = await clientOf(host);
    return {
      db: (/** @type {string} */ name) => client.db(name),
      adminCommand: (/** @type {any} */ command) => client.db('admin').command(command),
    };
  }
  /** @param {string} host */
  const lastAt = async (host) => lastString(await there(host));

  const whilePlanned = () => {
    let looks = 0;
    return aroundCommand(
      contextOf(set.client, { home: home.path }),
      ({ serverStatus }) => Boolean(serverStatus) && (looks += 1) === 2,
      { before: () => set.electAnother() },
    );
  };

  it('while it is planned: the server that was asked is changed, and gets its own values back', async () => {
    for (const host of set.hosts) await floodLog(await there(host));
    await apply(whilePlanned(), { cacheSizeGB: 1 }, { confirm: true });
    assert.notEqual(await set.primary(), old);
    assert.match(await lastAt(old), /cache_size=1024M/);
    await undo(contextOf(await clientOf(old), { home: home.path }), { confirm: true });
    assert.equal((await cacheOf(await there(old))).maxBytes, 512 * 2 ** 20);
    for (const host of set.hosts.filter((one) => one !== old))
      assert.equal(await lastAt(host), 'cache_size=300M');
  });

  it('where no connection leads to that server alone, nothing is changed', async () => {
    const ctx = whilePlanned();
    ctx.connect = async () => {
      throw Object.assign(new Error('no route from here'), { name: 'MongoNetworkError' });
    };
    await assert.rejects(apply(ctx, { cacheSizeGB: 1 }, { confirm: true }), { code: 'TUNE-20010' });
    assert.notEqual(await set.primary(), old);
    for (const host of set.hosts)
      assert.equal(await lastAt(host), `cache_size=${host === old ? 512 : 300}M`);
  });

  it('after the call: what another member has is not shown as in effect', async () => {
    const ctx = aroundCall(contextOf(set.client, { home: home.path }), {
      after: () => set.electAnother(),
    });
    const done = await apply(ctx, { evictionTarget: 75 }, { confirm: true });
    assert.notEqual(await set.primary(), old);
    assert.deepEqual(
      [done.host?.endsWith(`:${old.split(':')[1]}`), done.verified, done.after.evictionTarget],
      [true, true, 75],
    );
  });

  it('while the last change is found: an older one of the next primary is not undone in its place', async () => {
    const others = set.hosts.filter((host) => host !== old);
    let last;
    for (const host of [...others, old])
      last = await apply(
        contextOf(await clientOf(host), { home: home.path }),
        { evictionTarget: host === old ? 74 : 73 },
        { confirm: true },
      );
    const ctx = aroundCommand(
      contextOf(set.client, { home: home.path }),
      (command) => Boolean(command.replSetGetConfig),
      { after: () => set.electAnother() },
    );
    const back = await undo(ctx, { confirm: true });
    assert.notEqual(await set.primary(), old);
    assert.equal(back.undoes, last?.id);
    for (const host of others) assert.equal(await lastAt(host), 'eviction_target=73');
  });
});
