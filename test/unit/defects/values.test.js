'use strict';

const assert = require('node:assert/strict');
const {
  valuesOfBuild,
  valuesOfHost,
  valuesOfParameters,
  valuesOfStatus,
} = require('../../../lib/defects/pure/evidence');

describe('values of replies', () => {
  it('are those of the status, wherever a release has them', () => {
    assert.deepEqual(
      valuesOfStatus({
        version: '8.0.3',
        sharding: {},
        storageEngine: { backupCursorOpen: true },
        network: { compression: { snappy: {}, zlib: {} } },
        catalogStats: { timeseries: { $numberLong: '7' } },
        queues: { execution: { monitor: { timesIncreased: 2, timesDecreased: 0 } } },
        opcounters: { delete: 3 },
      }),
      {
        'backup.cursorOpen': 1,
        'zlib.isAccepted': 1,
        'timeseries.collections': 7,
        'ops.deletesTotal': 3,
        'tickets.timesIncreased': 2,
        'tickets.timesDecreased': 0,
        'server.isSharded': 1,
        'server.isReplicated': 0,
      },
    );
    assert.deepEqual(
      valuesOfStatus({
        wiredTiger: { concurrentTransactions: { monitor: { timesDecreased: 4 } } },
      }),
      { 'tickets.timesDecreased': 4 },
    );
  });
  it('show that zlib is not accepted, whichever other compressors there are', () => {
    for (const network of [{}, { compression: {} }, { compression: { snappy: {} } }])
      assert.deepEqual(valuesOfStatus({ network }), { 'zlib.isAccepted': 0 });
  });
  it('are absent where the reply has none, or nonsense', () => {
    for (const nothing of [undefined, null, {}, 'text', { network: null }, { opcounters: 'x' }])
      assert.deepEqual(valuesOfStatus(nothing), {});
    for (const nothing of [undefined, {}, { buildEnvironment: {} }])
      assert.deepEqual(valuesOfBuild(nothing), {});
    for (const nothing of [undefined, {}, { internalInsertMaxBatchSize: 'x' }])
      assert.deepEqual(valuesOfParameters(nothing), {});
    for (const kernelVersion of [undefined, '', 'six', 6.19])
      assert.deepEqual(valuesOfHost({ os: { type: 'Linux' }, extra: { kernelVersion } }), {});
  });
  it('tell CPUs that reorder stores', () => {
    const of = (/** @type {string} */ target_arch) =>
      valuesOfBuild({ buildEnvironment: { target_arch } })['server.isWeaklyOrdered'];
    assert.deepEqual(['aarch64', 'ppc64le', 'x86_64', 's390x'].map(of), [1, 1, 0, 0]);
  });
  it('order kernels by all three numbers, on Linux only', () => {
    const of = (/** @type {string} */ kernelVersion, type = 'Linux') =>
      valuesOfHost({ os: { type }, extra: { kernelVersion } })['host.kernelNumber'];
    assert.deepEqual(
      [of('6.18.44-fc-v657'), of('6.19'), of('7.0.13-1.el9'), of('7.0.14'), of('6.19', 'Windows')],
      [6_018_044, 6_019_000, 7_000_013, 7_000_014, undefined],
    );
  });
  it('find the kernel where 6.0 and later have it, one level deeper', () => {
    const kernelVersion = '6.19.3';
    for (const extra of [{ kernelVersion }, { extra: { kernelVersion }, mountInfo: [] }])
      assert.deepEqual(valuesOfHost({ os: { type: 'Linux' }, extra }), {
        'host.kernelNumber': 6_019_003,
      });
  });
  it('have the batch of inserts', () =>
    assert.deepEqual(valuesOfParameters({ internalInsertMaxBatchSize: 500, ok: 1 }), {
      'insert.batchMax': 500,
    }));
});
