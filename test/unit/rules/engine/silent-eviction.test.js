'use strict';

const { testRule } = require('../../../support/rule-tester');

const waiting = (
  /** @type {number} */ threads,
  /** @type {number} */ pages = 0,
  /** @type {number} */ busy = 8,
) => ({
  'clients.waitingThreads': threads,
  'eviction.appPagesPerSec': pages,
  'clients.busyThreads': busy,
  'clients.evictingThreads': 0,
});

testRule(__filename, [
  [
    'nobody waits and nobody evicts',
    waiting(0),
    'ok',
    'fine',
    { threads: 0, share: 0, pagesPerSec: 0 },
  ],
  ['healthy up to 0.05 threads', waiting(0.05), 'ok', 'fine'],
  ['a little waiting without a page', waiting(0.06), 'info', 'blocked', { threads: 0.06 }],
  [
    'a quarter of a thread, less than a tenth of the time',
    waiting(0.25, 0, 2.6),
    'info',
    'blocked',
  ],
  [
    'a quarter of a thread, a tenth of the time',
    waiting(0.25, 0, 2.5),
    'warning',
    'blocked',
    { share: 0.1 },
  ],
  [
    'half a second for a page',
    waiting(2, 4),
    'warning',
    'blocked',
    { pagesPerSec: 4, msPerPage: 500 },
  ],
  [
    "less: time with pages to show for it is another rule's",
    waiting(2, 4.02),
    'ok',
    'evicting',
    { pagesPerSec: 4.02, msPerPage: 497.5 },
  ],
  ['one page in a minute of waiting', waiting(3, 0.05), 'warning', 'blocked', { msPerPage: 60000 }],
  ['a disk at its limit', waiting(3.5, 82), 'ok', 'evicting', { msPerPage: 42.68 }],
  [
    'evicting that evicts nothing counts as well',
    { ...waiting(0), 'clients.evictingThreads': 2 },
    'warning',
    'blocked',
  ],
]);
