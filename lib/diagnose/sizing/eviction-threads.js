'use strict';

const { percent, duration, count } = require('../../model/units');
const { againstMoreThreads, threadsNow, threadsWanted } = require('../workers');
const { MAX_EVICTION_THREADS } = require('../../model/knobs');

/** @typedef {import('../../model/readings').Readings} Readings @typedef {import('./cache').Sizing} Sizing */

/**
 * How many eviction threads, from cores, processors' room and disk.
 * @param {Readings} readings
 * @returns {Sizing}
 */
function sizeEvictionThreads(readings) {
  const against = againstMoreThreads(readings);
  const [now, wanted] = [threadsNow(readings), threadsWanted(readings)];
  if (against.length > 0 || wanted === undefined) return { change: null, explain: ['More eviction threads would not help:', ...against] };
  return {
    change: { evictionThreadsMin: wanted, evictionThreadsMax: wanted },
    explain: [
      `${now} eviction threads are all at work on ${readings['host.cores']} cores, of which mongod uses ${count(readings['process.cpuCores'])} (${percent(readings['process.cpuRatio'])}), and a page write takes ${duration(readings['eviction.pageWriteMs'])}.`,
      `So: ${wanted}, at most twice as many as now, one for each idle core, never more than the cores or ${MAX_EVICTION_THREADS}.`,
    ],
  };
}

module.exports = { sizeEvictionThreads };
