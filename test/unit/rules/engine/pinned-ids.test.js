'use strict';

const { testRule } = require('../../../support/rule-tester');

const pinned = (
  /** @type {number} */ max,
  /** @type {number} */ usual = max / 2,
  /** @type {number} */ writes = 300,
) => ({
  'transaction.pinnedIdsMax': max,
  'transaction.pinnedIds': usual,
  'ops.writesPerSec': writes,
});

testRule(__filename, [
  ['none', pinned(0), 'ok', 'fine', { ids: 0, seconds: 0 }],
  ['what every load pins', pinned(83), 'ok', 'fine'],
  ['ten thousand', pinned(10_000), 'warning', 'old-snapshot', { ids: 10000, seconds: 33.33 }],
  ['fewer', pinned(9999), 'ok', 'fine'],
  ['30 s of writes', pinned(28_749, 14_000, 958), 'warning', 'old-snapshot', { seconds: 30.01 }],
  ['less: a moment of many writes', pinned(28_749, 14_000, 959), 'ok', 'fine'],
  [
    'open for a quarter of it in half of the samples',
    pinned(28_000, 7000),
    'warning',
    'old-snapshot',
  ],
  ['one sample of many', pinned(28_000, 6999), 'ok', 'fine'],
  [
    'on a secondary',
    { ...pinned(28_749, 14_000, 0), 'ops.replicatedPerSec': 300 },
    'warning',
    'old-snapshot',
  ],
  ['nothing is written', pinned(28_749, 14_000, 0), 'ok', 'fine', { ids: 28750 }],
]);
