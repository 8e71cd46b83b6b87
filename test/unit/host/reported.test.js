'use strict';

const assert = require('node:assert/strict');
const { askServer, identityOf } = require('../../../lib/host/ask-server');
const { reportedByServer } = require('../../../lib/host/reported');

const STATUS = {
  host: 'db1:27018',
  version: '8.0.4',
  pid: 77,
  uptimeMillis: 5000,
  localTime: new Date(1_700_000_005_000),
  wiredTiger: { cache: { 'maximum bytes configured': 1024 } },
};
const HOST_INFO = {
  system: {
    hostname: 'db1:27018',
    memSizeMB: 65536,
    memLimitMB: 16384,
    numCores: 8,
    numPhysicalCores: 4,
    cpuArch: 'x86_64',
    numaEnabled: true,
    numNumaNodes: 2,
  },
  os: {
    type: 'Linux',
    name: 'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"',
    version: 'Kernel 6.12.3',
  },
  extra: {
    extra: {
      kernelVersion: '6.12.3-cloud',
      mountInfo: [
        {
          mountPoint: '/',
          type: 'ext4',
          source: '/dev/sda1',
          options: 'rw',
          superOpt: 'rw,errors=remount-ro',
        },
        {
          mountPoint: '/data',
          type: 'xfs',
          source: '/dev/nvme0n1p1',
          options: 'rw,noatime',
          superOpt: 'rw,attr2',
        },
        { mountPoint: '/database', type: 'nfs', source: 'x', options: 'rw', superOpt: '' },
      ],
    },
  },
};
const DISK = {
  reads: 10,
  read_time_ms: 20,
  read_sectors: 100,
  writes: 100,
  write_time_ms: 50,
  write_sectors: 1000,
  io_time_ms: 400,
  io_queued_ms: 900,
};
const metrics = (/** @type {number} */ at, /** @type {number} */ times) => ({
  start: new Date(at),
  cpu: {
    num_logical_cores: 8,
    num_cores_available_to_process: 6,
    user_ms: 100 * times,
    idle_ms: 250 * times,
    iowait_ms: 50 * times,
    steal_ms: 100 * times,
    btime: 1_600_000_000,
  },
  memory: {
    MemTotal_kb: 67108864,
    MemAvailable_kb: 1024,
    SwapTotal_kb: 100,
    SwapFree_kb: 60,
    Dirty_kb: 50 * times,
  },
  vmstat: { pswpin: 10 * times },
  disks: {
    sda: DISK,
    nvme0n1: Object.fromEntries(Object.entries(DISK).map(([name, n]) => [name, n * times])),
  },
  mounts: { '/': { capacity: 1, available: 1 }, '/data': { capacity: 1000, available: 400 } },
});
const warnings = (/** @type {object[]} */ ...lines) => ({
  log: lines.map((line) => JSON.stringify(line)),
});
const OPTIONS = { parsed: { net: { port: 27018 }, storage: { dbPath: '/data/db' } } };
const answers = (/** @type {any} */ more = {}) => ({
  status: STATUS,
  hostInfo: HOST_INFO,
  options: OPTIONS,
  diagnostics: { data: { systemMetrics: metrics(1000, 1) } },
  warnings: warnings(),
  you: { you: '10.0.0.1:5' },
  refused: {},
  ...more,
});
const later = { diagnostics: { data: { common: { systemMetrics: metrics(3000, 3) } } } };

