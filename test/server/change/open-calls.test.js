'use strict';

// What is open is said to be open: a refusal that cannot be looked into, and calls whose answers
// were lost one after the other.

const assert = require('node:assert/strict');
const { run: apply } = require('../../../lib/commands/apply');
const { run: history } = require('../../../lib/commands/history');
const { run: settings } = require('../../../lib/commands/settings');
const { run: trial } = require('../../../lib/commands/trial');
const { run: undo } = require('../../../lib/commands/undo');
const { unfinishedChanges } = require('../../../lib/change/unfinished-changes');
const { aroundAll } = require('../../support/around-command');
const { temporaryFolder } = require('../../support/cleanup');
const { contextOf } = require('../../support/context');
const { cacheOf, floodLog, setExternally } = require('../../support/engine');
const { startServer } = require('../../support/server');
const { startWorkload } = require('../../support/workload');

const DO = Object.freeze({ confirm: true });
const SHORT = Object.freeze({ confirm: true, blocks: 4, blockSeconds: 1 });
const lost = () => Object.assign(new Error('connection reset'), { name: 'MongoNetworkError' });
const refused = (/** @type {number} */ code) =>
  Object.assign(new Error('no'), { name: 'MongoServerError', code });

/** @typedef {Awaited<ReturnType<typeof startServer>>} Server */
/** @type {Server} */ let server;
/** @type {{ path: string, remove(): void }} */ let home;
const context = (folder = home, of = server) => contextOf(of.client, { home: folder.path });
/** @param {Parameters<typeof aroundAll>[1]} around */
const attacked = (around) => aroundAll(context(), around);
/** With the blanks at its end. */
const rawString = async () =>
  (await server.adminCommand({ getParameter: 1, wiredTigerEngineRuntimeConfig: 1 }))
    .wiredTigerEngineRuntimeConfig;
const outcomes = async () => (await history(context())).map(({ outcome }) => outcome);
const failed = (/** @type {Promise<any>} */ work) =>
  work.then(
    () => assert.fail('it must not succeed'),
    (error) => error,
  );

