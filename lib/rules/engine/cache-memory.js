'use strict';

const { GiB, bytes, percent, shortPercent } = require('../../base/pure/units');
const { defineRule } = require('../rule');
const { BEST_FOUND_SHARE, CAP_SHARE } = require('../../signals/cache');
const { roundDownGB } = require('../../sizing/cache-effect');
const { sources, option, S390X } = require('../sources');

// MongoDB's default; above it the manual advises caution, since connections, sorts, index builds
// and the operating system's cache live beside the cache.
const DEFAULT_SHARE = 0.5;

module.exports = defineRule({
  id: 'cache-memory',
  area: 'memory',
  title: 'Cache too large for the RAM of host or container',
  why:
    'mongod also needs memory for connections, sorts, aggregations and index builds. The ' +
    'operating system needs some for its page cache. Too little of either ends in swapping, or ' +
    'in a container being killed.',
  needs: ['cache.maxBytes', 'host.memoryBytes'],
  wants: ['process.residentBytes'],
  threshold:
    `Healthy: up to ${shortPercent(BEST_FOUND_SHARE)} of RAM (the default is ` +
    `${shortPercent(DEFAULT_SHARE)}). Information: above. Warning: above ${shortPercent(CAP_SHARE)}, where ` +
    'mongod itself warns at start-up. Critical: as large as RAM.',
  source: sources(
    option('storage.wiredTiger.engineConfig.cacheSizeGB'),
    'mongod log id 22300',
    S390X,
  ),
  advice: 'Make the cache smaller, or give the host or container more memory.',
  whenNot:
    'A container without its own limit reports the RAM of the host. Set cacheSizeGB by hand ' +
    'there, and count what else runs on the host.',
  check({
    'cache.maxBytes': cacheBytes,
    'host.memoryBytes': memoryBytes,
    'process.residentBytes': resident = null,
  }) {
    const share = cacheBytes / memoryBytes;
    const evidence = {
      'cache.maxBytes': cacheBytes,
      'host.memoryBytes': memoryBytes,
      ratio: share,
      'process.residentBytes': resident,
    };
    const values = { cacheBytes, memoryBytes, share };
    if (share >= 1) return { status: 'critical', code: 'above-memory', values, evidence };
    if (share > CAP_SHARE) return { status: 'warning', code: 'too-large', values, evidence };
    if (share > BEST_FOUND_SHARE) return { status: 'info', code: 'large', values, evidence };
    return { status: 'ok', code: 'fine', values, evidence };
  },
  messages: {
    fine: (values) => `${size(values)}.`,
    large: (values) => `${size(values)}: more than the default and than any tested gain.`,
    'too-large': (values) =>
      `${size(values)}: above ${shortPercent(CAP_SHARE)}, too little is left for everything else.`,
    'above-memory': (values) => `${size(values)}: the cache is larger than RAM.`,
  },
  adviceFor: {
    'too-large': ({ memoryBytes }) => smaller(memoryBytes),
    'above-memory': ({ memoryBytes }) => smaller(memoryBytes),
  },
});

/**
 * The cache beside the memory, without the end of the sentence.
 * @param {{ cacheBytes: number, memoryBytes: number, share: number }} values
 */
const size = ({ cacheBytes, memoryBytes, share }) =>
  `The cache may use ${bytes(cacheBytes)} of ${bytes(memoryBytes)} RAM (${percent(share)})`;

/** Says what to do, with the server's own default for this memory. @param {number} memoryBytes */
function smaller(memoryBytes) {
  const sizeGB = roundDownGB(DEFAULT_SHARE * Math.max(memoryBytes - GiB, 0));
  return sizeGB === 0
    ? 'Give the host or container more memory.'
    : 'Make the cache smaller, or give the host or container more memory. Default for this ' +
        `RAM: tune.apply({ cacheSizeGB: ${sizeGB} })`;
}
