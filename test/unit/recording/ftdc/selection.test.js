'use strict';

const assert = require('node:assert/strict');
const { chunkBody, chunkData, docOf, metricsOf } = require('../../../support/ftdc');
const { ChunkDecoder } = require('../../../../lib/recording/ftdc/chunk');
const { Selection } = require('../../../../lib/recording/ftdc/selection');
const { readSample } = require('../../../../lib/server/pure/sample');

/** @param {...Record<string, any>} samples of one shape @returns {Record<string, number[]>} */
function columnsOf(...samples) {
  const selection = new Selection();
  const [reference, ...rest] = samples.map(docOf);
  const chunk = new ChunkDecoder(selection.choose).decode(
    chunkData(chunkBody(reference, rest.map(metricsOf))),
  );
  return Object.fromEntries(
    Object.entries(selection.columns(chunk)).map(([name, column]) => [name, Array.from(column)]),
  );
}

const cache = (/** @type {number} */ used) => ({
  wiredTiger: {
    cache: {
      'bytes currently in the cache': used,
      'maximum bytes configured': 100,
      'not asked for': used,
    },
  },
});

describe('recording/ftdc/selection', () => {
  it('takes our metrics under our names, and the clocks', () => {
    const sample = (/** @type {number} */ i) => ({
      start: new Date(1000 + i),
      serverStatus: {
        localTime: new Date(2000 + i),
        uptime: 5 + i,
        uptimeMillis: 5000 + i,
        mem: { resident: 3 + i },
        ...cache(7 + i),
      },
      end: new Date(9),
    });
    assert.deepEqual(columnsOf(sample(0), sample(1)), {
      at: [2000, 2001],
      uptimeMs: [5000, 5001],
      uptimeSeconds: [5000, 6000],
      start: [1000, 1001],
      'cache.maxBytes': [100, 100],
      'cache.usedBytes': [7, 8],
      'process.residentBytes': [3 * 2 ** 20, 4 * 2 ** 20],
    });
  });

  it('finds nothing where there is nothing', () =>
    assert.deepEqual(columnsOf({ other: 1 }, { other: 2 }), {}));

  it('looks for the newest spelling first', () => {
    const both = {
      serverStatus: {
        wiredTiger: {
          checkpoint: { 'most recent time (msecs)': 8 },
          transaction: { 'transaction checkpoint most recent time (msecs)': 6 },
        },
      },
    };
    assert.deepEqual(columnsOf(both), { 'checkpoint.lastMs': [8] });
    assert.deepEqual(
      columnsOf({
        serverStatus: { wiredTiger: { transaction: both.serverStatus.wiredTiger.transaction } },
      }),
      { 'checkpoint.lastMs': [6] },
    );
  });

  it('keeps each disk apart, and sums what belongs together', () => {
    const disk = (/** @type {number} */ n) => ({ reads: n, read_sectors: 2 * n, io_time_ms: 3 });
    const reported = columnsOf({
      systemMetrics: {
        cpu: { user_ms: 5, nice_ms: 1, idle_ms: 9 },
        disks: { sda: disk(1), nvme0n1: disk(10), 'odd/name': disk(100) },
        memory: { Dirty_kb: 2 },
      },
    });
    assert.deepEqual(reported, {
      'cpu.userMs': [6],
      'cpu.idleMs': [9],
      'writeback.dirtyPageBytes': [2048],
      'disk.reads@sda': [1],
      'disk.reads@nvme0n1': [10],
      'disk.reads@odd/name': [100],
      'disk.readBytes@sda': [1024],
      'disk.readBytes@nvme0n1': [10_240],
      'disk.readBytes@odd/name': [102_400],
      'disk.busyMs@sda': [3],
      'disk.busyMs@nvme0n1': [3],
      'disk.busyMs@odd/name': [3],
    });
  });

  it('keeps each mounted file system apart', () =>
    assert.deepEqual(
      columnsOf({
        systemMetrics: {
          mounts: { '/': { available: 5, capacity: 9 }, '/data.d/db': { available: 7 } },
        },
      }),
      { 'space.freeBytes@/': [5], 'space.freeBytes@/data.d/db': [7] },
    ));

  it("sees through the roles of a sharded server, of equal names the shard's first", () => {
    const reported = columnsOf({
      start: new Date(1),
      common: {
        serverStatus: { ...cache(1), connections: { current: 4 } },
        systemMetrics: { disks: { sda: { reads: 5 }, sdb: { reads: 6 } } },
      },
      router: { serverStatus: { ...cache(2), connections: { current: 9 } } },
      shard: { serverStatus: cache(3), replSetGetStatus: { myState: 2 } },
    });
    assert.deepEqual(reported, {
      start: [1],
      state: [2],
      'cache.maxBytes': [100],
      'cache.usedBytes': [3],
      'connections.current': [4],
      'disk.reads@sda': [5],
      'disk.reads@sdb': [6],
    });
  });

  it('makes of a chunk what is made of the document live', () => {
    const status = {
      localTime: new Date(5000),
      uptimeMillis: 77,
      ...cache(9),
      opcounters: { insert: 1, query: 2, update: 3, delete: 4, getmore: 5, command: 6 },
      flowControl: { isLagged: true },
      extra_info: { user_time_us: 8, system_time_us: 9 },
      globalLock: { currentQueue: { readers: 1, writers: 2 }, activeClients: { total: 3 } },
      opLatencies: { reads: { latency: 10, ops: 11 } },
    };
    const system = {
      start: new Date(4700),
      cpu: { num_cpus: 4, user_ms: 3, iowait_ms: 2 },
      disks: { sda: { writes: 3, write_time_ms: 4 }, sdb: { writes: 5, write_time_ms: 6 } },
      pressure: { io: { some: { totalMicros: 7 } } },
    };
    const { at, uptimeMs, ...columns } = columnsOf({ serverStatus: status, systemMetrics: system });
    const live = readSample({ ...status, systemMetrics: system });
    assert.deepEqual(
      Object.fromEntries(Object.entries(columns).map(([name, [value]]) => [name, value])),
      live.counters,
    );
    assert.deepEqual([at[0], uptimeMs[0]], [live.atMs, live.uptimeMs]);
  });
});
