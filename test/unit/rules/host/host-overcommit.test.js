'use strict';

const { testHostRule } = require('../../../support/rule-tester');

testHostRule(__filename, [
  ['by rule of thumb', { 'memory.overcommit': 0 }, 'ok', 'fine', { mode: 0 }],
  ['always', { 'memory.overcommit': 1 }, 'ok', 'fine', { mode: 1 }],
  [
    'strict',
    { 'memory.overcommit': 2 },
    'warning',
    'strict',
    { mode: 2 },
    ['vm.overcommit_memory=0 back vm.overcommit_memory=2'],
  ],
]);
