'use strict';

const { testHostRule } = require('../../../support/host-rule-tester');

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
    /ZFS may keep 40 GiB and the server 40 GiB, of 100 GiB/,
  ],
  ['they do not', memory(40 * GiB + 1, 40 * GiB), 'warning', /together more than 80 %/],
  ['the cache alone is too much', memory(10 * GiB, 90 * GiB), 'warning'],
  [
    'data stays out',
    memory(50 * GiB, 50 * GiB, { 'zfs.primaryCache': 'metadata' }),
    'ok',
    /primarycache=metadata/,
  ],
  ['data does not', memory(50 * GiB, 50 * GiB, { 'zfs.primaryCache': 'all' }), 'warning'],
  ['another file system', { 'files.type': 'xfs' }, 'ok', /on xfs, not on ZFS/],
]);
