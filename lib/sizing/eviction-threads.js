'use strict';

const { percent, duration, count, many } = require('../base/pure/units');
const {
  againstMoreThreads,
  allAtWork,
  threadsNow,
  threadsWanted,
  DEFAULT_THREADS,
} = require('../signals/eviction-threads');
const { MAX_EVICTION_THREADS } = require('../config/setting-table');

/**
 * @import { Metrics } from '../server/pure/metrics'
 * @import { Sizing } from './cache'
 */

/**
 * How many eviction threads, from cores, headroom of CPUs and disk.
 * @param {Metrics} metrics
 * @returns {Sizing}
 */
function sizeEvictionThreads(metrics) {
  const against = againstMoreThreads(metrics);
  const [now, wanted] = [threadsNow(metrics), threadsWanted(metrics)];
  if (against.length > 0 || wanted === undefined)
    return { change: null, explain: ['More eviction threads are not recommended:', ...against] };
  return {
    change: { evictionThreadsMin: wanted, evictionThreadsMax: wanted },
    explain: [
      `${allAtWork(now)}${aboutCores(metrics)}; ${aboutDisk(metrics)}.`,
      wanted === DEFAULT_THREADS && Number(now) < DEFAULT_THREADS
        ? `Recommended: ${wanted}, the default of mongod on any machine; the current value is lower.`
        : `Recommended: ${wanted} (at most twice the current number, one for each idle core, ` +
          `never more than the cores or ${MAX_EVICTION_THREADS}).`,
    ],
  };
}

/** @param {Metrics} metrics */
function aboutCores({ 'host.cores': cores, 'process.cpuCores': own, 'process.cpuRatio': ratio }) {
  if (cores === undefined || own === undefined)
    return own === undefined ? '' : `; mongod uses ${many(own, 'core')}`;
  return (
    `; mongod uses ${count(own)} of ${many(cores, 'core')} ` + `(${percent(ratio ?? own / cores)})`
  );
}

/** @param {Metrics} metrics */
const aboutDisk = ({ 'eviction.pageWriteMs': writeMs, 'disk.busyRatio': busy }) =>
  writeMs === undefined
    ? `the disk is busy ${percent(busy)} of the time`
    : `a page write takes ${duration(writeMs)}`;

module.exports = { sizeEvictionThreads };
