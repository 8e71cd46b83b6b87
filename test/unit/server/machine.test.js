'use strict';

const assert = require('node:assert/strict');
const {
  MACHINE_METRICS,
  busiestDisk,
  writebackShare,
} = require('../../../lib/server/pure/machine');
const { metricsOf } = require('../../../lib/server/pure/metrics');
const { readSample } = require('../../../lib/server/pure/sample');
const { makeWindow } = require('../../../lib/server/pure/window');
const { NO_FACTS } = require('../../../lib/server/pure/facts');
const { windowOf } = require('../../support/samples');

/**
 * @import { Facts } from '../../../lib/server/pure/types'
 */

const MiB = 2 ** 20;
const T0 = Date.UTC(2026, 0, 1);
/** mongod looks at whole seconds. @param {number[]} seconds */
const samples = (...seconds) => ({ 'diagnostics.atMs': seconds.map((s) => T0 + s * 1000) });
/** @param {any} series @param {Partial<Facts>} [facts] */
const read = (series, facts = {}) =>
  /** @type {Record<string, any>} */ (
    Object.fromEntries(
      Object.entries(metricsOf(windowOf(series), { ...NO_FACTS, ...facts })).filter(([name]) =>
        /^(diagnostics|cpu|memory|pressure|writeback|disk)\./.test(name),
      ),
    )
  );

const CPU = {
  'cpu.userMs': [0, 500, 1000],
  'cpu.systemMs': [0, 100, 200],
  'cpu.stealMs': [0, 0, 200],
  'cpu.idleMs': [0, 1300, 2400],
  'cpu.iowaitMs': [0, 100, 200],
};
const SDA = {
  'disk.busyMs@sda': [0, 100, 200],
  'disk.reads@sda': [0, 5, 10],
  'disk.readMs@sda': [0, 1, 2],
};
const SDB = {
  'disk.busyMs@sdb': [0, 900, 1800],
  'disk.queuedMs@sdb': [0, 4000, 8000],
  'disk.reads@sdb': [0, 50, 100],
  'disk.readMs@sdb': [0, 500, 1200],
  'disk.writes@sdb': [0, 10, 40],
  'disk.writeMs@sdb': [0, 100, 1600],
  'disk.readBytes@sdb': [0, 5000, 10_000],
  'disk.writtenBytes@sdb': [0, 1000, 9000],
};

