'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const { startServer } = require('../../support/server');
const { contextOf } = require('../../support/context');
const { temporaryFolder } = require('../../support/cleanup');
const { setExternally, floodLog, lastString } = require('../../support/engine');
const { readLines, journalPath } = require('../../../lib/change/journal');
const { run: apply } = require('../../../lib/commands/apply');
const { run: undo } = require('../../../lib/commands/undo');
const { run: config } = require('../../../lib/commands/settings');
const { run: history } = require('../../../lib/commands/history');

/**
 * @import { Server } from '../../support/server'
 */

const DO = Object.freeze({ confirm: true });
const AT_START =
  'cache_size=256M,eviction=(threads_min=4,threads_max=6),eviction_target=80,' +
  'eviction_checkpoint_target=1';
const BOTH = Object.freeze({ evictionTarget: 75, evictionThreadsMax: 8 });

describe('what happens to a server in the middle of a change', function () {
  this.timeout(120_000);
  /** @type {Server} */ let server;
  /** @type {{ path: string, remove(): void }} */ let home;
  const context = (client = server.client) => contextOf(client, { home: home.path });
  /**
   * @param {(command: any) => boolean} isMoment @param {() => Promise<unknown>} act once, after the
   *   answer to this command
   */
  const onceAfter = (isMoment, act) => {
    const ctx = context();
    const { adminCommand } = ctx.port;
    let isDone = false;
    ctx.port.adminCommand = async (command) => {
      const answer = await adminCommand(command);
      if (isDone || !isMoment(command)) return answer;
      isDone = true;
      await act();
      return answer;
    };
    return ctx;
  };
  const isFirstCall = (/** @type {any} */ command) =>
    Boolean(command.setParameter) && /target=75/.test(command.wiredTigerEngineRuntimeConfig);
  /** @param {Promise<any>} promise */
  const failure = async (promise) => {
    const out = await promise.catch((/** @type {any} */ error) => error);
    assert.ok(out instanceof Error, 'it went on');
    return /** @type {any} */ (out);
  };

  before(async () => {
    server = await startServer();
  });
  after(() => server?.stop());
  beforeEach(async () => {
    home = temporaryFolder('home');
    await setExternally(server, AT_START);
  });
  afterEach(() => home?.remove());

  it('what another session overwrote is not said to be in effect', async () => {
    const ctx = onceAfter(isFirstCall, () => setExternally(server, 'eviction_target=85'));
    const error = await failure(apply(ctx, BOTH, DO));
    assert.deepEqual([error.code, error.sent, error.undo], ['TUNE-30006', {}, null]);
    assert.match(
      error.message,
      /Set, and then set again by another session: \{ evictionTarget: 75 \}\. tune\.undo\("\S+", \{ confirm: true, force: true \}\)/,
    );
    await assert.rejects(undo(context(), error.id, DO), { code: 'TUNE-30006' });
    assert.equal((await config(context())).evictionTarget.value, 85);
  });

  it('a log that ran over is a gap: the next call is not made', async () => {
    const ctx = onceAfter(isFirstCall, async () => {
      await setExternally(server, 'eviction=(threads_max=10)');
      await setExternally(server, 'eviction_checkpoint_target=2');
      await floodLog(server);
    });
    const error = await failure(apply(ctx, BOTH, DO));
    assert.equal(error.code, 'TUNE-30006');
    assert.match(error.message, /the server's log does not cover all external changes/);
    assert.match(error.message, /Active of this change: \{ evictionTarget: 75 \}/);
    assert.equal(await lastString(server), 'eviction_checkpoint_target=2');
    const forced = await apply(context(), { evictionThreadsMax: 8 }, { ...DO, force: true });
    assert.equal(forced.verified, true);
  });

  it('what is sent again after a refusal is in the journal, with what it overwrote', async () => {
    const ctx = context();
    const { adminCommand } = ctx.port;
    let isRefused = false;
    ctx.port.adminCommand = async (command) => {
      if (command.setParameter)
        await setExternally(
          server,
          isRefused ? 'eviction_target=60' : 'eviction_target=77,eviction_checkpoint_target=200MB',
        );
      return adminCommand(command).catch((cause) => {
        isRefused ||= Boolean(command.setParameter);
        throw cause;
      });
    };
    const change = { cacheSizeGB: 0.125 };
    const error = await failure(apply(ctx, change, { ...DO, force: true }));
    assert.equal(error.code, 'TUNE-20008');
    assert.match(
      error.message,
      /Another session had set "eviction_target=60", and a call of this change overwrote it/,
    );
    assert.deepEqual(
      readLines(home.path).lines.map((line) => [line.kind, 'again' in line]),
      [
        ['intent', false],
        ['asking', false],
        ['asking', true],
        ['external', false],
        ['sent', true],
        ['refused', false],
        ['outcome', false],
      ],
    );
    assert.equal((await history(context()))[0].outcome, 'refused');
  });

  it('another server of the same name is not this one, restarted', async () => {
    const other = await startServer();
    try {
      const [here, there] = [context(), context(other.client)];
      const { host } = await server.adminCommand({ serverStatus: 1 });
      const { adminCommand } = there.port;
      there.port.adminCommand = async (command) => {
        const answer = await adminCommand(command);
        return answer.host ? { ...answer, host } : answer;
      };
      const first = await apply(there, { evictionTarget: 75 }, DO);
      const second = await apply(here, { evictionTarget: 70 }, DO);
      assert.equal((await undo(there, DO)).undoes, first.id);
      await assert.rejects(
        undo(there, DO),
        (error) =>
          error.code === 'TUNE-30007' && /another server with the name/.test(error.message),
      );
      const [entry] = (await history(there)).filter(({ id }) => id === second.id);
      assert.deepEqual([entry.outcome, entry.undo], ['applied', null]);
      assert.equal((await config(here)).evictionTarget.value, 70);
    } finally {
      await other.stop();
    }
  });

  it('a restart between two calls: what it took back is not said to be in effect', async () => {
    const isBetween = (/** @type {any} */ command) =>
      Boolean(command.getLog) &&
      fs.existsSync(journalPath(home.path)) &&
      readLines(home.path).lines.some(({ kind }) => kind === 'sent');
    const error = await failure(
      apply(
        onceAfter(isBetween, () => server.restart()),
        BOTH,
        DO,
      ),
    );
    assert.deepEqual([error.code, error.sent, error.undo], ['TUNE-20010', {}, null]);
    assert.match(
      error.message,
      /restarted since\..*A restart reverted: \{ evictionTarget: 75 \}\.$/,
    );
    assert.doesNotMatch(error.message, /failover|undoes it/);
    assert.equal((await history(context()))[0].outcome, 'ended-by-restart');
  });
});
