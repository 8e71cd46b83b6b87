'use strict';

const assert = require('node:assert/strict');
const { areaOfHost, areaOfFiles } = require('../../support/host-areas');

const stat = (...rows) =>
  ['cpu', ...rows.map((_, i) => `cpu${i}`)]
    .map(
      (name, i) =>
        `${name} ` +
        `${i === 0 ? rows[0].map((_, j) => rows.reduce((sum, row) => sum + row[j], 0)).join(' ') : rows[i - 1].join(' ')}`,
    )
    .join('\n');
const near = (actual, expected) =>
  assert.ok(Math.abs(actual - expected) < 0.001, `${actual} is not ${expected}`);

describe('host/areas/cpu', () => {
  it('IBM Z: 24 CPUs, two to a core', async () => {
    const { values, unknown } = await areaOfHost('cpu', 'rhel10-s390x');
    assert.deepEqual(
      [
        values['cpu.logical'],
        values['cpu.cores'],
        values['cpu.threadsPerCore'],
        values['cpu.model'],
        values['cpu.allowed'],
      ],
      [24, 12, 2, 'IBM z17 (machine 9175)', 24],
    );
    assert.deepEqual(
      [values['cpu.hasQuota'], values['cpu.throttledRatio'], values['cpu.governors']],
      [false, 0, []],
    );
    // 100 ticks of each: 8 with 71 busy ticks, 16 with 55; 1150 of mongod.
    near(values['cpu.busyRatio'], (8 * 71 + 16 * 55) / 2400);
    near(values['cpu.stealRatio'], 0.01);
    near(values['cpu.serverRatio'], 1150 / 2400);
    assert.equal(values['cpu.busyOfEach'].length, 24);
    near(values['cpu.busyOfEach'][0], 0.71);
    near(values['cpu.busyOfEach'][23], 0.55);
    assert.equal(unknown['cpu.quotaCores'], 'no quota is set');
  });

  it('threads of a core need not be neighbours; each processor has a governor', async () => {
    const { values } = await areaOfHost('cpu', 'debian-xfs');
    assert.deepEqual(
      [values['cpu.logical'], values['cpu.cores'], values['cpu.frequencyDriver']],
      [8, 4, 'acpi-cpufreq'],
    );
    assert.deepEqual(values['cpu.governors'][7], {
      target: '/sys/devices/system/cpu/cpufreq/policy7/scaling_governor',
      governor: 'powersave',
    });
    assert.match(values['cpu.model'], /E-2276G/);
  });

  it('a container: a quota of version 2, used up in 3 of 10 periods', async () => {
    const { values } = await areaOfHost('cpu', 'container-cgroup2');
    assert.deepEqual(
      [
        values['cpu.hasQuota'],
        values['cpu.quotaCores'],
        values['cpu.throttledRatio'],
        values['cpu.model'],
        values['cpu.threadsPerCore'],
      ],
      [true, 2, 0.3, 'Neoverse-N1', 1],
    );
    near(values['cpu.stealRatio'], 0.12);
  });

  it('Linux 3.10: a quota of version 1, pinned, governors with each processor', async () => {
    const { values } = await areaOfHost('cpu', 'centos7-kernel310');
    assert.deepEqual(
      [
        values['cpu.quotaCores'],
        values['cpu.throttledRatio'],
        values['cpu.allowed'],
        values['cpu.frequencyDriver'],
      ],
      [1.5, 0, 2, 'acpi-cpufreq'],
    );
    assert.equal(
      values['cpu.governors'][3].target,
      '/sys/devices/system/cpu/cpu3/cpufreq/scaling_governor',
    );
    near(values['cpu.allowedBusyRatio'], 0.97);
    near(values['cpu.busyRatio'], 0.805);
    near(values['cpu.iowaitRatio'], 0.005);
  });

  it('one sample tells how many, not how busy', async () => {
    const { values, unknown } = await areaOfFiles('cpu', [
      { '/proc/stat': stat([1, 0, 0, 9, 0, 0, 0, 0]) },
    ]);
    assert.equal(values['cpu.logical'], 1);
    assert.equal(unknown['cpu.busyRatio'], 'two samples are needed');
  });

  it('iowait that runs backwards, and a processor that was off', async () => {
    const { values } = await areaOfFiles('cpu', [
      { '/proc/stat': stat([10, 0, 0, 90, 50, 0, 0, 0], [5, 0, 0, 5, 0, 0, 0, 0]) },
      { '/proc/stat': stat([60, 0, 0, 140, 40, 0, 0, 0], [5, 0, 0, 5, 0, 0, 0, 0]) },
    ]);
    assert.equal(values['cpu.iowaitRatio'], 0);
    assert.equal(values['cpu.busyOfEach'][1], 0);
    near(values['cpu.busyOfEach'][0], 50 / 90);
  });

  it('garbage, missing and unreadable files are unknown, with the reason', async () => {
    const good = { '/proc/stat': stat([1, 0, 0, 9, 0, 0, 0, 0]) };
    const { unknown } = await areaOfFiles(
      'cpu',
      [
        {
          ...good,
          '/proc/7/status': 'Name:\tmongod\n',
          '/proc/7/stat': 'garbage',
          '/proc/cpuinfo': 'nothing',
          '/proc/7/cgroup': 'garbage\n',
        },
        { '/proc/stat': stat([2, 0, 0, 18, 0, 0, 0, 0]) },
      ],
      {
        failed: {
          '/sys/devices/system/cpu/cpu0/topology/thread_siblings_list': 'not readable by this user',
        },
      },
    );
    assert.match(unknown['cpu.cores'], /thread_siblings_list is not readable by this user/);
    assert.match(unknown['cpu.allowed'], /\/proc\/7\/status lists no CPUs/);
    assert.match(unknown['cpu.serverRatio'], /\/proc\/7\/stat has an unexpected format/);
    assert.match(unknown['cpu.hasQuota'], /\/proc\/7\/cgroup lists no cgroup for cpu/);
    assert.equal(unknown['cpu.model'], 'not reported');
    assert.match(
      (await areaOfFiles('cpu', [{ '/proc/stat': 'cpu 1 2\n' }])).unknown['cpu.logical'],
      /\/proc\/stat has an unexpected format/,
    );
    assert.match(
      (await areaOfFiles('cpu', [good], { subject: { pid: null } })).unknown['cpu.allowed'],
      /the mongod process is not visible here/,
    );
  });

  it('no time between two samples, and CPUs that were taken away', async () => {
    const one = {
      '/proc/stat': stat([1, 0, 0, 9, 0, 0, 0, 0]),
      '/proc/7/stat': '7 (a b) c) S 1 1 1 0 -1 0 0 0 0 0 5 6 0',
      '/proc/7/status': 'Cpus_allowed_list:\t3\n',
    };
    const { values, unknown } = await areaOfFiles('cpu', [one, one]);
    assert.match(unknown['cpu.serverRatio'], /no time passed/);
    assert.equal(values['cpu.allowed'], 0);
    assert.match(unknown['cpu.allowedBusyRatio'], /no CPU allowed for mongod/);
  });

  it('a quota without its counts', async () => {
    const group = {
      '/proc/stat': stat([1, 0, 0, 9, 0, 0, 0, 0]),
      '/proc/7/cgroup': '0::/a\n',
      '/proc/self/mountinfo': '29 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n',
      '/sys/fs/cgroup/a/cpu.max': '50000 100000\n',
    };
    const { values, unknown } = await areaOfFiles('cpu', [
      { ...group, '/sys/fs/cgroup/a/cpu.stat': 'usage_usec 5\n' },
      {},
    ]);
    assert.equal(values['cpu.quotaCores'], 0.5);
    assert.match(unknown['cpu.throttledRatio'], /does not report throttling/);
    const idle = await areaOfFiles('cpu', [
      { ...group, '/sys/fs/cgroup/a/cpu.stat': 'nr_periods 5\nnr_throttled 1\n' },
      {},
    ]);
    assert.equal(idle.values['cpu.throttledRatio'], 0);
    assert.match(
      (await areaOfFiles('cpu', [{ ...group, '/sys/fs/cgroup/a/cpu.max': 'much\n' }])).unknown[
        'cpu.hasQuota'
      ],
      /cpu\.max contains no number: "much/,
    );
    assert.match(
      (
        await areaOfFiles('cpu', [
          { ...group, '/proc/self/mountinfo': '22 1 0:5 / / rw - ext4 /dev/sda rw\n' },
        ])
      ).unknown['cpu.hasQuota'],
      /not mounted here/,
    );
  });

  for (const [say, cpuinfo, model] of [
    [
      'an ARM that is not in the list',
      'CPU implementer\t: 0x61\nCPU part\t: 0x022\n',
      'ARM (implementer 0x61, part 0x022)',
    ],
    [
      'an IBM Z that is not in the list',
      'vendor_id       : IBM/S390\nprocessor 0: version = FF,  identification = 1,  machine ' +
        '= 9999\n',
      'IBM Z (machine 9999)',
    ],
    [
      'POWER',
      'processor\t: 0\ncpu\t\t: POWER9 (architected), altivec supported\n',
      'POWER9 (architected), altivec supported',
    ],
  ]) {
    it(`the model of ${say}`, async () =>
      assert.equal(
        (await areaOfFiles('cpu', [{ '/proc/cpuinfo': cpuinfo }])).values['cpu.model'],
        model,
      ));
  }
});
