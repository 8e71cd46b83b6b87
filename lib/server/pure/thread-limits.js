'use strict';

/** Application threads that the cache blocks: from how many on clients notice, and rules warn. */

/** Threads, on every healthy server measured (docs/evidence/client-threads.md). */
const HEALTHY_THREADS = 0.05;
/**
 * Threads. Less wait time holds no client back, whatever its share of a light load. A few cold pages
 * cost a light load half a thread for seconds (heuristic).
 */
const MIN_THREADS = 0.25;
const MIN_READING_THREADS = 0.5;

module.exports = { HEALTHY_THREADS, MIN_THREADS, MIN_READING_THREADS };
