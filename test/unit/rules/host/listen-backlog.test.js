'use strict';

const { testHostRule } = require('../../../support/host-rule-tester');

testHostRule(__filename, [
  ['the default of today', { 'sysctl.somaxconn': 4096 }, 'ok', /4,096 clients/],
  ['a little more than the old default', { 'sysctl.somaxconn': 129 }, 'ok', /129/],
  [
    'the old default',
    { 'sysctl.somaxconn': 128 },
    'info',
    /128 clients may wait/,
    ['net.core.somaxconn=4096 back net.core.somaxconn=128'],
  ],
]);
