'use strict';

const { testHostRule } = require('../../../support/rule-tester');

testHostRule(__filename, [
  ['the default of today', { 'sysctl.somaxconn': 4096 }, 'ok', 'fine', { max: 4096 }],
  ['a little more than the old default', { 'sysctl.somaxconn': 129 }, 'ok', 'fine', { max: 129 }],
  [
    'the old default',
    { 'sysctl.somaxconn': 128 },
    'info',
    'low',
    { max: 128 },
    ['net.core.somaxconn=4096 back net.core.somaxconn=128'],
  ],
]);