describe('host/reported', () => {
  it('hostInfo, diagnostic data of two samples, options', () => {
    const { values, unknown } = reportedByServer(answers(), answers(later));
    const expected = {
      'os.name': 'Debian GNU/Linux 12 (bookworm)',
      'os.hostname': 'db1',
      'os.architecture': 'x86_64',
      'kernel.release': '6.12.3-cloud',
      'kernel.number': 6012,
      'memory.totalBytes': 64 * 2 ** 30,
      'memory.limitBytes': 16 * 2 ** 30,
      'memory.availableBytes': 2 ** 20,
      'memory.swapUsedBytes': 40 * 1024,
      'memory.swapInPagesPerSec': 10,
      'cpu.logical': 8,
      'cpu.cores': 4,
      'cpu.allowed': 6,
      'cpu.busyRatio': 0.4,
      'cpu.iowaitRatio': 0.1,
      'cpu.stealRatio': 0.2,
      'numa.nodes': 2,
      'numa.isInterleaved': false,
      'files.type': 'xfs',
      'files.device': '/dev/nvme0n1p1',
      'files.mountPoint': '/data',
      'files.options': ['rw', 'noatime', 'attr2'],
      'files.totalBytes': 1000,
      'files.freeBytes': 400,
      'files.path': '/data/db',
      'disk.name': 'nvme0n1',
      'disk.readMs': 2,
      'disk.writeMs': 0.5,
      'disk.writesPerSec': 100,
      'disk.writtenBytesPerSec': 512000,
      'disk.busyRatio': 0.4,
      'disk.queue': 0.9,
      'writeback.dirtyPageBytes': 150 * 1024,
      'writeback.dirtyPageBytesMax': 150 * 1024,
      'server.versionNumber': 80004,
      'server.cacheBytes': 1024,
    };
    for (const [name, value] of Object.entries(expected))
      assert.deepEqual(/** @type {any} */ (values)[name], value, name);
    assert.deepEqual(unknown, {});
  });
  it('one sample tells no rates', () => {
    const { values } = reportedByServer(answers(), answers());
    for (const name of ['cpu.busyRatio', 'disk.readMs', 'disk.queue', 'memory.swapInPagesPerSec'])
      assert.ok(!(name in values), name);
    assert.equal(values['disk.name'], 'nvme0n1');
  });
  it('counters that went back (the machine was started again) tell no rates', () => {
    const { values } = reportedByServer(
      answers({ diagnostics: { data: { systemMetrics: metrics(1000, 5) } } }),
      answers(later),
    );
    assert.ok(!('disk.writesPerSec' in values) && !('cpu.busyRatio' in values));
  });
  it('several disks, and no word which of them has dbPath', () => {
    const { values, unknown } = reportedByServer(
      answers({ hostInfo: {} }),
      answers({ ...later, hostInfo: {} }),
    );
    assert.ok(!('disk.name' in values));
    assert.match(String(unknown['disk.name']), /which of sda, nvme0n1 has dbPath/);
  });
  it('the only disk is the one; no disk, and why', () => {
    const only = { ...metrics(1, 1), disks: { vda: DISK } };
    assert.equal(
      reportedByServer(
        answers(),
        answers({ hostInfo: {}, diagnostics: { data: { systemMetrics: only } } }),
      ).values['disk.name'],
      'vda',
    );
    assert.match(
      String(
        reportedByServer(
          answers(),
          answers({ diagnostics: { data: { systemMetrics: { ...only, disks: {} } } } }),
        ).unknown['disk.name'],
      ),
      /reports no disk/,
    );
    assert.match(
      String(reportedByServer(answers(), answers({ diagnostics: {} })).unknown['disk.readMs']),
      /no diagnostic data/,
    );
  });
  it('what was refused is unknown, and says so', () => {
    const refused = {
      hostInfo: 'this user is not allowed to run hostInfo',
      diagnostics: 'this user may not run getDiagnosticData',
      warnings: 'this user may not run getLog',
      options: 'this user may not run getCmdLineOpts',
    };
    const { values, unknown } = reportedByServer(
      { status: STATUS, refused },
      { status: STATUS, refused },
    );
    assert.deepEqual(values, { 'server.versionNumber': 80004, 'server.cacheBytes': 1024 });
    assert.deepEqual(
      [
        unknown['cpu.busyRatio'],
        unknown['memory.totalBytes'],
        unknown['thp.enabled'],
        unknown['disk.name'],
        unknown['files.path'],
      ],
      [
        refused.diagnostics,
        refused.hostInfo,
        refused.warnings,
        refused.diagnostics,
        refused.options,
      ],
    );
  });
  const NO_MOUNTS = { ...HOST_INFO, extra: { kernelVersion: '4.18.0' } };
  const THP = '/sys/kernel/mm/transparent_hugepage';
  for (const [title, lines, expected] of /** @type {[string, object[], object][]} */ ([
    ['not XFS', [{ id: 22297 }], {}],
    ['no warning of the file system: XFS', [{ id: 22120 }], { 'files.type': 'xfs' }],
    [
      'limits',
      [
        { id: 22297 },
        { id: 22184, attr: { currentValue: 1024 } },
        { id: 5123300, attr: { currentValue: 65530 } },
      ],
      { 'process.files': { soft: 1024, hard: 1024 }, 'sysctl.maxMapCount': 65530 },
    ],
    [
      'huge pages before 8.0',
      [{ id: 22297 }, { id: 22178 }, { id: 22181 }],
      { 'thp.enabled': 'always', 'thp.defrag': 'always' },
    ],
    [
      'huge pages of 7.0',
      [
        { id: 22297 },
        { id: 9068900, attr: { sysfsFile: THP, currentValue: 'always', desiredValue: 'never' } },
      ],
      { 'thp.enabled': 'always' },
    ],
    [
      'huge pages of 8.0',
      [
        { id: 22297 },
        { id: 8640300, attr: { currentValue: 'madvise' } },
        { id: 8640301, attr: { currentValue: 'never' } },
        { id: 8640302, attr: { currentValue: 511 } },
      ],
      { 'thp.enabled': 'madvise', 'thp.defrag': 'never', 'thp.maxPtesNone': 511 },
    ],
    [
      'huge pages of 8.2',
      [
        { id: 22297 },
        { id: 9068900, attr: { sysfsFile: `${THP}/defrag`, currentValue: 'madvise' } },
      ],
      { 'thp.defrag': 'madvise' },
    ],
    [
      'memory',
      [
        { id: 22297 },
        { id: 22171 },
        { id: 22174, attr: { currentValue: 1 } },
        { id: 8386700, attr: { currentValue: 60 } },
        { id: 22167 },
      ],
      {
        'memory.overcommit': 2,
        'numa.zoneReclaim': 1,
        'memory.swappiness': 60,
        'numa.isInterleaved': false,
      },
    ],
    ['a figure that is none', [{ id: 22297 }, { id: 8386700 }], {}],
  ])) {
    it(`start-up warnings: ${title}`, () => {
      const { values, unknown } = reportedByServer(
        answers(),
        answers({
          hostInfo: { os: NO_MOUNTS.os },
          diagnostics: {},
          options: undefined,
          warnings: warnings(...lines),
        }),
      );
      const reported = Object.fromEntries(
        Object.entries(values).filter(([name]) => !/^(os|server)\./.test(name)),
      );
      assert.deepEqual(reported, expected);
      assert.equal('files.type' in unknown, !('files.type' in expected));
    });
  }
  it('lines of the old log, and a server that is not on Linux, tell nothing', () => {
    assert.equal(
      reportedByServer(
        answers(),
        answers({
          hostInfo: NO_MOUNTS,
          warnings: { log: ['2020-01-01T00:00:00 I CONTROL ** WARNING'] },
        }),
      ).values['files.type'],
      undefined,
    );
    assert.equal(
      reportedByServer(
        answers(),
        answers({ hostInfo: { os: { type: 'Darwin' } }, warnings: warnings({ id: 22120 }) }),
      ).values['files.type'],
      undefined,
    );
  });
  it('before 6.0 hostInfo has no further level; interleaved where mongod does not call it enabled', () => {
    assert.equal(
      reportedByServer(answers(), answers({ hostInfo: NO_MOUNTS })).values['kernel.number'],
      4018,
    );
    const system = { ...HOST_INFO.system, numaEnabled: false, memLimitMB: 65536 };
    const { values } = reportedByServer(answers(), answers({ hostInfo: { ...HOST_INFO, system } }));
    assert.deepEqual(
      [values['numa.isInterleaved'], values['memory.limitBytes']],
      [true, undefined],
    );
  });
});

