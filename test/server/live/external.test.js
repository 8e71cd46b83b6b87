'use strict';

const assert = require('node:assert/strict');
const { startServer } = require('../../support/server');
const { contextOf } = require('../../support/context');
const { temporaryFolder } = require('../../support/cleanup');
const {
  setExternally,
  askedStrings,
  floodLog,
  lastString,
  onSlowDisk,
} = require('../../support/engine');
const { beforeCall } = require('../../support/beside');
const { readLines } = require('../../../lib/change/journal');
const { run: apply } = require('../../../lib/commands/apply');
const { run: undo } = require('../../../lib/commands/undo');
const { run: config } = require('../../../lib/commands/settings');
const { run: history } = require('../../../lib/commands/history');

/**
 * @import { Server } from '../../support/server'
 */

const DO = Object.freeze({ confirm: true });
const FORCE = Object.freeze({ confirm: true, force: true });
const AT_START =
  'cache_size=512M,eviction=(threads_min=4,threads_max=4),eviction_target=80,' +
  'eviction_trigger=95,eviction_dirty_target=5,eviction_dirty_trigger=20,' +
  'eviction_checkpoint_target=1';
/** The moment between the last sample and the call that sets. */
const ON_CALL = (/** @type {any} */ command) => Boolean(command.setParameter);

