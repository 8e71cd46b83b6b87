'use strict';

const { testHostRule } = require('../../../support/rule-tester');

const GiB = 2 ** 30;
const memory = (arc, cache, more = {}) => ({
  'files.type': 'zfs',
  'zfs.arcMaxBytes': arc,
  'server.cacheBytes': cache,
  'memory.totalBytes': 100 * GiB,
  ...more,
});

testHostRule(__filename, [
  [
    'both fit',
    memory(40 * GiB, 40 * GiB),
    'ok',
    'fits',
    { arcMaxBytes: 40 * 2 ** 30, cacheBytes: 40 * 2 ** 30, totalBytes: 100 * 2 ** 30 },
  ],
  ['they do not', memory(40 * GiB + 1, 40 * GiB), 'warning', 'too-large'],
  ['the cache alone is too much', memory(10 * GiB, 90 * GiB), 'warning', 'too-large'],
  [
    'data stays out',
    memory(50 * GiB, 50 * GiB, { 'zfs.primaryCache': 'metadata' }),
    'ok',
    'no-data-in-arc',
    { primaryCache: 'metadata' },
  ],
  [
    'data does not',
    memory(50 * GiB, 50 * GiB, { 'zfs.primaryCache': 'all' }),
    'warning',
    'too-large',
  ],
  ['another file system', { 'files.type': 'xfs' }, 'ok', 'not-zfs', { type: 'xfs' }],
]);
