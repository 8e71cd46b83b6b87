'use strict';

const { testRule } = require('../../../support/rule-tester');

const waiting = (
  /** @type {number} */ threads,
  /** @type {number} */ pages = 0,
  /** @type {number} */ busy = 8,
) => ({
  'clients.waitingForCache': threads,
  'eviction.appPagesPerSec': pages,
  'clients.busy': busy,
  'clients.evicting': 0,
});

testRule(__filename, [
  ['nobody waits and nobody evicts', waiting(0), 'ok', /0 threads to eviction: next to nothing/],
  ['healthy up to 0.05 threads', waiting(0.05), 'ok'],
  [
    'a little waiting without a page',
    waiting(0.06),
    'info',
    /0\.06 threads on average, yet they evict no page: it is blocked/,
  ],
  ['a quarter of a thread, less than a tenth of the time', waiting(0.25, 0, 2.6), 'info'],
  [
    'a quarter of a thread, a tenth of the time',
    waiting(0.25, 0, 2.5),
    'warning',
    /10\.0 % of their time/,
    /hot-file/,
  ],
  [
    'half a second for a page',
    waiting(2, 4),
    'warning',
    /yet they evict 4 pages a second, one in 500 ms of their time: it is blocked/,
  ],
  [
    "less: time with pages to show for it is another rule's",
    waiting(2, 4.02),
    'ok',
    /4\.02 pages a second, and lose 498 ms for each/,
  ],
  ['one page in a minute of waiting', waiting(3, 0.05), 'warning', /one in 60 s of their time/],
  ['a disk at its limit', waiting(3.5, 82), 'ok', /lose 42\.7 ms for each/],
  [
    'evicting that evicts nothing counts as well',
    { ...waiting(0), 'clients.evicting': 2 },
    'warning',
  ],
]);