describe('server/pure/machine', () => {
  it('processors: shares of their own time, steal counts as used', () => {
    const seen = read({ ...samples(0, 1, 2), ...CPU });
    assert.deepEqual(
      [
        seen['cpu.busyRatio'],
        seen['cpu.stealRatio'],
        seen['cpu.iowaitRatio'],
        seen['diagnostics.seconds'],
      ],
      [1400 / 4000, 0.05, 0.05, 2],
    );
  });
  it('CPUs without their idle time: not known', () =>
    assert.equal(
      read({ ...samples(0, 1, 2), ...CPU, 'cpu.idleMs': undefined })['cpu.busyRatio'],
      undefined,
    ));

  it('memory, swap, pressure and waiting tasks', () => {
    const seen = read({
      ...samples(0, 1, 2),
      'cpu.blockedTasks': [0, 2, 1],
      'pressure.cpuMicros': [0, 1e6, 1e6],
      'pressure.ioMicros': [0, 0, 5e5],
      'memory.totalBytes': 100,
      'memory.availableBytes': [50, 40, 45],
      'writeback.dirtyPageBytes': [1, 9, 3],
      'memory.majorFaults': [0, 4, 8],
      'memory.swappedInPages': [5, 5, 25],
    });
    assert.deepEqual(seen, {
      'diagnostics.seconds': 2,
      'cpu.blockedTasks': 1,
      'pressure.cpuShare': 0.5,
      'pressure.ioShare': 0.25,
      'memory.totalBytes': 100,
      'memory.availableBytes': 45,
      'writeback.dirtyPageBytesMax': 9,
      'memory.majorFaultsPerSec': 4,
      'memory.swapInPagesPerSec': 10,
    });
  });

  it('of two disks the one that was at work longest decides', () => {
    assert.deepEqual(read({ ...samples(0, 1, 2), ...SDA, ...SDB }), {
      'diagnostics.seconds': 2,
      'disk.name': 'sdb',
      'disk.busyRatio': 0.9,
      'disk.queue': 4,
      'disk.readMs': 12,
      'disk.writeMs': 40,
      'disk.readsPerSec': 50,
      'disk.writesPerSec': 20,
      'disk.readBytesPerSec': 5000,
      'disk.writtenBytesPerSec': 4500,
      'disk.writtenBytesPerSecMax': 8000,
    });
    assert.equal(
      read({ ...samples(0, 1, 2), ...SDB, ...SDA, 'disk.busyMs@sda': [0, 1, 1801] })['disk.name'],
      'sda',
    );
  });
  it(
    'where dbPath lies is known: its disk decides, the busier one of two; another one only ' +
      'where the server does not report of it',
    () => {
      const of = (/** @type {string[]} */ ...disks) =>
        read({ ...samples(0, 1, 2), ...SDA, ...SDB }, { disks });
      assert.deepEqual(
        [
          of('sda')['disk.name'],
          of('sda')['disk.isOfData'],
          of('sda')['disk.busyRatio'],
          of('sda')['disk.readsPerSec'],
        ],
        ['sda', 1, 0.1, 5],
      );
      assert.deepEqual(
        [of('sda', 'sdb')['disk.name'], of('sda', 'sdb')['disk.isOfData']],
        ['sdb', 1],
      );
      assert.deepEqual(
        [of('loop0')['disk.name'], of('loop0')['disk.isOfData']],
        ['sdb', undefined],
      );
      assert.equal(read(samples(0, 1), { disks: ['sda'] })['disk.isOfData'], undefined);
    },
  );
  it("mongod's share of the CPUs it may use, where those are not all", () => {
    const CPUS = { 'process.userMicros': [0, 1e6, 2e6], 'process.systemMicros': [0, 1e6, 2e6] };
    assert.equal(
      metricsOf(windowOf(CPUS), { ...NO_FACTS, coresAllowed: 2.5 })['process.allowedRatio'],
      0.8,
    );
    assert.equal(
      metricsOf(windowOf(CPUS), { ...NO_FACTS, machineCores: 8 })['process.machineRatio'],
      0.25,
    );
    for (const name of ['process.allowedRatio', 'process.machineRatio'])
      assert.ok(!(name in metricsOf(windowOf(CPUS), { ...NO_FACTS, cores: 4 })));
  });
  it('from where on the kernel stops writers', () =>
    assert.equal(read(samples(0, 1), { dirtyLimitBytes: 9 })['writeback.limitBytes'], 9));
  it('a disk is at work all the time at most', () =>
    assert.equal(
      read({ ...samples(0, 1, 2), 'disk.busyMs@sda': [0, 1000, 2010] })['disk.busyRatio'],
      1,
    ));
  it('a disk that did nothing takes no time for one request', () =>
    assert.deepEqual(
      [read({ ...samples(0, 1, 2), ...SDA, 'disk.reads@sda': 5, 'disk.readMs@sda': 7 })].map(
        (seen) => [seen['disk.readMs'], seen['disk.readsPerSec']],
      ),
      [[undefined, 0]],
    ));
  it('a counter that began anew says nothing', () =>
    assert.equal(
      read({ ...samples(0, 1, 2), 'disk.busyMs@sda': [900, 1000, 5] })['disk.busyRatio'],
      undefined,
    ));
  it('no disk, no name', () => {
    assert.equal(busiestDisk(windowOf({ 'ops.queries': [1, 2] }), NO_FACTS), undefined);
    assert.ok(!('disk.name' in read({ ...samples(0, 1), ...{} })));
  });

  it("rates go by the clock of mongod's own samples", () => {
    // Looked at once a second, but mongod looked only at the beginning and 4 s later.
    const seen = read({
      ...samples(0, 0, 0, 4, 4),
      'disk.busyMs@sda': [0, 0, 0, 2000, 2000],
      'disk.writtenBytes@sda': [0, 0, 0, 400, 400],
      'memory.swappedInPages': [0, 0, 0, 8, 8],
    });
    assert.deepEqual(seen, {
      'diagnostics.seconds': 4,
      'disk.name': 'sda',
      'disk.busyRatio': 0.5,
      'disk.writtenBytesPerSec': 100,
      'disk.writtenBytesPerSecMax': 100,
      'memory.swapInPagesPerSec': 2,
    });
  });
  it('a sample that stalls gives no rate, least of all 0', () => {
    const seen = read({
      ...samples(0, 0, 0),
      ...Object.fromEntries(
        Object.entries({ ...CPU, ...SDB }).map(([name, list]) => [name, list.map(() => 7)]),
      ),
      'memory.swappedInPages': 7,
      'pressure.ioMicros': 7,
    });
    assert.deepEqual(seen, { 'diagnostics.seconds': 0, 'disk.name': 'sdb' });
  });
  it("without mongod's clock shares and times of one are known, rates are not", () => {
    const seen = read({ ...CPU, ...SDB, 'memory.swappedInPages': [0, 1, 2] });
    assert.equal(seen['cpu.busyRatio'], 1400 / 4000);
    assert.deepEqual(
      [seen['disk.busyRatio'], seen['memory.swapInPagesPerSec'], seen['disk.name']],
      [undefined, undefined, undefined],
    );
  });
  it('every reading is met here', () => {
    const met = new Set([
      'cpu.busyRatio',
      'cpu.iowaitRatio',
      'cpu.stealRatio',
      'writeback.limitBytes',
      'process.allowedRatio',
      'process.machineRatio',
      'disk.isOfData',
      ...Object.keys(
        read({
          ...samples(0, 1, 2),
          ...CPU,
          ...SDB,
          'cpu.blockedTasks': 1,
          'pressure.cpuMicros': 1,
          'pressure.ioMicros': 1,
          'memory.totalBytes': 1,
          'memory.availableBytes': 1,
          'writeback.dirtyPageBytes': 1,
          'memory.majorFaults': 1,
          'memory.swappedInPages': 1,
        }),
      ),
    ]);
    assert.deepEqual(
      Object.keys(MACHINE_METRICS).filter((name) => !met.has(name)),
      [],
    );
  });
});

