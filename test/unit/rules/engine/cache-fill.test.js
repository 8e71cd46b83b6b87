'use strict';

const { testRule } = require('../../../support/rule-tester');

const fill = (
  /** @type {number} */ mean,
  /** @type {number} */ peak,
  /** @type {number} */ waiting = 0,
) => ({ 'cache.usedRatio': mean, 'cache.usedRatioMax': peak, 'clients.waitingThreads': waiting });

testRule(__filename, [
  [
    'a half-empty cache is fine',
    fill(0.5, 0.6),
    'ok',
    'free-space',
    { usedRatio: 0.5, usedRatioMax: 0.6 },
  ],
  ['80% is what a busy cache looks like', fill(0.8, 0.85), 'ok', 'busy'],
  ['just below the trigger is fine', fill(0.8, 0.949), 'ok', 'busy'],
  [
    'at the trigger without waiting is worth knowing',
    fill(0.9, 0.95),
    'info',
    'above-trigger',
    { usedRatioMax: 0.95, triggerRatio: 0.95 },
  ],
  ['at the trigger, healthy waiting', fill(0.9, 0.95, 0.05), 'info', 'above-trigger'],
  [
    'at the trigger with clients waiting is critical',
    fill(0.9, 0.95, 0.06),
    'critical',
    'clients-wait',
    { waitingThreads: 0.06 },
  ],
  ['just below 100%', fill(0.9, 0.999), 'info', 'above-trigger'],
  ['overfull is a warning', fill(0.98, 1), 'warning', 'overfull'],
  [
    'just below what a busy one looks like',
    fill(0.749, 0.8),
    'ok',
    'free-space',
    { usedRatioMax: 0.8 },
  ],
  ['from there on', fill(0.75, 0.8), 'ok', 'busy'],
  [
    'the server says that it was full between two samples',
    { ...fill(0.8, 0.9, 0.06), 'cache.hardShare': 0.05 },
    'critical',
    'clients-wait',
    { hardShare: 0.05, waitingThreads: 0.06 },
  ],
  ['… and nobody waited', { ...fill(0.8, 0.9), 'cache.hardShare': 0.05 }, 'info', 'above-trigger'],
  [
    '… in fewer samples than that',
    { ...fill(0.8, 0.9, 0.06), 'cache.hardShare': 0.049 },
    'ok',
    'busy',
  ],
  [
    'a trigger of its own counts',
    { ...fill(0.9, 0.95), 'config.triggerRatio': 0.97, 'config.targetRatio': 0.75 },
    'ok',
    'busy',
  ],
]);
