'use strict';

const assert = require('node:assert/strict');
const { openHost, snapshotsOf } = require('../../support/host-fixture');
const { collectPart } = require('../../../lib/host/snapshot');
const area = require('../../../lib/host/areas/disk');

const SECTOR = 512;
const of = async (name, more) => {
  const { snapshots, subject } = openHost(name, more);
  await Promise.all(snapshots.map((snapshot) => area.snap(snapshot, subject)));
  return collectPart(area.values(snapshots, subject));
};
const mounted = (source, numbers = '0:40', type = 'btrfs') => ({
  '/proc/7/mountinfo': `27 1 ${numbers} / / rw - ${type} ${source} rw\n`,
});
const stats = (...rows) => ({ '/proc/diskstats': `${rows.join('\n')}\n` });
const queue = (name, file, text = '0') => ({ [`/sys/block/${name}/queue/${file}`]: text });
const from = (snapshots) =>
  collectPart(
    area.values(snapshotsOf(snapshots), { pid: 7, dbPath: '/data', port: null, interface: null }),
  );
const row = (name, ...counters) =>
  ` 8 0 ${name} ${[...counters, ...Array(11 - counters.length).fill(0)].join(' ')}`;

describe('host/areas/disk', () => {
  it('a partition of an NVMe disk, by what it did a second', async () => {
    const { values, unknown } = await of('debian-xfs');
    const { 'disk.seconds': seconds, ...others } = values;
    assert.deepEqual(others, {
      'disk.name': 'nvme1n1',
      'disk.members': ['nvme1n1'],
      'disk.model': 'INVENTED NVME 3.2T',
      'disk.isRotational': false,
      'disk.readAheadBytes': 131072,
      'disk.schedulers': [
        {
          target: '/sys/block/nvme1n1/queue/scheduler',
          active: 'none',
          available: ['none', 'mq-deadline'],
        },
      ],
      'disk.readMs': 0.15,
      'disk.writeMs': 0.4,
      'disk.readsPerSec': 11000,
      'disk.writesPerSec': 3200,
      'disk.readBytesPerSec': 264000 * SECTOR,
      'disk.writtenBytesPerSec': 409600 * SECTOR,
      'disk.queue': 2.93,
      'disk.busyRatio': 0.82,
    });
    assert.deepEqual(
      seconds,
      Array(3).fill({
        writtenBytesPerSec: 409600 * SECTOR,
        readBytesPerSec: 264000 * SECTOR,
        writesPerSec: 3200,
        busyRatio: 0.82,
        queue: 2.93,
      }),
    );
    assert.deepEqual(unknown, {});
  });

  it('LVM on several paths: the stack is measured, its disks are named', async () => {
    const { values } = await of('rhel10-s390x');
    assert.deepEqual(
      [values['disk.name'], values['disk.members'], values['disk.model']],
      ['dm-1', ['sda', 'sdb', 'sdc', 'sdd'], '2107900'],
    );
    assert.deepEqual(
      values['disk.schedulers'].map(({ active }) => active),
      Array(4).fill('mq-deadline'),
    );
    assert.equal(values['disk.readMs'], 0.8);
  });

  it('an old kernel with fewer counters, and seconds in which the disk stalled', async () => {
    const { values } = await of('centos7-kernel310');
    assert.deepEqual(
      [
        values['disk.isRotational'],
        values['disk.schedulers'][0].active,
        values['disk.readAheadBytes'],
      ],
      [true, 'cfq', 4096 * 1024],
    );
    assert.deepEqual(
      values['disk.seconds'].map(({ writtenBytesPerSec, busyRatio }) => [
        writtenBytesPerSec > 0,
        busyRatio > 0.99,
      ]),
      [
        [true, true],
        [true, true],
        [false, true],
        [false, true],
        [true, true],
      ],
    );
  });

  it('ZFS and overlay have no device', async () => {
    for (const [host, path, reason] of [
      ['ubuntu-zfs', '/tank/mongodb', 'zfs on tank/mongodb'],
      ['container-cgroup2', '/var', 'overlay on overlay'],
    ]) {
      const { values, unknown } = await of(host, { dbPath: path });
      assert.deepEqual(values, {});
      assert.deepEqual(new Set(Object.values(unknown)), new Set([`${reason} has no block device`]));
    }
  });

  it('btrfs goes by the device it names, a mapping by its name, a slash is an exclamation mark', async () => {
    const name = async (...all) =>
      (({ values, unknown }) => values['disk.name'] ?? unknown['disk.name'])(await from(...all));
    assert.equal(
      await name([
        {
          ...mounted('/dev/sdb2'),
          ...stats(row('sdb'), row('sdb2')),
          ...queue('sdb', 'rotational'),
        },
      ]),
      'sdb',
    );
    const mapping = {
      ...mounted('/dev/mapper/vg-data'),
      ...stats(row('dm-0'), row('dm-1')),
      '/sys/block/dm-0/dm/name': 'vg-root\n',
      '/sys/block/dm-1/dm/name': 'vg-data\n',
    };
    assert.equal(await name([mapping]), 'dm-1');
    assert.equal(
      await name([{ ...mapping, ...mounted('/dev/mapper/other') }]),
      '/sys/block has no mapping other',
    );
    assert.equal(
      await name([
        {
          ...mounted('/dev/cciss/c0d0p1', '104:1', 'xfs'),
          ...stats(
            ' 104 0 cciss/c0d0 0 0 0 0 0 0 0 0 0 0 0',
            ' 104 1 cciss/c0d0p1 0 0 0 0 0 0 0 0 0 0 0',
          ),
          ...queue('cciss!c0d0', 'rotational'),
        },
      ]),
      'cciss!c0d0',
    );
    assert.equal(
      await name([
        {
          ...mounted('/dev/sdb1', '8:0', 'xfs'),
          ...stats(row('sdb1')),
          ...queue('sdc', 'rotational'),
        },
      ]),
      '/sys/block has no disk for sdb1',
    );
  });

  it('RAID of partitions', async () => {
    const { values } = await from([
      {
        ...mounted('/dev/md0', '9:0', 'xfs'),
        ...stats(' 9 0 md0 0 0 0 0 0 0 0 0 0 0 0', row('sda'), row('sdb')),
        ...queue('md0', 'rotational'),
        ...queue('sda', 'rotational'),
        ...queue('sdb', 'rotational'),
        '/sys/block/md0/slaves/sda1/size': '1',
        '/sys/block/md0/slaves/sdb1/size': '1',
      },
    ]);
    assert.deepEqual([values['disk.name'], values['disk.members']], ['md0', ['sda', 'sdb']]);
  });

  const disk = { ...mounted('/dev/sda1', '8:0', 'xfs'), ...queue('sda', 'rotational') };

  it('one sample tells no rates, and a disk that did nothing no durations', async () => {
    const one = await from([{ ...disk, ...stats(row('sda', 5)) }]);
    assert.deepEqual(
      [one.unknown['disk.readsPerSec'], one.unknown['disk.seconds'], one.values['disk.name']],
      ['two samples are needed', 'two samples are needed', 'sda'],
    );
    const { values, unknown } = await from([{ ...disk, ...stats(row('sda', 5)) }, {}]);
    assert.deepEqual([values['disk.readsPerSec'], values['disk.busyRatio']], [0, 0]);
    assert.deepEqual(
      [unknown['disk.readMs'], unknown['disk.writeMs']],
      ['no reads between the samples', 'no writes between the samples'],
    );
  });

  it('milliseconds that passed 32 bits go on, counters that fell began anew', async () => {
    const wrapped = await from([
      { ...disk, ...stats(row('sda', 1, 0, 0, 2 ** 32 - 10)) },
      stats(row('sda', 3, 0, 0, 10)),
    ]);
    assert.equal(wrapped.values['disk.readMs'], 10);
    const fallen = await from([
      { ...disk, ...stats(row('sda', 9, 0, 0, 500)) },
      stats(row('sda', 3, 0, 0, 10)),
    ]);
    assert.equal(fallen.unknown['disk.readsPerSec'], 'the counters of sda were reset');
    assert.equal(
      (
        await from([
          { ...disk, ...stats(row('sda', 1, 0, 0, 2 ** 31)) },
          stats(row('sda', 3, 0, 0, 10)),
        ])
      ).unknown['disk.readMs'],
      'the counters of sda were reset',
    );
    assert.equal(
      (await from([{ ...disk, ...stats(row('sda')) }, stats(' 8 16 sdb 0 0 0 0 0 0 0 0 0 0 0')]))
        .unknown['disk.name'],
      'xfs on /dev/sda1 has no block device',
    );
    assert.equal(
      (await from([{ ...disk, ...stats(row('sdb')) }, stats(row('sda'))])).unknown[
        'disk.readsPerSec'
      ],
      '/proc/diskstats has no sda',
    );
  });

  it('garbage is unknown, with the reason', async () => {
    const part = await from([
      {
        ...disk,
        ...queue('sda', 'scheduler', 'mq-deadline none'),
        ...queue('sda', 'read_ahead_kb', 'much'),
        ...stats(row('sda')),
      },
    ]);
    assert.equal(
      part.unknown['disk.schedulers'],
      '/sys/block/sda/queue/scheduler lists no scheduler',
    );
    assert.match(String(part.unknown['disk.readAheadBytes']), /contains no number: "much"/);
    assert.equal(part.unknown['disk.model'], '/sys/block/sda/device/model is not in the file');
    assert.equal(
      (await from([{ ...disk, ...queue('sda', 'scheduler', '\n'), ...stats(row('sda')) }])).unknown[
        'disk.schedulers'
      ],
      '/sys/block/sda/queue/scheduler lists no scheduler',
    );
    assert.equal(
      (await from([{ ...disk, ...stats('8 0 sda one two') }])).unknown['disk.name'],
      '/proc/diskstats has an unexpected format',
    );
    assert.equal(
      (await from([{ ...disk, ...queue('sda', 'scheduler', 'none\n'), ...stats(row('sda')) }]))
        .values['disk.schedulers'][0].active,
      'none',
    );
  });

  it('a defect of ours is not swallowed', async () => {
    const [snapshot] = snapshotsOf([{ ...disk, ...stats(row('sda')) }]);
    const broken = {
      ...snapshot,
      list: async (path) =>
        path.endsWith('slaves') ? Promise.reject(new TypeError('ours')) : snapshot.list(path),
    };
    await assert.rejects(
      collectPart(area.values([broken], { pid: 7, dbPath: '/data', port: null, interface: null })),
      TypeError,
    );
  });
});