describe('server/pure/sample: the machine', () => {
  const at = (/** @type {number} */ ms) => new Date(T0 + ms);
  const status = (/** @type {number} */ ms) => ({
    localTime: at(0),
    systemMetrics: {
      start: at(ms),
      cpu: { procs_blocked: 2 },
      disks: { nvme0n1: { reads: 3, read_sectors: 2, io_in_progress: 1 }, sr0: {}, odd: null },
    },
  });
  it('has the moment, and each disk by its name', () =>
    assert.deepEqual(readSample(status(-900)).counters, {
      'diagnostics.atMs': T0 - 900,
      'cpu.blockedTasks': 2,
      'disk.reads@nvme0n1': 3,
      'disk.readBytes@nvme0n1': 1024,
      'disk.inProgress@nvme0n1': 1,
    }));
  it('is the same from JSON', () =>
    assert.deepEqual(
      readSample(JSON.parse(JSON.stringify(status(-900)))),
      readSample(status(-900)),
    ));
  it('is dropped when it is old', () => {
    assert.ok('cpu.blockedTasks' in readSample(status(-5000)).counters);
    assert.deepEqual(readSample(status(-5001)).counters, {});
    assert.deepEqual(readSample(status(5001)).counters, {});
  });
  it('is kept where nobody knows when it was', () =>
    assert.equal(
      readSample({ ...status(0), systemMetrics: { cpu: { procs_blocked: 4 } } }).counters[
        'cpu.blockedTasks'
      ],
      4,
    ));
});

