'use strict';

const { GiB, bytes, duration, percent, shortPercent } = require('../../base/pure/units');
const { defineRule } = require('../rule');
const { DEFAULT_TARGET_RATIO } = require('../../signals/dirty-limit');
const { sources, ticket, OPPO } = require('../sources');

// Roughly what a good disk (200 MB/s) writes in a checkpoint interval of 60 s.
const LARGE_BYTES = 10 * GiB;
// Thresholds are shares of the cache: 5% of 100 GB and more is gigabytes of dirty data in a cache
// that counts as clean.
const LARGE_CACHE_BYTES = 100 * GiB;
// "Ideally within one minute" (WT-12798).
const LONG_MS = 60_000;

module.exports = defineRule({
  id: 'dirty-volume',
  area: 'checkpoint',
  title: 'More dirty data than a checkpoint can write in time',
  why:
    'A checkpoint must write all dirty data. Thresholds are percentages of the cache: 5% of a ' +
    'large cache can be more than a disk writes in a minute. Percentages then seem healthy ' +
    'while checkpoints take minutes.',
  needs: ['cache.dirtyBytesMax', 'cache.maxBytes'],
  wants: ['config.dirtyTargetRatio', 'checkpoint.windowMaxMs'],
  evidence: [
    'cache.dirtyBytesMax',
    'cache.maxBytes',
    'config.dirtyTargetRatio',
    'checkpoint.windowMaxMs',
  ],
  thresholds: { largeBytes: LARGE_BYTES, longMs: LONG_MS },
  threshold:
    `Information: more than ${bytes(LARGE_BYTES)} dirty, or a cache from ` +
    `${bytes(LARGE_CACHE_BYTES)} with a dirty target from ${shortPercent(DEFAULT_TARGET_RATIO)}. ` +
    `Warning: a checkpoint takes ${duration(LONG_MS)} or more as well.`,
  source: sources(
    ticket('WT-12798', 'checkpoints should end within a minute'),
    ticket('WT-11173', '20% of a large cache is too much dirty data'),
    OPPO,
  ),
  advice:
    'Let eviction threads write earlier: evictionDirtyTarget 1 or 2 (percent). Use 8 to 16 ' +
    'eviction threads where CPUs and disk have headroom.',
  whenNot:
    'Lower only the target: a low trigger stalls clients. Not needed while checkpoints are ' +
    'short.',
  speaksFor: ['checkpoint'],
  check(
    {
      'cache.dirtyBytesMax': dirtyBytes,
      'cache.maxBytes': cacheBytes,
      'config.dirtyTargetRatio': targetRatio = null,
      'checkpoint.windowMaxMs': checkpointMs = null,
    },
    { largeBytes, longMs },
  ) {
    const isComing =
      cacheBytes >= LARGE_CACHE_BYTES &&
      targetRatio !== null &&
      targetRatio >= DEFAULT_TARGET_RATIO;
    const values = {
      dirtyBytes,
      cacheBytes,
      checkpointMs,
      targetRatio: isComing ? targetRatio : null,
    };
    if (dirtyBytes <= largeBytes && !isComing) return { status: 'ok', code: 'fine', values };
    return checkpointMs !== null && checkpointMs >= longMs
      ? { status: 'warning', code: 'long-checkpoint', values }
      : { status: 'info', code: 'large', values };
  },
  messages: {
    fine: (values) => `${volume(values)}.`,
    large: (values) => `${volume(values)}.`,
    'long-checkpoint': (values) =>
      `${volume(values)}. A checkpoint took ${duration(values.checkpointMs)}.`,
  },
});

/**
 * Says how much data was dirty, and how much the target alone allows.
 * @param {{ dirtyBytes: number, cacheBytes: number, targetRatio: number | null }} values
 */
const volume = ({ dirtyBytes, cacheBytes, targetRatio }) =>
  `Up to ${bytes(dirtyBytes)} of the ${bytes(cacheBytes)} cache was dirty` +
  (targetRatio === null
    ? ''
    : `; the dirty target of ${percent(targetRatio)} allows ${bytes(targetRatio * cacheBytes)}`);
