'use strict';

const { testRule } = require('../../../support/rule-tester');

const waiting = (/** @type {number} */ threads, /** @type {number} */ busy = 10) => ({
  'clients.waitingForCache': threads,
  'clients.busy': busy,
});

testRule(__filename, [
  ['none', waiting(0), 'ok', /next to nothing/],
  ['healthy up to 0.05 threads', waiting(0.05, 0.1), 'ok'],
  ['one in a hundred of many clients', waiting(1, 100), 'ok'],
  ['just more', waiting(1.005, 100), 'warning'],
  ['more than that', waiting(1.1, 100), 'warning', /1\.1 threads on average, 1\.1 % of their time/],
  ['little time of a light load', waiting(0.24, 0.3), 'info'],
  ['a quarter of a thread', waiting(0.25, 3), 'warning'],
  ['just below a tenth', waiting(0.99), 'warning'],
  ['a tenth of the time', waiting(1), 'critical', /10\.0 % of their time\.$/],
  [
    'says what for: dirty',
    { ...waiting(2), 'cache.dirtyHardShare': 0.3, 'cache.hardShare': 0.1 },
    'critical',
    /too much is dirty/,
  ],
  [
    'says what for: full',
    { ...waiting(2), 'cache.hardShare': 0.4, 'cache.dirtyHardShare': 0.3 },
    'critical',
    /it is full/,
  ],
  [
    'says what for: updates',
    { ...waiting(2), 'cache.updatesHardShare': 0.4 },
    'critical',
    /too much is update data/,
  ],
]);
