'use strict';

const { testRule } = require('../../../support/rule-tester');

const GiB = 2 ** 30;
const dirty = (
  /** @type {number} */ gib,
  /** @type {number} */ max = 64,
  /** @type {number} */ ms = 1000,
) => ({
  'cache.dirtyBytesMax': gib * GiB,
  'cache.maxBytes': max * GiB,
  'config.dirtyTargetRatio': 0.05,
  'checkpoint.windowMaxMs': ms,
});

testRule(__filename, [
  ['little', dirty(1), 'ok', 'fine', { dirtyBytes: 1 * 2 ** 30, cacheBytes: 64 * 2 ** 30 }],
  ['10 GiB, however long the checkpoint', dirty(10, 64, 90_000), 'ok', 'fine'],
  ['more', dirty(10.1), 'info', 'large', { dirtyBytes: 10.1 * 2 ** 30 }],
  ['more, and a checkpoint of just below a minute', dirty(10.1, 64, 59_999), 'info', 'large'],
  [
    'more, and one of a minute',
    dirty(10.1, 64, 60_000),
    'warning',
    'long-checkpoint',
    { checkpointMs: 60000 },
  ],
  ['a cache just below 100 GiB', dirty(1, 99), 'ok', 'fine'],
  ['100 GiB with the default target', dirty(1, 100), 'info', 'large', { targetRatio: 0.05 }],
  [
    '100 GiB with a target of its own',
    { ...dirty(1, 100), 'config.dirtyTargetRatio': 0.0498 },
    'ok',
    'fine',
  ],
  [
    '100 GiB, target not known',
    { ...dirty(1, 100), 'config.dirtyTargetRatio': undefined },
    'ok',
    'fine',
  ],
]);
