'use strict';

const assert = require('node:assert/strict');
const { MongoNetworkError } = require('mongodb');
const { startReplicaSet } = require('../../support/server');
const { aroundCall } = require('../../support/around-command');
const { contextOf } = require('../../support/context');
const { temporaryFolder } = require('../../support/cleanup');
const { run: apply } = require('../../../lib/commands/apply');
const { run: config } = require('../../../lib/commands/settings');
const { run: undo } = require('../../../lib/commands/undo');

const DO = Object.freeze({ confirm: true });
const CHANGE = Object.freeze({ evictionThreadsMax: 8 });
const ALL = Object.freeze({ members: 'all', confirm: true });

describe('an undo of a change of members, after the set has other members', function () {
  this.timeout(120_000);
  /** @type {any} */ let set;
  /** @type {any} */ let client;
  /** @type {any} */ let home;
  const context = () => contextOf(client, { home: home.path });
  before(async () => {
    set = await startReplicaSet({ members: [{}, { priority: 0 }, { priority: 0 }] });
    await set.adminCommand({ setDefaultRWConcern: 1, defaultWriteConcern: { w: 1 } });
    client = await set.connect(set.uriOf(set.hosts[0]));
  });
  after(() => set?.stop());
  beforeEach(() => {
    home = temporaryFolder('home');
  });
  afterEach(() => home?.remove());

  /** @param {(members: any[]) => any[]} make */
  async function reconfigure(make) {
    const { config: now } = await context().port.adminCommand({ replSetGetConfig: 1 });
    const next = { ...now, version: now.version + 1, members: make(now.members) };
    await client.db('admin').command({ replSetReconfig: next, force: true });
  }
  const rename = (/** @type {string} */ from, /** @type {string} */ to) =>
    reconfigure((members) =>
      members.map((one, i) => (i === 1 ? { ...one, host: one.host.replace(from, to) } : one)),
    );
  /** @param {any} back an undo */
  function typed(back) {
    const text = String(back).replace(/\s+/g, ' ');
    const [, call] = /Dry run (tune\.apply\(.*?\}\))/.exec(text) ?? [];
    return new Function('tune', `return ${call ?? back.undo}`)({
      apply: (/** @type {any[]} */ ...args) => apply(context(), ...args),
      undo: (/** @type {any[]} */ ...args) => undo(context(), ...args),
    });
  }
  const threads = (/** @type {readonly string[]} */ hosts) =>
    Promise.all(
      hosts.map(async (host) => {
        const own = await set.connect(set.uriOf(host));
        const { evictionThreadsMax } = await config(contextOf(own, { home: home.path }));
        return evictionThreadsMax.value;
      }),
    );

  it('a member that has another name: what is printed sets the change again on all', async () => {
    const { id } = await apply(context(), CHANGE, ALL);
    await rename('127.0.0.1', 'localhost');
    const back = await undo(context(), String(id), DO);
    await typed(back);
    await rename('localhost', '127.0.0.1');
    assert.deepEqual(await threads(set.hosts), [8, 8, 8]);
    await undo(context(), DO);
  });

  it('a member that has another name, and does not answer: the undo is not verified', async () => {
    const { id } = await apply(context(), CHANGE, ALL);
    await rename('127.0.0.1', 'localhost');
    const ctx = context();
    const connect = async (/** @type {string} */ host) => {
      if (host.startsWith('localhost')) throw new MongoNetworkError('connection closed');
      return ctx.connect(host);
    };
    const back = await undo({ ...ctx, connect }, String(id), DO);
    assert.equal(back.verified, false);
    assert.match(back.warnings.join(), /is no longer a member.* If it is localhost/);
    assert.match(String(back), /undo sent, NOT verified/);
    const rest = await undo(context(), String(id), DO);
    await rename('localhost', '127.0.0.1');
    assert.deepEqual([rest.verified, await threads(set.hosts)], [true, [4, 4, 4]]);
  });

  it('a member that has left: what is printed names only those that the set has', async () => {
    const { id } = await apply(context(), CHANGE, ALL);
    await reconfigure((members) => members.slice(0, 2));
    const back = await undo(context(), String(id), DO);
    assert.deepEqual([back.verified, await threads(set.hosts)], [true, [4, 4, 8]]);
    assert.doesNotMatch(String(back.undo), new RegExp(set.hosts[2]));
    await typed(back);
    assert.deepEqual(await threads(set.hosts.slice(0, 2)), [8, 8]);
  });

  it('a member that joins while the others are changed is not passed over', async () => {
    const { config: whole } = await context().port.adminCommand({ replSetGetConfig: 1 });
    const third = { ...whole.members[1], _id: 9, host: set.hosts[2] };
    const before = () => reconfigure((members) => [...members.slice(0, 2), third]);
    const done = await apply(aroundCall(context(), { before }), { evictionThreadsMax: 6 }, ALL);
    assert.deepEqual([done.order.length, done.verified], [2, false]);
    assert.match(done.warnings.join(), RegExp(`${set.hosts[2]} joined .* run the same again`));
    assert.match(String(done), /change sent, NOT verified/);
    const again = await apply(context(), { evictionThreadsMax: 6 }, ALL);
    assert.deepEqual([again.verified, await threads(set.hosts)], [true, [6, 6, 6]]);
  });

  describe('when the others are changed, the connection of the shell does not answer', () => {
    let isChanging = false;
    let isOver = false;
    /** @param {() => Promise<unknown>} before the first call @param {number} ofMembers answers lost */
    function losing(before, ofMembers) {
      const ctx = context();
      let left = ofMembers;
      [isChanging, isOver] = [false, false];
      const around = (/** @type {any} */ port, /** @type {boolean} */ isMember) => ({
        ...port,
        adminCommand: async (/** @type {any} */ command) => {
          if (command.setParameter && !isChanging) {
            isChanging = true;
            await before();
          }
          if (!isMember && isChanging) isOver = true;
          if (command.hello && isOver && (!isMember || (left -= 1) >= 0))
            throw new MongoNetworkError('connection closed');
          return port.adminCommand(command);
        },
      });
      const connect = async (/** @type {string} */ host) => {
        const connected = await ctx.connect(host);
        return { ...connected, port: around(connected.port, true) };
      };
      return { ...ctx, connect, port: around(ctx.port, false) };
    }

    it('a member that joins is named by the other members', async () => {
      const { config: whole } = await context().port.adminCommand({ replSetGetConfig: 1 });
      await reconfigure((members) => members.slice(0, 2));
      const before = () => reconfigure((members) => [...members, { ...whole.members[2], _id: 12 }]);
      const done = await apply(losing(before, 0), { evictionThreadsMax: 7 }, ALL);
      assert.deepEqual([isOver, done.order.length, done.verified], [true, 2, false]);
      assert.match(done.warnings.join(), RegExp(`${set.hosts[2]} joined .* run the same again`));
    });

    it('where they do not answer either, the change is not verified', async () => {
      const ctx = losing(async () => undefined, 3);
      const done = await apply(ctx, { evictionThreadsMax: 5 }, ALL);
      assert.deepEqual([isOver, done.order.length, done.verified], [true, 3, false]);
      assert.deepEqual(
        done.members.map(({ verified }) => verified),
        [true, true, true],
      );
      assert.match(done.warnings.join(), /Whether a member joined meanwhile is not known/);
    });
  });
});
