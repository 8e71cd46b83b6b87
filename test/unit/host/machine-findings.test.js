'use strict';

const assert = require('node:assert/strict');
const { areaOfHost } = require('../../support/host-areas');
const { mergeHost } = require('../../../lib/host/pure/host');
const { loadHostRules } = require('../../../lib/rules/registry');
const { judgeHost } = require('../../../lib/rules/runner');

const AREAS = ['cpu', 'memory', 'numa', 'process', 'thp', 'sysctl', 'clock', 'network'];
const NAMES = [
  'available-memory',
  'host-clock-source',
  'host-cpu-governor',
  'cpu-load',
  'host-cpu-pinning',
  'host-cpu-quota',
  'cpu-steal',
  'host-huge-pages',
  'host-interrupt-affinity',
  'host-kernel-limits',
  'host-listen-backlog',
  'host-map-count',
  'host-memory-limit',
  'host-numa-interleave',
  'host-open-files-limit',
  'host-overcommit',
  'host-process-limit',
  'host-receive-flow-steering',
  'host-rseq',
  'host-shared-memory',
  'swap-ins',
  'host-swappiness',
  'host-tcp-keepalive',
  'host-zone-reclaim',
];
const RULES = loadHostRules().filter(({ id }) => NAMES.includes(id));
const GiB = 2 ** 30;

