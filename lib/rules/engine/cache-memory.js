'use strict';

const { GiB, bytes, percent } = require('../../base/pure/units');
const { defineRule } = require('../rule');
const { whole } = require('../../signals/words');
const { BEST_FOUND_SHARE, CAP_SHARE } = require('../../signals/cache');
const { roundDownGB } = require('../../sizing/round');

// MongoDB's default; above it the manual advises caution, since connections, sorts, index builds
// and the operating system's cache live beside the cache.
const DEFAULT_SHARE = 0.5;

module.exports = defineRule({
  id: 'cache-memory',
  area: 'memory',
  title: 'Cache too large for the memory of host or container',
  why:
    'Beside the cache mongod needs memory for connections, sorts, aggregations and index ' +
    'builds, and the operating system for its own cache. A cache that leaves too little ends ' +
    'in swapping, or in a container that is killed.',
  needs: ['cache.maxBytes', 'host.memoryBytes'],
  wants: ['process.residentBytes'],
  threshold:
    `Up to ${whole(BEST_FOUND_SHARE)} of memory: fine (above ${whole(DEFAULT_SHARE)}, the ` +
    `default, on purpose only). Above: information. Above ${whole(CAP_SHARE)}: warning, as ` +
    'mongod itself gives at its start. At all of memory or more: critical.',
  source:
    'MongoDB manual, storage.wiredTiger.engineConfig.cacheSizeGB; log id 22300; IBM-Z step 1 ' +
    '(75% best found)',
  advice: 'Make the cache smaller, or give the host or container more memory.',
  whenNot:
    "In a container without a limit of its own, the memory is the host's: set cacheSizeGB by " +
    'hand there, and count what else runs on the host.',
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
    large: (values) => `${size(values)}: more than was found to help.`,
    'too-large': (values) =>
      `${size(values)}: above ${whole(CAP_SHARE)} too little is left for everything else.`,
    'above-memory': (values) => `${size(values)}: more than there is.`,
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
  `The cache may take ${bytes(cacheBytes)} of ${bytes(memoryBytes)}, ${percent(share)}`;

/** What to do, with the server's own default for this memory. @param {number} memoryBytes */
function smaller(memoryBytes) {
  const sizeGB = roundDownGB(DEFAULT_SHARE * Math.max(memoryBytes - GiB, 0));
  return sizeGB === 0
    ? 'Give the host or container more memory.'
    : 'Make the cache smaller, or give the host or container more memory. The default here: ' +
        `tune.apply({ cacheSizeGB: ${sizeGB} })`;
}
