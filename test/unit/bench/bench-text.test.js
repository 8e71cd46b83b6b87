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
      /20,000 records \(about 22\.9 MiB\) will be loaded/,
      /dropped afterwards; no other database is touched/,
      /30 s after a warm-up of 5 s, after short runs/,
      /closed loop, threads auto, processes 2/,
      /65\.2 GiB free/,
      /0\.4 operations\/s/,
      / {2}note {2}One note\./,
      / {2}Run {8}tune\.bench/,
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
      /20,000 records are reused from an earlier run/,
      /fixed rate of 500 operations\/s, processes 2/,
      /kept afterwards; no other/,
      /TAKES {8}30 s\n/,
      /DISK {9}\? free/,
      /^\? {2}standalone {2}MongoDB \? {2}DRY RUN/,
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
      /^vm:27017 {2}MongoDB 6\.0\.5 {2}30 s\nRESULT {7}4,322 operations\/s\nWORKLOAD {5}ycsb-a, 20,000 records, /,
      /\n {2}ops\/s {6}[▇█]{30} {2}max 4,290\n {2}slowest {4}▁{7}█▁{22} {2}max 900 ms$/,
      /STALLS {7}none/,
      /LIMIT {8}not the client: it had CPU time left\n/,
      /client 0\.46, server 1\.2 of 2/,
      /read +2,160 +1\.23 +1 +3\.21 +13 +40 +183/,
      /\n {2}all +4,322/,
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
      /<warn:ended early: interrupted>/,
      /fixed rate of 500 operations\/s, processes 2/,
      /<warn:possibly the client: it had no time>/,
      /<bad:2, longest 3\.1 s, total 4 s>/,
      /5 operations failed: error 11000, E11000 dup/,
      /<warn:WARN> {2}1 operation failed: error x\n/,
      /3 operations found no record/,
      /4 operations had not started at the end/,
      /server \?\n/,
      /note {2}Others/,
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
      /LIMIT {8}the fixed rate\n/,
      /unknown: too few operations/,
      /insert +9( +\?){6}/,
    ])
      assert.match(text, part);
    assert.doesNotMatch(text, /\n {2}all/);
  });
  it('of a long run, means of neighbouring seconds', () => {
    const text = renderMeasured(
      {
        ...MEASURED,
        perSecond: Array.from({ length: 150 }, (_, i) => ({ opsPerSec: i === 90 ? 0 : 10 })),
      },
      plain,
    );
    assert.match(text, /\n {2}ops\/s {6}█{44} {2}max 10\n {2}minimum {4}█{26}▁█{17} {2}min 0$/);
    fits(text);
  });
});

describe('the data of a benchmark, taken away', () => {
  for (const [found, dropped, expected] of /** @type {[boolean, boolean, RegExp]} */ ([
    [false, false, /No database "x"/],
    [true, true, /^DROPPED {6}x$/],
    [true, false, /WOULD DROP {3}x\n[^]*database: "x", confirm: true/],
  ])) {
    it(String(expected), () =>
      assert.match(
        renderCleaned({ dryRun: !dropped, database: 'x', found, dropped }, plain),
        expected,
      ),
    );
  }
  it('the usual one needs no name; what could not be dropped is not said to be shown only', () => {
    assert.match(
      renderCleaned({ dryRun: true, database: 'tune_bench', found: true, dropped: false }, plain),
      /^DRY RUN: nothing was written\n[^]*clean\(\{ confirm: true \}\)/,
    );
    assert.doesNotMatch(
      renderCleaned({ dryRun: false, database: 'x', found: true, dropped: false }, plain),
      /DRY RUN/,
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
      /6 rounds of 10 s after a warm-up of 2 s,\s+threads 8/,
      /SERVERS {6}A {2}a:1 {2}MongoDB 6\.0\.5 {2}xfs/,
      /B {2}\?/,
      /B +5,000 +2\.34 +\? +\? +×1\.20 +×1\.10 to ×1\.30/,
      /RESULT {7}B is faster than A\n {13}C is slower than A\n {13}D against A: no difference shown\n/,
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
      /^1 server {2}DRY RUN: nothing was written\n(?![^]*Run {8})/,
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
      /0 +baseline +█{7} +1,000/,
      /1 +\{ cacheSizeGB: 1 \} +█{8} +1,200 +×1\.20 +×1\.20 +3\.46 +0/,
      /not taken/,
      /baseline again +1,000 +drift −10%/,
      /RESULT {7}all steps together ×0\.80 of the baseline/,
      /"a script with a very long name indeed" was not measured: dirtyBytes is\s+0/,
      /WARN {2}The baseline drifted/,
      /SETTINGS {5}as before, verified$/,
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
      /<warn:ended early: interrupted>/,
      /Ctrl-C\./,
      /those of all steps stay active \(keepSteps\)\n {2}Undo {7}<strong:tune\.undo\("X1", \{ confirm: true \}\)>/,
      /drift \+1%/,
    ])
      assert.match(text, part);
    assert.doesNotMatch(text, /drifted/);
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
    assert.match(short, /30 s a step, threads 8[^]*its effect cannot be read/);
    assert.doesNotMatch(short, /as before/);
    assert.match(
      renderSteps(
        { ...base, verified: null, host: null, version: null, measuredSteps: undefined },
        plain,
      ),
      /^\? {2}MongoDB \?[^]*SETTINGS {5}as before$/,
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
      / {2}2 {2}host-writeback-timing {1,2}\(you do this one\)/,
    ])
      assert.match(text, part);
    assert.match(renderSteps({ ...base, dryRun: true }, plain), /0 {2}baseline/);
  });
});
