'use strict';

const assert = require('node:assert/strict');
const { blockOf } = require('../../../lib/series/columns');
const { RecordingScan } = require('../../../lib/series/recording-scan');
const { recordedAdvice } = require('../../../lib/recording/recorded-advice');
const { NO_FACTS } = require('../../../lib/server/pure/facts');
const { withoutLinux, findingsFor } = require('../../../lib/diagnose/for-platform');

const T0 = Date.UTC(2026, 0, 1);
const GiB = 2 ** 30;
/** What grows by nothing unless a test says so. */
const STILL = {
  'ops.inserts': 0,
  'ops.queries': 0,
  'latency.readOps': 0,
  'latency.writeOps': 0,
  'latency.readMicros': 0,
  'latency.writeMicros': 0,
  'eviction.appReadMicros': 0,
  'eviction.appMicros': 0,
  'eviction.waitMicros': 0,
  'process.userMicros': 10_000,
  'process.systemMicros': 0,
};
const LEVELS = { 'cache.maxBytes': GiB, 'cache.usedBytes': 1e7, 'cache.dirtyBytes': 0 };

/** @param {number} seconds @param {(i: number) => Record<string, number>} perSecond */
function recorded(seconds, perSecond) {
  /** @type {Record<string, number>} */ const totals = {};
  const samples = Array.from({ length: seconds }, (_, i) => {
    for (const [name, n] of Object.entries({ ...STILL, ...perSecond(i) }))
      totals[name] = (totals[name] ?? 0) + n;
    return { atMs: T0 + i * 1000, uptimeMs: 1e6 + i * 1000, counters: { ...totals, ...LEVELS } };
  });
  const scan = new RecordingScan();
  scan.add(blockOf(/** @type {any} */ (samples)), null);
  return /** @type {any} */ (recordedAdvice(aboutOf(scan, seconds)));
}

/** @param {RecordingScan<any>} scan @param {number} seconds @returns {any} */
const aboutOf = (scan, seconds) => ({
  scan,
  about: {
    source: 'ftdc',
    factsOf: () => ({ ...NO_FACTS, cores: 4, version: '6.0.5' }),
    notesOn: () => [],
    covers: { fromMs: T0, toMs: T0 + seconds * 1000 },
  },
  files: [],
});

/** A minute of inserts in the middle of an hour. @param {number} i */
const isBusyMinute = (i) => i >= 1500 && i < 1560;

/** One sample an hour. @param {number} hours @param {(hour: number) => number} resident in MiB */
function recordedDays(hours, resident) {
  const scan = new RecordingScan();
  const samples = Array.from({ length: hours + 1 }, (_, i) => ({
    atMs: T0 + i * 3_600_000,
    uptimeMs: 1e6 + i * 3_600_000,
    counters: { ...STILL, ...LEVELS, 'process.residentBytes': resident(i) * 2 ** 20 },
  }));
  scan.add(blockOf(/** @type {any} */ (samples)), null);
  const { findings } = /** @type {any} */ (recordedAdvice(aboutOf(scan, hours * 3600)));
  return findings.filter((/** @type {{ rule: string }} */ { rule }) => rule === 'growth-over-days');
}

describe('recording: what grows from day to day', () => {
  const day = 24;
  it('is a finding of three days, with its key', () => {
    const [finding, ...others] = recordedDays(3 * day, (hour) => 500 + 20 * hour);
    assert.deepEqual(
      [finding.key, finding.status, others],
      ['growth-over-days:memory', 'info', []],
    );
    assert.match(
      finding.message,
      /grew from .* between 2026-01-01 and 2026-01-04, by 480 MiB a day/,
    );
  });
  it('is said of no server whose memory stays as it is', () =>
    assert.deepEqual(
      recordedDays(3 * day, (hour) => 500 + 50 * (hour % 2)).map(
        (/** @type {any} */ { code }) => code,
      ),
      ['fine'],
    ));
  it('is not asked of a day', () =>
    assert.deepEqual(
      recordedDays(day, (hour) => 500 + 20 * hour),
      [],
    ));
});

