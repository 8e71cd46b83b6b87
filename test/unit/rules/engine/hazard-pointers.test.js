'use strict';

const { testRule } = require('../../../support/rule-tester');

const blocked = (/** @type {number} */ perSec, /** @type {number} */ waiting = 1) => ({
  'eviction.hazardBlockedPerSec': perSec,
  'eviction.pagesPerSec': 500,
  'clients.waitingForCache': waiting,
});

testRule(__filename, [
  ['none', blocked(0), 'ok', /0 pages a second could not.*500 pages evicted\.$/],
  ['a tenth', blocked(50), 'ok'],
  ['just more', blocked(50.2), 'warning'],
  ['more', blocked(51), 'warning', /\(10\.2 %\)/, /hot documents/],
  ['more, but nobody loses by it', blocked(51, 0.05), 'info'],
  ['somebody does', blocked(51, 0.06), 'warning'],
  ['too few to judge', { ...blocked(9.9), 'eviction.pagesPerSec': 0 }, 'ok'],
  [
    'enough, and nothing else goes',
    { ...blocked(10), 'eviction.pagesPerSec': 0 },
    'warning',
    /1000\.0 %/,
  ],
  [
    'what it costs is not known',
    { ...blocked(51), 'clients.waitingForCache': undefined },
    'warning',
  ],
]);
