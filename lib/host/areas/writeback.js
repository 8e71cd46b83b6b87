'use strict';

const { numberIn, latest } = require('../snapshot');
const { meminfo } = require('../process-files');

/**
 * @import { Area, Gathered } from '../snapshot'
 */

const VM = '/proc/sys/vm';
const PERCENT = 0.01;
const MS_PER_CENTISECOND = 10;

/**
 * How the kernel writes back dirty pages: admin-guide/sysctl/vm.rst.
 * @type {Area}
 */
const AREA = {
  snap: (snapshot) => meminfo(snapshot),
  values(snapshots) {
    const snapshot = latest(snapshots);
    const vm = (/** @type {string} */ name) => numberIn(snapshot, `${VM}/${name}`);
    return {
      'writeback.dirtyBytes': () => vm('dirty_bytes'),
      'writeback.dirtyBackgroundBytes': () => vm('dirty_background_bytes'),
      'writeback.dirtyRatioPercent': () => vm('dirty_ratio'),
      'writeback.dirtyBackgroundRatioPercent': () => vm('dirty_background_ratio'),
      'writeback.limitBytes': () => effective(snapshot, 'dirty'),
      'writeback.backgroundBytes': () => effective(snapshot, 'dirty_background'),
      'writeback.isByBytes': async () => (await vm('dirty_bytes')) > 0,
      'writeback.expireMs': async () => MS_PER_CENTISECOND * (await vm('dirty_expire_centisecs')),
      'writeback.wakeMs': async () => MS_PER_CENTISECOND * (await vm('dirty_writeback_centisecs')),
      'writeback.dirtyPageBytes': async () => (await meminfo(snapshot)).Dirty,
      'writeback.dirtyPageBytesMax': async () =>
        Math.max(...(await Promise.all(snapshots.map(meminfo))).map(({ Dirty }) => Dirty)),
    };
  },
};

/**
 * Computes the effective limit. Of bytes and ratio the one that is not 0 counts; a ratio is a share
 * of free memory and page cache.
 * @param {Gathered} snapshot @param {'dirty' | 'dirty_background'} which
 */
async function effective(snapshot, which) {
  const bytes = await numberIn(snapshot, `${VM}/${which}_bytes`);
  if (bytes > 0) return bytes;
  const { MemAvailable, MemFree, Cached } = await meminfo(snapshot);
  return Math.round(
    PERCENT *
      (await numberIn(snapshot, `${VM}/${which}_ratio`)) *
      (MemAvailable ?? MemFree + Cached),
  );
}

module.exports = AREA;
