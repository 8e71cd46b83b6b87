'use strict';

const { TuneError } = require('../base/pure/errors');
const { catchUp } = require('./catch-up');
const { remember } = require('./comparisons');
const { currentDirection } = require('./directions');
const { READY_PHASES } = require('./pure/phase-table');
const { compareAll } = require('./recopy');
const { checkPrimary } = require('./server');
const { startReader } = require('./split-job');
const { dropSurplus } = require('./sync-indexes');
const { stopped } = require('./stopped');
const { compare, compareOnly, namingOther, verifiedOf } = require('./verify');
const { withRecovery } = require('./run-phases');

/**
 * @import { Context } from './split-command'
 * @import { SplitJob } from './split-job'
 * @import { Split } from './types'
 */

/**
 * Refuses a split without two sides: only a complete copy has two.
 * @param {Split} split @throws {TuneError} TUNE-35010
 */
function checkTwoSides({ phase, source }) {
  if (!READY_PHASES.includes(phase))
    throw new TuneError(
      'TUNE-35010',
      `${source} is ${phase}: there is no second copy to compare.`,
      { value: phase, allowed: READY_PHASES },
    );
}

/**
 * Compares without writing anything.
 * @param {Context} ctx
 * @param {Split} split
 * @returns {Promise<Split>} the split with the result of the comparison
 * @throws {TuneError} TUNE-2xxxx, TUNE-35010, TUNE-35021, TUNE-30009
 */
async function verifySplit(ctx, split) {
  try {
    await checkPrimary(ctx.port, ctx.signal);
    checkTwoSides(split);
    const found = await compareOnly(startReader(ctx, split), currentDirection(split));
    const verified = { ...verifiedOf(found), pending: found.pending };
    remember(split, verified);
    return { ...split, verified };
  } catch (error) {
    throw stopped(await namingOther(ctx.port, error, split), split, ctx.signal);
  } finally {
    ctx.progress(null);
  }
}

/**
 * Applies pending changes, copies documents that differ, and compares again.
 * @param {SplitJob} job
 */
async function repairSplit(job) {
  await withRecovery(job, async () => {
    // The check is made under the lease: in another phase the other side may be the one that
    // counts.
    checkTwoSides(job.split);
    const direction = currentDirection(job.split);
    const { mode, needsFullCompare } = job.split;
    if (needsFullCompare && mode === 'online') return compareAll(job, direction.way);
    const moving = mode === 'online' ? () => catchUp(job, direction.way) : null;
    if (moving) {
      // An index that the other side has no more may be why a document is refused.
      await dropSurplus(job, direction);
      await moving();
    }
    await job.save({
      verified: verifiedOf(await compare(job, direction, moving)),
      needsFullCompare: false,
    });
  });
}

module.exports = { repairSplit, verifySplit };
