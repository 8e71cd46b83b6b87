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
  ['little', dirty(1), 'ok', /1 GiB were dirty in a cache of 64 GiB/],
  ['10 GiB, however long the checkpoint', dirty(10, 64, 90_000), 'ok'],
  ['more', dirty(10.1), 'info', /10\.1 GiB/],
  ['more, and a checkpoint of just below a minute', dirty(10.1, 64, 59_999), 'info'],
  [
    'more, and one of a minute',
    dirty(10.1, 64, 60_000),
    'warning',
    /took 60 s/,
    /evictionDirtyTarget 1 or 2/,
  ],
  ['a cache just below 100 GiB', dirty(1, 99), 'ok'],
  ['100 GiB with the default target', dirty(1, 100), 'info', /dirty target of 5\.0 % is 5 GiB/],
  [
    '100 GiB with a target of its own',
    { ...dirty(1, 100), 'config.dirtyTargetRatio': 0.0498 },
    'ok',
  ],
  ['100 GiB, target not known', { ...dirty(1, 100), 'config.dirtyTargetRatio': undefined }, 'ok'],
]);
