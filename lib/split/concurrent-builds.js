'use strict';

const { SMALL_STATUS, HOST_INFO } = require('../server/pure/commands');
const { sleep } = require('../base/context');
const { clientOperationsIn, allOf, UNUSED_PER_SEC } = require('../server/pure/client-operations');

/**
 * @import { SplitJob } from './split-job'
 */

const SAMPLE_MS = 500;
/** The server begins no more at a time (maxNumActiveUserIndexBuilds of 4.4 and later). */
const MAX = 3;
/**
 * Each build sorts in maxIndexBuildMemoryUsageMegabytes; all together may use a tenth of the
 * memory; heuristic.
 */
const BUILD_MB = 200;
const MEMORY_RATIO = 0.1;

/**
 * Commands in which the indexes are built at the same time. A command uses one CPU: on an idle
 * server three indexes took 10.0 s in three commands on two CPUs, and 17.6 and 16.3 s in one
 * (docs/evidence/split.md). One command where the server is busy, or where that is not known.
 * @param {SplitJob} job
 * @returns {Promise<number>}
 */
async function concurrentBuilds(job) {
  const { indexes } = job.split;
  if (indexes.length === 1) return 1;
  const host = await job.port.adminCommand(HOST_INFO).catch(() => null);
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
    job.port.adminCommand(SMALL_STATUS).then(
      (status) => allOf(clientOperationsIn(status)),
      () => null,
    );
  const before = await sample();
  await sleep(SAMPLE_MS, job.signal);
  const after = await sample();
  // The server does not report it, or this user lacks the privilege.
  if (before === null || after === null) return false;
  const seen = after - before;
  // Below nothing where another one answers.
  return seen >= 0 && seen * (1000 / SAMPLE_MS) < UNUSED_PER_SEC;
}

module.exports = { concurrentBuilds };
