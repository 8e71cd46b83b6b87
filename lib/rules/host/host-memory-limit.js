'use strict';

const { GiB, MiB, bytes, shortPercent } = require('../../base/pure/units');
const { defineHostRule } = require('../rule');
const { CAP_SHARE } = require('../../signals/cache');
const { sources, option, kernel } = require('../sources');

// The server's own default cache for a machine with as much memory as the limit (manual,
// cacheSizeGB).
const DEFAULT_SHARE = 0.5;
const MIN_BYTES = 256 * MiB;

module.exports = defineHostRule({
  id: 'host-memory-limit',
  title: 'Cache too large for the memory limit of container or systemd unit',
  why:
    'A cgroup limits memory, and the page cache of its files counts. If the cache alone comes ' +
    'near the limit, the kernel reclaims file pages constantly and then kills mongod. Of ' +
    'nested cgroups, the lowest limit counts.',
  needs: ['memory.isLimited'],
  wants: ['memory.limitBytes', 'memory.limitUsedBytes', 'server.cacheBytes'],
  evidence: ['memory.limitBytes', 'memory.limitUsedBytes', 'server.cacheBytes'],
  threshold:
    `Warning: the cache is more than ${shortPercent(CAP_SHARE)} of the limit. Critical: as large as ` +
    'the limit.',
  source: sources(
    option('storage.wiredTiger.engineConfig.cacheSizeGB'),
    'mongod log id 22300',
    kernel('cgroup v2 (memory.max, memory.high)', 'admin-guide/cgroup-v2'),
  ),
  advice:
    'Set cacheSizeGB for the limit, or raise the limit (MemoryMax of the unit, limits.memory ' +
    'of the container).',
  whenNot:
    'Not if all data fits in the cache and little is written: few file pages are needed then.',
  alongside: ['cache-read', 'cache-dirty', 'disk', 'unknown'],
  check({
    'memory.isLimited': isLimited,
    'memory.limitBytes': limitBytes = null,
    'memory.limitUsedBytes': usedBytes = null,
    'server.cacheBytes': cacheBytes = null,
  }) {
    const values = { limitBytes, usedBytes, cacheBytes };
    if (!isLimited) return { status: 'ok', code: 'no-limit', values };
    if (limitBytes === null || cacheBytes === null)
      return { status: 'info', code: 'not-comparable', values };
    if (cacheBytes <= CAP_SHARE * limitBytes) return { status: 'ok', code: 'fits', values };
    const status = cacheBytes >= limitBytes ? 'critical' : 'warning';
    return { status, code: 'too-large', values };
  },
  messages: {
    'no-limit': () => 'No cgroup limits the memory of mongod.',
    'not-comparable': ({ limitBytes }) =>
      'A cgroup limits the memory of ' +
      `mongod${limitBytes === null ? '' : ` to ${bytes(limitBytes)}`}; the cache size is not ` +
      'known.',
    fits: (values) => both(values),
    'too-large': (values) =>
      Number(values.cacheBytes) >= Number(values.limitBytes) ? beyond(values) : both(values),
  },
  adviceFor: {
    'too-large': ({ limitBytes }) =>
      `Set the cache to about ${bytes(fitting(Number(limitBytes)))} (cacheSizeGB), or raise the ` +
      'limit (MemoryMax of the unit, limits.memory of the container).',
  },
});

/** The size of a cache that fits. @param {number} limitBytes */
const fitting = (limitBytes) => Math.max(MIN_BYTES, DEFAULT_SHARE * (limitBytes - GiB));

/** @param {Record<'limitBytes' | 'usedBytes' | 'cacheBytes', number | null>} values */
const beyond = ({ limitBytes, usedBytes, cacheBytes }) =>
  `The cache may grow to ${bytes(cacheBytes)}, but a cgroup limits mongod to ${bytes(limitBytes)}` +
  `${usedBytes === null ? '' : ` (${bytes(usedBytes)} used)`}: at the limit the kernel kills mongod.`;

/**
 * Cache and limit, side by side.
 * @param {Record<'limitBytes' | 'usedBytes' | 'cacheBytes', number | null>} values
 */
const both = ({ limitBytes, usedBytes, cacheBytes }) =>
  `The cache is ${bytes(cacheBytes)}, and a cgroup limits mongod to ${bytes(limitBytes)}` +
  `${usedBytes === null ? '' : ` (${bytes(usedBytes)} used)`}.`;
