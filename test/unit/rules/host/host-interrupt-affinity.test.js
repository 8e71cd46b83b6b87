'use strict';

const { testHostRule } = require('../../../support/rule-tester');

const irq = (number, perSec, cpus, effectiveCpus = null) => ({
  irq: number,
  name: `eno1-TxRx-${number}`,
  cpus,
  effectiveCpus,
  perSec,
});
const host = (interrupts, softirq, cpus = 4) => ({
  'network.interface': 'eno1',
  'network.interrupts': interrupts,
  'cpu.logical': cpus,
  ...(softirq === undefined ? {} : { 'network.softirqOfEach': [softirq, 0] }),
});
const fix = (number, to, back) =>
  `/proc/irq/${number}/smp_affinity_list=${to} back /proc/irq/${number}/smp_affinity_list=${back}`;

testHostRule(__filename, [
  [
    'all on one',
    host([irq(40, 900, '0'), irq(41, 100, '0')]),
    'info',
    'on-one-cpu',
    { name: 'eno1', activeQueues: 2, interruptsPerSec: 1000, softirqRatio: 0 },
    [fix(40, 0, '0'), fix(41, 1, '0')],
  ],
  [
    'allowed everywhere, delivered on one',
    host([irq(40, 900, '0-3', '2'), irq(41, 900, '0-3', '2')], 0.49),
    'info',
    'on-one-cpu',
    { activeQueues: 2, interruptsPerSec: 1800, softirqRatio: 0.49 },
    [fix(40, 0, '0-3'), fix(41, 1, '0-3')],
  ],
  [
    'and that one is half full',
    host([irq(40, 900, '0'), irq(41, 900, '0')], 0.5),
    'warning',
    'on-one-cpu',
    { softirqRatio: 0.5 },
    [fix(40, 0, '0'), fix(41, 1, '0')],
  ],
  [
    'more queues than processors',
    host([irq(40, 900, '1'), irq(41, 900, '1'), irq(42, 900, '1')], undefined, 2),
    'info',
    'on-one-cpu',
    {},
    [fix(40, 0, '1'), fix(41, 1, '1'), fix(42, 0, '1')],
  ],
  [
    'CPUs that are off are left out',
    { ...host([irq(40, 900, '1'), irq(41, 900, '1')]), 'cpu.online': [0, 2, 3] },
    'info',
    'on-one-cpu',
    {},
    [fix(40, 0, '1'), fix(41, 2, '1')],
  ],
  ['spread', host([irq(40, 900, '0'), irq(41, 900, '1')]), 'ok', 'spread'],
  [
    'where it is delivered is not known',
    host([irq(40, 900, '0-3'), irq(41, 900, '0-3')]),
    'ok',
    'spread',
  ],
  ['one processor', host([irq(40, 900, '0'), irq(41, 900, '0')], undefined, 1), 'ok', 'spread'],
  [
    'one busy queue',
    host([irq(40, 9000, '0'), irq(41, 99, '0')]),
    'ok',
    'little-traffic',
    { activeQueues: 1, interruptsPerSec: 9000 },
  ],
  [
    'little to do',
    host([irq(40, 899, '0'), irq(41, 100, '0')]),
    'ok',
    'little-traffic',
    { interruptsPerSec: 999 },
  ],
  [
    'IBM Z counts them for all devices together',
    host([]),
    'ok',
    'none-of-its-own',
    { name: 'eno1' },
  ],
  [
    'from one sample',
    host([irq(40, null, '0'), irq(41, null, '0')]),
    'ok',
    'little-traffic',
    { activeQueues: 0, interruptsPerSec: 0, softirqRatio: 0 },
  ],
]);
