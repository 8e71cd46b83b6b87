'use strict';

const { testRule } = require('../../../support/rule-tester');

const pinned = (/** @type {number} */ seconds, /** @type {number} */ grown = 60) => ({
  'transaction.pinnedSeconds': seconds,
  'transaction.pinnedSecondsGrown': grown,
  'window.seconds': 60,
});

testRule(__filename, [
  [
    'a standalone has none',
    pinned(0, 0),
    'unknown',
    'not-applicable',
    { pinnedSeconds: 0, grownSeconds: 0 },
  ],
  ['the window of a replica set', pinned(300), 'ok', 'fine', { pinnedSeconds: 300 }],
  ['twice that, and growing', pinned(600), 'ok', 'fine'],
  [
    'longer, and it stands',
    pinned(601),
    'warning',
    'stalled',
    { pinnedSeconds: 601, grownSeconds: 60 },
  ],
  ['half as fast as the clock', pinned(601, 30), 'warning', 'stalled'],
  ['slower: it moves on', pinned(601, 29), 'info', 'long'],
  ['how it moves is not known', { 'transaction.pinnedSeconds': 900 }, 'info', 'long'],
]);
