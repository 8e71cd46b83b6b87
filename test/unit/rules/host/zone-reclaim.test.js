'use strict';

const { testHostRule } = require('../../../support/host-rule-tester');

testHostRule(__filename, [
  ['off', { 'numa.zoneReclaim': 0 }, 'ok', /is 0/],
  [
    'on',
    { 'numa.zoneReclaim': 1 },
    'warning',
    /vm\.zone_reclaim_mode is 1/,
    ['vm.zone_reclaim_mode=0 back vm.zone_reclaim_mode=1'],
  ],
]);
