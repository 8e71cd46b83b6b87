'use strict';

const assert = require('node:assert/strict');
const {
  renderPlanned,
  renderMeasured,
  renderCleaned,
} = require('../../../lib/bench/pure/bench-text');
const { renderCompared } = require('../../../lib/bench/pure/compare-text');
const { renderSteps } = require('../../../lib/bench/pure/steps-text');

/** @param {string} text @param {string} tone */
const marked = (text, tone) => `<${tone}:${text}>`;
const plain = (/** @type {string} */ text) => text;
const fits = (/** @type {string} */ text) =>
  text.split('\n').forEach((line) => assert.ok(line.length <= 80, `${line.length}: ${line}`));

const latencyMs = { mean: 1.234, p50: 1, p95: 3.21, p99: 12.5, p999: 40, max: 183.2 };
const ABOUT = {
  host: 'vm:27017',
  version: '6.0.5',
  workload: 'ycsb-a',
  say: '50% reads, 50% updates of one field, zipfian',
  records: 20_000,
  seconds: 30,
  warmSeconds: 5,
  ratePerSec: null,
  database: 'tune_bench',
};
const PLANNED = {
  ...ABOUT,
  role: 'standalone',
  threads: /** @type {const} */ ('auto'),
  processes: 2,
  keepData: false,
  loadBytes: 24e6,
  freeBytes: 7e10,
  otherClientsPerSec: 0.4,
  found: 'none',
  notes: ['One note.'],
  confirm: 'tune.bench({ confirm: true })',
};
const MEASURED = {
  ...ABOUT,
  threads: 8,
  processes: 2,
  ended: 'complete',
  tookSeconds: 30,
  opsPerSec: 4321.5,
  documentsPerSec: null,
  latencyMs,
  operations: { read: { opsPerSec: 2160, latencyMs }, update: { opsPerSec: 2161, latencyMs } },
  stalls: { count: 0, longestMs: 0, totalMs: 0 },
  clientBound: false,
  clientBoundBecause: null,
  errors: { count: 0, byCode: [] },
  notFound: 0,
  notStarted: 0,
  client: { cpuCores: 0.456, busyRatio: 0.4 },
  server: { cpuCores: 1.2, cores: 2 },
  perSecond: Array.from({ length: 30 }, (_, i) => ({
    opsPerSec: 4000 + i * 10,
    maxMs: i === 7 ? 900 : 10,
  })),
  notes: [],
};

describe('a benchmark that is only shown', () => {
  it('what, where, how long, and how to run it', () => {
    const text = renderPlanned(PLANNED, plain);
    fits(text);
    for (const part of [
      /nothing was written/,
      /20,000 records \(about 22\.9 MiB\) are loaded/,
      /dropped afterwards; no other is touched/,
      /30 s after 5 s of warming up, after short runs/,
      /closed loop, threads auto, processes 2/,
      /65\.2 GiB free/,
      /0\.4 operations\/s/,
      /note: One note\./,
      /to run it: {2}tune\.bench/,
    ])
      assert.match(text, part);
  });
  it('data that is there, an open loop, what is not known', () => {
    const text = renderPlanned(
      {
        ...PLANNED,
        found: 'reused',
        loadBytes: 0,
        ratePerSec: 500,
        threads: 4,
        keepData: true,
        warmSeconds: 0,
        freeBytes: null,
        otherClientsPerSec: null,
        host: null,
        version: null,
      },
      plain,
    );
    for (const part of [
      /20,000 records are there from a run before/,
      /open loop, 500 operations\/s, processes 2/,
      /kept afterwards/,
      /time {8}30 s\n/,
      /disk {8}\? free/,
      /^\? {2}MongoDB \?/,
    ])
      assert.match(text, part);
    assert.match(renderPlanned({ ...PLANNED, found: 'odd' }, plain), /22\.9 MiB\)\s*\n/);
  });
});

