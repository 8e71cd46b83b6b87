'use strict';

const assert = require('node:assert/strict');
const { openHost, snapshotsOf } = require('../../support/host-fixture');
const { collectPart, makeSnapshot } = require('../../../lib/host/snapshot');
const area = require('../../../lib/host/areas/files');

const KIB = 1024;
const of = async (name, more) => {
  const { snapshots, subject } = openHost(name, more);
  await Promise.allSettled(snapshots.map((snapshot) => area.snap(snapshot, subject)));
  return collectPart(area.values(snapshots, subject));
};
const subject = { pid: 7, dbPath: '/data', port: null, interface: null };
const from = (snapshots, more) => collectPart(area.values(snapshotsOf(snapshots, more), subject));
const MOUNTS = {
  '/proc/7/mountinfo':
    '27 1 254:0 / / rw - ext4 /dev/vda rw\n30 27 254:0 /srv /data rw - ext4 /dev/vda rw\n',
};
const stat = (state, name = 'conn1') => `12 (${name}) ${state} 1 7 7 0 -1\n`;
const thread = (id, state, wchan, name) => ({
  [`/proc/7/task/${id}/stat`]: stat(state, name),
  [`/proc/7/task/${id}/wchan`]: wchan,
});

describe('host/areas/files', () => {
  it('XFS behind a link and a mount point with a space', async () => {
    const { values, unknown } = await of('debian-xfs');
    assert.deepEqual(values, {
      'files.path': '/srv/mongo data/db',
      'files.type': 'xfs',
      'files.device': '/dev/nvme1n1p1',
      'files.mountPoint': '/srv/mongo data',
      'files.options': [
        'rw',
        'relatime',
        'attr2',
        'inode64',
        'logbufs=8',
        'logbsize=32k',
        'noquota',
      ],
      'files.totalBytes': 3124995948 * KIB,
      'files.freeBytes': 2312497002 * KIB,
      'files.blocked': [],
    });
    assert.deepEqual(unknown, {});
  });

  it("a volume in a container, and the container's own layers", async () => {
    assert.equal((await of('container-cgroup2')).values['files.type'], 'ext4');
    assert.equal(
      (await of('container-cgroup2', { dbPath: '/var/lib/mongodb' })).values['files.type'],
      'overlay',
    );
  });

  it('threads in state D by where they wait, the mean of the samples', async () => {
    assert.deepEqual((await of('rhel10-s390x')).values['files.blocked'], [
      { wchan: 'xfs_ilock', threads: 4, names: ['JournalFlusher', 'WTEvict', 'conn'] },
      { wchan: 'io_schedule', threads: 1 / 3, names: ['Checkpointer'] },
    ]);
  });

  it('a bind mount has the room of its device', async () => {
    const df =
      'Filesystem 1024-blocks Used Available Capacity Mounted on\n/dev/vda 1000 400 500 45% /\n';
    const { values } = await from([MOUNTS], { commands: { df } });
    assert.deepEqual(
      [values['files.totalBytes'], values['files.freeBytes']],
      [1000 * KIB, 500 * KIB],
    );
  });

  it('a thread may end meanwhile, have a name with brackets, or hide where it waits', async () => {
    const one = {
      ...thread(1, 'D', '0', 'conn12'),
      ...thread(2, 'D', 'io_schedule', 'a) D (b'),
      ...thread(3, 'S', 'futex_wait'),
      '/proc/7/task/4/wchan': '0',
    };
    const two = {
      ...thread(1, 'S', '0'),
      ...thread(2, 'D', 'io_schedule', 'a) D (b'),
      '/proc/7/task/5/stat': 'garbage',
      '/proc/7/task/6/stat': stat('D'),
    };
    assert.deepEqual((await from([one, two])).values['files.blocked'], [
      { wchan: null, threads: 1, names: ['conn'] },
      { wchan: 'io_schedule', threads: 1, names: ['a) D (b'] },
    ]);
  });

  it('what cannot be read is unknown, with the reason', async () => {
    const { unknown } = await from([MOUNTS], { commands: { df: 'garbage\n' } });
    assert.equal(unknown['files.freeBytes'], 'df has no line for /data');
    assert.equal(unknown['files.blocked'], '/proc/7/task is not in the file');
    const none = await collectPart(area.values(snapshotsOf([MOUNTS]), { ...subject, pid: null }));
    assert.deepEqual(
      new Set(Object.values(none.unknown)),
      new Set(["the server's process is not known"]),
    );
    assert.match(
      String((await from([MOUNTS])).unknown['files.freeBytes']),
      /df is not in the file/,
    );
  });

  it('of very many threads a sample reads some, the next one others, and each stands for several', async () => {
    const ids = Array.from({ length: 9000 }, (_, i) => `${i}`);
    const snapshots = [0, 1000, 2000].map((atMs) => {
      /** @type {string[]} */ const read = [];
      const files = {
        list: async () => ids,
        text: () => assert.fail('kept'),
        link: () => assert.fail('a link'),
        command: () => assert.fail('a command'),
      };
      const passing = async (/** @type {string} */ file) => {
        read.push(file);
        return file.endsWith('wchan')
          ? 'io_schedule'
          : `1 (conn7) ${Number(file.split('/')[4]) < 6 ? 'D' : 'S'} 1`;
      };
      return { read, snapshot: makeSnapshot({ .../** @type {any} */ (files), passing }, atMs) };
    });
    const { values } = await collectPart({
      'files.blocked': area.values(
        snapshots.map(({ snapshot }) => snapshot),
        { pid: 7, dbPath: '/', port: 1, interface: null },
      )['files.blocked'],
    });
    assert.deepEqual(values['files.blocked'], [
      { wchan: 'io_schedule', threads: 6, names: ['conn'] },
    ]);
    assert.deepEqual(
      snapshots.map(({ read }) => read.filter((file) => file.endsWith('stat')).length),
      [3000, 3000, 3000],
    );
    assert.equal(
      new Set(snapshots.flatMap(({ read }) => read.filter((file) => file.endsWith('stat')))).size,
      9000,
    );
  });
  it('a sample reads the threads once, at its moment, and keeps no file of theirs', async () => {
    const [snapshot] = snapshotsOf([thread(1, 'D', 'io_schedule')]);
    let reads = 0;
    const counted = {
      ...snapshot,
      passing: (path) => {
        reads++;
        return snapshot.passing(path);
      },
      text: () => assert.fail('kept'),
    };
    await area.snap(counted, subject);
    assert.equal(
      (await collectPart({ 'files.blocked': area.values([counted], subject)['files.blocked'] }))
        .values['files.blocked'].length,
      1,
    );
    assert.equal(reads, 2);
  });

  it('a defect of ours is not swallowed', async () => {
    const [snapshot] = snapshotsOf([thread(1, 'D', 'x')]);
    await assert.rejects(
      area.snap(
        {
          ...snapshot,
          passing: async () => {
            throw new TypeError('ours');
          },
        },
        subject,
      ),
      TypeError,
    );
  });
});
