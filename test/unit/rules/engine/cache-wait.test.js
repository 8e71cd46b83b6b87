'use strict';

const { testRule } = require('../../../support/rule-tester');

const waiting = (/** @type {number} */ threads, /** @type {number} */ busy = 10) => ({
  'clients.waitingThreads': threads,
  'clients.busyThreads': busy,
});

testRule(__filename, [
  ['none', waiting(0), 'ok', 'fine'],
  ['healthy up to 0.05 threads', waiting(0.05, 0.1), 'ok', 'fine'],
  ['one in a hundred of many clients', waiting(1, 100), 'ok', 'fine'],
  ['just more', waiting(1.005, 100), 'warning', 'costly'],
  ['more than that', waiting(1.1, 100), 'warning', 'costly', { threads: 1.1, share: 0.011 }],
  ['little time of a light load', waiting(0.24, 0.3), 'info', 'noticeable'],
  ['a quarter of a thread', waiting(0.25, 3), 'warning', 'costly'],
  ['just below a tenth', waiting(0.99), 'warning', 'costly'],
  ['a tenth of the time', waiting(1), 'critical', 'costly', { share: 0.1 }],
  [
    'says what for: dirty',
    { ...waiting(2), 'cache.dirtyHardShare': 0.3, 'cache.hardShare': 0.1 },
    'critical',
    'costly',
    { limit: 'dirty' },
  ],
  [
    'says what for: full',
    { ...waiting(2), 'cache.hardShare': 0.4, 'cache.dirtyHardShare': 0.3 },
    'critical',
    'costly',
    { limit: 'full' },
  ],
  [
    'says what for: updates',
    { ...waiting(2), 'cache.updatesHardShare': 0.4 },
    'critical',
    'costly',
  ],
]);
