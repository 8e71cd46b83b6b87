'use strict';

const { testHostRule } = require('../../../support/rule-tester');

const disks = (...all) => ({
  'disk.schedulers': all.map(([active, ...others], i) => ({
    target: `/sys/block/sd${'abc'[i]}/queue/scheduler`,
    active,
    available: [active, ...others],
  })),
});
const fix = (name, to, back) =>
  `/sys/block/${name}/queue/scheduler=${to} back /sys/block/${name}/queue/scheduler=${back}`;

testHostRule(__filename, [
  ...['none', 'noop', 'mq-deadline', 'deadline', 'kyber'].map((name) => [
    name,
    disks([name]),
    'ok',
    'fine',
    { schedulers: `sda ${name}` },
  ]),
  [
    'cfq',
    disks(['cfq', 'noop', 'deadline']),
    'warning',
    'waits',
    { schedulers: 'sda cfq' },
    [fix('sda', 'noop', 'cfq')],
  ],
  [
    'cfq for a disk that turns',
    { ...disks(['cfq', 'noop', 'deadline']), 'disk.isRotational': true },
    'warning',
    'waits',
    {},
    [fix('sda', 'deadline', 'cfq')],
  ],
  [
    'bfq',
    disks(['bfq', 'mq-deadline', 'none']),
    'info',
    'waits',
    { schedulers: 'sda bfq' },
    [fix('sda', 'none', 'bfq')],
  ],
  [
    'one of several',
    disks(['none'], ['bfq', 'mq-deadline']),
    'info',
    'waits',
    { schedulers: 'sda none, sdb bfq' },
    [fix('sdb', 'mq-deadline', 'bfq')],
  ],
  ['no choice', disks(['cfq']), 'warning', 'waits-without-choice'],
]);