const HOSTS = {
  'rhel10-s390x': [
    { 'server.versionNumber': 80205, 'server.cacheBytes': 96 * GiB, 'os.architecture': 's390x' },
    [
      'info host-huge-pages: Transparent huge pages: always. The allocator of this release does ' +
        'not benefit.',
      'info host-receive-flow-steering: 8 of 24 CPUs receive 90% of the packets of enc1000; the ' +
        'busiest spends 16.0% of its time in softirqs.',
      'info host-tcp-keepalive: Idle connections of other programs are probed after 2 h, ' +
        'those of mongod after 300 s at most; firewalls drop them sooner.',
    ],
  ],
  'debian-xfs': [
    { 'server.versionNumber': 70021, 'server.cacheBytes': 31.5 * GiB, 'os.architecture': 'x86_64' },
    [
      'warning host-cpu-governor: 8 of 8 CPU frequency policies keep CPUs at the lowest ' +
        'frequency (governor powersave).',
      'warning host-huge-pages: Transparent huge pages: always. The allocator of this release ' +
        'does not benefit.',
      'warning host-interrupt-affinity: The interrupts of all 8 active receive queues of eno1 go ' +
        'to CPU 0 (12,000/s); the busiest CPU spends 55.0% of its time in softirqs.',
      'info host-map-count: vm.max_map_count is 65,530, below the recommended 131,060.',
      'warning host-numa-interleave: The host has 2 NUMA nodes, and mongod does not interleave ' +
        'its memory.',
      'unknown host-rseq: Not known: GLIBC_TUNABLES of mongod (/proc/1873/environ is not there).',
    ],
  ],
  'ubuntu-zfs': [
    { 'server.versionNumber': 80004, 'server.cacheBytes': 60 * GiB, 'os.architecture': 'x86_64' },
    [
      'warning available-memory: 5 GiB of 128 GiB RAM available (3.9%); the largest other ' +
        'process is java (30 GiB).',
      'info host-huge-pages: Transparent huge pages are not set as this release requires: ' +
        '"enabled" is madvise, "defrag" is madvise, not defer+madvise, ' +
        'khugepaged/max_ptes_none is 511.',
      'warning host-open-files-limit: Open-files limit: 1,024, below the recommended 64,000; mongod has 30 open.',
      'info host-rseq: The environment of mongod does not set glibc.pthread.rseq=0: with glibc ' +
        '2.35 or newer the allocator has no per-CPU caches.',
      'warning host-shared-memory: 2 mongod run on this host; their caches total 124 GiB, 96.5% ' +
        'of 128 GiB RAM.',
      'warning swap-ins: 2 GiB of swap used (512 MiB by mongod), 10 pages/s read from swap.',
      'info host-swappiness: vm.swappiness is 60; 512 MiB of mongod in swap.',
      'info host-tcp-keepalive: Idle connections of other programs are probed after 2 h, ' +
        'those of mongod after 300 s at most; firewalls drop them sooner.',
    ],
  ],
  'container-cgroup2': [
    {
      'server.versionNumber': 80010,
      'server.cacheBytes': 31.5 * GiB,
      'os.architecture': 'aarch64',
    },
    [
      'warning host-cpu-quota: A CPU quota limits mongod to 2 of 8 CPUs; it was used up in 30.0% ' +
        'of the periods, and all threads then waited for the next one.',
      'warning cpu-steal: Other virtual machines took 12.0% of CPU time.',
      'critical host-memory-limit: The cache may grow to 31.5 GiB, but a cgroup limits mongod to ' +
        '4 GiB (3 GiB used): at the limit the kernel kills mongod.',
      'info host-tcp-keepalive: Idle connections of other programs are probed after 2 h, ' +
        'those of mongod after 300 s at most; firewalls drop them sooner.',
    ],
  ],
  'centos7-kernel310': [
    { 'server.versionNumber': 40429, 'server.cacheBytes': 7 * GiB, 'os.architecture': 'x86_64' },
    [
      'critical available-memory: 293 MiB of 16 GiB RAM available (1.8%); the largest other ' +
        'process is backup.py (3 GiB).',
      'warning host-clock-source: Clock source: hpet, which is slow; tsc is available.',
      'warning host-cpu-pinning: mongod may use only 2 of 4 CPUs; they are 97.0% busy, the ' +
        'others 64.0%.',
      'warning host-huge-pages: Transparent huge pages: always. The allocator of this release ' +
        'does not benefit.',
      'info host-kernel-limits: Host limits are low for many connections: kernel.pid_max is ' +
        '32,768 (recommended 64,000).',
      'info host-listen-backlog: Up to 128 connections can queue to be accepted ' +
        '(net.core.somaxconn).',
      'info host-map-count: vm.max_map_count is 65,530, below the recommended 131,060; mongod uses 400.',
      'warning host-overcommit: The kernel refuses memory beyond a fixed limit: ' +
        'vm.overcommit_memory is 2.',
      'critical swap-ins: 3 GiB of swap used (2 GiB by mongod), 1,000 pages/s read from swap.',
      'info host-swappiness: vm.swappiness is 100; 2 GiB of mongod in swap.',
      'info host-tcp-keepalive: Idle connections of other programs are probed after 2 h, ' +
        'those of mongod after 300 s at most; firewalls drop them sooner.',
      'warning host-zone-reclaim: The kernel reclaims memory of a full NUMA node although others ' +
        'have free memory: vm.zone_reclaim_mode is 1.',
    ],
  ],
};

/** Findings come in the order of their rules. @param {string} line `status rule: message` */
const ruleOf = (line) => line.split(' ')[1];

describe('processors, memory, network and process of whole hosts', () => {
  for (const [name, [server, expected]] of Object.entries(HOSTS)) {
    it(`${name}: what is found`, async () => {
      const host = mergeHost(
        { values: server, unknown: {} },
        ...(await Promise.all(AREAS.map((area) => areaOfHost(area, name)))),
      );
      const findings = judgeHost(RULES, host).filter(({ status }) => status !== 'ok');
      assert.deepEqual(
        findings.map(({ status, rule, message }) => `${status} ${rule}: ${message}`),
        expected.toSorted((a, b) => (ruleOf(a) < ruleOf(b) ? -1 : 1)),
      );
    });
  }

  it('a host that nothing is known of has no findings, only reasons', () => {
    const findings = judgeHost(RULES, { values: {}, unknown: {} });
    assert.deepEqual([...new Set(findings.map(({ status }) => status))], ['unknown']);
  });
});
