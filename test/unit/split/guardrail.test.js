'use strict';

const assert = require('node:assert/strict');
const { AsyncLocalStorage } = require('node:async_hooks');
const { makeGuardrail } = require('../../../lib/split/guardrail');
const { workOf } = require('./kit');

/**
 * @import { Guardrail } from '../../../lib/split/guardrail'
 */

/** Timers that earlier tests left behind must not advance the clock of this one. */
const underTest = new AsyncLocalStorage();

/**
 * A server whose clients write so often, and whose writes take so long with a copy and without it.
 */
function of({
  writesPerSec = 1000,
  alone = () => 1,
  copying = alone,
  slowRatio = /** @type {((state: any) => number) | null} */ (null),
  dirty = () => 0,
  behindMs = () => 0,
  mode = 'online',
  renewals = () => 0,
} = {}) {
  const state = {
    copies: false,
    ms: 1e6,
    ops: 0,
    latency: 0,
    asked: 0,
    quick: 0,
    slow: 0,
    quiet: false,
  };
  const { now } = Date;
  const pass = (/** @type {number} */ ms) => {
    state.ms += ms;
    const ops = state.quiet ? 0 : Math.round((writesPerSec * ms) / 1000);
    state.ops += ops;
    state.latency += ops * 1000 * (state.copies ? copying() : alone());
    const slow = slowRatio === null ? 0 : Math.round(ops * slowRatio(state));
    state.slow += slow;
    state.quick += ops - slow;
  };
  const command = async (/** @type {string} */ _db, /** @type {any} */ { serverStatus }) => {
    if (serverStatus)
      return {
        host: 'h',
        pid: 1,
        opLatencies: {
          writes: {
            ops: state.ops,
            latency: state.latency,
            ...(slowRatio && {
              histogram: [
                { micros: 4096, count: state.quick },
                { micros: 49_152, count: state.slow },
              ],
            }),
          },
        },
        wiredTiger: {
          cache: {
            'tracked dirty bytes in the cache': 1000 * dirty(state),
            'maximum bytes configured': 1000,
          },
        },
      };
    state.asked += 1;
    const at = (/** @type {number} */ ms) => new Date(1e9 - ms);
    return {
      members: [
        { name: 'p', stateStr: 'PRIMARY', optimeDate: at(0) },
        { name: 's', stateStr: 'SECONDARY', optimeDate: at(behindMs(state)) },
        { name: 'a', stateStr: 'ARBITER' },
      ],
    };
  };
  const job = workOf({ command }, { lease: { renewals: () => renewals(state) } });
  job.split.mode = mode;
  const { setTimeout: real } = globalThis;
  return {
    job,
    state,
    pass,
    /**
     * Under a clock of its own: a rest takes no time.
     * @param {(guardrail: Guardrail, copy: (ms: number) =>
     *   Promise<string[]>) => Promise<void>} doIt
     */
    async run(doIt) {
      Date.now = () => state.ms;
      globalThis.setTimeout = /** @type {any} */ (
        (/** @type {() => void} */ then, /** @type {number} */ ms) =>
          underTest.getStore() !== job
            ? real(then, ms)
            : real(() => {
                pass(ms);
                then();
              }, 0)
      );
      try {
        await underTest.run(job, async () => {
          const guardrail = await makeGuardrail(job);
          await doIt(guardrail, async (ms) => {
            const why = /** @type {string[]} */ ([]);
            await guardrail.measure(async () => {
              state.copies = true;
              pass(ms);
              state.copies = false;
            });
            await guardrail.rest((one) => why.push(one));
            return why;
          });
        });
      } finally {
        Date.now = now;
        globalThis.setTimeout = real;
      }
    },
  };
}

/**
 * @param {(guardrail: Guardrail, copy: (ms: number) =>
 *   Promise<string[]>) => Promise<void>} doIt
 * @param {Parameters<typeof of>[0]} server
 */
const on = (server, doIt) => of(server).run(doIt);

