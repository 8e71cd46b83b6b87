'use strict';

const { GiB, bytes, duration, percent } = require('../../base/pure/units');
const { defineRule } = require('../define-rule');
const { whole } = require('../../signals/words');

// What a good disk (200 MB/s) writes in a checkpoint interval of 60 s, give or take.
const LARGE_BYTES = 10 * GiB;
// Thresholds are shares of the cache: 5 % of 100 GB and more is gigabytes of dirty data in a cache
// that counts as clean.
const LARGE_CACHE_BYTES = 100 * GiB;
const DEFAULT_TARGET_RATIO = 0.05;
// "Ideally within one minute" (WT-12798).
const LONG_MS = 60_000;

module.exports = defineRule({
  id: 'dirty-volume',
  area: 'checkpoint',
  title: 'How many bytes are dirty, whatever their share',
  why:
    'A checkpoint has to write all that is dirty. Thresholds are shares of the cache, and 5 % ' +
    'of a large one is more than a disk writes in a minute: all is well by the shares while ' +
    'checkpoints take minutes.',
  needs: ['cache.dirtyBytesMax', 'cache.maxBytes'],
  wants: ['config.dirtyTargetRatio', 'checkpoint.windowMaxMs'],
  limits: { largeBytes: LARGE_BYTES, longMs: LONG_MS },
  threshold:
    `More than ${bytes(LARGE_BYTES)} dirty, or a cache of ${bytes(LARGE_CACHE_BYTES)} and more ` +
    `with a dirty target of ${whole(DEFAULT_TARGET_RATIO)} and more: information. With a ` +
    `checkpoint of ${duration(LONG_MS)} or more: warning.`,
  source:
    'WT-12798 (checkpoints), WT-11173 (20 % of a huge cache is not sensible); OPPO (a ' +
    'smaller cache, so that less is written at once)',
  advice:
    'Let eviction threads write earlier: evictionDirtyTarget 1 or 2 (percent), with 8 to 16 ' +
    'eviction threads where processors and disk have room.',
  whenNot:
    'Lower the target only, never the trigger: a low trigger stops clients. Not where ' +
    'checkpoints are short: then the disk copes.',
  speaksFor: ['checkpoint'],
  check(
    {
      'cache.dirtyBytesMax': dirty,
      'cache.maxBytes': max,
      'config.dirtyTargetRatio': target,
      'checkpoint.windowMaxMs': ms,
    },
    { largeBytes, longMs },
  ) {
    const evidence = {
      'cache.dirtyBytesMax': dirty,
      'cache.maxBytes': max,
      'config.dirtyTargetRatio': target ?? null,
      'checkpoint.windowMaxMs': ms ?? null,
    };
    const say = `At most ${bytes(dirty)} were dirty in a cache of ${bytes(max)}`;
    const coming =
      max >= LARGE_CACHE_BYTES && target !== undefined && target >= DEFAULT_TARGET_RATIO;
    if (dirty <= largeBytes && !coming) return { status: 'ok', say: `${say}.`, evidence };
    const reported = `${say}${coming ? `, where the dirty target of ${percent(target)} is ${bytes(target * max)}` : ''}`;
    const isLong = ms !== undefined && ms >= longMs;
    return isLong
      ? { status: 'warning', say: `${reported}; a checkpoint took ${duration(ms)}.`, evidence }
      : { status: 'info', say: `${reported}.`, evidence };
  },
});
