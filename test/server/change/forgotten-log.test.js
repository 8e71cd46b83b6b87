'use strict';

// What another session set stays known when the server's log has lost it.

const assert = require('node:assert/strict');
const { setTimeout: sleep } = require('node:timers/promises');
const { run: apply } = require('../../../lib/commands/apply');
const { run: settings } = require('../../../lib/commands/settings');
const { run: undo } = require('../../../lib/commands/undo');
const { aroundAll } = require('../../support/around-command');
const { temporaryFolder } = require('../../support/cleanup');
const { contextOf } = require('../../support/context');
const { floodLog, lastString, setExternally } = require('../../support/engine');
const { startServer } = require('../../support/server');

const DO = Object.freeze({ confirm: true });
const FOREIGN = 'eviction_dirty_trigger=12';
const lost = () => Object.assign(new Error('connection reset'), { name: 'MongoNetworkError' });
const refused = () => Object.assign(new Error('not today'), { name: 'MongoServerError', code: 2 });

describe('what another session set, after the log has lost it', function () {
  this.timeout(120_000);
  /** @type {Awaited<ReturnType<typeof startServer>>} */ let server;
  /** @type {{ path: string, remove(): void }} */ let home;
  const context = () => contextOf(server.client, { home: home.path });
  before(async () => {
    server = await startServer();
  });
  after(() => server?.stop());
  beforeEach(async () => {
    home = temporaryFolder('home');
    await server.restart();
  });
  afterEach(() => home.remove());

  /** @param {Parameters<typeof aroundAll>[1]} around */
  const attacked = (around) => aroundAll(context(), around);
  const undone = async (/** @type {string} */ id) =>
    undo(context(), ...(id === undefined ? [DO] : [id, DO])).catch((error) => error);

  describe('over a change, and an own call sent the same string since', () => {
    const ways = {
      'an undo of a later change': async () => {
        await apply(context(), { evictionDirtyTrigger: 30 }, DO);
        await undo(context(), DO);
        assert.equal(await lastString(server), FOREIGN, 'the undo restored it');
      },
      'the repair of a refused call': async () => {
        let isRefused = false;
        const ctx = attacked(async (command, next) => {
          if (!command.setParameter || isRefused) return next();
          isRefused = true;
          throw refused();
        });
        await assert.rejects(apply(ctx, { evictionCheckpointTarget: 10 }, DO), {
          code: 'TUNE-20008',
        });
      },
    };
    for (const [title, way] of Object.entries(ways))
      for (const flood of ['never', 'early', 'late'])
        it(`${title}; the log runs over ${flood}: the undo of the change refuses`, async () => {
          await apply(context(), { evictionDirtyTrigger: 25 }, DO);
          await setExternally(server, FOREIGN);
          await way();
          if (flood === 'early') await floodLog(server);
          await apply(context(), { evictionThreadsMax: 6 }, DO);
          if (flood === 'late') await floodLog(server);
          await undo(context(), DO);
          const error = await undone();
          assert.equal(error.code, 'TUNE-30006');
          assert.match(error.message, /eviction_dirty_trigger=12/);
        });
  });

  describe('beside a change, before a call whose answer was lost', () => {
    for (const flood of ['before', 'after'])
      for (const hears of [false, true])
        it(`the log ran over ${flood} it; the shell ${hears ? 'goes on' : 'hears no more'}: 12 or unknown`, async () => {
          if (flood === 'before') {
            await floodLog(server);
            await apply(context(), { evictionThreadsMax: 5 }, DO);
          }
          let [isDead, isSet] = [false, false];
          const ctx = attacked(async (command, next) => {
            if (isDead) throw lost();
            const answer = await next();
            if (command.setParameter) {
              isDead = !hears;
              throw lost();
            }
            if (command.getLog && !isSet) {
              isSet = true;
              await setExternally(server, FOREIGN);
              await sleep(50);
            }
            return answer;
          });
          await assert.rejects(apply(ctx, { evictionCheckpointTarget: 3 }, DO));
          if (flood === 'after') await floodLog(server);
          const { evictionDirtyTrigger } = await settings(context());
          assert.ok(
            [12, null].includes(evictionDirtyTrigger.value),
            `shown as ${evictionDirtyTrigger.value}`,
          );
        });
  });

  for (const how of ['whole', 'run over', 'run over, with a change before'])
    it(`just before the call of a shell that is killed, the same setting; the log is ${how}: the undo says so`, async () => {
      if (how !== 'whole') await floodLog(server);
      if (how.endsWith('before')) await apply(context(), { evictionThreadsMax: 5 }, DO);
      let isDead = false;
      const ctx = attacked(async (command, next) => {
        if (isDead) throw lost();
        if (!command.setParameter) return next();
        await setExternally(server, FOREIGN);
        await sleep(20);
        await next();
        isDead = true;
        throw lost();
      });
      await assert.rejects(apply(ctx, { evictionDirtyTrigger: 25 }, DO));
      const back = await undone();
      assert.match(back.message ?? back.warnings.join(' '), /dirty_trigger=12/);
    });

  it('and may no longer read what others set: the call is not made', async () => {
    let isPlanned = false;
    const denied = () =>
      Object.assign(new Error('not authorized'), { name: 'MongoServerError', code: 13 });
    const ctx = attacked(async (command, next) => {
      if (isPlanned && (command.getLog || command.getParameter)) throw denied();
      const answer = await next();
      isPlanned ||= Boolean(command.wiredTigerEngineRuntimeConfig);
      return answer;
    });
    await assert.rejects(apply(ctx, { evictionTarget: 75 }, DO), (error) => {
      assert.equal(error.code, 'TUNE-30006');
      assert.match(error.message, /can no longer be read/);
      return true;
    });
    assert.equal(await lastString(server), '');
  });
});
