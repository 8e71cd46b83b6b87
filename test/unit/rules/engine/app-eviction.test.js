'use strict';

const { testRule } = require('../../../support/rule-tester');

const evicting = (
  /** @type {number} */ threads,
  /** @type {number} */ busy = 10,
  /** @type {number} */ pages = 4323,
) => ({ 'clients.evicting': threads, 'clients.busy': busy, 'eviction.appPagesPerSec': pages });

testRule(__filename, [
  ['none', evicting(0, 10, 0), 'ok', /0 threads to evicting:/],
  ['thousands of pages that cost nothing', evicting(0.05), 'ok', /4,323 pages a second/],
  ['a little time', evicting(0.06), 'info'],
  ['less than a quarter of a thread, whatever share', evicting(0.24, 0.3), 'info', /0\.24 threads/],
  [
    'a quarter of a thread and a tenth of the time',
    evicting(0.25, 2.5),
    'warning',
    /10\.0 % of their time/,
  ],
  ['less than a tenth', evicting(0.25, 2.6), 'info'],
  ['just below half', evicting(4.99), 'warning'],
  ['half of the time', evicting(5), 'critical', /50\.0 %/],
]);
