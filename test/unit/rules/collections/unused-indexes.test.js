'use strict';

const { testCollectionRule } = require('../../../support/rule-tester');

const GiB = 2 ** 30;
const WEEK = 7 * 86_400;
const index = (/** @type {any} */ more) => ({
  ns: 'shop.orders',
  index: 'a_1',
  uses: 0,
  keeps: null,
  cacheBytes: 0.1 * GiB,
  storageBytes: GiB,
  countedSeconds: WEEK,
  ...more,
});
const of = (/** @type {any[]} */ ...indexes) => ({
  indexes: indexes.map(index),
  cacheMaxBytes: GiB,
});

testCollectionRule(__filename, [
  ['used', of({ uses: 1 }), 'ok', 'fine', { examined: 1 }],
  [
    'on _id, unique and TTL',
    of({ keeps: '_id' }, { keeps: 'unique' }, { keeps: 'ttl' }),
    'ok',
    'fine',
  ],
  ['just before a day', of({ countedSeconds: 86_399 }), 'ok', 'too-early'],
  ['a day', of({ countedSeconds: 86_400 }), 'info', 'unused-so-far'],
  ['just before a week', of({ countedSeconds: WEEK - 1 }), 'info', 'unused-so-far'],
  ['a week, and a tenth of the cache', of({}), 'warning', 'costly', { cacheRatio: 0.1 }],
  ['little of the cache', of({ cacheBytes: 0.049 * GiB }), 'info', 'unused'],
  [
    'together enough, the largest first',
    of(
      { index: 'b_1', cacheBytes: 0.02 * GiB },
      { index: 'c_1', cacheBytes: 0.03 * GiB },
      { index: 'd_1', cacheBytes: 0 },
      { ns: 'x\u001b[2J.y', index: 'e\n', cacheBytes: 1 },
    ),
    'warning',
    'costly',
    { cacheRatio: 0.05 },
  ],
  [
    'new ones do not count beside old ones',
    of({ cacheBytes: 0.01 * GiB }, { countedSeconds: 60, cacheBytes: 0.9 * GiB }),
    'info',
    'unused',
    { cacheRatio: 0.01 },
  ],
]);
