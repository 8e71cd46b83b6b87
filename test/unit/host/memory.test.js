'use strict';

const assert = require('node:assert/strict');
const { areaOfHost, areaOfFiles } = require('../../support/host-areas');

const GiB = 2 ** 30;
const KiB = 1024;
const meminfo =
  'MemTotal: 4194304 kB\nMemFree: 1 kB\nSwapTotal: 100 kB\nSwapFree: 40 kB\nMapped: 6400 kB\n';
const mount = '29 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n';

describe('host/areas/memory', () => {
  it('a large host without limits', async () => {
    const { values, unknown } = await areaOfHost('memory', 'rhel10-s390x');
    assert.deepEqual(
      [
        values['memory.totalBytes'],
        values['memory.availableBytes'],
        values['memory.swapBytes'],
        values['memory.serverSwappedBytes'],
      ],
      [128 * GiB, 24 * GiB, 0, 0],
    );
    assert.deepEqual(
      [values['memory.isLimited'], values['memory.cgroupVersion'], unknown['memory.limitBytes']],
      [false, 2, 'no limit is set'],
    );
    assert.deepEqual(values['memory.mongods'], [
      { pid: 4211, residentBytes: 100 * GiB, cacheBytes: 96 * GiB, isOurs: true },
    ]);
    assert.deepEqual(
      values['memory.others'].map(({ name }) => name),
      ['systemd', 'rsyslogd'],
      'kernel threads have no memory',
    );
  });

  it('two mongod, java, and swap in use', async () => {
    const { values } = await areaOfHost('memory', 'ubuntu-zfs');
    assert.deepEqual(
      values['memory.mongods'].map(({ pid, cacheBytes, isOurs }) => [
        pid,
        cacheBytes / GiB,
        isOurs,
      ]),
      [
        [2290, 60, true],
        [2400, 63.5, false],
      ],
    );
    assert.equal(values['memory.others'][0].name, 'java');
    assert.deepEqual(
      [
        values['memory.swapUsedBytes'],
        values['memory.serverSwappedBytes'],
        values['memory.swapInPagesPerSec'],
      ],
      [2 * GiB, GiB / 2, 10],
    );
  });

  it('the limit of a container', async () => {
    const { values } = await areaOfHost('memory', 'container-cgroup2');
    assert.deepEqual(
      [
        values['memory.isLimited'],
        values['memory.limitBytes'],
        values['memory.limitUsedBytes'],
        values['memory.cgroupVersion'],
      ],
      [true, 4 * GiB, 3 * GiB, 2],
    );
  });

  it('version 1: the group around the own one is the tightest', async () => {
    const { values } = await areaOfHost('memory', 'centos7-kernel310');
    assert.deepEqual(
      [
        values['memory.limitBytes'],
        values['memory.limitUsedBytes'],
        values['memory.cgroupVersion'],
      ],
      [12 * GiB, 11 * GiB, 1],
    );
    assert.equal(values['memory.mongods'][0].cacheBytes, 7 * GiB);
  });

  it('version 2: memory.high counts as well, and the tightest of nested groups', async () => {
    const { values } = await areaOfFiles('memory', [
      {
        '/proc/7/cgroup': '0::/a/b\n',
        '/proc/self/mountinfo': mount,
        '/sys/fs/cgroup/a/b/memory.max': '8000\n',
        '/sys/fs/cgroup/a/b/memory.high': 'max\n',
        '/sys/fs/cgroup/a/memory.max': '9000\n',
        '/sys/fs/cgroup/a/memory.high': '7000\n',
        '/sys/fs/cgroup/a/memory.current': '6000\n',
      },
    ]);
    assert.deepEqual([values['memory.limitBytes'], values['memory.limitUsedBytes']], [7000, 6000]);
  });

  for (const [say, cgroup, mountinfo, folder] of [
    [
      'a container without a namespace of groups',
      '0::/docker/abc\n',
      '29 23 0:26 /docker/abc /sys/fs/cgroup ro - cgroup2 cgroup2 rw\n',
      '/sys/fs/cgroup',
    ],
    [
      'a group below what is mounted',
      '0::/docker/abc/x\n',
      '29 23 0:26 /docker/abc /sys/fs/cgroup ro - cgroup2 cgroup2 rw\n',
      '/sys/fs/cgroup/x',
    ],
    ['a group outside of what is seen', '0::/../other\n', mount, '/sys/fs/cgroup'],
    [
      'memory by version 1 beside a version 2',
      '4:memory:/m\n0::/u\n',
      `31 2 0:1 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n30 2 0:2 / /cg/memory rw - ` +
        `cgroup cgroup rw,memory\n`,
      '/cg/memory/m',
    ],
  ]) {
    it(say, async () => {
      const file = folder.startsWith('/cg') ? 'memory.limit_in_bytes' : 'memory.max';
      const { values } = await areaOfFiles('memory', [
        {
          '/proc/7/cgroup': cgroup,
          '/proc/self/mountinfo': mountinfo,
          [`${folder}/${file}`]: '5000\n',
        },
      ]);
      assert.equal(values['memory.limitBytes'], 5000);
    });
  }

  it('a limit that may not be read is not no limit', async () => {
    const { values, unknown } = await areaOfFiles(
      'memory',
      [{ '/proc/7/cgroup': '0::/a\n', '/proc/self/mountinfo': mount }],
      { failed: { '/sys/fs/cgroup/a/memory.max': 'not readable by this user' } },
    );
    assert.equal(values['memory.isLimited'], undefined);
    assert.match(unknown['memory.isLimited'], /memory\.max is not readable by this user/);
  });

  it('pages from swap are counted as pages, whatever their size', async () => {
    const vmstat = (pages) => ({ '/proc/meminfo': meminfo, '/proc/vmstat': `pswpin ${pages}\n` });
    const { values, unknown } = await areaOfFiles('memory', [vmstat(100), vmstat(102)]);
    assert.equal(values['memory.swapInPagesPerSec'], 2);
    assert.equal(values['memory.swapUsedBytes'], 60 * KiB);
    assert.equal(unknown['memory.availableBytes'], 'not reported');
  });

  it('what the kernel does not count is unknown', async () => {
    const { unknown } = await areaOfFiles('memory', [
      { '/proc/meminfo': meminfo, '/proc/vmstat': 'pswpout 1\n' },
      {},
    ]);
    assert.match(unknown['memory.swapInPagesPerSec'], /\/proc\/vmstat does not report pswpin/);
    assert.match(unknown['memory.serverSwappedBytes'], /\/proc\/7\/status is not in the file/);
  });

  const mongod = (cmdline, more = {}) =>
    areaOfFiles('memory', [
      {
        '/proc/meminfo': meminfo,
        '/proc/7/status': 'Name:\tmongod\nVmRSS:\t5 kB\n',
        ...(cmdline === null ? {} : { '/proc/7/cmdline': `${cmdline.replaceAll(' ', '\0')}\0` }),
        ...more,
      },
    ]).then(({ values }) => values['memory.mongods'][0].cacheBytes);
  for (const [say, cmdline, more, bytes] of [
    ['the default of a host with 4 GiB', 'mongod --port 1', {}, 1.5 * GiB],
    ['on the command line, as one word', 'mongod --wiredTigerCacheSizeGB=0.25', {}, GiB / 4],
    [
      'on the command line, as two',
      'mongod --wiredTigerCacheSizeGB 2 -f /etc/m.conf',
      { '/etc/m.conf': 'storage: {wiredTiger: {engineConfig: {cacheSizeGB: 1}}}\n' },
      2 * GiB,
    ],
    [
      'in YAML',
      'mongod --config=/etc/m.conf',
      {
        '/etc/m.conf':
          '# cacheSizeGB: 3\nstorage:\n  wiredTiger:\n    engineConfig:\n      cacheSizeGB: ' +
          '1 # of 4\n',
      },
      GiB,
    ],
    [
      'in a share of memory',
      'mongod -f /etc/m.conf',
      { '/etc/m.conf': 'storage:\n  wiredTiger:\n    engineConfig:\n      cacheSizePct: 60\n' },
      Math.round(0.6 * 4 * GiB),
    ],
    [
      'in a share that is too much',
      'mongod -f /etc/m.conf',
      { '/etc/m.conf': 'cacheSizePct: 95\n' },
      Math.round(0.8 * 4 * GiB),
    ],
    ['in a configuration that cannot be read', 'mongod -f /etc/m.conf', {}, null],
    ['in a configuration we cannot find', 'mongod -f m.conf', {}, null],
    ['without a name of it', 'mongod -f', {}, null],
    ['of a process that has ended', null, {}, null],
  ]) {
    it(`the cache of a mongod: ${say}`, async () =>
      assert.equal(await mongod(cmdline, more), bytes));
  }
});
