'use strict';

const { testHostRule } = require('../../../support/rule-tester');

const host = (max, maps) => ({
  'sysctl.maxMapCount': max,
  ...(maps === undefined ? {} : { 'process.maps': maps }),
});

testHostRule(__filename, [
  ['as advised', host(128000), 'ok', 'fine', { max: 128000 }],
  [
    'below',
    host(127999, 300),
    'info',
    'low',
    { max: 128000, maps: 300 },
    ['vm.max_map_count=131060 back vm.max_map_count=127999'],
  ],
  ['room', host(200000, 159999), 'ok', 'fine', { maps: 160000 }],
  [
    'near it',
    host(200000, 160000),
    'critical',
    'near-limit',
    { maps: 160000 },
    ['vm.max_map_count=400000 back vm.max_map_count=200000'],
  ],
  [
    'low, and near it',
    host(65530, 60000),
    'critical',
    'near-limit',
    { maps: 60000 },
    ['vm.max_map_count=131060 back vm.max_map_count=65530'],
  ],
]);
