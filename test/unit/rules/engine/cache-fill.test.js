'use strict';

const { testRule } = require('../../../support/rule-tester');

const fill = (
  /** @type {number} */ mean,
  /** @type {number} */ peak,
  /** @type {number} */ waiting = 0,
) => ({ 'cache.usedRatio': mean, 'cache.usedRatioMax': peak, 'clients.waitingForCache': waiting });

testRule(__filename, [
  ['a half-empty cache is fine', fill(0.5, 0.6), 'ok', /50\.0 % full, at most 60\.0 %\.$/],
  ['80 % is what a busy cache looks like', fill(0.8, 0.85), 'ok', /busy cache of any size/],
  ['just below the trigger is fine', fill(0.8, 0.949), 'ok'],
  [
    'at the trigger without waiting is worth knowing',
    fill(0.9, 0.95),
    'info',
    /trigger of 95 %.*do not wait/,
  ],
  ['at the trigger, healthy waiting', fill(0.9, 0.95, 0.05), 'info'],
  [
    'at the trigger with clients waiting is critical',
    fill(0.9, 0.95, 0.06),
    'critical',
    /0\.06 client threads waiting/,
  ],
  ['just below 100 %', fill(0.9, 0.999), 'info'],
  ['overfull is a warning', fill(0.98, 1), 'warning', /more in it than it may hold/],
  ['just below what a busy one looks like', fill(0.749, 0.8), 'ok', /80\.0 %\.$/],
  ['from there on', fill(0.75, 0.8), 'ok', /busy cache of any size/],
  [
    'the server says that it was full between two samples',
    { ...fill(0.8, 0.9, 0.06), 'cache.hardShare': 0.05 },
    'critical',
    /in 5\.0 % of the samples clients were made to evict because it was full, with 0\.06 client threads/,
  ],
  [
    '… and nobody waited',
    { ...fill(0.8, 0.9), 'cache.hardShare': 0.05 },
    'info',
    /because it was full, but clients do not wait/,
  ],
  ['… in fewer samples than that', { ...fill(0.8, 0.9, 0.06), 'cache.hardShare': 0.049 }, 'ok'],
  [
    'a trigger of its own counts',
    { ...fill(0.9, 0.95), 'config.triggerRatio': 0.97, 'config.targetRatio': 0.75 },
    'ok',
  ],
]);
