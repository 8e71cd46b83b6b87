'use strict';

const assert = require('node:assert/strict');
const { SAMPLE_STATUS, END_STATUS: ENDS } = require('../../../lib/server/pure/commands');
const {
  collectSamples,
  diagnosticsReader,
  withDiagnostics,
  PATIENCE_MS,
  takeSample,
} = require('../../../lib/server/sampler');
const { COUNTERS } = require('../../../lib/server/pure/counters');

/** @type {Record<string, number>} */
const END_STATUS = ENDS;

const sections = [
  ...new Set(
    Object.values(COUNTERS).flatMap(({ spellings }) => spellings.map(({ path }) => path[0])),
  ),
];

describe('server/sampler', () => {
  it('asks for every section that a metric needs: each time, or once a sample', () => {
    assert.deepEqual(
      sections.filter((name) => Object.hasOwn(END_STATUS, name) && !END_STATUS[name]),
      [],
    );
    // mem comes only with metrics; the last sample has them as well.
    assert.deepEqual(sections.filter((name) => name in SAMPLE_STATUS || name === 'mem').sort(), [
      'indexBulkBuilder',
      'mem',
      'metrics',
      'mirroredReads',
      'repl',
      'shardingStatistics',
      'spillWiredTiger',
      'storageEngine',
      'tcmalloc',
      'transactions',
    ]);
  });

  const context = (
    /** @type {(n: number) => any} */ answer,
    signal = new AbortController().signal,
  ) => {
    let asked = 0;
    const adminCommand = async (/** @type {any} */ spec) => (spec.aggregate ? {} : answer(asked++));
    return /** @type {any} */ ({ signal, port: { adminCommand } });
  };

  it('takes the first and the last look at the ends of the time', async () => {
    const { samples, ended } = await collectSamples(
      context((n) => ({ uptimeMillis: n })),
      { seconds: 0.3, every: 0.1 },
    );
    assert.equal(samples.length, 4);
    assert.equal(ended, 'complete');
  });
  it('asks for what hardly changes at both ends of the time', async () => {
    /** @type {boolean[]} */ const whole = [];
    const ctx = /** @type {any} */ ({
      signal: new AbortController().signal,
      port: {
        adminCommand: async (/** @type {any} */ spec) => {
          if (spec.serverStatus) whole.push(!('metrics' in spec));
          return {};
        },
      },
    });
    await collectSamples(ctx, { seconds: 0.3, every: 0.1 });
    assert.deepEqual(whole, [true, false, false, true]);
  });
  it('tasks of the server that run are asked for at both ends', async () => {
    /** @type {any} */ const ctx = {
      signal: new AbortController().signal,
      port: {
        adminCommand: async (/** @type {any} */ spec) =>
          spec.aggregate
            ? {
                cursor: {
                  firstBatch: [
                    { desc: 'IndexBuildsCoordinatorMongod-0', opid: 7, numYields: 1 },
                    { desc: 'TTLMonitor', opid: 8, numYields: 2 },
                  ],
                },
              }
            : {},
      },
    };
    const { samples } = await collectSamples(ctx, { seconds: 0.3, every: 0.1 });
    assert.deepEqual(
      samples.map(({ counters }) => [counters['indexBuilds.running'], counters['ttl.passYields']]),
      [
        [1, 2],
        [undefined, undefined],
        [undefined, undefined],
        [1, 2],
      ],
    );
  });
  it('an error at the first sample is an error; a later one ends the look', async () => {
    await assert.rejects(
      collectSamples(
        context(() => {
          throw new Error('no');
        }),
        { seconds: 1, every: 1 },
      ),
      /no/,
    );
    const { samples, ended, error } = await collectSamples(
      context((n) => {
        if (n === 2) throw new Error('gone');
        return {};
      }),
      { seconds: 1, every: 0.05 },
    );
    assert.deepEqual([samples.length, ended, error?.message], [2, 'lost', 'gone']);
  });
  it('an interrupt before the first sample is an error with its code', async () => {
    const stop = new AbortController();
    stop.abort();
    await assert.rejects(
      collectSamples(
        context(() => ({}), stop.signal),
        { seconds: 1, every: 1 },
      ),
      { code: 'TUNE-30009' },
    );
  });
});

/**
 * @param {(n: number) => any} answer of getDiagnosticData
 * @returns {any} a port whose status is of the moment `n` seconds
 */
const portOf = (answer) => {
  const asked = { diagnostics: 0, status: 0 };
  return {
    asked,
    adminCommand: async (/** @type {any} */ command) => {
      if (command.getDiagnosticData) return answer(asked.diagnostics++);
      if (command.aggregate) throw Object.assign(new Error('not authorized'), { code: 13 });
      return { localTime: new Date(asked.status++ * 1000), uptimeMillis: asked.status * 1000 };
    },
  };
};
const refusal = (/** @type {number} */ code) => () => {
  throw Object.assign(new Error('not authorized'), { code });
};
const reported = (/** @type {number} */ atMs, /** @type {number} */ busy) => ({
  data: {
    start: new Date(atMs),
    systemMetrics: { start: new Date(atMs), disks: { sda: { io_time_ms: busy } } },
  },
});

