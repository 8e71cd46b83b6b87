'use strict';

/** A clock, of the shell's computer or of the server's, is corrected while a call is under way. */
const assert = require('node:assert/strict');
const { MongoNetworkError } = require('mongodb');
const { useServer } = require('../../support/one-server');
const { aroundCommand } = require('../../support/around-command');
const { beforeCall } = require('../../support/beside');
const { floodLog, setExternally } = require('../../support/engine');
const { run: apply } = require('../../../lib/commands/apply');
const { run: undo } = require('../../../lib/commands/undo');

const DO = Object.freeze({ confirm: true });
const { now } = Date;

describe("the clock of the shell's computer is corrected at a call", function () {
  this.timeout(60_000);
  const { context } = useServer({ config: 'eviction_target=80' });
  afterEach(() => {
    Date.now = now;
  });

  for (const byMs of [-3_600_000, -20, 20, 3_600_000])
    for (const isAfter of [false, true])
      it(`by ${byMs} ms, ${isAfter ? 'after' : 'before'} it: the call is not taken for that of somebody else`, async () => {
        const correct = () => {
          Date.now = () => now() + byMs;
        };
        const isCall = (/** @type {any} */ command) => Boolean(command.setParameter);
        const ctx = beforeCall(
          context(),
          isCall,
          async () => (isAfter ? undefined : correct()),
          () => (isAfter ? correct() : undefined),
        );
        const { id } = await apply(ctx, { evictionTarget: 75 }, DO);
        const back = await undo(context(), DO);
        assert.deepEqual([back.undoes, back.verified], [id, true]);
      });
});

/** What a server whose clock is corrected reports of its time. */
class CorrectedClock {
  /** When, by the right clock; nothing is wrong from then on. */
  correctedAtMs = Infinity;

  /** @param {number} byMs by which it is corrected */
  constructor(byMs) {
    this.byMs = byMs;
  }

  /** @param {number} atMs by the right clock */
  shown(atMs) {
    return atMs < this.correctedAtMs ? atMs - this.byMs : atMs;
  }

  /** @param {any} answer */
  seen(answer) {
    const { localTime, log } = answer;
    if (localTime) return { ...answer, localTime: new Date(this.shown(localTime.getTime())) };
    if (!Array.isArray(log)) return answer;
    const line = (/** @type {string} */ text) => {
      const { t, ...rest } = JSON.parse(text);
      const atMs = this.shown(Date.parse(t.$date));
      return JSON.stringify({ t: { $date: new Date(atMs).toISOString() }, ...rest });
    };
    return { ...answer, log: log.map(line) };
  }

  /** @template {import('../../../lib/base/types').Context} C @param {C} ctx @returns {C} */
  on(ctx) {
    const adminCommand = async (/** @type {any} */ command) =>
      this.seen(await ctx.port.adminCommand(command));
    return { ...ctx, port: { ...ctx.port, adminCommand } };
  }
}

describe("the server's clock is corrected while a call waits", function () {
  this.timeout(60_000);
  const place = useServer({ config: 'eviction_target=80,eviction=(threads_max=8)' });
  const isCall = (/** @type {any} */ command) => Boolean(command.setParameter);

  for (const [i, byMs] of [-3_600_000, -5000, 5000, 3_600_000].entries()) {
    // Its string is in the log once.
    const target = 74 + i;
    const applied = async (/** @type {any} */ change) => {
      const clock = new CorrectedClock(byMs);
      const ctx = beforeCall(clock.on(place.context()), isCall, async () => {
        clock.correctedAtMs = Date.now();
      });
      const { id } = await apply(ctx, change, DO);
      return { id, ctx: clock.on(place.context()) };
    };

    it(`by ${byMs} ms: the call is not taken for that of another session`, async () => {
      const { id, ctx } = await applied({ evictionTarget: target, evictionThreadsMax: 6 });
      const back = await undo(ctx, DO);
      assert.deepEqual([back.undoes, back.verified], [id, true]);
    });

    it(`by ${byMs} ms: what another session sets after it is not overwritten`, async () => {
      const { ctx } = await applied({ evictionTarget: target - 6 });
      await setExternally(place.server, 'eviction_target=78');
      await assert.rejects(undo(ctx, DO), { code: 'TUNE-30006', message: /_target=78/ });
    });
  }
});