describe('calls that are open', function () {
  this.timeout(120_000);
  before(async () => {
    server = await startServer();
  });
  after(() => server?.stop());
  beforeEach(async () => {
    home = temporaryFolder('home');
    await server.restart();
  });
  afterEach(() => home.remove());

  describe('WiredTiger refuses a call and has applied a part of it', () => {
    beforeEach(async () => {
      await setExternally(server, 'cache_size=600M');
      await setExternally(server, 'eviction_dirty_trigger=400MB');
      await setExternally(server, 'eviction_target=80');
      // So that the change does not know the trigger that WiredTiger refuses it for.
      await floodLog(server);
    });
    const isSmall = async () => (await cacheOf(server)).maxBytes === 256 * 2 ** 20;

    for (const [what, code] of Object.entries({ revoked: 13, 'out of time': 50, killed: 11601 }))
      it(`the reading after it is ${what}: unknown, noticed, and it can be undone`, async () => {
        let step = 0;
        const ctx = attacked(async (command, next) => {
          if (step === 1 && command.serverStatus) {
            step = 2;
            throw refused(code);
          }
          return next().catch((error) => {
            if (command.setParameter) step = 1;
            throw error;
          });
        });
        const error = await failed(apply(ctx, { cacheSizeGB: 0.25 }, DO));
        assert.deepEqual([error.code, await outcomes()], ['TUNE-30005', ['unknown']]);
        assert.ok(await isSmall(), 'a part of it is active');
        assert.equal(unfinishedChanges(home.path).length, 1);
        await undo(context(), { confirm: true, force: true });
        assert.equal((await cacheOf(server)).maxBytes, 600 * 2 ** 20);
      });

    it('and another server answers from then on: unknown', async () => {
      const other = await startServer();
      const there = context(home, other);
      let isOver = false;
      const ctx = attacked(async (command, next) => {
        if (isOver) return there.port.adminCommand(command);
        isOver = command.setParameter !== undefined;
        return next();
      });
      const error = await failed(apply(ctx, { cacheSizeGB: 0.25 }, DO));
      await other.stop();
      assert.deepEqual([error.code, await outcomes()], ['TUNE-30005', ['unknown']]);
      assert.ok(await isSmall());
    });
  });

  it('an undo is not verified while the last call of the change may still arrive', async () => {
    let calls = 0;
    const ctx = attacked(async (command, next) => {
      if (command.setParameter && (calls += 1) === 2) throw lost();
      return next();
    });
    await failed(apply(ctx, { evictionTarget: 75, evictionThreadsMax: 8 }, DO));
    const { verified, change } = await undo(context(), DO);
    assert.deepEqual([verified, change], [false, { evictionTarget: 80 }]);
  });

  describe('the log of the server has run over', () => {
    /** The call that is held back. */
    let held = '';
    const valueNow = async () => (await settings(context())).evictionTarget.value;
    /** @param {number} number of the call whose answer is lost, and that arrives later */
    const holding = (number) => {
      let calls = 0;
      return attacked(async (command, next) => {
        if (!command.setParameter || (calls += 1) !== number) return next();
        held = command.wiredTigerEngineRuntimeConfig;
        throw lost();
      });
    };
    beforeEach(() => floodLog(server));

    it('a call that arrives after the undo is of its change, and is undone', async () => {
      await failed(apply(holding(2), { evictionTarget: 75, evictionThreadsMax: 8 }, DO));
      assert.equal((await undo(context(), DO)).verified, false);
      await setExternally(server, held);
      const { verified, change } = await undo(context(), DO);
      assert.deepEqual([verified, change], [true, { evictionThreadsMax: 4 }]);
      assert.deepEqual(await outcomes(), ['undone', 'applied', 'applied']);
    });

    it('so is one that arrives after the same change was made again: which undo comes first', async () => {
      await failed(apply(holding(1), { evictionTarget: 75 }, DO));
      const { id } = await apply(context(), { evictionTarget: 75 }, DO);
      await setExternally(server, held);
      const { message } = await failed(undo(context(), DO));
      const [first] = await history(context());
      assert.ok(message.includes(`tune.undo("${first.id}") comes first`), message);
      for (const one of [first.id, id]) await undo(context(), one, DO);
      assert.deepEqual([await valueNow(), unfinishedChanges(home.path)], [80, []]);
    });

    it('a value that another session had set before is verified with the others', async () => {
      await setExternally(server, 'eviction_target=75');
      await floodLog(server);
      const asked = { evictionTarget: 75, evictionThreadsMax: 8 };
      assert.equal((await apply(context(), asked, DO)).verified, true);
    });

    for (const [
      what,
      others,
    ] of /** @type {[string, import('../../../lib/base/types').Change[]][]} */ ([
      ['', []],
      [', also where another setting was changed since', [{ evictionThreadsMax: 8 }]],
    ]))
      it(`a later change that it ended is named by its undo${what}`, async () => {
        await failed(apply(holding(1), { evictionTarget: 75 }, DO));
        const later = await apply(context(), { evictionTarget: 70 }, DO);
        for (const one of others) await apply(context(), one, DO);
        await setExternally(server, held);
        const [first] = await history(context());
        const { warnings } = await undo(context(), first.id, DO);
        assert.match(warnings.join(), new RegExp(`ended the change ${later.id}: make that one`));
        assert.equal(await valueNow(), 80);
      });

    it('so is that of a trial, which arrives after its end', async () => {
      const load = await startWorkload(server.uri, 'paced');
      await trial(holding(1), { evictionTarget: 75 }, SHORT).catch(() => undefined);
      await load.stop();
      await setExternally(server, held);
      assert.deepEqual([await valueNow(), (await undo(context(), DO)).verified], [75, true]);
      assert.equal(await valueNow(), 80);
    });
  });

  describe('a trial', () => {
    /** @type {Awaited<ReturnType<typeof startWorkload>>} */ let load;
    beforeEach(async () => {
      load = await startWorkload(server.uri, 'paced');
    });
    afterEach(() => load.stop());

    for (const arrives of [true, false])
      it(`loses its call and the call back, which ${arrives ? 'arrives' : 'does not'}: the first may still arrive`, async () => {
        /** @type {any} */ let held = null;
        let isAway = false;
        const ctx = attacked(async (command, next) => {
          if (isAway) throw lost();
          if (!command.setParameter) return next();
          if (held !== null) {
            isAway = true;
            if (arrives) await next();
          }
          held ??= command;
          throw lost();
        });
        await trial(ctx, { evictionTarget: 75 }, SHORT).catch(() => undefined);
        await undo(context(), DO).catch(() => undefined);
        await setExternally(server, held.wiredTigerEngineRuntimeConfig);
        await undo(context(), DO);
        assert.equal((await settings(context())).evictionTarget.value, 80);
      });

    it('loses its call, and another session sets the same: it may still arrive over that', async () => {
      let isHeld = false;
      const ctx = attacked(async (command, next) => {
        if (!command.setParameter || isHeld) return next();
        isHeld = true;
        await setExternally(server, 'eviction_target=72');
        throw lost();
      });
      await trial(ctx, { evictionTarget: 75 }, SHORT).catch(() => undefined);
      assert.deepEqual([await outcomes(), unfinishedChanges(home.path).length], [['unknown'], 1]);
    });
  });

  it('a change to another value says that the call before may still arrive over it', async () => {
    const ctx = attacked(async (command, next) => {
      if (command.setParameter) throw lost();
      return next();
    });
    await failed(apply(ctx, { evictionTarget: 75 }, DO));
    const words = /The call "eviction_target=75" of the change .* may still arrive/;
    const warned = async (/** @type {any} */ change, /** @type {any} */ how = {}) =>
      words.test((await apply(context(), change, how)).warnings.join(' '));
    assert.deepEqual(
      [
        await warned({ evictionTarget: 75 }),
        await warned({ evictionThreadsMax: 8 }),
        await warned({ evictionTarget: 80 }),
        await warned({ evictionTarget: 70 }),
        await warned({ evictionTarget: 70 }, DO),
      ],
      [false, false, true, true, true],
    );
  });

  it('an answer is lost, and just before it another session set the same: the undo says so', async () => {
    let isLost = false;
    const ctx = attacked(async (command, next) => {
      if (!command.setParameter || isLost) return next();
      isLost = true;
      await setExternally(server, 'eviction_dirty_trigger=12');
      await next();
      throw lost();
    });
    await failed(apply(ctx, { evictionDirtyTrigger: 25 }, DO));
    await floodLog(server);
    const error = await failed(undo(context(), DO));
    assert.equal(error.code, 'TUNE-30006');
  });

  it('without getParameter, a log that runs over between two calls ends the change', async () => {
    let calls = 0;
    const ctx = attacked(async (command, next) => {
      if (command.getParameter) throw refused(13);
      const answer = await next();
      if (command.setParameter && ++calls === 1) {
        await setExternally(server, 'eviction_dirty_trigger=12');
        await setExternally(server, 'eviction_checkpoint_target=5');
        await floodLog(server);
      }
      return answer;
    });
    const error = await failed(
      apply(ctx, { evictionTarget: 75, evictionDirtyTrigger: 30 }, { confirm: true, force: false }),
    );
    assert.deepEqual([error.code, calls], ['TUNE-30006', 1], error.message);
  });

  it('a journal never sends the string of another one, also where the log has lost it', async () => {
    const other = temporaryFolder('home');
    await apply(context(other), { evictionDirtyTrigger: 15 }, DO);
    const theirs = await rawString();
    await floodLog(server);
    const first = await apply(context(), { evictionDirtyTrigger: 30 }, DO);
    await apply(context(), { evictionTarget: 70 }, DO);
    await floodLog(server);
    await undo(context(), first.id, DO);
    assert.notEqual(await rawString(), theirs);
    await floodLog(server);
    const { evictionTarget } = await settings(context(other));
    assert.ok([70, null].includes(evictionTarget.value), `shown as ${evictionTarget.value}`);
    other.remove();
  });
});
