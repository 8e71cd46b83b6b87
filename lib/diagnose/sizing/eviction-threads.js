'use strict';

const { percent, duration, count } = require('../../model/units');
const { againstMoreThreads, allAtWork, threadsNow, threadsWanted, DEFAULT_THREADS } = require('../workers');
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
      `${allAtWork(now)} on ${readings['host.cores']} cores, of which mongod uses ${count(readings['process.cpuCores'])} (${percent(readings['process.cpuRatio'])}), ${aboutDisk(readings)}.`,
      wanted === DEFAULT_THREADS && Number(now) < DEFAULT_THREADS
        ? `So: ${wanted}, as many as mongod starts on every machine, however few its cores: most of the time they wait for the disk. Somebody set fewer.`
        : `So: ${wanted}, at most twice as many as now, one for each idle core, never more than the cores or ${MAX_EVICTION_THREADS}.`,
    ],
  };
}

/** @param {Readings} readings */
const aboutDisk = ({ 'eviction.pageWriteMs': writeMs, 'disk.busyRatio': busy }) => (writeMs === undefined ? `and the disk is at work ${percent(busy)} of the time` : `and a page write takes ${duration(writeMs)}`);

module.exports = { sizeEvictionThreads };
