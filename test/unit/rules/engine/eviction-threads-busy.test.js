'use strict';

const { testRule } = require('../../../support/rule-tester');

const BUSY = {
  'eviction.threadsActive': 4,
  'config.threadsMax': 4,
  'clients.waitingThreads': 2,
  'clients.busyThreads': 8,
  'host.cores': 16,
  'process.cpuRatio': 0.3,
  'process.cpuCores': 4.8,
  'eviction.pageWriteMs': 0.2,
};

testRule(__filename, [
  ['they keep up', { ...BUSY, 'clients.waitingThreads': 0.05 }, 'ok', 'enough'],
  [
    'all at work, CPUs and disk with room',
    BUSY,
    'warning',
    'too-few',
    { active: 4, allThreads: 4, threads: 2, share: 0.25 },
  ],
  [
    'the only one',
    { ...BUSY, 'eviction.threadsActive': 1, 'config.threadsMax': 1 },
    'warning',
    'too-few',
    { active: 1, allThreads: 1 },
  ],
  [
    'the only one, on a machine that others fill',
    { ...BUSY, 'eviction.threadsActive': 1, 'config.threadsMax': 1, 'cpu.busyRatio': 0.98 },
    'warning',
    'too-few',
    { headroom: 'the disk has headroom' },
  ],
  [
    'fewer than usual, on a machine that nobody counted',
    {
      ...BUSY,
      'eviction.threadsActive': 1,
      'config.threadsMax': 1,
      'process.cpuRatio': undefined,
      'process.cpuCores': 0.5,
    },
    'warning',
    'too-few',
    { headroom: 'CPUs and disk have headroom' },
  ],
  ['clients lose little by it', { ...BUSY, 'clients.waitingThreads': 0.2 }, 'info', 'noticeable'],
  ['page writes of 5 ms are quick', { ...BUSY, 'eviction.pageWriteMs': 5 }, 'warning', 'too-few'],
  [
    'slower ones are the disk',
    { ...BUSY, 'eviction.pageWriteMs': 5.1 },
    'info',
    'more-would-not-help',
  ],
  ['CPUs at 70%', { ...BUSY, 'process.cpuRatio': 0.7 }, 'warning', 'too-few'],
  ['busier processors', { ...BUSY, 'process.cpuRatio': 0.71 }, 'info', 'more-would-not-help'],
  ['cores for two more', { ...BUSY, 'host.cores': 6, 'process.cpuCores': 2 }, 'warning', 'too-few'],
  [
    'a core for one more',
    { ...BUSY, 'host.cores': 5, 'process.cpuCores': 2 },
    'info',
    'more-would-not-help',
  ],
  [
    'not all are at work',
    { ...BUSY, 'eviction.threadsActive': 3 },
    'info',
    'more-would-not-help',
    { active: 3, allThreads: 4 },
  ],
  [
    'page writes not known',
    { ...BUSY, 'eviction.pageWriteMs': undefined },
    'info',
    'more-would-not-help',
    { obstacle: 'the time of a page write is not known' },
  ],
  [
    'CPUs not known',
    { ...BUSY, 'process.cpuRatio': undefined },
    'info',
    'more-would-not-help',
    { obstacle: 'CPU use is not known' },
  ],
  [
    'cores not known',
    { ...BUSY, 'host.cores': undefined },
    'info',
    'more-would-not-help',
    { obstacle: 'the number of idle cores is not known' },
  ],
]);
