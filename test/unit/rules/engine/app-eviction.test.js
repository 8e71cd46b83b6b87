'use strict';

const { testRule } = require('../../../support/rule-tester');

const evicting = (
  /** @type {number} */ threads,
  /** @type {number} */ busy = 10,
  /** @type {number} */ pages = 4323,
) => ({
  'clients.evictingThreads': threads,
  'clients.busyThreads': busy,
  'eviction.appPagesPerSec': pages,
});

testRule(__filename, [
  ['none', evicting(0, 10, 0), 'ok', 'fine', { threads: 0, share: 0, pagesPerSec: 0 }],
  ['thousands of pages that cost nothing', evicting(0.05), 'ok', 'fine', { pagesPerSec: 4323 }],
  ['a little time', evicting(0.06), 'info', 'noticeable'],
  [
    'less than a quarter of a thread, whatever share',
    evicting(0.24, 0.3),
    'info',
    'noticeable',
    { threads: 0.24 },
  ],
  [
    'a quarter of a thread and a tenth of the time',
    evicting(0.25, 2.5),
    'warning',
    'costly',
    { share: 0.1 },
  ],
  ['less than a tenth', evicting(0.25, 2.6), 'info', 'noticeable'],
  ['just below half', evicting(4.99), 'warning', 'costly'],
  ['half of the time', evicting(5), 'critical', 'costly', { share: 0.5 }],
]);
