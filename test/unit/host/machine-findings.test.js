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
      'info host-huge-pages: Transparent huge pages: always; the allocator of this server ' +
        'does not gain from them.',
      'info host-receive-flow-steering: 90% of the packets of enc1000 are received on 8 of 24 ' +
        'CPUs, of which the busiest spends 16.0% of its time in softirqs.',
      'info host-tcp-keepalive: A silent connection is tried after 2 h; firewalls forget it ' +
        'sooner. mongod itself waits no more than 300 s on its own connections.',
    ],
  ],
  'debian-xfs': [
    { 'server.versionNumber': 70021, 'server.cacheBytes': 31.5 * GiB, 'os.architecture': 'x86_64' },
    [
      'warning host-cpu-governor: 8 CPUs (or groups of them) of 8 are kept at the lowest ' +
        'clock by the governor powersave.',
      'warning host-huge-pages: Transparent huge pages: always; the allocator of this ' +
        'server does not gain from them.',
      'warning host-interrupt-affinity: The interrupts of all 8 busy receive queues of eno1 go to ' +
        'processor 0, 12,000 a second; the busiest processor spends 55.0% of its time in ' +
        'softirqs.',
      'info host-map-count: A process may map 65,530 areas of memory.',
      'warning host-numa-interleave: The host has 2 memory nodes, and mongod does not interleave ' +
        'its memory over them.',
      'unknown host-rseq: Not known: process.rseqTunable (/proc/1873/environ is not there).',
    ],
  ],
  'ubuntu-zfs': [
    { 'server.versionNumber': 80004, 'server.cacheBytes': 60 * GiB, 'os.architecture': 'x86_64' },
    [
      'warning available-memory: 5 GiB of 128 GiB of memory are available (3.9%); the largest ' +
        'process beside mongod is java with 30 GiB.',
      'info host-huge-pages: Transparent huge pages are not as the allocator of this server wants ' +
        'them: "enabled" is madvise, khugepaged/max_ptes_none is 511.',
      'warning host-open-files-limit: The limit of open files and connections is 1,024, and ' +
        'mongod has 30.',
      'info host-rseq: The environment of mongod sets no glibc.pthread.rseq=0: with glibc 2.35 or ' +
        'newer the allocator keeps no cache for each processor.',
      'warning host-shared-memory: 2 mongod run on this host, with caches of 124 GiB together, ' +
        '96.5% of its 128 GiB of memory.',
      "warning swap-ins: 2 GiB are in swap, 512 MiB of them mongod's, and 10 pages a second " +
        'come back.',
      'info host-swappiness: The value of vm.swappiness is 60, and 512 MiB of mongod are in swap.',
      'info host-tcp-keepalive: A silent connection is tried after 2 h; firewalls forget it ' +
        'sooner. mongod itself waits no more than 300 s on its own connections.',
    ],
  ],
  'container-cgroup2': [
    {
      'server.versionNumber': 80010,
      'server.cacheBytes': 31.5 * GiB,
      'os.architecture': 'aarch64',
    },
    [
      'warning host-cpu-quota: A quota limits mongod to the time of 2 of 8 CPUs; it was ' +
        'used up in 30.0% of the periods, and all threads had to wait.',
      'warning cpu-steal: Other virtual machines took 12.0% of CPU time.',
      'critical host-memory-limit: The cache is 31.5 GiB, and a control group limits mongod to 4 ' +
        'GiB, of which 3 GiB are in use.',
      'info host-tcp-keepalive: A silent connection is tried after 2 h; firewalls forget it ' +
        'sooner. mongod itself waits no more than 300 s on its own connections.',
    ],
  ],
  'centos7-kernel310': [
    { 'server.versionNumber': 40429, 'server.cacheBytes': 7 * GiB, 'os.architecture': 'x86_64' },
    [
      'critical available-memory: 293 MiB of 16 GiB of memory are available (1.8%); the largest ' +
        'process beside mongod is backup.py with 3 GiB.',
      'warning host-clock-source: The time is read from hpet, which is slow, while tsc is there.',
      'warning host-cpu-pinning: Only 2 of 4 CPUs are open to mongod; these are 97.0% ' +
        'busy, the others 64.0%.',
      'warning host-huge-pages: Transparent huge pages: always; the allocator of this ' +
        'server does not gain from them.',
      'info host-kernel-limits: Low for many connections: kernel.pid_max is 32,768 (64,000 advised).',
      'info host-listen-backlog: 128 clients may wait to be let in (net.core.somaxconn).',
      'info host-map-count: A process may map 65,530 areas of memory, and mongod has 400.',
      'warning host-overcommit: The kernel refuses memory beyond a computed limit: ' +
        'vm.overcommit_memory is 2.',
      "critical swap-ins: 3 GiB are in swap, 2 GiB of them mongod's, and 1,000 pages a second " +
        'come back.',
      'info host-swappiness: The value of vm.swappiness is 100, and 2 GiB of mongod are in swap.',
      'info host-tcp-keepalive: A silent connection is tried after 2 h; firewalls forget it ' +
        'sooner. mongod itself waits no more than 300 s on its own connections.',
      'warning host-zone-reclaim: The kernel reclaims memory of a full node though others have ' +
        'room: vm.zone_reclaim_mode is 1.',
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
