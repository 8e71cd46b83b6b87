'use strict';

const { GiB, bytes, percent } = require('../../base/pure/units');
const { defineRule } = require('../define-rule');
const { whole } = require('../../signals/words');
const { BEST_FOUND_SHARE, CAP_SHARE } = require('../../signals/cache');
const { roundDownGB } = require('../../sizing/round');

// MongoDB's default; above it the manual advises caution, since connections, sorts, index builds
// and the operating system's cache live beside the cache.
const DEFAULT_SHARE = 0.5;

module.exports = defineRule({
  id: 'cache-memory',
  area: 'memory',
  title: 'The cache against the memory of the host or container',
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
    '(75 % best found)',
  advice: 'Make the cache smaller, or give the host or container more memory.',
  whenNot:
    "In a container without a limit of its own, the memory is the host's: set cacheSizeGB by " +
    'hand there, and count what else runs on the host.',
  check({
    'cache.maxBytes': cache,
    'host.memoryBytes': memory,
    'process.residentBytes': resident,
  }) {
    const share = cache / memory;
    const evidence = {
      'cache.maxBytes': cache,
      'host.memoryBytes': memory,
      ratio: share,
      'process.residentBytes': resident ?? null,
    };
    const say = `The cache may take ${bytes(cache)} of ${bytes(memory)}, ${percent(share)}`;
    const advice = smaller(memory);
    if (share >= 1)
      return { status: 'critical', say: `${say}: more than there is.`, evidence, advice };
    if (share > CAP_SHARE)
      return {
        status: 'warning',
        say: `${say}: above ${whole(CAP_SHARE)} too little is left for everything else.`,
        evidence,
        advice,
      };
    if (share > BEST_FOUND_SHARE)
      return { status: 'info', say: `${say}: more than was found to help.`, evidence };
    return { status: 'ok', say: `${say}.`, evidence };
  },
});

/** @param {number} memory @returns {string} */
function smaller(memory) {
  const size = roundDownGB(DEFAULT_SHARE * Math.max(memory - GiB, 0));
  return size === 0
    ? 'Give the host or container more memory.'
    : 'Make the cache smaller, or give the host or container more memory. The default here: ' +
        `tune.apply({ cacheSizeGB: ${size} })`;
}
