'use strict';

const { testRule } = require('../../../support/rule-tester');

const took = (/** @type {number} */ ms, /** @type {number} */ syncdelay = 60) => ({
  'checkpoint.windowMaxMs': ms,
  'config.syncdelaySeconds': syncdelay,
});

testRule(__filename, [
  [
    'shorter than the interval',
    took(59_999),
    'ok',
    'default',
    { checkpointMs: 60000, intervalMs: 60000 },
  ],
  ['as long as the interval', took(60_000), 'warning', 'half-of-the-time'],
  ['an interval of its own', took(15_000, 15), 'warning', 'half-of-the-time'],
  ['just below that: shortened in vain', took(14_999, 15), 'info', 'shorter'],
  ['a second shorter than usual', took(100, 59), 'info', 'shorter'],
  ['a second longer than usual', took(100, 61), 'info', 'longer'],
  ['no checkpoints at all', took(100, 0), 'warning', 'switched-off', { isLive: false }],
  [
    'the same where a new value counts at once',
    { ...took(100, 0), 'server.versionNumber': 80_000 },
    'warning',
    'switched-off',
    { isLive: true },
  ],
  [
    'and where it does not',
    { ...took(100, 0), 'server.versionNumber': 79_999 },
    'warning',
    'switched-off',
    { isLive: false },
  ],
]);
