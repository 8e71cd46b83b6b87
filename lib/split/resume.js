'use strict';

const { TuneError } = require('../base/pure/errors');
const { hasBegun } = require('./cutover');
const { reverse, forward } = require('./directions');
const { goOn, isCutting } = require('./phases');
const { reconcileReverse } = require('./restart');
const { splitsOf } = require('./state');
const { abortSplit, rollBack } = require('./undo');
const { withJob } = require('./run-verb');

/**
 * @import { Context } from './run-verb'
 * @import { Split } from './state'
 * @import { SplitJob } from './split-job'
 */

/** Goes on from the phase in which a split was left. @param {SplitJob} job */
async function resume(job) {
  const { phase, mode } = job.split;
  if (phase === 'aborting') return abortSplit(job);
  if (phase.endsWith('-back') && phase !== 'rolled-back') return rollBack(job);
  if (phase === 'switched') return mode === 'online' ? reconcileReverse(job) : undefined;
  return goOn(job, isCutting(phase) ? 'switched' : 'ready');
}

/** In these the cutover has begun, or may have. */
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
 * @param {Set<string>} owners of the dead shell's lease, and of those that this process had since
 */
async function resumeSplit(ctx, id, owners) {
  const [split] = await splitsOf(ctx.port, id);
  if (!split) throw new TuneError('TUNE-35012', `There is no split "${id}".`, { value: id });
  if (!directionOf(split) && !split.reopened) return;
  if (split.lease && !owners.has(split.lease.owner)) return;
  await withJob(
    ctx,
    split,
    async (job) => {
      const direction = directionOf(job.split);
      if (direction && (await job.again(() => hasBegun(job, direction(job.split)))))
        await resume(job);
    },
    { heir: split.lease?.owner ?? null, onLease: (owner) => owners.add(owner) },
  );
}

/** @param {Split} split */
const directionOf = ({ phase }) =>
  /** @type {Record<string, typeof forward>} */ (DIRECTIONS)[phase] ?? null;

module.exports = { resume, resumeSplit };