describe("the server's clock is set back while a call waits whose answer is lost", function () {
  this.timeout(60_000);
  const place = useServer({ config: 'eviction_target=80' });
  const BY_MS = -3_600_000;
  const isCall = (/** @type {any} */ command) => Boolean(command.setParameter);
  /** @param {boolean} isForGood whether the connection does not come back */
  const lost = async (isForGood) => {
    const clock = new CorrectedClock(BY_MS);
    let isGone = false;
    const lose = () => {
      throw new MongoNetworkError('connection closed');
    };
    const inner = beforeCall(
      clock.on(place.context()),
      isCall,
      async () => {
        clock.correctedAtMs = Date.now();
      },
      () => {
        isGone = isForGood;
        lose();
      },
    );
    const adminCommand = async (/** @type {any} */ command) =>
      isGone ? lose() : inner.port.adminCommand(command);
    const ctx = { ...inner, port: { ...inner.port, adminCommand } };
    await assert.rejects(apply(ctx, { evictionTarget: 75 }, DO), { code: 'TUNE-20006' });
    return clock.on(place.context());
  };

  it('it is not taken for that of another session', async () => {
    const ctx = await lost(false);
    const back = await undo(ctx, DO);
    assert.deepEqual(back.change, { evictionTarget: 80 });
  });

  it('what another session sets after it is not overwritten', async () => {
    const ctx = await lost(false);
    await setExternally(place.server, 'eviction_target=78');
    await assert.rejects(undo(ctx, DO), { code: 'TUNE-30006', message: /_target=78/ });
  });

  it('nor where the connection was lost for good', async () => {
    const ctx = await lost(true);
    await setExternally(place.server, 'eviction_target=78');
    await assert.rejects(undo(ctx, DO), { code: 'TUNE-30006', message: /clock was set back/ });
    const back = await undo(ctx, { confirm: true, force: true });
    assert.deepEqual(back.change, { evictionTarget: 80 });
  });
});

describe("the server's clock is set back between two calls, and its log has run over", function () {
  this.timeout(60_000);
  const place = useServer({ config: 'eviction_target=80,eviction=(threads_max=4)' });

  it('what another session sets then, below a second string, is not overwritten', async () => {
    const clock = new CorrectedClock(-3_600_000);
    let isSent = false;
    const isCheck = (/** @type {any} */ { setParameter, getParameter }) => {
      isSent ||= Boolean(setParameter);
      return isSent && Boolean(getParameter);
    };
    const ctx = aroundCommand(clock.on(place.context()), isCheck, {
      before: async () => {
        clock.correctedAtMs = Date.now() + 1;
        await setExternally(place.server, 'eviction=(threads_max=9)');
        await floodLog(place.server);
        await setExternally(place.server, 'eviction_checkpoint_target=5');
      },
    });
    const change = { evictionTarget: 75, evictionThreadsMax: 6 };
    await assert.rejects(apply(ctx, change, DO), {
      code: 'TUNE-30006',
      message: /log does not cover all external changes/,
    });
  });
});

describe("the server's clock is set back after a change, and its log has run over", function () {
  this.timeout(60_000);
  const place = useServer({ config: 'eviction_target=80' });

  it('what another session sets then, below a second string, is not overwritten', async () => {
    const clock = new CorrectedClock(-3_600_000);
    const ctx = clock.on(place.context());
    await apply(ctx, { evictionThreadsMax: 5 }, DO);
    await floodLog(place.server);
    await apply(ctx, { evictionTarget: 75 }, DO);
    clock.correctedAtMs = Date.now() + 1;
    await new Promise((resolve) => {
      setTimeout(resolve, 10);
    });
    await setExternally(place.server, 'eviction_target=78');
    await setExternally(place.server, 'eviction=(threads_max=8)');
    await assert.rejects(undo(ctx, DO), { code: 'TUNE-30006', message: /_target=78/ });
  });
});

describe("the server's clock is set back between two changes, and its log has run over", function () {
  this.timeout(60_000);
  const place = useServer({ config: 'eviction_target=80' });

  it('both are undone, the later one first', async () => {
    const clock = new CorrectedClock(-3_600_000);
    const ctx = clock.on(place.context());
    const first = await apply(ctx, { evictionTarget: 75 }, DO);
    clock.correctedAtMs = Date.now() + 1;
    await new Promise((resolve) => {
      setTimeout(resolve, 10);
    });
    const second = await apply(ctx, { evictionTarget: 78 }, DO);
    await floodLog(place.server);
    for (const [{ id }, target] of [
      [second, 75],
      [first, 80],
    ]) {
      const back = await undo(ctx, DO);
      assert.deepEqual(
        [back.undoes, back.verified, back.after],
        [id, true, { evictionTarget: target }],
      );
    }
  });
});

for (const [what, theirs] of /** @type {[string, string | null][]} */ ([
  ['both are undone, the later one first', null],
  ['what another session sets between them is not overwritten', 'eviction_target=77'],
]))
  describe("the server's clock is set back between two changes that its log has, and little before them", function () {
    this.timeout(60_000);
    const place = useServer();

    it(what, async () => {
      const clock = new CorrectedClock(-3_600_000);
      const ctx = clock.on(place.context());
      await floodLog(place.server);
      const first = await apply(ctx, { evictionTarget: 75 }, DO);
      clock.correctedAtMs = Date.now() + 1;
      await new Promise((resolve) => {
        setTimeout(resolve, 10);
      });
      if (theirs !== null) await setExternally(place.server, theirs);
      const second = await apply(ctx, { evictionTarget: 78 }, DO);
      const back = await undo(ctx, DO);
      assert.deepEqual([back.undoes, back.verified], [second.id, true]);
      if (theirs === null) {
        const last = await undo(ctx, DO);
        assert.deepEqual(
          [last.undoes, last.verified, last.after],
          [first.id, true, { evictionTarget: 80 }],
        );
      } else
        await assert.rejects(undo(ctx, DO), (/** @type {any} */ { code, seen }) => {
          assert.deepEqual([code, seen], ['TUNE-30006', [`another session set "${theirs}"`]]);
          return true;
        });
    });
  });