describe('recording: which window is judged', () => {
  it('a minute of bulk inserts beats a scan of less than a twentieth of a thread', () => {
    const { bottleneck, worst, because } = recorded(3600, (i) =>
      isBusyMinute(i)
        ? { 'ops.inserts': 4400, 'latency.writeOps': 44, 'latency.writeMicros': 40_000 }
        : { 'latency.readOps': 1, 'latency.readMicros': 70_000, 'eviction.appReadMicros': 45_000 },
    );
    assert.equal(bottleneck, 'none', because);
    assert.match(because, /4,\d{3} operations\/s/);
    assert.ok(worst.to.getTime() > T0 + 1_540_000 && worst.to.getTime() < T0 + 1_580_000);
  });

  it('idle is said only of a recording that is idle all along, with its busiest minute', () => {
    const { bottleneck, because } = recorded(3600, (i) => ({
      'ops.queries': isBusyMinute(i) ? 4 : 1,
    }));
    assert.equal(bottleneck, 'idle');
    assert.match(
      because,
      /^The server is idle in all of the recording: at most (3\.\d+|4) operations\/s, in the minute up to 2026-01-01 00:2\d:\d\d/,
    );
  });

  it('the busiest window is kept although five others are worse', () => {
    const reads = {
      'latency.readOps': 50,
      'latency.readMicros': 200_000,
      'eviction.appReadMicros': 1e5,
    };
    const { others, worst } = recorded(3600, (i) => {
      if (isBusyMinute(i)) return { 'ops.inserts': 4400, 'latency.writeOps': 44 };
      return i % 300 < 60 ? reads : {};
    });
    const to = [worst, ...others].map((spell) => (spell.to.getTime() - T0) / 1000);
    assert.ok(
      to.some((second) => second >= 1550 && second <= 1570),
      `${to}`,
    );
  });
});

describe("recording: the machine's trouble elsewhere", () => {
  const machine = (/** @type {number} */ i, /** @type {number} */ swapped) => ({
    'diagnostics.atMs': i === 0 ? T0 : 1000,
    'memory.swappedInPages': swapped,
    'memory.swappedOutPages': 0,
    'cpu.userMs': 100,
    'cpu.idleMs': 3900,
    'disk.busyMs@sda': swapped > 0 ? 990 : 10,
  });
  it('is one line, with its time', () => {
    const { notes } = recorded(3600, (i) => ({
      ...machine(i, i >= 600 && i < 700 ? 487 : 0),
      ...(isBusyMinute(i) && { 'ops.inserts': 4400, 'latency.writeOps': 44 }),
    }));
    const lines = notes.filter((/** @type {string} */ note) => note.startsWith('The machine'));
    assert.equal(lines.length, 1);
    assert.match(
      lines[0],
      /487 pages\/s read from swap in the minute up to 2026-01-01 00:1\d:\d\d.*disk sda busy 99\.0% of the time/,
    );
  });
  it('a calm machine has none', () =>
    assert.deepEqual(
      recorded(3600, (i) => machine(i, 0)).notes.filter((/** @type {string} */ note) =>
        note.startsWith('The machine'),
      ),
      [],
    ));
});

describe('diagnose/diagnose', () => {
  it('on Windows no sentence is about Linux', () =>
    assert.equal(
      withoutLinux('Add RAM. Then set vm.swappiness to 1. Keep some swap.'),
      'Add RAM. Keep some swap.',
    ));
  it('a mongos has no disk of data', () => {
    const findings = /** @type {any[]} */ ([
      { rule: 'device-latency', area: 'disk', advice: null },
      { rule: 'cpu-load', area: 'machine', advice: 'sysctl -w x' },
    ]);
    assert.deepEqual(
      findingsFor(findings, { role: 'mongos', osType: 'Linux' }).map(({ rule }) => rule),
      ['cpu-load'],
    );
    assert.deepEqual(
      findingsFor(findings, { role: 'primary', osType: 'Windows' }).map(({ advice }) => advice),
      [null, null],
    );
    assert.equal(findingsFor(findings, { role: 'primary', osType: null }).length, 2);
  });
});
