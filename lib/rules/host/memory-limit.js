'use strict';

const { GiB, MiB, bytes } = require('../../base/pure/units');
const { defineHostRule } = require('../define-host-rule');
const { CAP_SHARE } = require('../../signals/cache');
const { whole } = require('../../signals/words');

/**
 * @import { HostJudgement } from '../define-host-rule'
 */

// The server's own default cache for a machine with as much memory as the limit (manual,
// cacheSizeGB).
const DEFAULT_SHARE = 0.5;
const MIN_BYTES = 256 * MiB;

module.exports = defineHostRule({
  id: 'memory-limit',
  area: 'host',
  title: 'Whether the cache fits into the limit of the container or unit',
  why:
    'A control group may use a certain amount of memory, and the page cache of its files ' +
    'counts. When the cache alone comes near it, the kernel throws out file pages all the ' +
    'time, and then kills mongod. Groups are nested: the tightest of them counts.',
  needs: ['memory.isLimited'],
  wants: ['memory.limitBytes', 'memory.limitUsedBytes', 'server.cacheBytes'],
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
    'memory.limitBytes': limit,
    'memory.limitUsedBytes': used,
    'server.cacheBytes': cache,
  }) {
    const evidence = {
      'memory.limitBytes': limit ?? null,
      'memory.limitUsedBytes': used ?? null,
      'server.cacheBytes': cache ?? null,
    };
    if (!isLimited)
      return { status: 'ok', say: 'No control group limits the memory of mongod.', evidence };
    if (limit === undefined || cache === undefined)
      return {
        status: 'info',
        say:
          'A control group limits the memory of ' +
          `mongod${limit === undefined ? '' : ` to ${bytes(limit)}`}; the cache is not known ` +
          'to compare with.',
        evidence,
      };
    return { ...compare(cache, limit, used), evidence };
  },
});

/**
 * @param {number} cache
 * @param {number} limit
 * @param {number | undefined} used
 * @returns {HostJudgement}
 */
function compare(cache, limit, used) {
  const say =
    `The cache is ${bytes(cache)}, and a control group limits mongod to ` +
    `${bytes(limit)}${used === undefined ? '' : `, of which ${bytes(used)} are in use`}.`;
  if (cache <= CAP_SHARE * limit) return { status: 'ok', say };
  const fitting = Math.max(MIN_BYTES, DEFAULT_SHARE * (limit - GiB));
  return {
    status: cache >= limit ? 'critical' : 'warning',
    say,
    advice:
      `Set the cache to some ${bytes(fitting)} (cacheSizeGB), or raise the limit (MemoryMax of ` +
      'the unit, limits.memory of the container).',
  };
}