describe('what another session sets between the look and the call', () => {
  /** @type {Server} */ let server;
  /** @type {{ path: string, remove(): void }} */ let home;
  const context = (more = {}) => contextOf(server.client, { home: home.path, ...more });
  const setTo = async () => {
    const { cacheSizeGB, evictionTarget } = await config(context());
    return [cacheSizeGB.value, evictionTarget.value];
  };
  const other = (/** @type {string} */ text) => () => setExternally(server, text);
  const linesOf = (/** @type {string} */ kind) =>
    readLines(home.path).lines.filter((line) => line.kind === kind);
  before(async () => {
    server = await startServer({ cacheSizeGB: 0.5 });
  });
  after(() => server?.stop());
  beforeEach(async () => {
    home = temporaryFolder('home');
    await setExternally(server, AT_START);
  });
  afterEach(() => home?.remove());

  it('the same setting: the answer and the journal say it, and undo does not overwrite it', async () => {
    const done = await apply(
      beforeCall(context(), ON_CALL, other('cache_size=400M')),
      { cacheSizeGB: 0.3125 },
      DO,
    );
    assert.deepEqual(
      done.externalChanges.map(({ code, values }) => [code, values]),
      [
        [
          'TUNE-30006',
          { config: 'cache_size=400M', change: { cacheSizeGB: 0.390625 }, overwritten: true },
        ],
      ],
    );
    assert.match(
      done.warnings.join('\n'),
      /Another session set "cache_size=400M" just before this change, which overwrote it/,
    );
    assert.match(String(done), /Another session set "cache_size=400M"/);
    const kinds = readLines(home.path).lines.map(({ kind }) => kind);
    assert.deepEqual(kinds, ['intent', 'asking', 'external', 'sent', 'outcome']);
    await assert.rejects(
      undo(context(), DO),
      (error) =>
        error.code === 'TUNE-30006' &&
        /another session set "cache_size=400M" just before it, and the change overwrote that/.test(
          error.message,
        ),
    );
    assert.deepEqual(await setTo(), [0.3125, 80]);
    const forced = await undo(context(), FORCE);
    assert.match(
      forced.warnings.join('\n'),
      /Overwritten by force: another session set "cache_size=400M"/,
    );
    assert.deepEqual(await setTo(), [0.5, 80]);
  });

  it('also when the log has forgotten it', async () => {
    await apply(
      beforeCall(context(), ON_CALL, other('cache_size=400M')),
      { cacheSizeGB: 0.3125 },
      DO,
    );
    await floodLog(server);
    await assert.rejects(undo(context(), DO), { code: 'TUNE-30006' });
  });

  it('also when the last string hides it', async () => {
    const hidden = async () => {
      await setExternally(server, 'cache_size=400M');
      await setExternally(server, AT_START.replace('cache_size=512M,', ''));
    };
    const done = await apply(beforeCall(context(), ON_CALL, hidden), { cacheSizeGB: 0.3125 }, DO);
    assert.deepEqual(
      done.externalChanges.map(({ values }) => values.overwritten),
      [true, false],
    );
    await assert.rejects(undo(context(), DO), { code: 'TUNE-30006' });
  });

  it('by another tune, with a journal of its own, or by force with ours', async () => {
    const own = temporaryFolder('own');
    for (const [path, how] of /** @type {const} */ ([
      [own.path, DO],
      [home.path, FORCE],
    ])) {
      const foreign = contextOf(server.client, { home: path });
      const done = await apply(
        beforeCall(context(), ON_CALL, () => apply(foreign, { cacheSizeGB: 0.4 }, how)),
        { cacheSizeGB: 0.3125 },
        DO,
      );
      assert.deepEqual(
        done.externalChanges.map(({ values }) => values.overwritten),
        [true],
      );
      await assert.rejects(undo(context(), String(done.id), DO), { code: 'TUNE-30006' });
      assert.deepEqual(await setTo(), [0.3125, 80]);
      await setExternally(server, AT_START);
    }
    own.remove();
  });

  it('a later change with the same journal is not overwritten by the undo of an earlier one', async () => {
    const first = await apply(context(), { cacheSizeGB: 0.3125 }, DO);
    const second = await apply(context(), { cacheSizeGB: 0.4 }, DO);
    await assert.rejects(
      undo(context(), String(first.id), DO),
      (error) => error.code === 'TUNE-30006' && error.message.includes(String(second.id)),
    );
    assert.deepEqual(await setTo(), [0.3994140625, 80]);
    await undo(context(), DO);
    await undo(context(), DO);
    assert.deepEqual(await setTo(), [0.5, 80]);
  });

  it('another setting stays, is said, and needs no force', async () => {
    const done = await apply(
      beforeCall(context(), ON_CALL, other('eviction_target=77')),
      { cacheSizeGB: 0.3125 },
      DO,
    );
    assert.deepEqual(
      done.externalChanges.map(({ values }) => values.overwritten),
      [false],
    );
    assert.match(
      done.warnings.join('\n'),
      /Another session set "eviction_target=77" during the change; it stays/,
    );
    await undo(context(), DO);
    assert.deepEqual(await setTo(), [0.5, 77]);
  });

  it('seen before the first call, nothing is sent', async () => {
    const asked = (await askedStrings(server)).length;
    const ctx = beforeCall(
      context(),
      (command) => command.hello && linesOf('intent').length > 0,
      other('cache_size=400M'),
    );
    await assert.rejects(
      apply(ctx, { cacheSizeGB: 0.3125 }, DO),
      (error) =>
        error.code === 'TUNE-30006' &&
        /Another session set "cache_size=400M" since this change was planned[^]*No setting of this change is known to be active/.test(
          error.message,
        ),
    );
    assert.deepEqual((await askedStrings(server)).slice(asked), ['cache_size=400M']);
    assert.deepEqual(
      (await history(context())).map(({ outcome, undo: way }) => [outcome, way]),
      [['refused', null]],
    );
    const forced = beforeCall(
      context(),
      (command) => command.hello && linesOf('intent').length > 1,
      other('cache_size=450M'),
    );
    assert.match(
      (await apply(forced, { cacheSizeGB: 0.3125 }, FORCE)).warnings.join(),
      /Overwritten by force: another session set "cache_size=450M"/,
    );
  });

  it('with two groups, it stops before the second where that is the one that was set', async () => {
    const asked = (await askedStrings(server)).length;
    const ctx = beforeCall(context(), ON_CALL, other('eviction_target=70'));
    await assert.rejects(
      apply(ctx, { cacheSizeGB: 0.3125, evictionTarget: 75 }, DO),
      (error) =>
        error.code === 'TUNE-30006' &&
        /Active of this change: \{ cacheSizeGB: 0\.3125 \}\. tune\.undo\("\S+", \{ confirm: true \}\) undoes it/.test(
          error.message,
        ) &&
        error.externalChanges.length === 1,
    );
    assert.deepEqual((await askedStrings(server)).slice(asked), [
      'eviction_target=70',
      'cache_size=320M',
    ]);
    await undo(context(), DO);
    assert.deepEqual(await setTo(), [0.5, 70]);
  });

  it('on the way down it stops before the next step', async () => {
    let calls = 0;
    const ctx = beforeCall(
      onSlowDisk(context()),
      (command) => Boolean(command.setParameter) && ++calls === 2,
      other('cache_size=500M'),
    );
    await assert.rejects(apply(ctx, { cacheSizeGB: 0.25 }, DO), { code: 'TUNE-30006' });
    assert.equal(
      (await askedStrings(server)).filter((text, i, all) => i > all.lastIndexOf('cache_size=500M'))
        .length,
      1,
      'the call that was on its way, and no other',
    );
    await assert.rejects(undo(context(), DO), { code: 'TUNE-30006' });
  }).timeout(120_000);

  it('in an undo: seen before its call it is not sent, seen in the answer it is said', async () => {
    await apply(context(), { cacheSizeGB: 0.3125 }, DO);
    const early = beforeCall(
      context(),
      (command) => command.hello && linesOf('intent').length > 1,
      other('cache_size=400M'),
    );
    await assert.rejects(undo(early, DO), { code: 'TUNE-30006' });
    assert.equal(await lastString(server), 'cache_size=400M');
    await undo(context(), FORCE);

    await apply(context(), { cacheSizeGB: 0.3125 }, DO);
    const back = await undo(beforeCall(context(), ON_CALL, other('cache_size=400M')), DO);
    assert.deepEqual(
      back.externalChanges.map(({ values }) => values.overwritten),
      [true],
    );
    assert.match(
      back.warnings.join('\n'),
      /Another session set "cache_size=400M" just before this change, which overwrote it/,
    );
  });

  it('the answer was lost: the next shell reads from the log what was overwritten', async () => {
    const ctx = beforeCall(context(), ON_CALL, other('cache_size=400M'), () => {
      throw Object.assign(new Error('connection closed'), { name: 'MongoNetworkError' });
    });
    await assert.rejects(apply(ctx, { cacheSizeGB: 0.3125 }, DO), { code: 'TUNE-20006' });
    await assert.rejects(undo(context(), DO), { code: 'TUNE-30006' });
    assert.deepEqual(await setTo(), [0.3125, 80]);
  });

  it('the connection was lost for good, so that nobody knows what arrived: the next shell does', async () => {
    let isDead = false;
    const lost = () => {
      isDead = true;
      throw Object.assign(new Error('connection closed'), { name: 'MongoNetworkError' });
    };
    const ctx = beforeCall(context(), ON_CALL, other('cache_size=400M'), lost);
    const { adminCommand } = ctx.port;
    ctx.port.adminCommand = async (command) => (isDead ? lost() : adminCommand(command));
    await assert.rejects(apply(ctx, { cacheSizeGB: 0.3125 }, DO), { code: 'TUNE-20006' });
    assert.equal((await history(context()))[0].outcome, 'unknown');
    await assert.rejects(
      undo(context(), DO),
      (error) =>
        error.code === 'TUNE-30006' &&
        /another session set "cache_size=400M" just before it/.test(error.message),
    );
    await undo(context(), FORCE);
    assert.deepEqual(await setTo(), [0.5, 80]);
  });

  it(
    'two shells in the same moment: whoever came second is told of the first, and neither undo ' +
      'overwrites the other',
    async () => {
      for (let i = 0; i < 5; i += 1) {
        const homes = [temporaryFolder('a'), temporaryFolder('b')];
        let [arrived, go] = [0, () => {}];
        const both = new Promise((resolve) => {
          go = () => resolve(undefined);
        });
        // Both have looked, and neither has called yet.
        const meet = () => {
          arrived += 1;
          if (arrived === 2) go();
          return both;
        };
        const made = await Promise.all(
          [0.3125, 0.375].map((cacheSizeGB, j) =>
            apply(
              beforeCall(contextOf(server.client, { home: homes[j].path }), ON_CALL, meet),
              { cacheSizeGB },
              DO,
            ),
          ),
        );
        const now = await setTo();
        assert.ok(
          made.some(({ externalChanges }) =>
            externalChanges.some(({ values }) => values.overwritten),
          ),
          'the second is told',
        );
        for (const { path } of homes)
          await assert.rejects(undo(contextOf(server.client, { home: path }), DO), {
            code: 'TUNE-30006',
          });
        assert.deepEqual(await setTo(), now);
        await setExternally(server, AT_START);
        homes.forEach((one) => one.remove());
      }
    },
  );
});
