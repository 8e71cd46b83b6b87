'use strict';

const { sleep } = require('../base/context');
const { clientOperationsIn, allOf, UNUSED_PER_SEC } = require('../server/pure/client-operations');

/**
 * @import { SplitJob } from './split-job'
 */

const SAMPLE_MS = 500;
/** The server begins no more at a time (maxNumActiveUserIndexBuilds of 4.4 and later). */
const MAX = 3;
/**
 * Each build sorts in so much memory (maxIndexBuildMemoryUsageMegabytes); all together shall have
 * no more than a tenth of it; the tenth is ours.
 */
const BUILD_MB = 200;
const MEMORY_RATIO = 0.1;

/**
 * In how many commands the indexes are built at once. One command builds all its indexes with one
 * processor: where nobody uses the server, three indexes in three commands took 10.0 s on two
 * processors, in one 17.6 and 16.3 s (docs/evidence/split.md). Where somebody does, and where it is
 * not known, in one.
 * @param {SplitJob} job
 * @returns {Promise<number>}
 */
async function concurrentBuilds(job) {
  const { indexes } = job.split;
  if (indexes.length === 1) return 1;
  const host = await job.port.adminCommand({ hostInfo: 1 }).catch(() => null);
  const max = Math.floor(
    Math.min(
      indexes.length,
      MAX,
      host?.system?.numCores ?? 1,
      (MEMORY_RATIO * Number(host?.system?.memLimitMB ?? 0)) / BUILD_MB,
    ),
  );
  return max > 1 && (await isQuiet(job)) ? max : 1;
}

/** @param {SplitJob} job */
async function isQuiet(job) {
  const sample = () =>
    job.port.adminCommand({ serverStatus: 1, metrics: 0, locks: 0, wiredTiger: 0 }).then(
      (status) => allOf(clientOperationsIn(status)),
      () => null,
    );
  const before = await sample();
  await sleep(SAMPLE_MS, job.signal);
  const after = await sample();
  // A server does not tell, or this user may not ask.
  if (before === null || after === null) return false;
  const seen = after - before;
  // Below nothing where another one answers.
  return seen >= 0 && seen * (1000 / SAMPLE_MS) < UNUSED_PER_SEC;
}

module.exports = { concurrentBuilds };
