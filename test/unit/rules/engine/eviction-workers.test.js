'use strict';

const { testRule } = require('../../../support/rule-tester');

const BUSY = {
  'eviction.threadsActive': 4,
  'config.threadsMax': 4,
  'clients.waitingForCache': 2,
  'clients.busy': 8,
  'host.cores': 16,
  'process.cpuRatio': 0.3,
  'process.cpuCores': 4.8,
  'eviction.pageWriteMs': 0.2,
};

testRule(__filename, [
  ['they keep up', { ...BUSY, 'clients.waitingForCache': 0.05 }, 'ok', /keep up/],
  [
    'all at work, processors and disk with room',
    BUSY,
    'warning',
    /4 of 4 eviction threads.*2 threads on average, 25\.0 %.*have room/,
    /evictionThreadsMax/,
  ],
  [
    'the only one',
    { ...BUSY, 'eviction.threadsActive': 1, 'config.threadsMax': 1 },
    'warning',
    /^1 of 1 eviction thread is at work/,
  ],
  [
    'the only one, on a machine that others fill',
    { ...BUSY, 'eviction.threadsActive': 1, 'config.threadsMax': 1, 'cpu.busyRatio': 0.98 },
    'warning',
    /while the disk has room and mongod uses 30\.0 % of the processors/,
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
    /while processors and disk have room/,
  ],
  ['clients lose little by it', { ...BUSY, 'clients.waitingForCache': 0.2 }, 'info'],
  ['page writes of 5 ms are quick', { ...BUSY, 'eviction.pageWriteMs': 5 }, 'warning'],
  [
    'slower ones are the disk',
    { ...BUSY, 'eviction.pageWriteMs': 5.1 },
    'info',
    /would not help: writing a page takes a client 5\.1 ms/,
    /Leave/,
  ],
  ['processors at 70 %', { ...BUSY, 'process.cpuRatio': 0.7 }, 'warning'],
  ['busier processors', { ...BUSY, 'process.cpuRatio': 0.71 }, 'info', /71\.0 % of the processors/],
  ['cores for two more', { ...BUSY, 'host.cores': 6, 'process.cpuCores': 2 }, 'warning'],
  [
    'a core for one more',
    { ...BUSY, 'host.cores': 5, 'process.cpuCores': 2 },
    'info',
    /enough for 5 cores/,
  ],
  ['not all are at work', { ...BUSY, 'eviction.threadsActive': 3 }, 'info', /only 3 of 4/],
  [
    'page writes not known',
    { ...BUSY, 'eviction.pageWriteMs': undefined },
    'info',
    /how long a page write takes is not known/,
  ],
  [
    'processors not known',
    { ...BUSY, 'process.cpuRatio': undefined },
    'info',
    /how busy the processors are is not known/,
  ],
  [
    'cores not known',
    { ...BUSY, 'host.cores': undefined },
    'info',
    /how many cores are idle is not known/,
  ],
]);
