'use strict';

const { testHostRule } = require('../../../support/rule-tester');

const each = (cpus, value) => Array.from({ length: cpus }, (_, i) => value(i));
const host = ({
  cpus = 24,
  queues = 5,
  packets = 50_000,
  softirq = 0.16,
  carriers = 8,
  flows = 0,
  entries = 0,
  mask = '000000',
  ...more
} = {}) => ({
  'network.interface': 'enc1000',
  'network.isPhysical': true,
  'cpu.logical': cpus,
  'network.queues': each(queues, (i) => ({ name: `rx-${i}`, rpsFlowCnt: flows, rpsCpus: mask })),
  'network.rpsSockFlowEntries': entries,
  'network.packetsPerSec': packets,
  'network.softirqOfEach': each(cpus, (i) => (i === 1 ? softirq : 0.01)),
  'network.receivedOfEach': each(cpus, (i) => (i < carriers ? 1000 : 0)),
  ...more,
});
const file = (queue, which) => `/sys/class/net/enc1000/queues/rx-${queue}/${which}`;
const FIXES = (queues, flows) => [
  'net.core.rps_sock_flow_entries=32768 back net.core.rps_sock_flow_entries=0',
  ...each(queues, (i) => `${file(i, 'rps_flow_cnt')}=${flows} back ${file(i, 'rps_flow_cnt')}=0`),
];

testHostRule(__filename, [
  [
    'the guide: 8 of 24 CPUs, 5 queues',
    host(),
    'info',
    'on-few-cpus',
    { name: 'enc1000', cpus: 24, softirqRatio: 0.16, receivingCpus: 8 },
    FIXES(5, 8192),
  ],
  [
    '16 queues of 40 processors',
    host({ cpus: 40, queues: 16, mask: '00,00000000' }),
    'info',
    'on-few-cpus',
    { cpus: 40, receivingCpus: 8 },
    FIXES(16, 2048),
  ],
  [
    'one queue',
    host({ queues: 1 }),
    'info',
    'on-few-cpus',
    { cpus: 24, receivingCpus: 8 },
    FIXES(1, 32768),
  ],
  [
    'a mask that somebody set stays',
    host({ queues: 1, mask: '00000f' }),
    'info',
    'on-few-cpus',
    { cpus: 24, receivingCpus: 8 },
    FIXES(1, 32768),
  ],
  [
    'a larger table stays',
    host({ queues: 1, mask: 'f', entries: 65536 }),
    'info',
    'on-few-cpus',
    { cpus: 24, receivingCpus: 8 },
    [`${file(0, 'rps_flow_cnt')}=32768 back ${file(0, 'rps_flow_cnt')}=0`],
  ],
  [
    'a kernel without the files',
    host({ queues: 1, flows: null, mask: null }),
    'info',
    'on-few-cpus',
    { cpus: 24, receivingCpus: 8 },
    ['net.core.rps_sock_flow_entries=32768 back net.core.rps_sock_flow_entries=0'],
  ],
  ['on already', host({ entries: 32768, flows: 8192 }), 'ok', 'on', { name: 'enc1000', queues: 5 }],
  [
    'on for the table only',
    host({ queues: 1, entries: 32768, mask: 'f' }),
    'info',
    'on-few-cpus',
    { cpus: 24, receivingCpus: 8 },
    [`${file(0, 'rps_flow_cnt')}=32768 back ${file(0, 'rps_flow_cnt')}=0`],
  ],
  [
    'the kernel does not have it',
    host({ 'network.rpsSockFlowEntries': undefined }),
    'ok',
    'not-offered',
  ],
  [
    'clients on this machine only',
    host({ 'network.interface': 'lo', 'network.isPhysical': false }),
    'ok',
    'loopback',
  ],
  [
    'a virtual interface with many queues',
    host({ 'network.interface': 'bond0', 'network.isPhysical': false, queues: 24 }),
    'info',
    'virtual',
    { name: 'bond0', softirqRatio: 0.16 },
  ],
  [
    'a virtual interface with little to do',
    host({ 'network.interface': 'bond0', 'network.isPhysical': false, packets: 9999 }),
    'ok',
    'little-traffic',
  ],
  [
    'some of the queues on already',
    host({
      queues: 2,
      entries: 65536,
      'network.queues': [
        { name: 'rx-0', rpsFlowCnt: 16384, rpsCpus: '0' },
        { name: 'rx-1', rpsFlowCnt: 0, rpsCpus: '0' },
      ],
    }),
    'info',
    'on-few-cpus',
    { cpus: 24, receivingCpus: 8 },
    [`${file(1, 'rps_flow_cnt')}=16384 back ${file(1, 'rps_flow_cnt')}=0`],
  ],
  [
    'a queue for each processor',
    host({ queues: 24 }),
    'ok',
    'queue-for-each-cpu',
    { queues: 24, cpus: 24 },
  ],
  [
    'one queue fewer',
    host({ queues: 23, mask: 'f' }),
    'info',
    'on-few-cpus',
    { cpus: 24, receivingCpus: 8 },
    FIXES(23, 2048),
  ],
  ['7 processors', host({ cpus: 7, carriers: 1 }), 'ok', 'few-cpus', { cpus: 7 }],
  [
    '8 processors',
    host({ cpus: 8, carriers: 1, queues: 1, mask: 'f' }),
    'info',
    'on-few-cpus',
    { queues: 1, cpus: 8, receivingCpus: 1 },
    FIXES(1, 32768),
  ],
  ['little traffic', host({ packets: 9999 }), 'ok', 'little-traffic', { packetsPerSec: 9999 }],
  [
    'just enough traffic',
    host({ packets: 10_000, queues: 1, mask: 'f' }),
    'info',
    'on-few-cpus',
    { cpus: 24, receivingCpus: 8 },
    FIXES(1, 32768),
  ],
  ['softirqs are cheap', host({ softirq: 0.099 }), 'ok', 'idle-cpus', { softirqRatio: 0.099 }],
  [
    'softirqs are felt',
    host({ softirq: 0.1, queues: 1, mask: 'f' }),
    'info',
    'on-few-cpus',
    { softirqRatio: 0.1 },
    FIXES(1, 32768),
  ],
  // 90% of 14 equal shares are 13 of them.
  [
    'spread over more than half',
    host({ carriers: 14 }),
    'ok',
    'spread',
    { cpus: 24, receivingCpus: 13 },
  ],
  [
    'spread over half',
    host({ carriers: 13, queues: 1, mask: 'f' }),
    'info',
    'on-few-cpus',
    { cpus: 24, receivingCpus: 12 },
    FIXES(1, 32768),
  ],
]);
