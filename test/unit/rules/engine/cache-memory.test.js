'use strict';

const { testRule } = require('../../../support/rule-tester');

const GiB = 2 ** 30;
const share = (/** @type {number} */ ratio, memory = 100 * GiB) => ({
  'cache.maxBytes': ratio * memory,
  'host.memoryBytes': memory,
});

testRule(__filename, [
  ['half', share(0.5), 'ok', /50 GiB of 100 GiB, 50\.0 %/],
  ['the best found', share(0.75), 'ok'],
  ['more than that', share(0.751), 'info', /more than was found to help/],
  ['80 %', share(0.8), 'info'],
  ['more', share(0.801), 'warning', /too little is left/, /tune\.apply\(\{ cacheSizeGB: 49 \}\)/],
  [
    'the default that is proposed is half of what is above 1 GiB',
    share(0.801, 17 * GiB),
    'warning',
    /./,
    /cacheSizeGB: 8 \}/,
  ],
  ['… and never more', share(0.801, 16.99 * GiB), 'warning', /./, /cacheSizeGB: 7\.5 \}/],
  ['just below all', share(0.999), 'warning'],
  ['all of it', share(1), 'critical', /more than there is/],
  [
    'a container too small for any advice but memory',
    share(1, 0.5 * GiB),
    'critical',
    /more than there is/,
    /^Give the host or container more memory\.$/,
  ],
]);
