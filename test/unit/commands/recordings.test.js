'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { chunk, chunkOf, chunkOfSamples, docOf, metadata } = require('../../support/ftdc');
const { statuses } = require('../../support/statuses');
const { run: ftdc } = require('../../../lib/commands/ftdc');
const { run: replay } = require('../../../lib/commands/replay');

const T0 = Date.UTC(2026, 0, 1);
/**
 * @param {{ signal?: AbortSignal }} [options]
 * @returns {any} a context without a server: a recording needs none
 */
const context = ({ signal = new AbortController().signal } = {}) => ({
  signal,
  progress: () => {},
});

const thirsty = { readMicros: 7e6, busyMicros: 8e6, used: 81 };
const HOST = {
  hostInfo: { system: { memSizeMB: 16_384, memLimitMB: 16_384, numCores: 8 } },
  getCmdLineOpts: { parsed: { storage: { dbPath: '/data' } } },
  buildInfo: { version: '6.0.5' },
};

describe('tune.ftdc and tune.replay', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), `mongosh-tune-${process.pid}-commands-`));
  after(() => fs.rmSync(folder, { recursive: true }));
  let files = 0;
  const write = (/** @type {(string | Buffer)[]} */ ...parts) => {
    const file = path.join(folder, `metrics.${files++}`);
    fs.writeFileSync(file, Buffer.concat(parts.map((part) => Buffer.from(part))));
    return file;
  };
  /** @param {any[]} list */
  const chunks = (list) =>
    Array.from({ length: Math.ceil(list.length / 100) }, (_, i) =>
      chunkOfSamples(
        list
          .slice(i * 100, i * 100 + 100)
          .map((serverStatus) => ({ start: serverStatus.localTime, serverStatus })),
      ),
    );
  const lines = (/** @type {object[]} */ list) => list.map((one) => `${JSON.stringify(one)}\n`);
  const seconds = (/** @type {Date | null} */ date) => (Number(date) - T0) / 1000;

  const spell = statuses(900, (i) => (i >= 400 && i < 480 ? thirsty : { ops: 0, busyMicros: 0 }));

  it('names the minute of trouble in an idle recording, and judges that', async () => {
    const advice = await ftdc(context(), write(metadata(T0, HOST), ...chunks(spell)));
    assert.equal(advice.bottleneck, 'cache-read');
    assert.deepEqual(
      [seconds(advice.window.from), seconds(advice.window.to), advice.window.samples],
      [0, 899, 900],
    );
    assert.ok(
      advice.worst && seconds(advice.worst.from) >= 395 && seconds(advice.worst.to) <= 485,
      String(advice.worst?.from),
    );
    assert.equal(advice.worst?.bottleneck, 'cache-read');
    assert.ok(Number(advice.worst?.heldUpThreads) > 6);
    assert.ok(
      advice.others.length > 0 &&
        advice.others.every(
          ({ bottleneck }) => bottleneck === 'idle' || bottleneck === 'cache-read',
        ),
    );
    assert.deepEqual([advice.source, advice.host, advice.version], ['ftdc', 'db1:27017', '6.0.5']);
  });

  it('says the same of the same, recorded either way and as lines', async () => {
    const [one, other] = [
      await ftdc(context(), write(metadata(T0, HOST), ...chunks(spell))),
      await replay(context(), write(...lines(spell)), {
        facts: { memoryMB: 16_384, memLimitMB: 16_384, cores: 8, syncdelaySeconds: 60 },
      }),
    ];
    const said = (
      /** @type {any} */ { bottleneck, because, evidence, worst, findings, change },
    ) => ({
      bottleneck,
      because,
      evidence,
      worst, // What mongod was started with stands in diagnostic data alone.
      findings: findings
        .filter(
          (/** @type {any} */ { rule }) =>
            !['eviction-thread-count', 'journal-interval'].includes(rule),
        )
        .map((/** @type {any} */ { rule, status, message }) => [rule, status, message]),
      change,
    });
    assert.deepEqual(said(one), said(other));
    assert.equal(other.source, 'recording');
  });

  it('calls a healthy recording healthy, and an idle one idle', async () => {
    assert.equal(
      (await ftdc(context(), write(...chunks(statuses(600, () => ({})))))).bottleneck,
      'none',
    );
    assert.equal(
      (await ftdc(context(), write(...chunks(statuses(600, () => ({ ops: 0, busyMicros: 0 }))))))
        .bottleneck,
      'idle',
    );
  });

  it('looks only at what is asked for', async () => {
    const file = write(metadata(T0, HOST), ...chunks(spell));
    const calm = await ftdc(context(), file, {
      from: '2026-01-01T00:10:00Z',
      to: new Date(T0 + 700_000),
    });
    assert.deepEqual(
      [calm.bottleneck, seconds(calm.window.from), seconds(calm.window.to)],
      ['idle', 600, 700],
    );
    assert.equal(
      (await ftdc(context(), file, { from: new Date(T0 + 420_000), to: new Date(T0 + 470_000) }))
        .bottleneck,
      'cache-read',
    );
    const nothing = await ftdc(context(), file, { from: '2027-01-01' });
    assert.deepEqual(
      [nothing.bottleneck, nothing.window, nothing.worst, nothing.at, nothing.findings],
      ['unknown', { from: null, to: null, samples: 0 }, null, null, []],
    );
    assert.match(nothing.because, /no sample in the requested time/);
    assert.match(String(nothing), /BOTTLENECK {3}unknown/);
  });

  it('tells what is missing', async () => {
    const list = statuses(400, () => ({}));
    const restarted = list
      .slice(200)
      .map((one) => ({ ...one, uptimeMillis: one.uptimeMillis - 200_000 }));
    const { notes } = await ftdc(
      context(),
      write(
        ...chunks(list.slice(0, 100)),
        chunkOf(T0 + 100_000, Buffer.from('no chunk')),
        ...chunks(restarted),
        Buffer.from('rubbish'),
      ),
    );
    assert.match(
      notes.join('\n'),
      /1 of 4 chunks are unreadable and were skipped, the first from 2026-01-01 00:01:40/,
    );
    assert.match(notes.join('\n'), /7 B are damaged/);
    assert.match(
      notes.join('\n'),
      /restarted once, last between 2026-01-01 00:01:39 and 2026-01-01 00:03:20/,
    );
    const gaps = await ftdc(context(), write(...chunks(list.filter((_, i) => i % 50 < 25))));
    assert.match(
      gaps.notes.join('\n'),
      /No samples between 2026-01-01 00:00:24 and 2026-01-01 00:00:50 \(26 s\)/,
    );
    assert.match(gaps.notes.join('\n'), /4 more gaps, of 104 s together/);
    assert.match(gaps.notes.join('\n'), /Runtime settings are not recorded/);
  });

  for (const [name, more, pattern] of /** @type {[string, any, RegExp][]} */ ([
    [
      'a mongos',
      { process: 'mongos', storageEngine: undefined, wiredTiger: undefined },
      /recording of a mongos/,
    ],
    ['MMAPv1', { storageEngine: { name: 'mmapv1' }, wiredTiger: undefined }, /"mmapv1"/],
  ])) {
    it(`says of ${name} that nothing can be said`, async () => {
      const list = statuses(150, () => ({})).map((one) =>
        Object.fromEntries(
          Object.entries({ ...one, ...more }).filter(([, value]) => value !== undefined),
        ),
      );
      for (const advice of [
        await ftdc(context(), write(...chunks(list))),
        await replay(context(), write(...lines(list))),
      ]) {
        assert.deepEqual([advice.bottleneck, advice.change, advice.conf], ['unknown', null, null]);
        assert.match(advice.because, pattern);
        assert.match(String(advice), pattern);
      }
    });
  }

  it('says of an arbiter that it stores nothing', async () => {
    const list = statuses(150, () => ({})).map((serverStatus) => ({
      start: serverStatus.localTime,
      serverStatus,
      replSetGetStatus: { myState: 7 },
    }));
    assert.match((await ftdc(context(), write(chunkOfSamples(list)))).because, /arbiter/);
  });

  it('knows nothing of metadata without samples', async () => {
    const advice = await ftdc(
      context(),
      write(metadata(T0, { ...HOST, buildInfo: { version: '7.0.1' } })),
    );
    assert.deepEqual([advice.bottleneck, advice.version], ['unknown', '7.0.1']);
  });

  it('knows nothing of an empty file, nor of one that is cut off in its first chunk', async () => {
    const [empty, cut] = [
      await ftdc(context(), write('')),
      await ftdc(context(), write(chunks(spell)[0].subarray(0, 200))),
    ];
    assert.deepEqual(
      [empty, cut].map(({ bottleneck, window }) => [bottleneck, window.samples]),
      [
        ['unknown', 0],
        ['unknown', 0],
      ],
    );
    assert.match(cut.notes.join(), /200 B are damaged or truncated/);
  });

  it('judges one sample as nothing to go by', async () => {
    const [status] = statuses(1, () => ({}));
    const advice = await ftdc(
      context(),
      write(chunk(T0, docOf({ start: new Date(T0), serverStatus: status }))),
    );
    assert.deepEqual(
      [advice.bottleneck, advice.window.samples, advice.timeline().at],
      ['unknown', 1, []],
    );
  });

  it('draws what it saw, and gives it as plain series', async () => {
    const advice = await ftdc(context(), write(metadata(T0, HOST), ...chunks(spell)));
    assert.ok(!Object.keys(advice).includes('timeline'));
    const line = advice.timeline();
    assert.ok(
      line.at.length > 250 &&
        Object.values(line.series).every((list) => list.length === line.at.length),
    );
    assert.ok(Math.max(...line.series.readingThreads.map(Number)) > 6);
    assert.deepEqual(JSON.parse(JSON.stringify(line)).series.opsPerSec, line.series.opsPerSec);
    for (const text of [String(line), String(advice)])
      assert.match(text, /threads reading .*█.* max 7/);
    assert.match(String(advice), /analyzed +\^+\n +2026-01-01 00:06:\d\d to 2026-01-01 00:0/);
    assert.doesNotMatch(String(advice), /undefined|NaN/);
  });

  it('takes what the recorder knew, and what is given instead', async () => {
    const list = statuses(60, () => thirsty);
    const file = write(
      `${JSON.stringify({ tuneRecording: 1, facts: { memoryBytes: 4 * 2 ** 30, memLimitBytes: null, cores: 2, dataBytes: 2 ** 30 } })}\n`,
      ...lines(list),
    );
    const facts = async (/** @type {any} */ options) =>
      (await replay(context(), file, options)).explain.join(' ');
    assert.match(await facts(undefined), /4 GiB/);
    assert.match(await facts({ facts: { memoryMB: 32_768, cores: null } }), /32 GiB/);
    assert.match(await facts({ facts: { memLimitMB: 2048 } }), /2 GiB/);
  });

  it('lets the given interval of checkpoints be the one in effect', async () => {
    const { findings } = await replay(context(), write(...lines(statuses(60, () => thirsty))), {
      facts: { syncdelaySeconds: 17 },
    });
    assert.match(JSON.stringify(findings), /17 s/);
  });

  it('counts lines that are none', async () => {
    const { notes, window } = await replay(
      context(),
      write('garbage\n', ...lines(statuses(60, () => ({}))), '{"half'),
    );
    assert.match(notes.join('\n'), /2 of 62 lines are not serverStatus documents/);
    assert.equal(window.samples, 60);
  });

  it('stops when it is interrupted', async () => {
    const signal = AbortSignal.abort();
    await assert.rejects(ftdc(context({ signal }), write(...chunks(spell))), {
      code: 'TUNE-30009',
    });
    await assert.rejects(replay(context({ signal }), write(...lines(spell))), {
      code: 'TUNE-30009',
    });
  });

  for (const [name, call, code] of /** @type {[string, () => Promise<unknown>, string][]} */ ([
    ['no path', () => ftdc(context(), /** @type {any} */ (undefined)), 'TUNE-10004'],
    ['no file name', () => replay(context(), ''), 'TUNE-10004'],
    [
      'an unknown option',
      () => ftdc(context(), folder, /** @type {any} */ ({ since: 1 })),
      'TUNE-10001',
    ],
    ['a moment that is none', () => ftdc(context(), folder, { from: 'yesterday' }), 'TUNE-10002'],
    [
      'a number for a moment',
      () => ftdc(context(), folder, /** @type {any} */ ({ from: 5 })),
      'TUNE-10002',
    ],
    [
      'an unknown fact',
      () => replay(context(), folder, { facts: /** @type {any} */ ({ memory: 1 }) }),
      'TUNE-10001',
    ],
    [
      'a fact that is no number',
      () => replay(context(), folder, { facts: /** @type {any} */ ({ cores: '4' }) }),
      'TUNE-10002',
    ],
    [
      'facts that are none',
      () => replay(context(), folder, { facts: /** @type {any} */ (7) }),
      'TUNE-10002',
    ],
    ['a file without a status', () => replay(context(), write('a\nb\n')), 'TUNE-40004'],
    ['a file that is not there', () => replay(context(), path.join(folder, 'none')), 'TUNE-40002'],
    ['a folder that is not there', () => ftdc(context(), path.join(folder, 'none')), 'TUNE-40002'],
  ])) {
    it(`refuses ${name}`, () => assert.rejects(call(), { code }));
  }
});
