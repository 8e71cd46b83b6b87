'use strict';

const assert = require('node:assert/strict');
const { spawn } = require('node:child_process');
const { once } = require('node:events');
const { startServer } = require('../support/server');
const { contextOf } = require('../support/context');
const { temporaryFolder } = require('../support/cleanup');
const { setExternally, askedStrings, cacheOf } = require('../support/engine');
const { readLines } = require('../../lib/change/journal');
const { run: apply } = require('../../lib/commands/apply');
const { run: undo } = require('../../lib/commands/undo');
const { run: config } = require('../../lib/commands/settings');
const { run: history } = require('../../lib/commands/history');

/**
 * @import { Server } from '../support/server'
 */

const DO = Object.freeze({ confirm: true });

describe('undo on a real server', () => {
  /** @type {Server} */ let server;
  /** @type {{ path: string, remove(): void }} */ let home;
  const context = () => contextOf(server.client, { home: home.path });
  const settings = async () => ({ ...(await config(context())) });
  /** @param {any} change */
  const applied = async (change) => /** @type {string} */ ((await apply(context(), change, DO)).id);
  before(async () => {
    server = await startServer({
      args: ['--wiredTigerEngineConfigString', 'eviction=(threads_max=6)'],
    });
  });
  after(() => server?.stop());
  beforeEach(() => {
    home = temporaryFolder('home');
  });
  afterEach(async () => {
    home.remove();
    await setExternally(
      server,
      'cache_size=256M,eviction=(threads_min=4,threads_max=6),eviction_target=80,' +
        'eviction_trigger=95,eviction_dirty_target=5,eviction_dirty_trigger=20,' +
        'eviction_updates_target=0',
    );
  });

  it('returns to exactly what config showed before', async () => {
    const before = await settings();
    await applied({
      cacheSizeGB: 0.5,
      evictionThreadsMin: 5,
      evictionThreadsMax: 5,
      evictionDirtyTarget: 8,
      evictionDirtyTrigger: 30,
      evictionTarget: 75,
      evictionUpdatesTarget: 3,
    });
    assert.notDeepEqual(await settings(), before);
    const back = await undo(context(), DO);
    assert.deepEqual([back.verified, back.dryRun], [true, false]);
    assert.deepEqual(await settings(), before);
    assert.equal((await cacheOf(server)).maxBytes, 256 * 2 ** 20);
  });

  it('without confirm it shows, and changes nothing', async () => {
    const id = await applied({ evictionTarget: 75 });
    const [before, asked] = [await settings(), await askedStrings(server)];
    const shown = await undo(context());
    assert.deepEqual(
      [shown.dryRun, shown.id, shown.undoes, shown.change, shown.confirm],
      [true, null, id, { evictionTarget: 80 }, `tune.undo("${id}", { confirm: true })`],
    );
    assert.match(String(shown), /DRY RUN: nothing was changed/);
    assert.deepEqual([await settings(), await askedStrings(server)], [before, asked]);
  });

  it('goes back change by change; an undo is undone by its own id', async () => {
    const [one, two] = [
      await applied({ evictionTarget: 75 }),
      await applied({ evictionTarget: 70 }),
    ];
    const of = async () => (await config(context())).evictionTarget.value;
    assert.deepEqual([(await undo(context(), DO)).undoes, await of()], [two, 75]);
    const second = await undo(context(), DO);
    assert.deepEqual([second.undoes, await of()], [one, 80]);
    await assert.rejects(undo(context(), DO), { code: 'TUNE-30007' });
    const redone = await undo(context(), second.id ?? '', DO);
    assert.deepEqual([redone.verified, await of()], [true, 75]);
    assert.deepEqual(
      (await history(context())).map(({ outcome }) => outcome),
      ['applied', 'undone', 'applied', 'undone', 'applied'],
    );
    assert.equal((await undo(context(), DO)).undoes, one);
  });

  it('an id that is not there undoes nothing: the change before it stays', async () => {
    await applied({ evictionTarget: 75 });
    const same = await apply(context(), { evictionTarget: 75 }, DO);
    assert.equal(same.id, null);
    await assert.rejects(undo(context(), /** @type {any} */ (same.id), DO), {
      code: 'TUNE-10004',
      message: /tune\.undo\(\{ confirm: true \}\) undoes the last change/,
    });
    assert.equal((await config(context())).evictionTarget.value, 75);
    await undo(context(), DO);
  });

  it('a change by its name, with another after it that stays', async () => {
    const one = await applied({ evictionTarget: 75 });
    await applied({ evictionThreadsMax: 8 });
    await undo(context(), one, DO);
    const seen = await config(context());
    assert.deepEqual(
      [seen.evictionTarget.value, seen.evictionThreadsMax.value, seen.evictionThreadsMax.by],
      [80, 8, 'tune'],
    );
  });

  it('what others have set since is not overwritten in silence', async () => {
    const id = await applied({ evictionThreadsMax: 8 });
    await setExternally(server, 'eviction=(threads_max=10)');
    await assert.rejects(
      undo(context(), DO),
      (error) =>
        error.code === 'TUNE-30006' &&
        error.value === id &&
        /another session set "eviction=\(threads_max=10\)"/.test(error.message),
    );
    assert.equal((await config(context())).evictionThreadsMax.value, 10);
    const forced = await undo(context(), { confirm: true, force: true });
    assert.match(forced.warnings[0], /Overwritten by force/);
    assert.equal((await config(context())).evictionThreadsMax.value, 6);
  });

  it('a change over what others have set since says so', async () => {
    const id = await applied({ evictionThreadsMax: 8 });
    assert.doesNotMatch(
      (await apply(context(), { evictionThreadsMax: 12 })).warnings.join('\n'),
      /somebody/,
    );
    await setExternally(server, 'eviction=(threads_max=10)');
    const shown = await apply(context(), { evictionThreadsMax: 12 });
    assert.deepEqual(shown.before, { evictionThreadsMax: 10 });
    assert.equal(
      shown.warnings[0],
      `Since the change ${id} another session set "eviction=(threads_max=10)": this ` +
        'change replaces it, and an undo restores it.',
    );
  });

  it('what others have set beside it stays', async () => {
    await applied({ evictionThreadsMax: 8 });
    await setExternally(server, 'eviction_target=77');
    const back = await undo(context(), DO);
    assert.match(back.warnings[0], /Another session set "eviction_target=77" since; it stays/);
    const seen = await config(context());
    assert.deepEqual(
      [seen.evictionThreadsMax.value, seen.evictionTarget.value, seen.evictionTarget.by],
      [6, 77, 'others'],
    );
  });

  it('a read-back that differs is noticed, too', async () => {
    await applied({ cacheSizeGB: 0.5 });
    await assert.rejects(
      setExternally(server, 'cache_size=600M,eviction=(threads_min=10,threads_max=9)'),
    );
    await assert.rejects(
      undo(context(), DO),
      (error) =>
        error.code === 'TUNE-30006' &&
        /cacheSizeGB is 0\.5[89]\d*, but 0\.5 was recorded: an external change\. Check/.test(
          error.message,
        ),
    );
  });

  it('set back by others already: there is nothing to send, and the journal learns it', async () => {
    await applied({ evictionTarget: 75 });
    await setExternally(server, 'eviction_target=80');
    const back = await undo(context(), { confirm: true, force: true });
    assert.deepEqual([back.commands, back.id], [[], null]);
    assert.equal((await history(context()))[0].outcome, 'undone');
  });

  it('two shells at once, with one journal: one of them goes on, and all of it is taken back', async () => {
    const before = await settings();
    for (const [one, other] of [
      [{ evictionTarget: 75 }, { cacheSizeGB: 0.5 }],
      [{ evictionTarget: 75 }, { evictionTarget: 70 }],
    ]) {
      const made = await Promise.allSettled(
        [one, other].map((change) => apply(context(), change, DO)),
      );
      const [done, ...more] = made.filter(({ status }) => status === 'fulfilled');
      const [refused] = made.filter(({ status }) => status === 'rejected');
      // On a busy machine one may have come to its end before the other begins: then both are made,
      // one after the other, and both are taken back.
      if (refused === undefined) {
        assert.equal(more.length, 1);
        assert.equal((await undo(context(), DO)).verified, true);
      } else {
        // Or it has looked before the other set something, and finds that at its own call.
        assert.match(refused.reason.code, /^TUNE-300(10|06)$/);
        assert.deepEqual(more, []);
      }
      const { undoes } = await undo(context(), DO);
      assert.ok([done, ...more].some(({ value }) => value.id === undoes));
      await assert.rejects(undo(context(), DO), { code: 'TUNE-30007' });
      assert.deepEqual(await settings(), before);
      assert.equal(readLines(home.path).garbled, 0);
    }
  });

  it('wrong arguments', async () => {
    for (const [args, code] of /** @type {[any[], string][]} */ ([
      [[7], 'TUNE-10002'],
      [[true], 'TUNE-10002'],
      [['nothing'], 'TUNE-10003'],
      [[{ confrim: true }], 'TUNE-10001'],
      [[{ confirm: 1 }], 'TUNE-10002'],
      [[], 'TUNE-30007'],
    ])) {
      await assert.rejects(undo(context(), ...args), { code });
    }
  });

  it('history of a server without changes', async () => {
    assert.deepEqual([...(await history(context()))], []);
    assert.match(String(await history(context())), /No changes made with tune on this server/);
    await assert.rejects(history(context(), /** @type {any} */ ({ every: true })), {
      code: 'TUNE-10001',
    });
  });

  describe('the shell was killed in the middle', () => {
    const CHANGE = { cacheSizeGB: 0.5, evictionTarget: 75 };

    /** @param {string} moment */
    async function killAt(moment) {
      const child = spawn(
        process.execPath,
        [
          require.resolve('../support/dying-apply'),
          server.uri,
          home.path,
          moment,
          JSON.stringify(CHANGE),
        ],
        { stdio: ['ignore', 'inherit', 'inherit'] },
      );
      const [, signal] = await once(child, 'exit');
      assert.equal(signal, 'SIGKILL');
    }

    for (const [
      moment,
      effective,
      said,
      sends,
      outcome,
    ] of /** @type {[string, [number, number], RegExp, number, string][]} */ ([
      [
        'asked-1',
        [0.25, 80],
        /0 of 2 calls are known to be answered; whether "cache_size=512M" arrived/,
        0,
        'unknown',
      ],
      [
        'answered-1',
        [0.5, 80],
        /0 of 2 calls are known to be answered; whether "cache_size=512M" arrived/,
        1,
        'undone',
      ],
      [
        'asked-2',
        [0.5, 80],
        /1 of 2 calls are known to be answered; whether "eviction_target=75" arrived/,
        1,
        'unknown',
      ],
      [
        'answered-2',
        [0.5, 75],
        /1 of 2 calls are known to be answered; whether "eviction_target=75" arrived/,
        2,
        'undone',
      ],
    ])) {
      it(`${moment}: a new shell says what is known, and brings back what was in effect`, async () => {
        const before = await settings();
        await killAt(moment);
        const seen = await config(context());
        assert.deepEqual(
          [seen.cacheSizeGB.value, seen.evictionTarget.value, seen.drift],
          [...effective, []],
        );
        const [entry] = await history(context());
        assert.deepEqual(
          [entry.outcome, entry.before],
          ['unknown', { cacheSizeGB: 0.25, evictionTarget: 80 }],
        );
        const shown = await undo(context());
        assert.match(shown.warnings[0], said);
        const back = await undo(context(), DO);
        assert.equal(back.commands.length, sends);
        assert.deepEqual(await settings(), before);
        // What has not arrived may still come.
        assert.equal((await history(context()))[0].outcome, outcome);
        assert.equal(/may still arrive/.test(back.warnings.join()), outcome === 'unknown');
      });
    }

    it('what others set after it is noticed', async () => {
      await killAt('answered-1');
      await setExternally(server, 'cache_size=700M');
      await assert.rejects(undo(context(), DO), { code: 'TUNE-30006' });
    });
  });

  it('after a restart there is nothing to undo, and it is said', async () => {
    const id = await applied({ evictionTarget: 75 });
    await server.restart();
    await assert.rejects(
      undo(context(), DO),
      (error) => error.code === 'TUNE-30007' && /was started after the change/.test(error.message),
    );
    await assert.rejects(undo(context(), id, DO), { code: 'TUNE-30007' });
    const [entry] = await history(context());
    assert.deepEqual([entry.outcome, entry.undo], ['ended-by-restart', null]);
    assert.equal((await config(context())).evictionTarget.value, 80);
  });
});
