'use strict';

const { testHostRule } = require('../../../support/host-rule-tester');

const host = (files, pids, threads) => ({
  'sysctl.fileMax': files,
  'sysctl.pidMax': pids,
  'sysctl.threadsMax': threads,
});

testHostRule(__filename, [
  ['as advised', host(98000, 64000, 64001), 'ok', /98,000 open files and 64,000 threads/],
  [
    'as many files as there can be',
    host(2 ** 63, 4194304, 514000),
    'ok',
    /any number of open files and 514,000 threads/,
  ],
  [
    'few files',
    host(97999, 64000, 64000),
    'info',
    /fs\.file-max is 97,999 \(98,000 advised\)/,
    ['fs.file-max=98000 back fs.file-max=97999'],
  ],
  [
    'few of everything',
    host(1000, 32768, 63999),
    'info',
    /kernel\.pid_max is 32,768/,
    [
      'fs.file-max=98000 back fs.file-max=1000',
      'kernel.pid_max=64000 back kernel.pid_max=32768',
      'kernel.threads-max=64000 back kernel.threads-max=63999',
    ],
  ],
  [
    'few pids',
    host(98000, 63999, 64000),
    'info',
    /^Low for many connections: kernel/,
    ['kernel.pid_max=64000 back kernel.pid_max=63999'],
  ],
]);
