'use strict';

const { testRule } = require('../../../support/rule-tester');

const pinned = (/** @type {number} */ seconds, /** @type {number} */ grown = 60) => ({
  'transaction.pinnedSeconds': seconds,
  'transaction.pinnedSecondsGrown': grown,
  'window.seconds': 60,
});

testRule(__filename, [
  ['a standalone has none', pinned(0, 0), 'ok', /last 0/],
  ['the window of a replica set', pinned(300), 'ok', /5 min 0 s/],
  ['twice that, and growing', pinned(600), 'ok'],
  [
    'longer, and it stands',
    pinned(601),
    'warning',
    /last 10 min 1 s are kept, and 60 s more/,
    /currentOp/,
  ],
  ['half as fast as the clock', pinned(601, 30), 'warning'],
  ['slower: it moves on', pinned(601, 29), 'info', /are kept\.$/],
  ['how it moves is not known', { 'transaction.pinnedSeconds': 900 }, 'info'],
]);
