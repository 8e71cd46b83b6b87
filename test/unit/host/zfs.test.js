'use strict';

const assert = require('node:assert/strict');
const { openHost, snapshotsOf } = require('../../support/host-fixture');
const { collectPart } = require('../../../lib/host/snapshot');
const area = require('../../../lib/host/areas/zfs');

const of = (name, more) =>
  collectPart(area.values(openHost(name, more).snapshots, openHost(name, more).subject));
const MOUNTS = { '/proc/7/mountinfo': '27 1 0:40 / / rw - zfs rpool/root rw\n' };
const from = (commands, files = {}) =>
  collectPart(
    area.values(snapshotsOf([{ ...MOUNTS, ...files }], { commands }), {
      pid: 7,
      dbPath: '/data',
      port: null,
      interface: null,
    }),
  );

describe('host/areas/zfs', () => {
  it('the dataset of dbPath, its pool and the cache', async () => {
    assert.deepEqual(await of('ubuntu-zfs'), {
      values: {
        'zfs.recordBytes': 131072,
        'zfs.compression': 'lz4',
        'zfs.atime': 'on',
        'zfs.primaryCache': 'all',
        'zfs.sync': 'standard',
        'zfs.ashift': 12,
        'zfs.arcMaxBytes': 67494625280,
        'zfs.arcBytes': 61203283968,
      },
      unknown: {},
    });
  });

  it('a dataset beside it is another one', async () => {
    assert.equal(
      (await of('ubuntu-zfs', { dbPath: '/tank/other' })).values['zfs.compression'],
      'on',
    );
  });

  it('elsewhere it says what there is', async () => {
    const { values, unknown } = await of('debian-xfs');
    assert.deepEqual(values, {});
    assert.deepEqual(new Set(Object.values(unknown)), new Set(['/srv/mongo data is xfs']));
  });

  it('what is missing or garbage is unknown, with the reason', async () => {
    const { unknown } = await from(
      { zfs: 'rpool/root\trecordsize\tlarge\nrpool\tcompression\tlz4\n' },
      { '/proc/spl/kstat/zfs/arcstats': 'size 4 many\n' },
    );
    assert.equal(unknown['zfs.recordBytes'], 'recordsize is not a number: "large"');
    assert.equal(unknown['zfs.compression'], 'zfs does not report compression of rpool/root');
    assert.equal(unknown['zfs.ashift'], 'zpool is not in the file');
    assert.equal(unknown['zfs.arcBytes'], '/proc/spl/kstat/zfs/arcstats does not report size');
    assert.equal(
      (await from({})).unknown['zfs.arcBytes'],
      '/proc/spl/kstat/zfs/arcstats is not in the file',
    );
  });
});