describe('a benchmark, measured', () => {
  it('throughput with its course, stalls, limit, CPUs, latencies', () => {
    const text = renderMeasured(MEASURED, plain);
    fits(text);
    for (const part of [
      /ycsb-a, 20,000 records, 30 s\n/,
      /4,322 operations\/s\nops\/s {7}[▇█]{30} {2}up to 4,290\nslowest {5}▁{7}█▁{22} {2}up to 900 ms\n/,
      /stalls {6}none/,
      /limit {7}not the client\n/,
      /client 0\.46, server 1\.2 of 2/,
      /read +2,160 +1\.23 +1 +3\.21 +13 +40 +183/,
      /\nall +4,322/,
    ])
      assert.match(text, part);
  });
  it('trouble is said', () => {
    const text = renderMeasured(
      {
        ...MEASURED,
        ended: 'interrupted',
        ratePerSec: 500,
        clientBound: true,
        clientBoundBecause: 'it had no time',
        stalls: { count: 2, longestMs: 3100, totalMs: 4000 },
        notFound: 3,
        notStarted: 4,
        errors: {
          count: 5,
          byCode: [
            { code: 11000, count: 5, message: 'E11000 dup' },
            { code: 'x', count: 1, message: '' },
          ],
        },
        server: { cpuCores: null, cores: null },
        notes: ['Others.'],
      },
      marked,
    );
    for (const part of [
      /<warn: \(interrupted\)>/,
      /open loop, 500 operations\/s wanted/,
      /<warn:the client: it had no time>/,
      /<bad:2, the longest 3\.1 s, together 4 s>/,
      /5 with error 11000: E11000 dup/,
      /1 with error x>/,
      /3 found no record/,
      /4 had not begun at the end/,
      /server \?\n/,
      /note: Others/,
    ])
      assert.match(text, part);
  });
  it('one kind of operation, documents, a rate, and nothing to tell', () => {
    const text = renderMeasured(
      {
        ...MEASURED,
        documentsPerSec: 12_345,
        ratePerSec: 10,
        operations: { insert: { opsPerSec: 9, latencyMs: null } },
        stalls: null,
        perSecond: [],
      },
      plain,
    );
    for (const part of [
      /4,322 operations\/s, 12,345 documents\/s/,
      /not the client: the rate is given/,
      /not known: too few/,
      /insert +9( +\?){6}/,
    ])
      assert.match(text, part);
    assert.doesNotMatch(text, /\nall/);
  });
  it('of a long run, means of neighbouring seconds', () => {
    const text = renderMeasured(
      {
        ...MEASURED,
        perSecond: Array.from({ length: 150 }, (_, i) => ({ opsPerSec: i === 90 ? 0 : 10 })),
      },
      plain,
    );
    assert.match(
      text,
      /\nops\/s {7}█{50} {2}up to 10\n {2}the least {1}█{30}▁█{19} {2}least 0\n(?!slowest)/,
    );
    fits(text);
  });
});

describe('the data of a benchmark, taken away', () => {
  for (const [found, dropped, expected] of /** @type {[boolean, boolean, RegExp]} */ ([
    [false, false, /no database "x"/],
    [true, true, /is gone/],
    [true, false, /would be dropped[^]*database: "x", confirm: true/],
  ])) {
    it(String(expected), () =>
      assert.match(renderCleaned({ dryRun: !dropped, database: 'x', found, dropped }), expected),
    );
  }
  it('the usual one needs no name; what could not be dropped is not said to be shown only', () => {
    assert.match(
      renderCleaned({ dryRun: true, database: 'tune_bench', found: true, dropped: false }),
      /Only shown[^]*clean\(\{ confirm: true \}\)/,
    );
    assert.doesNotMatch(
      renderCleaned({ dryRun: false, database: 'x', found: true, dropped: false }),
      /Only shown/,
    );
  });
});

describe('several servers', () => {
  const server = {
    uri: 'mongodb://a',
    host: 'a:1',
    version: '6.0.5',
    files: 'xfs on nvme0n1, /data',
    opsPerSec: 5000,
    p95Ms: 2.34,
    p99Ms: 10,
    stalls: 0,
    ratio: null,
    low: null,
    high: null,
    verdict: 'first',
  };
  const compared = {
    dryRun: false,
    workload: 'ycsb-b',
    records: 1000,
    seconds: 10,
    warmSeconds: 2,
    database: 'tune_bench',
    roundsPlanned: 6,
    threads: 8,
    processes: 1,
  };
  it('side by side, each against the first', () => {
    const text = renderCompared(
      {
        ...compared,
        servers: [
          server,
          {
            ...server,
            host: null,
            version: null,
            files: null,
            ratio: 1.2,
            low: 1.1,
            high: 1.3,
            verdict: 'faster',
            p99Ms: null,
            stalls: null,
          },
          { ...server, ratio: 0.9, low: 0.8, high: 0.95, verdict: 'slower' },
          { ...server, ratio: 1, low: 0.9, high: 1.1, verdict: 'no difference shown' },
        ],
      },
      plain,
    );
    fits(text);
    for (const part of [
      /6 rounds of 10 s after 2 s of warming up, threads 8/,
      /A {2}a:1 MongoDB 6\.0\.5 xfs on nvme0n1|A {2}a:1 {2}MongoDB 6\.0\.5 {2}xfs/,
      /B {2}\?/,
      /B +5,000 +2\.34 +\? +\? +1\.20 +1\.10 to 1\.30 {2}faster/,
      /slower/,
      /no difference shown/,
    ])
      assert.match(text, part);
  });
  it('only shown', () =>
    assert.match(
      renderCompared(
        {
          ...compared,
          dryRun: true,
          warmSeconds: 0,
          servers: [server],
          confirm: 'tune.bench.compare(…)',
        },
        marked,
      ),
      /<accent:DRY RUN: nothing was written[^]*6 rounds of 10 s\n[^]*<strong:tune\.bench\.compare/,
    ));
  it('only shown, without a call', () =>
    assert.match(
      renderCompared({ ...compared, dryRun: true, servers: [server] }, plain),
      /to run it:/,
    ));
});

