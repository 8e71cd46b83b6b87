'use strict';

const assert = require('node:assert/strict');
const { snapshotsOf } = require('../../support/host-fixture');
const { dbPathMount } = require('../../../lib/host/mounts');

const ROOT = '27 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw';
const find = async (dbPath, lines, more, pid = 7) => {
  const [snapshot] = snapshotsOf(
    [{ '/proc/7/mountinfo': `${[ROOT, ...lines].join('\n')}\n` }],
    more,
  );
  const { path, mount } = await dbPathMount(snapshot, { pid, dbPath, port: null, interface: null });
  return {
    path,
    point: mount.point,
    type: mount.type,
    source: mount.source,
    numbers: mount.numbers,
    options: mount.options.join(),
  };
};
const pointOf = async (...all) => (await find(...all)).point;

describe('host/mounts', () => {
  it('the longest way counts, by whole names', async () => {
    const lines = [
      '30 27 8:1 / /data rw - xfs /dev/sda1 rw',
      '31 30 8:2 / /data/db rw,noatime - ext4 /dev/sda2 rw,noatime,data=ordered',
    ];
    assert.deepEqual(await find('/data/db', lines), {
      path: '/data/db',
      point: '/data/db',
      type: 'ext4',
      source: '/dev/sda2',
      numbers: '8:2',
      options: 'rw,noatime,data=ordered',
    });
    assert.equal(await pointOf('/data/db/rs0', lines), '/data/db');
    assert.equal(await pointOf('/data/dbx', lines), '/data');
    assert.equal(await pointOf('/database', lines), '/');
  });

  it('several optional fields, or none', async () => {
    assert.equal(
      await pointOf('/data', [
        '30 27 8:1 / /data rw shared:1 master:2 propagate_from:3 - xfs /dev/sda1 rw',
      ]),
      '/data',
    );
  });

  it('spaces and backslashes are octal', async () => {
    const found = await find('/my data\\x', [
      '30 27 8:1 / /my\\040data\\134x rw - xfs /dev/mapper/a\\040b rw',
    ]);
    assert.deepEqual([found.point, found.source], ['/my data\\x', '/dev/mapper/a b']);
  });

  it('of two mounts on one point the later one is seen', async () => {
    const lines = [
      '30 27 8:1 / /data rw - xfs /dev/sda1 rw',
      '31 30 8:2 / /data rw - ext4 /dev/sda2 rw',
    ];
    assert.equal((await find('/data', lines)).source, '/dev/sda2');
  });

  it('a mount that a later one hides is not found', async () => {
    const lines = [
      '30 27 8:1 / /data/db rw - xfs /dev/sda1 rw',
      '31 27 8:2 / /data rw - ext4 /dev/sda2 rw',
    ];
    assert.equal((await find('/data/db', lines)).source, '/dev/sda2');
  });

  it('a bind mount is a mount', async () => {
    assert.equal(
      (await find('/data/db', ['30 27 254:0 /srv/mongo /data/db rw - ext4 /dev/vda rw'])).point,
      '/data/db',
    );
  });

  it("the root file system over the kernel's first one", async () => {
    const [snapshot] = snapshotsOf([
      {
        '/proc/7/mountinfo':
          '1 1 0:2 / / rw - rootfs rootfs rw\n27 1 254:0 / / rw - ext4 /dev/vda rw\n',
      },
    ]);
    assert.equal(
      (await dbPathMount(snapshot, { pid: 7, dbPath: '/data', port: null, interface: null })).mount
        .type,
      'ext4',
    );
  });

  const DATA = [
    '30 27 8:1 / /data rw - xfs /dev/sda1 rw',
    '31 27 8:2 / /srv rw - ext4 /dev/sda2 rw',
  ];

  it('symbolic links, absolute, relative and one behind another', async () => {
    const links = { '/var/mongo': '/data/db', '/data/db': '../srv/./x', '/etc/own': 'there' };
    assert.deepEqual(
      (({ path, point }) => [path, point])(await find('/var/mongo/rs0', DATA, { links })),
      ['/srv/x/rs0', '/srv'],
    );
    assert.equal((await find('/etc/own', DATA, { links })).path, '/etc/there');
  });

  it('links as the server sees them come first', async () => {
    assert.equal(
      await pointOf('/db', DATA, { links: { '/db': '/srv', '/proc/7/root/db': '/data' } }),
      '/data',
    );
  });

  it("a relative path is one of the server's folder", async () => {
    assert.equal(
      (await find('db', DATA, { links: { '/proc/7/cwd': '/data/here' } })).path,
      '/data/here/db',
    );
  });

  it('says why nothing is known', async () => {
    await assert.rejects(
      find('/a', DATA, { links: { '/a': '/b', '/b': '/a' } }),
      /the symbolic links of \/a form a loop/,
    );
    await assert.rejects(find('/data', DATA, {}, null), /the server's process is not known/);
    await assert.rejects(find('/data', DATA, {}, 8), /\/proc\/8\/mountinfo is not in the file/);
    await assert.rejects(find(null, DATA), /dbPath is not known/);
    const [snapshot] = snapshotsOf([{ '/proc/7/mountinfo': 'gar\nbage\n' }]);
    await assert.rejects(
      dbPathMount(snapshot, { pid: 7, dbPath: '/data', port: null, interface: null }),
      /has no mount for \/data/,
    );
  });

  it('a defect of ours is not swallowed', async () => {
    const [snapshot] = snapshotsOf([{}]);
    await assert.rejects(
      dbPathMount(
        {
          ...snapshot,
          text: async () => ROOT,
          link: async () => {
            throw new TypeError('ours');
          },
        },
        { pid: 7, dbPath: '/x', port: null, interface: null },
      ),
      TypeError,
    );
  });

  it('lines that claim one id do not lead in a circle', async () => {
    assert.equal(
      await pointOf('/', ['27 27 8:1 / / rw - xfs a rw', '27 27 8:1 / / rw - xfs b rw']),
      '/',
    );
  });
});
