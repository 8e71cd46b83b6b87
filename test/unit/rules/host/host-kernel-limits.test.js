'use strict';

const { testHostRule } = require('../../../support/rule-tester');

const host = (files, pids, threads) => ({
  'sysctl.fileMax': files,
  'sysctl.pidMax': pids,
  'sysctl.threadsMax': threads,
});

testHostRule(__filename, [
  ['as advised', host(98000, 64000, 64001), 'ok', 'fine', { files: 98000, pids: 64000 }],
  [
    'as many files as there can be',
    host(2 ** 63, 4194304, 514000),
    'ok',
    'fine',
    { threads: 514000 },
  ],
  [
    'few files',
    host(97999, 64000, 64000),
    'info',
    'low',
    { files: 98000 },
    ['fs.file-max=98000 back fs.file-max=97999'],
  ],
  [
    'few of everything',
    host(1000, 32768, 63999),
    'info',
    'low',
    { pids: 32770 },
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
    'low',
    {},
    ['kernel.pid_max=64000 back kernel.pid_max=63999'],
  ],
]);
