'use strict';

const { TuneError } = require('../base/pure/errors');
const { hasBegun } = require('./cutover');
const { directionOf } = require('./directions');
const { advanceTo } = require('./advance');
const { cutWayOf, isUnfinished } = require('./pure/phase-table');
const { reconcileReverse } = require('./recopy');
const { splitsOf } = require('./state');
const { abortSplit } = require('./abort');
const { rollBack } = require('./rollback');
const { withLease } = require('./split-command');

/**
 * @import { Context } from './split-command'
 * @import { SplitJob } from './split-job'
 */

/** Goes on from the phase in which a split was left. @param {SplitJob} job */
async function resume(job) {
  const { phase, mode } = job.split;
  if (phase === 'aborting') return abortSplit(job);
  if (cutWayOf(phase) === 'reverse') return rollBack(job);
  if (phase === 'switched') return mode === 'online' ? reconcileReverse(job) : undefined;
  return advanceTo(job, cutWayOf(phase) === null ? 'ready' : 'switched');
}

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
  if (!isUnfinished(split)) return;
  if (split.lease && !owners.has(split.lease.owner)) return;
  await withLease(
    ctx,
    split,
    async (job) => {
      const way = cutWayOf(job.split.phase);
      const hasToGoOn =
        way === null
          ? job.split.phase === 'aborting'
          : await job.again(() => hasBegun(job, directionOf(job.split, way)));
      if (hasToGoOn) await resume(job);
    },
    { heir: split.lease?.owner ?? null, onLease: (owner) => owners.add(owner) },
  );
}

module.exports = { resume, resumeSplit };