describe('split: room for the clients', () => {
  it('nothing in the way: no rest', () =>
    on({}, async (guardrail, copy) =>
      assert.deepEqual([await copy(500), await copy(500), guardrail.throttledMs], [[], [], 0]),
    ));
  it(
    'writes that take twice what they took, at most: no rest; more: a rest of one, two, three ' +
      'times the step, no longer',
    () =>
      on({ alone: () => 6, copying: () => 12 }, async (_, copy) =>
        assert.deepEqual(await copy(500), []),
      ).then(() =>
        on({ alone: () => 6, copying: () => 12.1 }, async (guardrail, copy) => {
          const held = [];
          for (let i = 0; i < 5; i += 1) {
            const before = guardrail.throttledMs;
            assert.deepEqual(await copy(500), ['writes take 12.1 ms (6.0 without it)']);
            held.push(guardrail.throttledMs - before);
          }
          assert.deepEqual(held, [500, 1000, 1500, 1500, 1500]);
        }),
      ),
  );
  it('quick writes may become a little less quick', () =>
    on({ alone: () => 0.5, copying: () => 10 }, async (_, copy) =>
      assert.deepEqual(await copy(500), []),
    ).then(() =>
      on({ alone: () => 0.5, copying: () => 10.1 }, async (_, copy) =>
        assert.deepEqual(await copy(500), ['writes take 10.1 ms (0.5 without it)']),
      ),
    ));
  it(
    'writers that have become as slow for another reason hold it up once: the rest shows that ' +
      'it is not the copy',
    () => {
      let ms = 6;
      return on({ alone: () => ms }, async (_, copy) => {
        ms = 30;
        assert.deepEqual(
          [await copy(500), await copy(500)],
          [['writes take 30.0 ms (6.0 without it)'], []],
        );
      });
    },
  );
  it('few writes say nothing until they are enough', () =>
    on({ writesPerSec: 10, alone: () => 1, copying: () => 50 }, async (_, copy) => {
      assert.deepEqual(
        [await copy(1000), await copy(500), await copy(500)],
        [[], [], ['writes take 50.0 ms']],
      );
    }));
  it('a sample that a write of our own falls into counts for nothing', () =>
    on({ alone: () => 1, copying: () => 50, renewals: ({ ms }) => ms }, async (_, copy) =>
      assert.deepEqual(await copy(500), []),
    ));
  describe('the slowest writes, where the mean says nothing', () => {
    const whys = (/** @type {any} */ server, /** @type {number[]} */ steps) => {
      const seen = /** @type {string[][]} */ ([]);
      return on(server, async (_, copy) => {
        for (const ms of steps) seen.push(await copy(ms));
      }).then(() => seen);
    };
    it(
      'one in a hundred may take twice what it took; what they told holds until as many have ' +
        'told anew',
      async () => {
        const say = ['one write in a hundred takes 57.3 ms (6.1 without it)'];
        assert.deepEqual(
          await whys({ slowRatio: ({ copies }) => (copies ? 0.02 : 0) }, [100, 100, 100, 100, 100]),
          [[], [], say, say, say],
        );
        assert.deepEqual(
          await whys({ slowRatio: ({ copies }) => (copies ? 0.01 : 0) }, [300, 300]),
          [[], []],
        );
        let ratio = 0.02;
        assert.deepEqual(
          await whys(
            {
              slowRatio: ({ copies }) => {
                const now = copies ? ratio : 0;
                if (copies) ratio = 0;
                return now;
              },
            },
            [300, 300],
          ),
          [say, []],
        );
      },
    );
    it('nothing where they were as slow without it, and where too few were seen without it', async () => {
      assert.deepEqual(await whys({ slowRatio: () => 0.02 }, [300, 300]), [[], []]);
      assert.deepEqual(
        await whys({ writesPerSec: 50, slowRatio: ({ copies }) => (copies ? 0.5 : 0) }, [6000]),
        [[]],
      );
    });
    it('what they told is forgotten where nobody writes any more', async () => {
      const server = of({ slowRatio: ({ copies }) => (copies ? 0.02 : 0) });
      await server.run(async (_, copy) => {
        assert.equal((await copy(300)).length, 1);
        server.state.quiet = true;
        assert.equal((await copy(300)).length, 1);
        server.pass(30_000);
        assert.deepEqual(await copy(100), []);
      });
    });
  });
  it('a tenth of the cache may be dirty, or a quarter more than before, but not up to the trigger', async () => {
    for (const [before, with_, held] of /** @type {[number, number, boolean][]} */ ([
      [0, 0.1, false],
      [0, 0.101, true],
      [0.12, 0.15, false],
      [0.12, 0.151, true],
      [0.19, 0.18, false],
      [0.19, 0.181, true],
    ])) {
      let is = before;
      await on({ dirty: () => is }, async (_, copy) => {
        is = with_;
        const why = await copy(500);
        assert.equal(why.length, Number(held), `${before} ${with_}`);
        if (held) assert.match(why[0], /^1\d% of the cache is dirty \(\d+% before\)$/);
      });
    }
  });
  it('a rest for a dirty cache ends as soon as there is room', () => {
    let copied = false;
    const server = of({
      dirty: ({ ms, copies }) => {
        copied ||= copies;
        return copied && ms < 1e6 + 1600 ? 0.15 : 0.05;
      },
    });
    return server.run(async (guardrail, copy) => {
      copied = true;
      assert.equal((await copy(1000)).length, 1);
      assert.ok(guardrail.throttledMs < 1000, String(guardrail.throttledMs));
    });
  });
  it('a member that falls behind; not one that always was; offline there are none', async () => {
    let late = 0;
    await on({ behindMs: () => late }, async (_, copy) => {
      late = 5000;
      assert.deepEqual(await copy(1000), []);
      late = 5001;
      assert.deepEqual(await copy(1000), ['replication lag of s is 5 s']);
    });
    await on({ behindMs: () => 3_600_000 }, async (_, copy) =>
      assert.deepEqual(await copy(1000), []),
    );
    const offline = of({ behindMs: () => late, mode: 'offline' });
    await offline.run(async (_, copy) => assert.deepEqual(await copy(1000), []));
    assert.equal(offline.state.asked, 0);
  });
  it('after another server took over nothing is computed across', () => {
    const server = of({ alone: () => 1, copying: () => 1 });
    return server.run(async (guardrail) => {
      await guardrail.measure(async () => {
        server.pass(500);
        server.state.ops = 0;
        server.state.latency = 0;
      });
      await guardrail.rest(() => assert.fail('nothing is known'));
    });
  });
});