describe('host/ask-server', () => {
  const refusal = (/** @type {number} */ code) =>
    Object.assign(new Error('not authorized on admin'), { name: 'MongoServerError', code });
  it('asks all, and keeps why something was refused', async () => {
    const replies = /** @type {Record<string, any>} */ ({
      serverStatus: STATUS,
      getCmdLineOpts: { parsed: { storage: { wiredTiger: { engineConfig: { cacheSizeGB: 2 } } } } },
      whatsmyuri: { you: 'x' },
    });
    const asked = await askServer({
      command: async () => ({}),
      adminCommand: async (command) => {
        const [name] = Object.keys(command);
        if (name in replies) return replies[name];
        throw refusal(name === 'hostInfo' ? 13 : 59);
      },
    });
    assert.deepEqual(asked.refused, {
      hostInfo: 'this user is not allowed to run hostInfo',
      diagnostics: 'the server refused getDiagnosticData',
      warnings: 'the server refused getLog',
    });
    assert.deepEqual(identityOf({ ...asked, status: { ...STATUS, wiredTiger: undefined } }), {
      host: 'db1:27018',
      hostname: 'db1',
      version: '8.0.4',
      pid: 77,
      startedAtMs: 1_700_000_000_000,
      memorySizeMB: null,
      bootAtSeconds: null,
      port: 27018,
      dbPath: '/data/db',
      cacheBytes: 2 * 2 ** 30,
      client: 'x',
    });
  });
  it('a server that tells nothing of itself', () => {
    const nothing = identityOf({ status: {}, refused: {} });
    assert.ok(
      Object.values(nothing).every((value) => value === null),
      JSON.stringify(nothing),
    );
    assert.equal(identityOf({ status: { host: 'db1' }, refused: {} }).port, 27017);
  });
  it('a lost connection, and a status that is refused, throw', async () => {
    const lost = Object.assign(new Error('connection closed'), { name: 'MongoNetworkError' });
    await assert.rejects(
      askServer({
        command: async () => ({}),
        adminCommand: async (command) => {
          if ('serverStatus' in command) return STATUS;
          throw lost;
        },
      }),
      { code: 'TUNE-20006' },
    );
    await assert.rejects(
      askServer({
        command: async () => ({}),
        adminCommand: async () => {
          throw refusal(13);
        },
      }),
      { code: 'TUNE-20005' },
    );
  });
});
