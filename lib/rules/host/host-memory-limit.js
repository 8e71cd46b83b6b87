'use strict';

const { GiB, MiB, bytes } = require('../../base/pure/units');
const { defineHostRule } = require('../rule');
const { CAP_SHARE } = require('../../signals/cache');
const { whole } = require('../../signals/words');

/**
 * @import { HostJudgement } from '../rule'
 */

// The server's own default cache for a machine with as much memory as the limit (manual,
// cacheSizeGB).
const DEFAULT_SHARE = 0.5;
const MIN_BYTES = 256 * MiB;

module.exports = defineHostRule({
  id: 'host-memory-limit',
  title: 'Cache too large for the limit of its container or unit',
  why:
    'A control group may use a certain amount of memory, and the page cache of its files ' +
    'counts. When the cache alone comes near it, the kernel throws out file pages all the ' +
    'time, and then kills mongod. Groups are nested: the tightest of them counts.',
  needs: ['memory.isLimited'],
  wants: ['memory.limitBytes', 'memory.limitUsedBytes', 'server.cacheBytes'],
  evidence: ['memory.limitBytes', 'memory.limitUsedBytes', 'server.cacheBytes'],
  threshold:
    `Warning when the cache is more than ${whole(CAP_SHARE)} of the limit, critical when it is ` +
    'all of it.',
  source:
    'MongoDB manual, cacheSizeGB (containers); mongod log id 22300; kernel documentation, ' +
    'admin-guide/cgroup-v2.rst (memory.max, memory.high)',
  advice:
    'Set cacheSizeGB for the limit, or raise the limit (MemoryMax of the unit, limits.memory ' +
    'of the container).',
  whenNot: 'Where all data fits into the cache and little is written: file pages are then few.',
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
    'no-limit': () => 'No control group limits the memory of mongod.',
    'not-comparable': ({ limitBytes }) =>
      'A control group limits the memory of ' +
      `mongod${limitBytes === null ? '' : ` to ${bytes(limitBytes)}`}; the cache is not known ` +
      'to compare with.',
    fits: (values) => both(values),
    'too-large': (values) => both(values),
  },
  adviceFor: {
    'too-large': ({ limitBytes }) =>
      `Set the cache to some ${bytes(fitting(Number(limitBytes)))} (cacheSizeGB), or raise the ` +
      'limit (MemoryMax of the unit, limits.memory of the container).',
  },
});

/** The size of a cache that fits. @param {number} limitBytes */
const fitting = (limitBytes) => Math.max(MIN_BYTES, DEFAULT_SHARE * (limitBytes - GiB));

/**
 * Cache and limit, side by side.
 * @param {Record<'limitBytes' | 'usedBytes' | 'cacheBytes', number | null>} values
 */
const both = ({ limitBytes, usedBytes, cacheBytes }) =>
  `The cache is ${bytes(cacheBytes)}, and a control group limits mongod to ` +
  `${bytes(limitBytes)}${usedBytes === null ? '' : `, of which ${bytes(usedBytes)} are in use`}.`;
