'use strict';

const { testHostRule } = require('../../../support/host-rule-tester');

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
    /all 2 busy receive queues of eno1 go to processor 0, 1,000 a second/,
    [fix(40, 0, '0'), fix(41, 1, '0')],
  ],
  [
    'allowed everywhere, delivered on one',
    host([irq(40, 900, '0-3', '2'), irq(41, 900, '0-3', '2')], 0.49),
    'info',
    /processor 2, 1,800 a second; the busiest processor spends 49\.0 %/,
    [fix(40, 0, '0-3'), fix(41, 1, '0-3')],
  ],
  [
    'and that one is half full',
    host([irq(40, 900, '0'), irq(41, 900, '0')], 0.5),
    'warning',
    /50\.0 %/,
    [fix(40, 0, '0'), fix(41, 1, '0')],
  ],
  [
    'more queues than processors',
    host([irq(40, 900, '1'), irq(41, 900, '1'), irq(42, 900, '1')], undefined, 2),
    'info',
    /processor 1/,
    [fix(40, 0, '1'), fix(41, 1, '1'), fix(42, 0, '1')],
  ],
  [
    'processors that are off are left out',
    { ...host([irq(40, 900, '1'), irq(41, 900, '1')]), 'cpu.online': [0, 2, 3] },
    'info',
    /processor 1/,
    [fix(40, 0, '1'), fix(41, 2, '1')],
  ],
  ['spread', host([irq(40, 900, '0'), irq(41, 900, '1')]), 'ok', /more than one processor/],
  [
    'where it is delivered is not known',
    host([irq(40, 900, '0-3'), irq(41, 900, '0-3')]),
    'ok',
    /more than one processor/,
  ],
  [
    'one processor',
    host([irq(40, 900, '0'), irq(41, 900, '0')], undefined, 1),
    'ok',
    /more than one/,
  ],
  [
    'one busy queue',
    host([irq(40, 9000, '0'), irq(41, 99, '0')]),
    'ok',
    /9,000 times a second, and 1 of them often/,
  ],
  ['little to do', host([irq(40, 899, '0'), irq(41, 100, '0')]), 'ok', /999 times/],
  [
    'IBM Z counts them for all devices together',
    host([]),
    'ok',
    /No interrupts are counted for eno1 alone/,
  ],
  ['from one sample', host([irq(40, null, '0'), irq(41, null, '0')]), 'ok', /0 times/],
]);
