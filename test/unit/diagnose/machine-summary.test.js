'use strict';

const assert = require('node:assert/strict');
const {
  aboutMachine,
  joinFindings,
  machineFindings,
} = require('../../../lib/diagnose/machine-summary');
const { loadHostRules } = require('../../../lib/rules/registry');

/**
 * @import { Bottleneck } from '../../../lib/base/pure/finding'
 * @import { HostValues } from '../../../lib/host/pure/host'
 */

/** @typedef {Partial<HostValues>} Values */

const MiB = 2 ** 20;
const about = (/** @type {Bottleneck} */ bottleneck, /** @type {Values} */ values) =>
  aboutMachine(bottleneck, { values, unknown: {} });
/** @type {Values} */
const DISK = {
  'disk.name': 'sdb',
  'disk.members': ['sdb'],
  'disk.busyRatio': 0.97,
  'disk.queue': 12,
  'disk.readsPerSec': 590,
  'disk.writesPerSec': 40,
  'disk.readMs': 11,
  'disk.writeMs': 30,
  'disk.readBytesPerSec': 20 * MiB,
  'disk.writtenBytesPerSec': 2 * MiB,
  'files.type': 'xfs',
  'files.mountPoint': '/var/lib/mongo',
};
/** @type {Values} */
const EIGHT = {
  'cpu.logical': 8,
  'cpu.cores': 4,
  'cpu.online': [0, 1, 2, 3, 4, 5, 6, 9],
  'cpu.busyOfEach': [0.1, 0.9, 0.2, 0.3, 0.1, 0.1, 0.1, 0.95],
};

