'use strict';

/** What becomes of a member after its turn, while the others are changed. */
const assert = require('node:assert/strict');
const { MongoNetworkError } = require('mongodb');
const { startReplicaSet } = require('../../support/server');
const { contextOf } = require('../../support/context');
const { temporaryFolder } = require('../../support/cleanup');
const { aroundCommand } = require('../../support/around-command');
const { floodLog, setExternally } = require('../../support/engine');
const { useServer } = require('../../support/one-server');
const { readLines } = require('../../../lib/change/journal');
const { unfinishedChanges } = require('../../../lib/change/unfinished-changes');
const { run: apply } = require('../../../lib/commands/apply');
const { run: undo } = require('../../../lib/commands/undo');

const ALL = Object.freeze({ members: /** @type {const} */ ('all'), confirm: true });
const THEIRS = 'eviction=(threads_max=9)';

describe('a member of a change, after its turn', function () {
  this.timeout(120_000);
  /** @type {Awaited<ReturnType<typeof startReplicaSet>>} */ let set;
  /** @type {{ path: string, remove(): void }} */ let home;
  const context = () => contextOf(set.client, { home: home.path });
  const at = async (/** @type {string} */ host) => (await set.connect(set.uriOf(host))).db('admin');
  /** @param {string} host */
  const restart = async (host) => {
    await set.kill(host);
    await set.revive(host);
    while (!(await (await at(host)).command({ hello: 1 })).secondary)
      await new Promise((resolve) => {
        setTimeout(resolve, 100);
      });
  };
  /** The first member of the newest change in the journal. */
  const firstMember = () =>
    readLines(home.path).lines.findLast((line) => line.kind === 'intent')?.group?.members[0] ?? '';
  /** Once, when the turn of the second member has come. */
  const meanwhile = (/** @type {(host: string) => Promise<unknown>} */ act) => {
    let calls = 0;
    const isSecond = (/** @type {any} */ { setParameter }) =>
      Boolean(setParameter) && (calls += 1) === 2;
    return aroundCommand(context(), isSecond, { before: async () => act(firstMember()) });
  };
  const setAt = async (/** @type {string} */ host, text = THEIRS) =>
    (await at(host)).command({ setParameter: 1, wiredTigerEngineRuntimeConfig: text });
  /** @param {any} answer */
  const told = ({ verified, members }) => [
    verified,
    members[0].verified,
    members[0].after.evictionThreadsMax,
    members[0].warnings.find((/** @type {string} */ text) => text.includes('TUNE-30004')),
  ];

  before(async () => {
    set = await startReplicaSet({ members: [{}, { priority: 0 }] });
    await set.adminCommand({ setDefaultRWConcern: 1, defaultWriteConcern: { w: 1 } });
  });
  after(() => set?.stop());
  beforeEach(() => {
    home = temporaryFolder('home');
  });
  afterEach(async () => {
    home?.remove();
    for (const host of set.hosts)
      await setAt(host, 'eviction=(threads_min=4,threads_max=4),eviction_target=80');
  });

  it('that another session sets again is not said to be verified', async () => {
    const done = await apply(meanwhile(setAt), { evictionThreadsMax: 6 }, ALL);
    const [verified, ofFirst, now, text] = told(done);
    assert.deepEqual([verified, ofFirst, now], [false, false, 9]);
    assert.match(text, /No longer as sent: another session has set evictionThreadsMax since\./);
    assert.match(String(done), /change sent, NOT verified/);
  });

  it('that others set to the very value before its turn: by force, nothing is left in the middle', async () => {
    const ctx = aroundCommand(context(), ({ setParameter }) => Boolean(setParameter), {
      after: async () => {
        const [first, second] = readLines(home.path).lines[0].group.members;
        assert.notEqual(first, second);
        await setAt(second, 'eviction=(threads_max=6)');
      },
    });
    const done = await apply(ctx, { evictionThreadsMax: 6 }, { ...ALL, force: true });
    assert.deepEqual([done.verified, done.members[1].commands], [true, []]);
    assert.deepEqual(unfinishedChanges(home.path), []);
    const back = await undo(context(), done.id, { confirm: true });
    assert.doesNotMatch(String(back), /ended before it reached/);
    assert.deepEqual(unfinishedChanges(home.path), []);
  });

  it('neither in an undo', async () => {
    await apply(context(), { evictionThreadsMax: 6 }, ALL);
    const back = await undo(meanwhile(setAt), { confirm: true });
    const [verified, ofFirst, now, text] = told(back);
    assert.deepEqual([verified, ofFirst, now], [false, false, 9]);
    assert.match(text, /another session has set evictionThreadsMax since/);
  });

  it('that is restarted neither', async () => {
    const done = await apply(meanwhile(restart), { evictionThreadsMax: 6 }, ALL);
    const [verified, ofFirst, now, text] = told(done);
    assert.deepEqual([verified, ofFirst, now], [false, false, 4]);
    assert.match(text, /the server was restarted since, and has lost the change/);
  });

  for (const [what, act, now, why] of [
    ['another session sets again', setAt, 9, /another session has set evictionThreadsMax since/],
    ['is restarted', restart, 4, /the server was restarted since, and has lost/],
  ])
    it(`that has the value already, and ${what}, is not passed over`, async () => {
      const [primary, secondary] = set.hosts;
      await setAt(secondary, 'eviction=(threads_max=6)');
      const isCall = (/** @type {any} */ { setParameter }) => Boolean(setParameter);
      const ctx = aroundCommand(context(), isCall, { before: async () => act(secondary) });
      const done = await apply(ctx, { evictionThreadsMax: 6 }, ALL);
      assert.deepEqual(done.order, [secondary, primary]);
      const [passedOver] = done.members;
      assert.deepEqual(
        [done.verified, passedOver.verified, passedOver.after, passedOver.commands],
        [false, false, { evictionThreadsMax: now }, []],
      );
      assert.match(passedOver.warnings.join(), why);
      assert.match(String(done), /change sent, NOT verified/);
    });

  it('that has a part of it already, which another session sets again, is not said to be verified', async () => {
    await setAt(set.hosts[1], 'eviction=(threads_max=6)');
    const change = { evictionThreadsMax: 6, evictionTarget: 78 };
    const done = await apply(meanwhile(setAt), change, ALL);
    const [first] = done.members;
    assert.deepEqual(
      [done.verified, first.verified, first.change],
      [false, false, { evictionTarget: 78 }],
    );
    assert.match(first.warnings.join(), /another session has set evictionThreadsMax since/);
    assert.match(String(done), /change sent, NOT verified/);
  });

  it('that had the same already is verified', async () => {
    await setAt(set.hosts[1], 'eviction=(threads_max=6)');
    const done = await apply(context(), { evictionThreadsMax: 6, evictionTarget: 78 }, ALL);
    assert.deepEqual(
      [done.verified, done.members.map(({ verified }) => verified)],
      [true, [true, true]],
    );
  });

  for (const [what, theirs, count] of [
    ['that was changed', null, 1],
    ['that had the values already', 'eviction=(threads_max=6)', 0],
  ])
    it(`${what}, and cannot be read at the end, is not said to be verified`, async () => {
      const [primary, secondary] = set.hosts;
      if (theirs) await setAt(secondary, theirs);
      let calls = 0;
      let isEnd = false;
      const isLast = (/** @type {any} */ { setParameter }) =>
        Boolean(setParameter) && (calls += 1) === count + 1;
      const ctx = aroundCommand(context(), isLast, {
        after: async () => {
          isEnd = true;
        },
      });
      const connect = async (/** @type {string} */ host) => {
        const connected = await ctx.connect(host);
        const adminCommand = async (/** @type {any} */ command) => {
          // Only the settings at the end are read by it.
          if (isEnd && host === secondary && command.getCmdLineOpts)
            throw new MongoNetworkError('connection closed');
          return connected.port.adminCommand(command);
        };
        return { ...connected, port: { ...connected.port, adminCommand } };
      };
      const done = await apply({ ...ctx, connect }, { evictionThreadsMax: 6 }, ALL);
      assert.deepEqual(done.order, [secondary, primary]);
      const [first, last] = done.members;
      assert.deepEqual(
        [done.verified, first.verified, first.commands.length, last.verified],
        [false, false, count, true],
      );
      assert.match(first.warnings.join(), /The active settings could not be read/);
      assert.match(String(done), /change sent, NOT verified/);
    });

  it('that another session sets again, and the log has lost, is not said to be verified', async () => {
    const ctx = meanwhile(async (host) => {
      await setAt(host, 'eviction_target=77');
      await setAt(host, THEIRS);
      const client = await set.connect(set.uriOf(host));
      const adminCommand = async (/** @type {any} */ command) =>
        client.db('admin').command(command);
      await floodLog(/** @type {any} */ ({ db: client.db.bind(client), adminCommand }));
    });
    const done = await apply(ctx, { evictionTarget: 75 }, ALL);
    const [first, last] = done.members;
    assert.deepEqual(
      [done.verified, first.verified, first.after, last.after],
      [false, false, {}, { evictionTarget: 75 }],
    );
    assert.match(first.warnings.join(), /TUNE-30004.*does not show whether another session/);
    assert.match(String(done), /change sent, NOT verified/);
  });

  it('that another session sets beside it is verified', async () => {
    const beside = (/** @type {string} */ host) => setAt(host, 'eviction_target=78');
    const done = await apply(meanwhile(beside), { evictionThreadsMax: 6 }, ALL);
    assert.equal(done.verified, true);
  });
});

describe('what another session sets when the answer of a change is made', function () {
  this.timeout(60_000);
  const place = useServer({ config: 'eviction=(threads_min=4,threads_max=4)' });

  it('is not said to be verified', async () => {
    let isSent = false;
    const ctx = aroundCommand(
      place.context(),
      (command) => {
        isSent ||= Boolean(command.setParameter);
        return isSent && Boolean(command.hostInfo ?? command.getCmdLineOpts);
      },
      { before: () => setExternally(place.server, THEIRS) },
    );
    const done = await apply(ctx, { evictionThreadsMax: 6 }, { confirm: true });
    assert.deepEqual([done.verified, done.after], [false, { evictionThreadsMax: 9 }]);
    assert.match(done.warnings.join(), /another session has set evictionThreadsMax since/);
  });
});
