'use strict';

/** @import { SplitJob } from './split-job' */

/**
 * Says whether a state is majority-committed: it holds before and after a majority write.
 * @param {SplitJob} job
 * @param {() => Promise<boolean>} check
 * @returns {Promise<boolean>}
 */
async function isMajorityCommitted(job, check) {
  if (!(await job.again(check))) return false;
  // A standalone server has no other members.
  if (job.split.mode === 'offline') return true;
  await job.save({});
  return job.again(check);
}

module.exports = { isMajorityCommitted };
