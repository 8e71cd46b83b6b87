'use strict';

const { testRule } = require('../../../support/rule-tester');

const waiting = (/** @type {number} */ threads, /** @type {number} */ pages = 0, /** @type {number} */ busy = 8) => ({ 'clients.waitingForCache': threads, 'eviction.appPagesPerSec': pages, 'clients.busy': busy, 'clients.evicting': 0 });

testRule(__filename, [
  ['nobody waits and nobody evicts', waiting(0), 'ok', /0 threads to eviction: next to nothing/],
  ['healthy up to 0.05 threads', waiting(0.05), 'ok'],
  ['a little waiting without a page', waiting(0.06), 'info', /0\.06 threads on average, yet they evict next to no page: it is blocked/],
  ['a quarter of a thread, less than a tenth of the time', waiting(0.25, 0, 2.6), 'info'],
  ['a quarter of a thread, a tenth of the time', waiting(0.25, 0, 2.5), 'warning', /10\.0 % of their time/, /hot-file/],
  ['less than one page a second is none', waiting(2, 0.9), 'warning'],
  ['time spent with pages to show for it is another rule\'s', waiting(2, 1), 'ok', /1 page a second/],
  ['evicting that evicts nothing counts as well', { ...waiting(0), 'clients.evicting': 2 }, 'warning'],
]);
