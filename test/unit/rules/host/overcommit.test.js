'use strict';

const { testHostRule } = require('../../../support/host-rule-tester');

testHostRule(__filename, [
  ['by rule of thumb', { 'memory.overcommit': 0 }, 'ok', /is 0/],
  ['always', { 'memory.overcommit': 1 }, 'ok', /is 1/],
  [
    'strict',
    { 'memory.overcommit': 2 },
    'warning',
    /vm\.overcommit_memory is 2/,
    ['vm.overcommit_memory=0 back vm.overcommit_memory=2'],
  ],
]);
