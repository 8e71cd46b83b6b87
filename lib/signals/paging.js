'use strict';

const { MS_PER_SECOND, count, percent } = require('../base/pure/units');
const { isMachineFull, isCpuBusy } = require('./cpus');
const { doReadsReachDisk } = require('./disk');
const { hasHeadroom, isMemoryFull, needBytes, isChurnSevere } = require('./cache');

/**
 * @import { Metrics } from '../server/pure/metrics'
 */

/**
 * Computes the CPU time that a cache that is too small costs: pages are read in, decompressed and
 * evicted. No counter of waits shows it where the pages come quickly. A larger cache would still
 * write dirty pages, so writing does not count.
 */

// CPU milliseconds of mongod, with the kernel's part, for one page that is read and evicted again:
// project measurement, YCSB A with 256 MB and with 1.5 GB (docs/evidence/cache-size.md).
const FROM_DISK_CPU_MS = 0.07;
const FROM_PAGE_CACHE_CPU_MS = 0.02;
// A page out of the page cache took 0.01 to 0.02 ms there, one off a quick disk 1 ms; between them
// (heuristic).
const FROM_DISK_MS = 0.1;
// Share of mongod's CPU time from which a larger cache is the better cure than more CPUs: it gains
// a quarter (heuristic).
const PAGING_SHARE = 0.2;
// Share that is worth a word beside another verdict (heuristic).
const NOTED_SHARE = 0.05;
// Pages read back from swap a second: from here on the reads alone are what an HDD can do (heuristic).
const OFTEN_SWAPPED_PER_SEC = 100;
// Pages a second; fewer are no load, whatever their share (heuristic).
const MIN_PAGES_PER_SEC = 100;

/** @param {Metrics} metrics @returns {number} ms of CPU time for one page */
const costMs = (metrics) =>
  doReadsReachDisk(metrics) || (metrics['eviction.pageReadMs'] ?? 0) >= FROM_DISK_MS
    ? FROM_DISK_CPU_MS
    : FROM_PAGE_CACHE_CPU_MS;

/**
 * @param {Metrics} metrics
 * @returns {number | undefined} CPUs busy with pages that come and go, about
 */
function pagingCores(metrics) {
  const { 'cache.pagesReadPerSec': pages, 'process.cpuCores': own } = metrics;
  return pages === undefined || own === undefined
    ? undefined
    : Math.min(own, (pages * costMs(metrics)) / MS_PER_SECOND);
}

/** @param {Metrics} metrics @returns {number} share of mongod's CPU time; 0 where not known */
function pagingShare(metrics) {
  const [cores, own] = [pagingCores(metrics), metrics['process.cpuCores']];
  return cores === undefined || !own ? 0 : cores / own;
}

/**
 * CPUs are scarce, and much of mongod's part goes into pages that a larger cache would keep.
 * @param {Metrics} metrics
 */
const isPagingSevere = (metrics) =>
  (isCpuBusy(metrics) || isMachineFull(metrics)) &&
  (metrics['cache.pagesReadPerSec'] ?? 0) >= MIN_PAGES_PER_SEC &&
  pagingShare(metrics) >= PAGING_SHARE &&
  wouldLargerKeep(metrics);

/** @param {Metrics} metrics @returns {boolean} known to be so */
function wouldLargerKeep(metrics) {
  const [need, now] = [needBytes(metrics), metrics['cache.maxBytes']];
  if (need === undefined || now === undefined || need <= now) return false;
  return !hasHeadroom(metrics) && !isChurnSevere(metrics) && isMemoryFull(metrics) === false;
}

/**
 * @param {Metrics} metrics
 * @returns {string} for the end of a sentence; empty where it is too little to say
 */
const pagingWords = (metrics) =>
  pagingShare(metrics) < NOTED_SHARE
    ? ''
    : `about ${percent(pagingShare(metrics))} of mongod's CPU time is a result of page reads ` +
      `(${count(metrics['cache.pagesReadPerSec'])} pages/s, ${costMs(metrics)} ms of CPU each)`;

module.exports = { OFTEN_SWAPPED_PER_SEC, pagingShare, isPagingSevere, pagingWords };
