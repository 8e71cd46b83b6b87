'use strict';

const { testHostRule } = require('../../../support/rule-tester');

const files = (soft, hard, open) => ({
  'process.files': { soft, hard },
  ...(open === undefined ? {} : { 'process.openFiles': open }),
});

testHostRule(__filename, [
  [
    'as advised',
    files(64000, 64000, 51199),
    'ok',
    'fine',
    { limit: 64000, open: 51200, to: 64000 },
  ],
  [
    'near it',
    files(64000, 524288, 51200),
    'critical',
    'near-limit',
    { open: 51200 },
    ['nofile=128000:524288 back nofile=64000:524288'],
  ],
  [
    'too low',
    files(63999, 64000),
    'warning',
    'low',
    { limit: 64000 },
    ['nofile=64000:64000 back nofile=63999:64000'],
  ],
  [
    'the default of systemd',
    files(1024, 4096, 100),
    'warning',
    'low',
    { limit: 1024 },
    ['nofile=64000:64000 back nofile=1024:4096'],
  ],
  [
    'low, and the hard limit is none',
    files(1024, null, 819),
    'warning',
    'low',
    { open: 819 },
    ['nofile=64000:unlimited back nofile=1024:unlimited'],
  ],
  [
    'low, and near it',
    files(1024, null, 820),
    'critical',
    'near-limit',
    { open: 820 },
    ['nofile=64000:unlimited back nofile=1024:unlimited'],
  ],
  ['no limit', files(null, null, 9), 'ok', 'no-limit'],
]);
