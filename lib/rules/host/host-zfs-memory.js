'use strict';

const { bytes } = require('../../base/pure/units');
const { defineHostRule } = require('../rule');
const { whole } = require('../../signals/words');

// What the kernel, connections and mongod beside its cache want; the server itself warns from a
// cache of 80% of memory on.
const MAX_RATIO = 0.8;

module.exports = defineHostRule({
  id: 'host-zfs-memory',
  title: 'Data held twice in memory by ZFS and WiredTiger',
  why:
    'ZFS has a cache of its own (ARC), half of the memory by default, and does not count it as ' +
    'page cache. WiredTiger takes half by default too. Together that is all there is, and ZFS ' +
    'gives back too slowly when it is wanted.',
  needs: ['zfs.arcMaxBytes', 'memory.totalBytes', 'server.cacheBytes'],
  wants: ['files.type', 'zfs.primaryCache', 'zfs.arcBytes'],
  evidence: ['zfs.arcMaxBytes', 'zfs.arcBytes', 'server.cacheBytes', 'memory.totalBytes'],
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
    'not-zfs': ({ type }) => `The files of dbPath are on ${type}, not on ZFS.`,
    fits: (values) => `${both(values)}.`,
    'no-data-in-arc': (values) =>
      `${both(values)}; data stays out of the cache of ZFS (primarycache=${values.primaryCache}).`,
    'too-large': (values) => `${both(values)}: together more than ${whole(MAX_RATIO)}.`,
  },
  adviceFor: {
    'too-large': ({ totalBytes, cacheBytes }) =>
      `Set zfs_arc_max to ${bytes(Math.max(0, MAX_RATIO * totalBytes - cacheBytes))} or less ` +
      '(in /etc/modprobe.d, and in /sys/module/zfs/parameters), or make the ' +
      "server's cache smaller.",
  },
});

/** @param {Record<'arcMaxBytes' | 'cacheBytes' | 'totalBytes', number>} values both caches */
const both = ({ arcMaxBytes, cacheBytes, totalBytes }) =>
  `ZFS may keep ${bytes(arcMaxBytes)} and the server ${bytes(cacheBytes)}, of ` +
  `${bytes(totalBytes)} of memory`;
