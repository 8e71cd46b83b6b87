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
  ['none', pinned(0), 'ok', /pins 0 transaction ids\.$/],
  ['what every load pins', pinned(83), 'ok'],
  [
    'ten thousand',
    pinned(10_000),
    'warning',
    /10,000 transaction ids, about 33\.3 s of writes/,
    /killSessions: \[lsid\]/,
  ],
  ['fewer', pinned(9999), 'ok'],
  ['30 s of writes', pinned(28_749, 14_000, 958), 'warning', /about 30 s/],
  ['less: a moment of many writes', pinned(28_749, 14_000, 959), 'ok'],
  ['open for a quarter of it in half of the samples', pinned(28_000, 7000), 'warning'],
  ['one sample of many', pinned(28_000, 6999), 'ok'],
  ['on a secondary', { ...pinned(28_749, 14_000, 0), 'ops.replicatedPerSec': 300 }, 'warning'],
  ['nothing is written', pinned(28_749, 14_000, 0), 'ok', /28,749 transaction ids\.$/],
]);
