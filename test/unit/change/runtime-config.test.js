'use strict';

const assert = require('node:assert/strict');
const { sendCall, isSendable } = require('../../../lib/change/send-call');
const { waitForLevel } = require('../../../lib/change/ramp-down');

const GB = 2 ** 30;
const REFUSED = () =>
  Object.assign(
    new Error('WiredTiger reconfiguration failed with error code (22): Invalid argument'),
    { name: 'MongoServerError', code: 2 },
  );

/**
 * A server that answers each setParameter in turn, and shows a cache size after each.
 * @param {((string | Error))[]} answers @param {number[]} sizes in GB: before, and after each sample
 * @param {{ last?: string | null, reason?: string | null }} [more]
 */
function server(answers, sizes, { last = 'eviction_target=70', reason = 'too big' } = {}) {
  /** @type {string[]} */ const asked = [];
  let samples = 0;
  return {
    asked,
    port: /** @type {any} */ ({
      adminCommand: async (/** @type {any} */ { wiredTigerEngineRuntimeConfig: config }) => {
        asked.push(config);
        const answer = answers[asked.length - 1];
        if (answer instanceof Error) throw answer;
        return { was: answer, ok: 1 };
      },
    }),
    readback: {
      sample: async () => ({
        'cache.maxBytes': sizes[Math.min(samples++, sizes.length - 1)] * GB,
        'eviction.threadsActive': 4,
      }),
      lastString: async () => last,
      reason: async () => reason,
    },
  };
}
const CALL = {
  change: { cacheSizeGB: 2 },
  config: 'cache_size=2048M',
  restore: 'cache_size=1024M',
};

describe('change/send-call', () => {
  it('answers what was before, and whether it reads back', async () => {
    const good = server(['cache_size=1G'], [1, 2]);
    assert.deepEqual(await sendCall(good.port, CALL, good.readback), {
      was: 'cache_size=1G',
      mismatch: null,
    });
    const bad = server([/** @type {any} */ (undefined)], [1, 1]);
    assert.deepEqual(await sendCall(bad.port, CALL, bad.readback), {
      was: null,
      mismatch: `the cache is ${GB} bytes, not 2 GB`,
    });
  });
  for (const [change, mismatch] of /** @type {[object, string | null][]} */ ([
    [{ evictionThreadsMin: 4, evictionThreadsMax: 4 }, null],
    [{ evictionThreadsMax: 3 }, '4 eviction threads are active, not 0 to 3'],
    [{ evictionThreadsMin: 5 }, '4 eviction threads are active, not 5 to Infinity'],
    [{ evictionThreadsMin: 2, evictionThreadsMax: 8 }, null],
    [{ evictionTarget: 70 }, null],
  ])) {
    it(`reads back ${JSON.stringify(change)}`, async () => {
      const { port, readback } = server([''], [1]);
      assert.equal((await sendCall(port, { ...CALL, change }, readback)).mismatch, mismatch);
    });
  }

  it('a fraction is never sent', async () => {
    for (const config of ['eviction_updates_target=2.5', 'eviction=(threads_max=4.5)']) {
      const { port, readback, asked } = server([''], [1]);
      await assert.rejects(sendCall(port, { ...CALL, config }, readback), { code: 'TUNE-90001' });
      assert.deepEqual(asked, []);
    }
  });

  it('refused whole: the last good string is sent again, the reason is told', async () => {
    const { port, readback, asked } = server([REFUSED(), ''], [1, 1, 1]);
    await assert.rejects(
      sendCall(port, CALL, readback),
      (error) =>
        error.code === 'TUNE-20008' &&
        error.halfApplied === false &&
        /rejected "cache_size=2048M": too big\./.test(error.message) &&
        !/part of it/.test(error.message),
    );
    assert.deepEqual(asked, ['cache_size=2048M', 'eviction_target=70']);
  });
  it('refused half: it is put back', async () => {
    const { port, readback } = server([REFUSED(), ''], [1, 2, 1], { reason: null });
    await assert.rejects(
      sendCall(port, CALL, readback),
      (error) =>
        error.code === 'TUNE-20008' &&
        error.halfApplied &&
        error.restored &&
        /its log does not report why\. It had applied a part of it; the values before were restored/.test(
          error.message,
        ),
    );
  });
  it('without a last string the group goes back as it was', async () => {
    const { port, readback, asked } = server([REFUSED(), ''], [1, 2, 1], { last: null });
    await assert.rejects(sendCall(port, CALL, readback), { code: 'TUNE-20008' });
    assert.deepEqual(asked, ['cache_size=2048M', 'cache_size=1024M']);
  });
  it('what cannot be put back is said so', async () => {
    const refusedAgain = server([REFUSED(), REFUSED()], [1, 2, 2]);
    await assert.rejects(
      sendCall(refusedAgain.port, CALL, refusedAgain.readback),
      (error) => error.code === 'TUNE-30005' && error.restored === false,
    );
    const noEffect = server([REFUSED(), ''], [1, 2, 2]);
    await assert.rejects(
      sendCall(noEffect.port, CALL, noEffect.readback),
      (error) =>
        error.code === 'TUNE-30005' && /restoring the values before failed/.test(error.message),
    );
  });
  it('a missing privilege is no reason to send anything more', async () => {
    const { port, readback, asked } = server(
      [Object.assign(new Error('not authorized'), { name: 'MongoServerError', code: 13 })],
      [1],
    );
    await assert.rejects(sendCall(port, CALL, readback), { code: 'TUNE-20005' });
    assert.deepEqual(asked, ['cache_size=2048M']);
  });

  it('only settings may be sent', () => {
    assert.deepEqual(
      ['cache_size=1G', 'eviction=(threads_max=8)', 'eviction_dirty_target=5', ''].map(isSendable),
      [true, true, true, true],
    );
    assert.deepEqual(
      [
        'checkpoint=(wait=5)',
        'cache_size=1G,statistics=(all)',
        'debug_mode=(eviction=true)',
        'foo=1',
      ].map(isSendable),
      [false, false, false, false],
    );
  });
});

