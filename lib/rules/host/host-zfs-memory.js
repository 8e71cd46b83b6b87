'use strict';

const { MiB, bytes, shortPercent } = require('../../base/pure/units');
const { defineHostRule } = require('../rule');
const { sources } = require('../sources');

// The rest is for the kernel, connections and mongod beside its cache; the server itself warns of a
// cache above 80% of memory.
const MAX_RATIO = 0.8;
// OpenZFS ignores a smaller zfs_arc_max, and takes 0 for its default (its page of module parameters).
const SMALLEST_ARC_BYTES = 64 * MiB;

module.exports = defineHostRule({
  id: 'host-zfs-memory',
  title: 'ZFS ARC and WiredTiger cache too large together',
  why:
    'ZFS has its own cache (ARC), half of RAM by default, which does not count as page cache. ' +
    'WiredTiger uses half by default too. Together that is all RAM, and ZFS releases memory ' +
    'too slowly.',
  needs: ['zfs.arcMaxBytes', 'memory.totalBytes', 'server.cacheBytes'],
  wants: ['files.type', 'zfs.primaryCache', 'zfs.arcBytes'],
  evidence: ['zfs.arcMaxBytes', 'zfs.arcBytes', 'server.cacheBytes', 'memory.totalBytes'],
  threshold: `Warning: maximum ARC and WiredTiger cache together exceed ${shortPercent(MAX_RATIO)} of RAM.`,
  source: sources(
    'OpenZFS, zfs_arc_max (https://openzfs.github.io/openzfs-docs/Performance%20and%20Tuning/Module%20Parameters.html)',
    '80% is a heuristic, after the share above which mongod warns',
  ),
  advice: 'Limit the ARC (zfs_arc_max) so that both fit.',
  whenNot:
    'Not with primarycache=metadata, which keeps data out of the ARC. Not if RAM is never full.',
  aside: ({ 'files.type': type = 'zfs' }) =>
    type === 'zfs' ? null : { status: 'ok', code: 'not-zfs', values: { type } },
  check({
    'zfs.arcMaxBytes': arcMaxBytes,
    'memory.totalBytes': totalBytes,
    'server.cacheBytes': cacheBytes,
    'zfs.primaryCache': primaryCache = null,
    'files.type': type = 'zfs',
  }) {
    const values = { type, arcMaxBytes, cacheBytes, totalBytes, primaryCache };
    if (arcMaxBytes + cacheBytes <= MAX_RATIO * totalBytes)
      return { status: 'ok', code: 'fits', values };
    return primaryCache === 'metadata' || primaryCache === 'none'
      ? { status: 'ok', code: 'no-data-in-arc', values }
      : { status: 'warning', code: 'too-large', values };
  },
  messages: {
    'not-zfs': ({ type }) => `Not applicable: dbPath is on ${type}, not on ZFS.`,
    fits: (values) => `${both(values)}.`,
    'no-data-in-arc': (values) =>
      `${both(values)}; the ARC holds no data (primarycache=${values.primaryCache}).`,
    'too-large': (values) =>
      `${both(values)}: together above the limit of ${shortPercent(MAX_RATIO)}.`,
  },
  adviceFor: {
    'too-large': ({ totalBytes, cacheBytes }) => {
      const leftBytes = MAX_RATIO * totalBytes - cacheBytes;
      return leftBytes < SMALLEST_ARC_BYTES
        ? 'Make the WiredTiger cache smaller: alone it takes all of the limit. Do not set ' +
            'zfs_arc_max to 0: that means its default.'
        : `Set zfs_arc_max to ${bytes(leftBytes)} or less (in /etc/modprobe.d and ` +
            '/sys/module/zfs/parameters), or make the WiredTiger cache smaller.';
    },
  },
});

/** @param {Record<'arcMaxBytes' | 'cacheBytes' | 'totalBytes', number>} values both caches */
const both = ({ arcMaxBytes, cacheBytes, totalBytes }) =>
  `The ARC may use ${bytes(arcMaxBytes)} and the WiredTiger cache ${bytes(cacheBytes)}, of ` +
  `${bytes(totalBytes)} RAM`;
