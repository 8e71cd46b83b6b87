'use strict';

const { testHostRule } = require('../../../support/rule-tester');

testHostRule(__filename, [
  ['off', { 'numa.zoneReclaim': 0 }, 'ok', 'off', { mode: 0 }],
  [
    'on',
    { 'numa.zoneReclaim': 1 },
    'warning',
    'on',
    { mode: 1 },
    ['vm.zone_reclaim_mode=0 back vm.zone_reclaim_mode=1'],
  ],
]);
