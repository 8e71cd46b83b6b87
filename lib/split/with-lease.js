'use strict';

const { TuneError } = require('../base/pure/errors');
const { takeLease } = require('./lease');
const { asUsersRead } = require('./lost-record');
const { retrying } = require('./retry');
const { checkConnections, checkPrimary } = require('./server');
const { reopenFirst } = require('./undo-cut');
const { recover } = require('./rename-staging');
const { splitsOf } = require('./state');
const { SplitJob } = require('./split-job');
const { asItStands } = require('./taken-over');

/**
 * @import { Context } from './split-command'
 * @import { Split } from './types'
 */

/** @param {string | undefined} id */
const noSuch = (id) =>
  new TuneError(
    'TUNE-35012',
    id === undefined ? 'No split is in a phase for this command.' : `There is no split "${id}".`,
    { value: id },
  );

/**
 * Runs work under the lease, which is released however it ends.
 * @param {Context} ctx
 * @param {Split} split
 * @param {(job: SplitJob) => Promise<void>} what
 * @param {{ heir?: string | null, allowLost?: boolean, onLease?(owner: string): void }} [how]
 *   `heir`: the owner of a lease that is known to be dead; `allowLost`: as in SplitCommand
 * @returns {Promise<Split>} the split as it is then
 */
async function withLease(ctx, split, what, { heir = null, allowLost = false, onLease } = {}) {
  const lease = await checkPrimary(ctx.port, ctx.signal)
    .then(async () => {
      checkConnections(ctx.port, split.mode);
      const taken = await takeLease(ctx.port, split._id, ctx.signal, heir);
      onLease?.(taken.owner);
      return taken;
    })
    .catch(async (error) => {
      throw await asUsersRead(ctx, error, split);
    });
  /** @type {SplitJob | null} */ let job = null;
  try {
    // Another shell may have continued before this one had the lease.
    job = new SplitJob(ctx, await readAgain(ctx, split._id), lease);
    if (job.doubt) await recover(job);
    await reopenFirst(job, allowLost);
    await what(job);
    return { ...job.split, lease: null };
  } catch (error) {
    throw await asItStands(ctx, error, { split: job?.split ?? split, owner: lease.owner });
  } finally {
    ctx.progress(null);
    // Unless all that was sent is known to be over, the next owner recovers first. If this fails
    // too, the lease runs out by itself.
    await (job?.isQuiet ? lease.release() : lease.leave()).catch(() => undefined);
  }
}

/** @param {Context} ctx @param {string} id @returns {Promise<Split>} @throws {TuneError} TUNE-35012 */
async function readAgain({ port, signal }, id) {
  const [split] = await retrying(signal, () => splitsOf(port, id));
  if (!split) throw noSuch(id);
  return split;
}

module.exports = { noSuch, withLease };