describe('server/sampler: diagnostic data', () => {
  it('takes the section of the machine', async () =>
    assert.deepEqual(
      await diagnosticsReader(
        portOf(() => ({ data: { systemMetrics: { cpu: 1 }, serverStatus: {} }, ok: 1 })),
      )(),
      { systemMetrics: { cpu: 1 } },
    ));
  it('finds it by role on a sharded server of 8.0', async () =>
    assert.deepEqual(
      await diagnosticsReader(
        portOf(() => ({
          data: { shard: { serverStatus: {} }, common: { systemMetrics: { cpu: 2 } } },
        })),
      )(),
      { systemMetrics: { cpu: 2 } },
    ));
  it('is nothing before the first sample, or where there is none', async () => {
    for (const answer of [{}, { data: {} }, { data: null }, { ok: 1 }])
      assert.deepEqual(await diagnosticsReader(portOf(() => answer))(), {});
  });
  for (const [title, code] of /** @type {[string, number][]} */ ([
    ['not authorized', 13],
    ['not known: mongos', 59],
    ['not allowed on Atlas', 8000],
  ])) {
    it(`${title}: goes on without, and does not ask again`, async () => {
      const port = portOf(refusal(code));
      const readDiagnostics = diagnosticsReader(port);
      assert.deepEqual(
        [await readDiagnostics(), await readDiagnostics(), port.asked.diagnostics],
        [{}, {}, 1],
      );
    });
  }
});

describe('server/sampler: diagnostic data: beside a status', () => {
  const status = Promise.resolve({ ok: 1 });
  it('an answer that comes soon belongs to it', async () => {
    const readDiagnostics = async () => {
      await new Promise((go) => setTimeout(go, PATIENCE_MS / 4));
      return { systemMetrics: 1 };
    };
    assert.deepEqual(await withDiagnostics(status, readDiagnostics), { ok: 1, systemMetrics: 1 });
  });
  it('a late one does not hold it up, and is not asked for twice', async () => {
    /** @type {(answer: any) => void} */ let answer = () => {};
    const port = portOf(
      () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    );
    const readDiagnostics = diagnosticsReader(port);
    const started = performance.now();
    assert.deepEqual(
      [
        await withDiagnostics(status, readDiagnostics),
        await withDiagnostics(status, readDiagnostics),
        port.asked.diagnostics,
      ],
      [{ ok: 1 }, { ok: 1 }, 1],
    );
    assert.ok(performance.now() - started < 10 * PATIENCE_MS);
    answer({ data: { systemMetrics: 7 } });
    assert.deepEqual(await readDiagnostics(), { systemMetrics: 7 });
    const next = readDiagnostics();
    answer({ data: { systemMetrics: 8 } });
    assert.deepEqual([await next, port.asked.diagnostics], [{ systemMetrics: 8 }, 2]);
  });
  it('a status that fails fails', () =>
    assert.rejects(
      withDiagnostics(Promise.reject(new Error('gone')), async () => ({})),
      /gone/,
    ));
});

describe('server/sampler: the machine', () => {
  const signal = new AbortController().signal;
  /** @param {any} port @param {any} [options] */
  const samples = async (port, options = { withDiagnosticData: true }) =>
    (
      await collectSamples(/** @type {any} */ ({ signal, port }), {
        seconds: 0.09,
        every: 0.03,
        ...options,
      })
    ).samples.map(({ counters }) => counters);

  it('comes with every sample when it is asked for', async () => {
    const port = portOf((n) => reported(n * 1000 - 300, n * 10));
    assert.deepEqual(
      await samples(port),
      [0, 1, 2, 3].map((n) => ({ 'diagnostics.atMs': n * 1000 - 300, 'disk.busyMs@sda': n * 10 })),
    );
  });
  it('is waited for with what was read of the status, not with the status', async () => {
    const status = { localTime: new Date(1000), uptimeMillis: 1000 };
    /** @type {(answer: any) => void} */ let answer = () => {};
    const asking = takeSample(
      /** @type {any} */ ({ adminCommand: async () => status }),
      SAMPLE_STATUS,
      () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    );
    await new Promise(setImmediate);
    status.localTime = new Date(2000);
    answer({});
    assert.equal((await asking).atMs, 1000);
  });
  it('and not otherwise', async () => {
    const port = portOf((n) => reported(n * 1000, 0));
    assert.deepEqual([await samples(port, {}), port.asked.diagnostics], [[{}, {}, {}, {}], 0]);
  });
  it('refused: the samples are those without it', async () => {
    const port = portOf(refusal(13));
    assert.deepEqual([await samples(port), port.asked.diagnostics], [[{}, {}, {}, {}], 1]);
  });
  it('switched off long ago: what it still tells is not taken for now', async () => {
    assert.deepEqual(await samples(portOf(() => reported(-60_000, 7))), [{}, {}, {}, {}]);
  });
  it('switched off a moment ago: the same look again and again, until it is too old', async () => {
    const seen = await samples(portOf(() => reported(-4000, 7)));
    assert.deepEqual(
      seen.map((counters) => counters['diagnostics.atMs']),
      [-4000, -4000, undefined, undefined],
    );
  });
});
