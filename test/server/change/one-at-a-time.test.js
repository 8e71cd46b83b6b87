'use strict';

const assert = require('node:assert/strict');
const { startServer } = require('../../support/server');
const { contextOf } = require('../../support/context');
const { startProxy } = require('../../support/held-proxy');
const { temporaryFolder } = require('../../support/cleanup');
const { beforeCall } = require('../../support/beside');
const { seeded } = require('../../support/chance');
const { setExternally, askedStrings } = require('../../support/engine');
const { settingsIn } = require('../../../lib/config/effective-config');
const { run: apply } = require('../../../lib/commands/apply');
const { run: undo } = require('../../../lib/commands/undo');
const { run: config } = require('../../../lib/commands/settings');
const { run: history } = require('../../../lib/commands/history');

/**
 * @import { Server } from '../../support/server'
 */

const DO = Object.freeze({ confirm: true });
const FORCE = Object.freeze({ confirm: true, force: true });
const AT_START = 'eviction=(threads_min=4,threads_max=6),eviction_target=80';
const ON_CALL = (/** @type {any} */ command) => Boolean(command.setParameter);

describe('two shells with one journal', function () {
  this.timeout(120_000);
  /** @type {Server} */ let server;
  /** @type {Awaited<ReturnType<typeof startProxy>>} */ let proxy;
  /** @type {{ path: string, remove(): void }} */ let home;
  const context = (client = server.client) => contextOf(client, { home: home.path });
  const setTo = async () => {
    const { evictionTarget, evictionThreadsMax } = await config(context());
    return [evictionTarget.value, evictionThreadsMax.value];
  };
  const outcomes = async () => (await history(context())).map(({ outcome }) => outcome);
  const settled = (/** @type {Promise<any>} */ promise) =>
    promise.catch((/** @type {any} */ error) => error);
  /** A change in a shell whose call with this text waits on the way. */
  const heldAt = async (/** @type {RegExp} */ text, /** @type {any} */ change) => {
    const held = proxy.hold(
      (command) => command.setParameter && text.test(command.wiredTigerEngineRuntimeConfig ?? ''),
      { lose: false },
    );
    const done = settled(apply(context(await server.connect(proxy.uri)), change, DO));
    await held.arrived;
    return { done, deliver: () => held.deliver() };
  };

  before(async () => {
    server = await startServer();
    proxy = await startProxy(server.port);
  });
  after(async () => {
    await proxy?.stop();
    await server?.stop();
  });
  beforeEach(async () => {
    home = temporaryFolder('home');
    await setExternally(server, AT_START);
  });
  afterEach(() => home?.remove());

  it('while one is at a change the other neither changes nor undoes anything', async () => {
    const first = await heldAt(/threads_max=8/, { evictionTarget: 75, evictionThreadsMax: 8 });
    for (const act of [
      () => undo(context(), DO),
      () => undo(context()),
      () => apply(context(), { evictionTarget: 70 }, DO),
    ])
      await assert.rejects(
        act(),
        (error) =>
          error.code === 'TUNE-30010' &&
          /This shell is still making the change \S+, \{ evictionThreadsMax: 8, evictionTarget: 75 \}/.test(
            error.message,
          ),
      );
    await first.deliver();
    assert.equal((await first.done).verified, true);
    assert.deepEqual(await outcomes(), ['applied']);
    await undo(context(), DO);
    assert.deepEqual(await setTo(), [80, 6]);
  });

  it('by force the other undoes it: the call that was on its way stands, and is undone by itself', async () => {
    const first = await heldAt(/threads_max=8/, { evictionTarget: 75, evictionThreadsMax: 8 });
    const back = await undo(context(), FORCE);
    assert.match(
      back.warnings.join(),
      /"eviction=\(threads_max=8\) *" was not answered and is not/,
    );
    assert.deepEqual(await setTo(), [80, 6]);
    await first.deliver();
    await first.done;
    assert.deepEqual(await setTo(), [80, 8]);
    assert.equal((await undo(context(), FORCE)).undoes, back.undoes);
    assert.deepEqual(await setTo(), [80, 6]);
    await assert.rejects(undo(context(), DO), { code: 'TUNE-30007' });
  });

  it('by force the other undoes what has not arrived: the first makes no further call', async () => {
    const first = await heldAt(/eviction_target=75/, { evictionTarget: 75, evictionThreadsMax: 8 });
    const back = await undo(context(), FORCE);
    assert.deepEqual(back.change, {});
    await first.deliver();
    const error = await first.done;
    assert.equal(error.code, 'TUNE-30006', error.message ?? JSON.stringify(error));
    assert.match(error.message, /closed this change \(undone by force from another shell\)\./);
    assert.deepEqual(await setTo(), [75, 6]);
    await undo(context(), DO);
    assert.deepEqual(await setTo(), [80, 6]);
    await assert.rejects(undo(context(), DO), { code: 'TUNE-30007' });
  });

  it('what the other one set by force over an earlier call is no success', async () => {
    const first = await heldAt(/threads_max=8/, { evictionTarget: 75, evictionThreadsMax: 8 });
    await setExternally(server, 'eviction_target=70');
    await first.deliver();
    const done = await first.done;
    assert.equal(done.verified, false);
    assert.match(JSON.stringify(done.mismatches ?? done.warnings), /another session set/i);
  });

  it('by force the other begins a change: the first makes no further call', async () => {
    const foreign = () => apply(context(), { evictionThreadsMin: 3 }, FORCE);
    const error = await settled(
      apply(
        beforeCall(context(), ON_CALL, foreign),
        { evictionTarget: 75, evictionThreadsMax: 8 },
        DO,
      ),
    );
    assert.equal(error.code, 'TUNE-30010', error.message);
    assert.match(error.message, /started the change \S+, \{ evictionThreadsMin: 3 \}, by force/);
    assert.match(error.message, /Active of this change: \{ evictionTarget: 75 \}/);
    assert.deepEqual(await setTo(), [75, 6]);
  });

  it('what came last is by the order of the server, not of the journal', async () => {
    const second = await heldAt(/eviction_target=70/, { evictionTarget: 70 });
    const first = await apply(context(), { evictionTarget: 75 }, FORCE);
    await second.deliver();
    const { id } = await second.done;
    assert.deepEqual(await setTo(), [70, 6]);
    await assert.rejects(
      undo(context(), String(first.id), DO),
      (error) => error.code === 'TUNE-30006' && error.message.includes(`later change ${id} set`),
    );
    assert.deepEqual(await setTo(), [70, 6]);
  });

  it('at random moments: when nothing stands any more it is as it was', async () => {
    const random = seeded(7);
    const wait = (/** @type {number} */ ms) =>
      new Promise((resolve) => {
        setTimeout(resolve, random() * ms);
      });
    const slowly = () => {
      const ctx = context();
      const { adminCommand } = ctx.port;
      ctx.port.adminCommand = async (command) => {
        if (random() < 0.2) await wait(15);
        return adminCommand(command);
      };
      return ctx;
    };
    const shell = async (/** @type {number} */ target, /** @type {number} */ threads) => {
      for (let i = 0; i < 3; i += 1) {
        await wait(60);
        const change = {
          evictionTarget: target + i,
          ...(random() < 0.5 && { evictionThreadsMax: threads + i }),
        };
        await settled(i > 0 && random() < 0.5 ? undo(slowly(), DO) : apply(slowly(), change, DO));
      }
    };
    for (let round = 0; round < 6; round += 1) {
      await setExternally(server, `eviction_target=${60 + round},eviction=(threads_max=6)`);
      await Promise.all([shell(70, 7), shell(80, 12)]);
      while ((await settled(undo(context(), DO))).code !== 'TUNE-30007')
        assert.ok((await outcomes()).length < 40, 'it goes on for ever');
      const now = settingsIn((await askedStrings(server)).join(','));
      assert.deepEqual([now.evictionTarget, now.evictionThreadsMax], [60 + round, 6]);
    }
  });
});