describe('server/pure/writeback', () => {
  /**
   * 600 operations a second; from second 20 on none for `still` seconds, whose clients' time comes
   * with the next ones.
   * @param {(i: number) => number | undefined} unwritten MiB
   * @param {number} [still]
   */
  const stalled = (unwritten, still = 4) => {
    const ops = (/** @type {number} */ i) => Math.max(Math.min(i, 20), i - still) * 600;
    const late = (/** @type {number} */ i) => (i > 20 + still ? still * 8e6 : 0);
    return makeWindow(
      Array.from({ length: 60 }, (_, i) => ({
        atMs: T0 + i * 1000,
        uptimeMs: 90_000 + i * 1000,
        counters: {
          'latency.readOps': ops(i),
          'latency.readMicros': ops(i) * 1000 + late(i),
          'latency.writeOps': 0,
          'latency.writeMicros': 0,
          ...(unwritten(i) !== undefined && {
            'diagnostics.atMs': T0 + i * 1000 - 300,
            'writeback.dirtyPageBytes': Number(unwritten(i)) * MiB,
          }),
        },
      })),
    );
  };
  it("what falls by half while nothing is completed is the kernel's writing", () =>
    assert.equal(
      writebackShare(
        stalled((i) => (i < 22 ? 180 : 5)),
        NO_FACTS,
      ),
      1,
    ));
  it('to half is enough, to a little more is not', () =>
    assert.deepEqual(
      [90, 91].map((to) =>
        writebackShare(
          stalled((i) => (i < 22 ? 180 : to)),
          NO_FACTS,
        ),
      ),
      [1, 0],
    ));
  it('a few megabytes are not', () =>
    assert.deepEqual(
      [8, 7].map((from) =>
        writebackShare(
          stalled((i) => (i < 22 ? from : 0)),
          NO_FACTS,
        ),
      ),
      [1, 0],
    ));
  it('nor what the disk writes in half a second, nor a fall beside a disk that is not busy', () => {
    const { samples } = stalled((i) => (i < 22 ? 25 : 0));
    const onDisk = (/** @type {number} */ mibPerSec, /** @type {number} */ busyMs) =>
      makeWindow(
        samples.map((one, i) => ({
          ...one,
          counters: {
            ...one.counters,
            'disk.writtenBytes@sda': i * mibPerSec * MiB,
            'disk.busyMs@sda': i * busyMs,
          },
        })),
      );
    assert.deepEqual(
      [onDisk(100, 900), onDisk(40, 900), onDisk(40, 17)].map((w) => writebackShare(w, NO_FACTS)),
      [0, 1, 0],
    );
  });
  // 277, 90, 117, … 350 MiB were seen over a stall of 8 s.
  it('it may rise again meanwhile', () =>
    assert.equal(
      writebackShare(
        stalled((i) => (i < 21 ? 277 : 90 + (i - 21) * 65)),
        NO_FACTS,
      ),
      1,
    ));
  it('nor is what accumulates', () =>
    assert.equal(
      writebackShare(
        stalled((i) => (i < 22 ? 5 : 180)),
        NO_FACTS,
      ),
      0,
    ));
  it('nor what fell before or after', () =>
    assert.deepEqual(
      [17, 28].map((when) =>
        writebackShare(
          stalled((i) => (i < when ? 180 : 5)),
          NO_FACTS,
        ),
      ),
      [0, 0],
    ));
  it('nothing is known without the machine, or without a stall', () => {
    assert.equal(
      writebackShare(
        stalled(() => undefined),
        NO_FACTS,
      ),
      undefined,
    );
    assert.equal(
      writebackShare(
        stalled((i) => (i < 22 ? 180 : 5), 0),
        NO_FACTS,
      ),
      undefined,
    );
  });
});