describe('change/ramp-down: waiting for a level', () => {
  /** @param {AbortSignal} [signal] @returns {any} */
  const context = (signal = new AbortController().signal) => {
    /** @type {any[]} */ const said = [];
    return { signal, said, progress: (/** @type {any} */ text) => said.push(text) };
  };
  /** @param {number[]} levels */
  const falling = (levels) => {
    let i = 0;
    return async () => /** @type {any} */ ({ level: levels[Math.min(i++, levels.length - 1)] });
  };
  const goal = {
    advance: (/** @type {any} */ m) => m.level < 10,
    doing: () => 'waiting',
    say: (/** @type {any} */ m) => `${m.level} MiB dirty`,
  };

  it('goes on at once under the level', async () => {
    const ctx = context();
    await waitForLevel(ctx, goal, falling([9]));
    assert.deepEqual(ctx.said, [null]);
  });
  it('shows how it falls', async () => {
    const ctx = context();
    await waitForLevel(ctx, goal, falling([30, 9]));
    assert.match(ctx.said[0], /^waiting: 30 MiB dirty \(0 s; Ctrl-C stops here\)/);
    assert.equal(ctx.said.at(-1), null);
  });
  it('may do something to reach it', async () => {
    /** @type {number[]} */ const waited = [];
    await waitForLevel(
      context(),
      {
        ...goal,
        advance: async (m, waitedMs) => {
          waited.push(waitedMs);
          return m.level < 10;
        },
      },
      falling([30, 9]),
    );
    assert.ok(waited.length === 2 && waited[0] < 100 && waited[1] >= 99, waited.join());
  });
  it('gives up in time', async () => {
    const ctx = context();
    await assert.rejects(
      waitForLevel(ctx, goal, falling([30]), 0),
      (error) => error.code === 'TUNE-30003' && /there are still 30 MiB dirty/.test(error.message),
    );
    assert.equal(ctx.said.at(-1), null);
  });
  it('stops at once', async () => {
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 20);
    const started = performance.now();
    await assert.rejects(waitForLevel(context(stop.signal), goal, falling([30])), {
      code: 'TUNE-30009',
    });
    assert.ok(performance.now() - started < 10_000, 'it waits for minutes otherwise');
  });
});
