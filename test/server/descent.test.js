'use strict';

const assert = require('node:assert/strict');
const { spawn } = require('node:child_process');
const { once } = require('node:events');
const { startServer } = require('../support/server');
const { contextOf } = require('../support/context');
const { temporaryFolder } = require('../support/cleanup');
const { startSteadyLoad } = require('../support/steady-load');
const {
  setExternally,
  askedStrings,
  cacheOf,
  lastString,
  onSlowDisk,
} = require('../support/engine');
const { run: apply } = require('../../lib/commands/apply');
const { run: undo } = require('../../lib/commands/undo');
const { run: config } = require('../../lib/commands/settings');
const { run: history } = require('../../lib/commands/history');

/**
 * @import { Server } from '../support/server'
 */

const DO = Object.freeze({ confirm: true });
const LONGEST_MS = 15_000;
/** A dozen steps with a breather after each. */
const MANY_STEPS_MS = 45_000;
const LONGEST_PAUSE_MS = 2000;
const MB = 2 ** 20;

describe('going down under a load that does not relent', function () {
  this.timeout(120_000);
  /** @type {Server} */ let server;
  /** @type {Awaited<ReturnType<typeof startSteadyLoad>>} */ let load;
  /** @type {{ path: string, remove(): void }} */ let home;
  const context = (more = {}) => contextOf(server.client, { home: home.path, ...more });
  before(async () => {
    server = await startServer();
    load = await startSteadyLoad(server.uri);
  });
  after(async () => {
    await load?.stop();
    await server?.stop();
  });
  beforeEach(() => {
    home = temporaryFolder('home');
  });
  afterEach(async () => {
    home.remove();
    await setExternally(
      server,
      'cache_size=256M,eviction_dirty_target=5,eviction_dirty_trigger=20,' +
        'eviction_updates_target=0,eviction_updates_trigger=0',
    );
  });

  /** @param {number} ratio of the cache, dirty */
  async function dirtyAbove(ratio) {
    for (const end = performance.now() + 60_000; ;) {
      const { dirtyRatio } = await cacheOf(server);
      if (dirtyRatio > ratio) return;
      assert.ok(performance.now() < end, `after 60 s only ${dirtyRatio} dirty`);
      await new Promise((go) => setTimeout(go, 100));
    }
  }

  /**
   * @template T
   * @param {() => Promise<T>} work
   * @param {number} [limitMs]
   * @returns {Promise<T>} within the time and the pauses that are promised
   */
  async function measured(work, limitMs = LONGEST_MS) {
    await load.forget();
    const started = performance.now();
    const answer = await work();
    const tookMs = performance.now() - started;
    const { longestMs, operations } = await load.pauses();
    process.stderr.write(
      `      ${(tookMs / 1000).toFixed(1)} s, longest pause of the load ` +
        `${Math.round(longestMs)} ms, ${operations} operations\n`,
    );
    assert.ok(operations > 0);
    assert.ok(tookMs < limitMs, `took ${tookMs} ms`);
    assert.ok(longestMs < LONGEST_PAUSE_MS, `the load paused for ${longestMs} ms`);
    return answer;
  }

  /**
   * @template {ReturnType<typeof context>} C
   * @param {C} ctx
   * @returns {C & { gapsMs: number[] }} `gapsMs`: between calls that change something
   */
  function timed(ctx) {
    let lastMs = NaN;
    /** @type {number[]} */ const gapsMs = [];
    const adminCommand = async (/** @type {any} */ command) => {
      if (!command.setParameter) return ctx.port.adminCommand(command);
      if (lastMs) gapsMs.push(performance.now() - lastMs);
      return ctx.port.adminCommand(command).finally(() => {
        lastMs = performance.now();
      });
    };
    return { ...ctx, gapsMs, port: { ...ctx.port, adminCommand } };
  }

  /** @param {string[]} sent of one knob */
  const values = (sent) => sent.map((text) => Number(/^\w+=(\d+)M?$/.exec(text)?.[1]));
  const falls = (/** @type {number[]} */ numbers) =>
    numbers.every((n, i) => i === 0 || n < numbers[i - 1]);

  /** A raised cache that is now more dirty than the old one may be. */
  async function raised(cacheSizeGB = 1) {
    await apply(context(), { cacheSizeGB }, DO);
    await dirtyAbove(0.1);
  }

  it('a raised cache goes back', async () => {
    await raised();
    assert.match(
      String(await undo(context())),
      /lowers the\s+setting\s+in\s+steps\s+that\s+the\s+disk\s+can\s+follow/,
    );
    const back = await measured(() => undo(context(), DO));
    assert.deepEqual([back.verified, (await cacheOf(server)).maxBytes], [true, 256 * MB]);
    assert.deepEqual(
      (await history(context())).map(({ outcome }) => outcome),
      ['undone', 'applied'],
    );
  });

  it('by many sizes where the level is held up all the way', async () => {
    await raised(0.5);
    const ctx = timed(context());
    const asked = (await askedStrings(server)).length;
    const back = await measured(() => undo(onSlowDisk(ctx), DO), MANY_STEPS_MS);
    const sent = (await askedStrings(server)).slice(asked);
    assert.deepEqual(sent, [...back.rampCommands, 'cache_size=256M']);
    assert.ok(back.rampCommands.length > 4 && falls([512, ...values(sent)]), sent.join());
    assert.ok(
      Math.min(...ctx.gapsMs) >= 300,
      `clients had only ${Math.min(...ctx.gapsMs)} ms between two steps`,
    );
    assert.match(String(back), /Intermediate steps?: cache_size=/);
    assert.match(
      ctx.progressed.join('\n'),
      /lowering in steps, now cache_size=\d+M: \S+ MiB dirty, to be under 48\.6 MiB .*Ctrl-C stops here/,
    );
    assert.deepEqual((await history(context())).at(-1)?.sent, sent);
    assert.deepEqual((await config(context())).drift, []);
  });

  it('a dirty trigger from 40 to 10%', async () => {
    await setExternally(
      server,
      'eviction_dirty_target=35,eviction_dirty_trigger=40,eviction_updates_target=35,eviction_updates_trigger=40',
    );
    await dirtyAbove(0.3);
    const done = await measured(() =>
      apply(context(), { evictionDirtyTarget: 5, evictionDirtyTrigger: 10 }, DO),
    );
    assert.deepEqual(done.after, { evictionDirtyTarget: 5, evictionDirtyTrigger: 10 });
    assert.equal(await lastString(server), 'eviction_dirty_target=5,eviction_dirty_trigger=10');
    assert.ok(falls([40, ...values(done.rampCommands), 10]), done.rampCommands.join());
    assert.equal((await undo(context(), DO)).verified, true);
    const seen = await config(context());
    assert.deepEqual(
      [seen.evictionDirtyTarget.value, seen.evictionDirtyTrigger.value, seen.drift],
      [35, 40, []],
    );
  });

  it('by many values where the level is held up all the way', async () => {
    await setExternally(
      server,
      'eviction_dirty_target=35,eviction_dirty_trigger=40,eviction_updates_target=35,eviction_updates_trigger=40',
    );
    const asked = (await askedStrings(server)).length;
    const ctx = timed(context());
    const done = await measured(
      () =>
        apply(
          onSlowDisk(ctx, { dirtyTrigger: 40, drainsInMs: 500 }),
          { evictionDirtyTarget: 5, evictionDirtyTrigger: 20 },
          DO,
        ),
      MANY_STEPS_MS,
    );
    const sent = (await askedStrings(server)).slice(asked);
    assert.deepEqual(sent, [
      'eviction_dirty_target=5',
      ...done.rampCommands,
      'eviction_dirty_target=5,eviction_dirty_trigger=20',
    ]);
    assert.ok(
      done.rampCommands.length > 4 && falls([40, ...values(done.rampCommands), 20]),
      sent.join(),
    );
    assert.ok(
      Math.min(...ctx.gapsMs) >= 800,
      `a step came ${Math.min(...ctx.gapsMs)} ms after one that takes 500 ms to drain`,
    );
    assert.deepEqual((await history(context()))[0].sent, sent);
  });

  it('a level that never comes down to its trigger does not hold it up for ever', async () => {
    await raised();
    const ctx = timed(context());
    const done = await measured(
      () => apply(onSlowDisk(ctx, { drainsInMs: Infinity }), { cacheSizeGB: 0.9 }, DO),
      MANY_STEPS_MS,
    );
    assert.equal(done.verified, true);
  });

  it('Ctrl-C on the way: what is in effect is said and known, and undo goes on', async () => {
    await raised();
    const stop = new AbortController();
    const ctx = context({ signal: stop.signal });
    ctx.progress = (/** @type {string | null} */ text) => {
      if (text?.startsWith('lowering in steps')) stop.abort();
    };
    await assert.rejects(
      undo(onSlowDisk(ctx), DO),
      (error) =>
        error.code === 'TUNE-30009' &&
        /Active of this change: \{ cacheSizeGB: 0\.\d+ \}\. tune\.undo\("\S+", \{ confirm: true \}\) undoes it/.test(
          error.message,
        ),
    );
    const { maxBytes } = await cacheOf(server);
    assert.ok(maxBytes > 256 * MB && maxBytes < 1024 * MB, `${maxBytes}`);
    const [change, back] = await history(context());
    assert.deepEqual(
      [change.outcome, back.outcome, back.sent.length],
      ['applied', 'interrupted', 1],
    );
    const seen = await config(context());
    assert.deepEqual([seen.cacheSizeGB.value, seen.drift], [maxBytes / 2 ** 30, []]);
    assert.equal((await undo(context(), DO)).verified, true);
    assert.equal((await cacheOf(server)).maxBytes, 256 * MB);
  });

  describe('the shell is killed on the way', () => {
    /** @param {string} moment @param {string} change */
    async function killAt(moment, change) {
      const child = spawn(
        process.execPath,
        [require.resolve('../support/dying-apply'), server.uri, home.path, moment, change],
        { stdio: ['ignore', 'inherit', 'inherit'] },
      );
      const [, signal] = await once(child, 'exit');
      assert.equal(signal, 'SIGKILL');
    }

    for (const moment of ['asked-2', 'answered-2']) {
      it(`${moment}, in an undo: a new shell returns to the state before`, async () => {
        await raised();
        await killAt(moment, 'undo');
        const { maxBytes } = await cacheOf(server);
        assert.ok(maxBytes > 256 * MB && maxBytes < 1024 * MB, `${maxBytes}`);
        const seen = await config(context());
        assert.deepEqual([seen.cacheSizeGB.value, seen.drift], [maxBytes / 2 ** 30, []]);
        const back = await undo(context(), DO);
        assert.deepEqual([back.verified, (await cacheOf(server)).maxBytes], [true, 256 * MB]);
        assert.equal((await history(context()))[0].outcome, 'undone');
      });

      it(`${moment}, in an apply: a new shell says what is known, and undoes it`, async () => {
        await setExternally(server, 'cache_size=1024M');
        await dirtyAbove(0.1);
        await killAt(moment, '{"cacheSizeGB":0.25}');
        const shown = await undo(context());
        assert.match(
          shown.warnings[0],
          /0 of 1 calls and 1 while lowering in steps are known to be answered; whether "cache_size=\d+M" arrived/,
        );
        // A call that was on its way may still arrive.
        assert.equal((await undo(context(), DO)).verified, moment !== 'asked-2');
        assert.equal((await cacheOf(server)).maxBytes, 1024 * MB);
        assert.deepEqual(
          (await history(context())).map(({ outcome }) => outcome),
          [moment === 'asked-2' ? 'unknown' : 'undone', 'applied'],
        );
      });
    }
  });
});