describe('diagnose/machine-summary', () => {
  /** @type {[string, Bottleneck, Values, string | null][]} */
  const cases = [
    [
      'the disk of dbPath',
      'disk',
      DISK,
      'dbPath is on sdb (xfs on /var/lib/mongo): busy 97.0% of the time; 590 reads/s ' +
        '(20 MiB/s), 11 ms each; 40 writes/s (2 MiB/s), 30 ms each.',
    ],
    [
      'a stack of disks, and its model',
      'disk',
      {
        'disk.name': 'dm-1',
        'disk.members': ['sda', 'sdb'],
        'disk.model': 'QEMU',
        'files.type': 'ext4',
      },
      'dbPath is on dm-1 over sda, sdb (QEMU, ext4).',
    ],
    ['only its name is told', 'disk', { 'disk.name': 'vda' }, 'dbPath is on vda.'],
    [
      'its work without rates',
      'disk',
      { 'disk.name': 'vda', 'disk.busyRatio': 0.5 },
      'dbPath is on vda: busy 50.0% of the time; 0 reads/s; 0 writes/s.',
    ],
    [
      'from afar',
      'disk',
      { 'files.device': '/dev/sda1', 'files.type': 'xfs', 'files.mountPoint': '/data' },
      'dbPath is on /dev/sda1 (xfs on /data).',
    ],
    ['not known', 'disk', { 'files.type': 'nfs4' }, null],
    [
      'processors, by their numbers',
      'cpu',
      EIGHT,
      'The machine has 8 CPUs (4 cores), of which 2 are at least 90% busy: 1, 9.',
    ],
    [
      'one of them',
      'cpu',
      { ...EIGHT, 'cpu.cores': 8, 'cpu.busyOfEach': [0.1, 0.9, 0.2, 0.3, 0.1, 0.1, 0.1, 0.89] },
      'The machine has 8 CPUs, of which one is at least 90% busy: 1.',
    ],
    [
      'none of them',
      'cpu',
      { ...EIGHT, 'cpu.busyOfEach': [0.1, 0.899, 0.2, 0.3, 0.1, 0.1, 0.1, 0.1] },
      'The machine has 8 CPUs (4 cores); the busiest (CPU 1) is 89.9% busy.',
    ],
    [
      'all of them',
      'cpu',
      { 'cpu.logical': 2, 'cpu.online': [0, 1], 'cpu.busyOfEach': [0.9, 1] },
      'The machine has 2 CPUs, each at least 90% busy.',
    ],
    [
      'too many to name',
      'cpu',
      {
        'cpu.logical': 24,
        'cpu.online': [...Array(24).keys()],
        'cpu.busyOfEach': [...Array(24).keys()].map((i) => (i < 9 ? 1 - i / 1000 : 0)),
      },
      'The machine has 24 CPUs, of which 9 are at least 90% busy: 0, 1, 2, 3, 4, 5, ' + '6, 7, ….',
    ],
    [
      'pinned',
      'cpu',
      { 'cpu.logical': 8, 'cpu.allowed': 2, 'cpu.allowedBusyRatio': 0.97 },
      'The machine has 8 CPUs. mongod may run on 2 of them (97.0% busy).',
    ],
    [
      'pinned, more is not known',
      'cpu',
      { 'cpu.logical': 8, 'cpu.allowed': 2 },
      'The machine has 8 CPUs. mongod may run on 2 of them.',
    ],
    [
      'a quota, and time that is stolen',
      'cpu',
      {
        'cpu.logical': 8,
        'cpu.allowed': 8,
        'cpu.quotaCores': 1.5,
        'cpu.throttledRatio': 0.3,
        'cpu.stealRatio': 0.1,
      },
      'The machine has 8 CPUs. A quota limits mongod to 1.5 CPUs; it was used up in ' +
        '30.0% of the periods. Other virtual machines take 10.0% of CPU time (steal).',
    ],
    [
      'a quota of one',
      'cpu',
      { 'cpu.logical': 8, 'cpu.quotaCores': 1, 'cpu.stealRatio': 0.099 },
      'The machine has 8 CPUs. A quota limits mongod to 1 CPU.',
    ],
    ['nothing is known', 'cpu', {}, null],
    ['another verdict', 'cache-read', { ...DISK, ...EIGHT }, null],
  ];
  for (const [title, bottleneck, values, say] of cases)
    it(`${bottleneck}: ${title}`, () => assert.equal(about(bottleneck, values), say));

  it('rules that belong to the verdict are shown where they found something', () => {
    const rules = (/** @type {Bottleneck} */ bottleneck, /** @type {Values} */ values) =>
      machineFindings(bottleneck, { values, unknown: {} }, loadHostRules()).map(({ rule }) => rule);
    const late = {
      'writeback.limitBytes': 8192 * MiB,
      'writeback.backgroundBytes': 4096 * MiB,
      'writeback.dirtyBytes': 0,
      'writeback.dirtyBackgroundBytes': 0,
      'writeback.dirtyRatioPercent': 20,
      'writeback.dirtyBackgroundRatioPercent': 10,
    };
    assert.deepEqual(rules('disk', { ...DISK, ...late }), [
      'device-latency',
      'host-disk-saturation',
      'kernel-writeback',
    ]);
    assert.deepEqual(rules('checkpoint', { ...DISK, ...late }), ['kernel-writeback']);
    assert.deepEqual(
      rules('disk', { ...DISK, 'disk.busyRatio': 0.1, 'disk.readMs': 0.1, 'disk.writeMs': 0.1 }),
      [],
    );
    assert.deepEqual(
      rules('cpu', {
        ...EIGHT,
        'cpu.allowed': 1,
        'cpu.allowedBusyRatio': 0.95,
        'cpu.busyRatio': 0.2,
        'cpu.serverRatio': 0.1,
        'cpu.stealRatio': 0.3,
        'cpu.hasQuota': true,
        'cpu.throttledRatio': 0.5,
      }),
      ['cpu-steal', 'host-cpu-pinning', 'host-cpu-quota'],
    );
    assert.deepEqual(rules('none', { ...DISK, ...late }), []);
  });

  it('a rule that judged the window and the host is one finding: the severer, with all evidence', () => {
    const finding = (/** @type {any} */ more) => ({ rule: 'cpu-load', evidence: {}, ...more });
    const change = { cacheSizeGB: 1 };
    const window = finding({ status: 'warning', change, evidence: { own: null, busy: 0.95 } });
    const other = finding({ rule: 'tickets', status: 'ok', change: null });
    const host = finding({
      status: 'info',
      change: null,
      fixes: ['a'],
      evidence: { own: 0.5, busy: 0.9 },
    });
    const quota = finding({ rule: 'host-cpu-quota', status: 'warning', change: null, fixes: [] });
    assert.deepEqual(joinFindings([window, other], [host, quota]), [
      { ...window, fixes: ['a'], evidence: { own: 0.5, busy: 0.95 } },
      other,
      quota,
    ]);
    const [joined] = joinFindings([{ ...window, status: 'ok' }], [host]);
    assert.deepEqual([joined.status, joined.change], ['info', change]);
  });
});
