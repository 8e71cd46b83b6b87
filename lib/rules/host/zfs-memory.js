'use strict';

const { bytes } = require('../../base/pure/units');
const { defineHostRule } = require('../define-host-rule');
const { whole } = require('../../signals/words');

// What the kernel, connections and mongod beside its cache want; the server itself warns from a
// cache of 80 % of memory on.
const MAX_RATIO = 0.8;

module.exports = defineHostRule({
  id: 'zfs-memory',
  area: 'host',
  title: 'ZFS and WiredTiger keep the same data in memory',
  why:
    'ZFS has a cache of its own (ARC), half of the memory by default, and does not count it as ' +
    'page cache. WiredTiger takes half by default too. Together that is all there is, and ZFS ' +
    'gives back too slowly when it is wanted.',
  needs: ['zfs.arcMaxBytes', 'memory.totalBytes', 'server.cacheBytes'],
  wants: ['files.type', 'zfs.primaryCache', 'zfs.arcBytes'],
  threshold:
    `Largest ARC and cache of the server together more than ${whole(MAX_RATIO)} of the ` +
    'memory: warning.',
  source:
    'OpenZFS, module parameter zfs_arc_max; the sum is ours, after the share from which ' +
    'mongod warns at its start',
  advice: 'Give ZFS a limit (zfs_arc_max), so that both fit.',
  whenNot:
    "primarycache=metadata keeps data out of the ARC, and then the server's cache may be " +
    'large. Not where the memory is never full.',
  aside: ({ 'files.type': type = 'zfs' }) =>
    type === 'zfs'
      ? null
      : { status: 'ok', say: `The files of dbPath are on ${type}, not on ZFS.` },
  check({
    'zfs.arcMaxBytes': arc,
    'memory.totalBytes': memory,
    'server.cacheBytes': cache,
    'zfs.primaryCache': primary,
    'zfs.arcBytes': used,
  }) {
    const evidence = {
      'zfs.arcMaxBytes': arc,
      'zfs.arcBytes': used ?? null,
      'server.cacheBytes': cache,
      'memory.totalBytes': memory,
    };
    const say = `ZFS may keep ${bytes(arc)} and the server ${bytes(cache)}, of ${bytes(memory)} of memory`;
    if (arc + cache <= MAX_RATIO * memory) return { status: 'ok', say: `${say}.`, evidence };
    if (primary === 'metadata' || primary === 'none')
      return {
        status: 'ok',
        say: `${say}; data stays out of the cache of ZFS (primarycache=${primary}).`,
        evidence,
      };
    const room = Math.max(0, MAX_RATIO * memory - cache);
    return {
      status: 'warning',
      say: `${say}: together more than ${whole(MAX_RATIO)}.`,
      evidence,
      advice:
        `Set zfs_arc_max to ${bytes(room)} or less (in /etc/modprobe.d, and in ` +
        `/sys/module/zfs/parameters), or make the server's cache smaller.`,
    };
  },
});