describe('a sequence of steps', () => {
  const base = {
    dryRun: false,
    host: 'vm:1',
    version: '6.0.5',
    workload: 'ycsb-b',
    records: 1000,
    seconds: 30,
    warmSeconds: 5,
    database: 'tune_bench',
    threads: 8,
    processes: 1,
    ended: 'complete',
    because: null,
    kept: false,
    id: 'X1',
    verified: true,
  };
  const measured = {
    kind: /** @type {const} */ ('step'),
    name: '{ cacheSizeGB: 1 }',
    number: 1,
    took: true,
    why: null,
    opsPerSec: 1200,
    p95Ms: 3.456,
    stalls: 0,
    ratio: 1.2,
    gain: 1.2,
    drift: 1,
  };
  const baseline = {
    ...measured,
    kind: /** @type {const} */ ('baseline'),
    name: 'baseline',
    number: 0,
    opsPerSec: 1000,
    ratio: 1,
    gain: 1,
  };
  const measuredSteps = [
    baseline,
    measured,
    {
      ...measured,
      number: 2,
      name: 'a script with a very long name indeed',
      took: false,
      why: 'dirtyBytes is 0',
      opsPerSec: null,
      ratio: null,
      gain: null,
      drift: null,
      p95Ms: null,
      stalls: null,
    },
    {
      ...measured,
      number: 3,
      name: '{ evictionThreadsMax: 8, more: 1, andMore: 2 }',
      ratio: 0.8,
      gain: 0.67,
      p95Ms: null,
      stalls: null,
    },
    { ...baseline, name: 'baseline again', drift: 0.9 },
  ];
  it('the table, the chart without drift, what did not take', () => {
    const text = renderSteps({ ...base, measuredSteps }, plain);
    fits(text);
    for (const part of [
      /0 +baseline +1,000/,
      /1 +\{ cacheSizeGB: 1 \} +1,200 +1\.20 +1\.20 +3\.46 +0/,
      /not taken/,
      /baseline again +1,000 +drift −10%/,
      /baseline +█{33} 1\.00/,
      /\{ cacheSizeGB: 1 \} +█{40} 1\.20/,
      /\{ evictionThreadsMax: 8, …/,
      /"a script with a very long name indeed" did not take: dirtyBytes is 0/,
      /did not give the same throughput/,
      /as they were before \(X1, verified\)/,
    ])
      assert.match(text, part);
  });
  it('kept, interrupted, more drift, nothing of the engine', () => {
    const text = renderSteps(
      {
        ...base,
        ended: 'interrupted',
        because: 'Ctrl-C.',
        kept: true,
        measuredSteps: [
          baseline,
          { ...baseline, name: 'baseline again', drift: 1.01 },
          { ...baseline, name: 'baseline again', drift: null },
        ],
      },
      marked,
    );
    for (const part of [
      /<warn:interrupted>/,
      /Ctrl-C\./,
      /in effect \(X1\); tune\.undo\("X1", \{ confirm: true \}\)>\n<faint:takes/,
      /drift \+1%/,
    ])
      assert.match(text, part);
    assert.doesNotMatch(text, /same throughput/);
    const short = renderSteps(
      {
        ...base,
        id: null,
        warmSeconds: 0,
        measuredSteps: [
          { ...baseline, ratio: null },
          { ...measured, took: false, opsPerSec: null, why: null },
        ],
      },
      plain,
    );
    assert.match(short, /30 s a step, threads 8[^]*it cannot be seen/);
    assert.doesNotMatch(short, /as they were/);
    assert.match(
      renderSteps(
        { ...base, verified: null, host: null, version: null, measuredSteps: undefined },
        plain,
      ),
      /^\? {2}MongoDB \?[^]*before \(X1\)/,
    );
  });
  it('only shown', () => {
    const text = renderSteps(
      {
        ...base,
        dryRun: true,
        steps: [
          { kind: 'engine', name: '{ cacheSizeGB: 1 }' },
          { kind: 'host', name: 'host-writeback-timing' },
        ],
      },
      plain,
    );
    for (const part of [
      /nothing was changed/,
      / {2}1 {2}\{ cacheSizeGB: 1 \}/,
      / {2}2 {2}host-writeback-timing {1,2}\(yours to do\)/,
    ])
      assert.match(text, part);
    assert.match(renderSteps({ ...base, dryRun: true }, plain), /0 {2}baseline/);
  });
});
