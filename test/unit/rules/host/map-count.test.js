'use strict';

const { testHostRule } = require('../../../support/host-rule-tester');

const host = (max, maps) => ({
  'sysctl.maxMapCount': max,
  ...(maps === undefined ? {} : { 'process.maps': maps }),
});

testHostRule(__filename, [
  ['as advised', host(128000), 'ok', /map 128,000 areas of memory\./],
  [
    'below',
    host(127999, 300),
    'info',
    /127,999 areas of memory, and mongod has 300/,
    ['vm.max_map_count=131060 back vm.max_map_count=127999'],
  ],
  ['room', host(200000, 159999), 'ok', /159,999/],
  [
    'near it',
    host(200000, 160000),
    'critical',
    /160,000/,
    ['vm.max_map_count=400000 back vm.max_map_count=200000'],
  ],
  [
    'low, and near it',
    host(65530, 60000),
    'critical',
    /60,000/,
    ['vm.max_map_count=131060 back vm.max_map_count=65530'],
  ],
]);
