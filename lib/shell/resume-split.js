'use strict';

const { TuneError } = require('../base/pure/errors');
const { hasBegun } = require('../split/cutover');
const { reverse, forward } = require('../split/directions');
const { splitsOf } = require('../split/state');
const { resume } = require('../commands/split-resume');
const { withJob } = require('../split/run-verb');

/**
 * @import { Context } from '../split/run-verb'
 * @import { Split } from '../split/state'
 */

/** In these the cut has begun, or may have. */
const DIRECTIONS = Object.freeze({
  cutting: forward,
  draining: forward,
  switching: forward,
  'cutting-back': reverse,
  'draining-back': reverse,
  'switching-back': reverse,
});

/**
 * In the place of a shell that is dead: what is cut off goes on to its end, or goes back; what is
 * not stays as it is.
 * @param {Context} ctx
 * @param {string} id of one collection's split
 * @param {string} owner of the dead shell's lease
 */
async function resumeSplit(ctx, id, owner) {
  const [split] = await splitsOf(ctx.port, id);
  if (!split) throw new TuneError('TUNE-35012', `There is no split "${id}".`, { value: id });
  if (!directionOf(split) && !split.reopened) return;
  if (split.lease && split.lease.owner !== owner) return;
  await withJob(
    ctx,
    split,
    async (job) => {
      const direction = directionOf(job.split);
      if (direction && (await job.again(() => hasBegun(job, direction(job.split)))))
        await resume(job);
    },
    { heir: owner },
  );
}

/** @param {Split} split */
const directionOf = ({ phase }) =>
  /** @type {Record<string, typeof forward>} */ (DIRECTIONS)[phase] ?? null;

module.exports = { resumeSplit };
