'use strict';

const { testRule } = require('../../../support/rule-tester');

const on = (/** @type {number} */ version, more = {}) => ({
  'server.versionNumber': version,
  ...more,
});
const SIGN = { 'eviction.emptyScore': 100, 'eviction.appPagesPerSec': 1 };
const OF_8_0_4 = ['WT-14968', 'WT-15225', 'SERVER-103841'];

testRule(__filename, [
  ['a release of which none is known', on(60_027), 'ok', 'none-known', { ids: [] }],
  ['7.0.14', on(70_014), 'info', 'known', { ids: ['WT-11300', 'WT-12657'] }],
  ['7.0.15', on(70_015), 'info', 'known', { ids: ['WT-12657'] }],
  ['7.0.36', on(70_036), 'ok', 'none-known'],
  ['8.0.3', on(80_003), 'info', 'known', { ids: ['WT-11300', ...OF_8_0_4] }],
  ['8.0.4', on(80_004), 'info', 'known', { ids: OF_8_0_4 }],
  ['8.0.14', on(80_014), 'info', 'known', { ids: ['WT-15225'] }],
  ['8.0.16', on(80_016), 'ok', 'none-known'],
  ['8.2.0', on(80_200), 'info', 'known', { ids: ['WT-15225'] }],
  ['8.2.1', on(80_201), 'ok', 'none-known'],
  ['WT-11300 and its sign', on(80_003, SIGN), 'warning', 'seen'],
  ['… below the maximum', on(80_003, { ...SIGN, 'eviction.emptyScore': 99 }), 'info', 'known'],
  [
    '… and no client evicts',
    on(80_003, { ...SIGN, 'eviction.appPagesPerSec': 0 }),
    'info',
    'known',
  ],
  ['the sign on a release without it', on(80_004, SIGN), 'info', 'known'],
]);
