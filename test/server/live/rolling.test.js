'use strict';

const assert = require('node:assert/strict');
const { startReplicaSet } = require('../../support/server');
const { contextOf } = require('../../support/context');
const { temporaryFolder } = require('../../support/cleanup');
const { run: apply } = require('../../../lib/commands/apply');
const { run: undo } = require('../../../lib/commands/undo');
const { run: config } = require('../../../lib/commands/settings');
const { run: history } = require('../../../lib/commands/history');

const DO = Object.freeze({ confirm: true });
const ALL = Object.freeze({ members: /** @type {const} */ ('all'), confirm: true });
const CHANGE = Object.freeze({ evictionThreadsMax: 6 });

describe('a change of several members while another session is at work', function () {
  this.timeout(180_000);
  /** @type {Awaited<ReturnType<typeof startReplicaSet>>} */ let server;
  /** @type {{ path: string, remove(): void }} */ let home;
  /** @type {string} */ let primary;
  /** @type {string} */ let secondary;
  const at = async (/** @type {string} */ host) =>
    contextOf(await server.connect(server.uriOf(host)), { home: home.path });
  const set = async (/** @type {string} */ host, /** @type {string} */ text) =>
    (await at(host)).port.adminCommand({ setParameter: 1, wiredTigerEngineRuntimeConfig: text });
  const values = async (/** @type {string} */ host) => {
    const { evictionThreadsMax, evictionTarget } = await config(await at(host));
    return [evictionThreadsMax.value, evictionTarget.value];
  };
  const both = async () => [await values(secondary), await values(primary)];
  /**
   * Something happens once, just before a member is asked to change.
   * @param {string} host
   * @param {() => Promise<unknown>} act
   */
  const before = (host, act) => {
    const ctx = contextOf(server.client, { home: home.path });
    const { connect } = ctx;
    let isDone = false;
    ctx.connect = async (name) => {
      const connected = await connect(name);
      const adminCommand = async (/** @type {any} */ command) => {
        if (command.setParameter && name === host && !isDone) {
          isDone = true;
          await act();
        }
        return connected.port.adminCommand(command);
      };
      return { ...connected, port: { ...connected.port, adminCommand } };
    };
    return ctx;
  };

  this.beforeAll(async () => {
    server = await startReplicaSet({ members: [{}, { priority: 0 }] });
    primary = await server.primary();
    secondary = /** @type {string} */ (server.hosts.find((host) => host !== primary));
  });
  this.afterAll(() => server?.stop());
  beforeEach(() => {
    home = temporaryFolder('home');
  });
  afterEach(async () => {
    for (const host of server.hosts) await set(host, 'eviction=(threads_max=4),eviction_target=80');
    home.remove();
  });

  it(
    'the settings of a member are read just before its call: what was set there since is not ' +
      'overwritten, and the others go back',
    async () => {
      const ctx = before(secondary, () => set(primary, 'eviction=(threads_max=9)'));
      await assert.rejects(
        apply(ctx, CHANGE, ALL),
        (error) =>
          error.code === 'TUNE-30006' &&
          error.message.includes(`Another session set "eviction=(threads_max=9)" on ${primary}`) &&
          error.message.includes(
            `Undone on ${secondary}. All members have their previous settings`,
          ),
      );
      assert.deepEqual(await both(), [
        [4, 80],
        [9, 80],
      ]);
      assert.deepEqual(
        (await history(contextOf(server.client, { home: home.path }), { all: true })).filter(
          ({ undo: way, action }) => action === 'apply' && way !== null,
        ),
        [],
      );
    },
  );

  it('by force it is overwritten, and the undo brings back what was there just before', async () => {
    const ctx = before(secondary, () => set(primary, 'eviction=(threads_max=9)'));
    const { id, members } = await apply(ctx, CHANGE, { ...ALL, force: true });
    assert.deepEqual(
      members.map(({ member, before: was, externalChanges }) => [
        member,
        was,
        externalChanges.length,
      ]),
      [
        [secondary, { evictionThreadsMax: 4 }, 0],
        [primary, { evictionThreadsMax: 9 }, 1],
      ],
    );
    assert.match(
      members[1].warnings.join(),
      /Overwritten by force: another session set "eviction=\(threads_max=9\)"/,
    );
    await undo(contextOf(server.client, { home: home.path }), id, DO);
    assert.deepEqual(await both(), [
      [4, 80],
      [9, 80],
    ]);
  });

  describe('a part of it that a member had already, and that another session sets there since', () => {
    const BOTH = Object.freeze({ ...CHANGE, evictionTarget: 75 });
    const interrupted = async () => {
      await set(primary, 'eviction_target=75');
      return before(secondary, () => set(primary, 'eviction_target=78'));
    };

    it('is not overwritten, and the others go back', async () => {
      await assert.rejects(
        apply(await interrupted(), BOTH, ALL),
        (error) =>
          error.code === 'TUNE-30006' &&
          error.message.includes(`Another session set "eviction_target=78" on ${primary}`),
      );
      assert.deepEqual(await both(), [
        [4, 80],
        [4, 78],
      ]);
    });

    it('is overwritten by force, and that is said', async () => {
      const { id, members } = await apply(await interrupted(), BOTH, { ...ALL, force: true });
      assert.deepEqual(
        members[1].externalChanges.map(({ values: { overwritten } }) => overwritten),
        [true],
      );
      assert.match(
        members[1].warnings.join(),
        /Overwritten by force: another session set "eviction_target=78"/,
      );
      await undo(contextOf(server.client, { home: home.path }), id, DO);
      assert.deepEqual(await both(), [
        [4, 80],
        [4, 78],
      ]);
    });
  });

  it('another setting stays, and is said of that member', async () => {
    const { id, members, verified } = await apply(
      before(secondary, () => set(primary, 'eviction_target=77')),
      CHANGE,
      ALL,
    );
    assert.deepEqual(
      [verified, members.map(({ externalChanges }) => externalChanges.length)],
      [true, [0, 1]],
    );
    assert.match(
      members[1].warnings.join(),
      /Another session set "eviction_target=77" during the change; it stays/,
    );
    await undo(contextOf(server.client, { home: home.path }), id, DO);
    assert.deepEqual(await both(), [
      [4, 80],
      [4, 77],
    ]);
  });

  it('what slips in between the last sample and the call is said, and the undo of all needs force', async () => {
    const { id, members } = await apply(
      before(secondary, () => set(secondary, 'eviction=(threads_max=9)')),
      CHANGE,
      ALL,
    );
    assert.deepEqual(
      members.map(({ externalChanges }) =>
        externalChanges.map(({ values: { overwritten } }) => overwritten),
      ),
      [[true], []],
    );
    await assert.rejects(
      undo(contextOf(server.client, { home: home.path }), id, DO),
      (error) =>
        error.code === 'TUNE-30006' &&
        error.message.includes(`This is about ${secondary}; nothing was undone on any member`),
    );
    assert.deepEqual(await both(), [
      [6, 80],
      [6, 80],
    ]);
    const back = await undo(contextOf(server.client, { home: home.path }), id, {
      ...DO,
      force: true,
    });
    assert.match(
      back.members[0].warnings.join(),
      /Overwritten by force: another session set "eviction=\(threads_max=9\)"/,
    );
    assert.deepEqual(await both(), [
      [4, 80],
      [4, 80],
    ]);
  });

  it('undone by force on the way, it stops, and is in effect nowhere', async () => {
    const other = contextOf(server.client, { home: home.path });
    const ctx = contextOf(server.client, { home: home.path });
    const { connect } = ctx;
    let [hasBegun, isDone] = [false, false];
    ctx.connect = async (name) => {
      const connected = await connect(name);
      const adminCommand = async (/** @type {any} */ command) => {
        hasBegun ||= Boolean(command.setParameter);
        if (name === primary && command.getLog && hasBegun && !isDone) {
          isDone = true;
          await assert.rejects(undo(other, DO), { code: 'TUNE-30010' });
          const back = await undo(other, { ...DO, force: true });
          assert.match(back.warnings.join(), new RegExp(`before it reached ${primary}`));
        }
        return connected.port.adminCommand(command);
      };
      return { ...connected, port: { ...connected.port, adminCommand } };
    };
    await assert.rejects(
      apply(ctx, CHANGE, ALL),
      (error) =>
        error.code === 'TUNE-30006' &&
        error.message.includes(`Another session has already undone this change on ${secondary}`),
    );
    assert.deepEqual(await both(), [
      [4, 80],
      [4, 80],
    ]);
  });

  it('in the undo of all, a member is looked at just before its call as well', async () => {
    const { id } = await apply(contextOf(server.client, { home: home.path }), CHANGE, ALL);
    await assert.rejects(
      undo(
        before(secondary, () => set(primary, 'eviction=(threads_max=9)')),
        id,
        DO,
      ),
      (error) =>
        error.code === 'TUNE-30006' && error.message.includes(`Not undone yet: ${primary}`),
    );
    assert.deepEqual(await both(), [
      [4, 80],
      [9, 80],
    ]);
    await undo(contextOf(server.client, { home: home.path }), id, { ...DO, force: true });
    assert.deepEqual(await both(), [
      [4, 80],
      [4, 80],
    ]);
  });
});
