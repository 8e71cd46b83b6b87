'use strict';

const { callText } = require('../base/pure/printable');
const { TuneError } = require('../base/pure/errors');
const { cutoverSteps } = require('./cutover-steps');
const { reverse } = require('./directions');
const { dropStep } = require('./drop');
const { runPhases } = require('./run-phases');
const { refusingSource, replaceView } = require('./replace-view');
const { findCollection, nameByUuid } = require('./server');
const { isMajorityCommitted } = require('./majority');
const { merged } = require('./ttl');

/**
 * @import { SplitJob } from './split-job'
 * @import { Split } from './types'
 */

/** @param {Split} split @throws {TuneError} TUNE-35010 */
function checkHasWayBack({ mode, source, _id }) {
  if (mode !== 'offline') return;
  throw new TuneError(
    'TUNE-35010',
    `${source} was moved offline, so the writes since then are unknown. First ` +
      `${callText('split.finish', _id, { confirm: true, open: true })} frees the ` +
      'source namespace; then a new plan moves it back with all writes.',
    { value: mode },
  );
}

/**
 * Rolls back, as a cutover in reverse: writes to the target since the cutover are applied to the
 * source first.
 * @param {SplitJob} job
 */
async function rollBack(job) {
  checkHasWayBack(job.split);
  await runPhases(job, 'reverse', cutoverSteps('reverse'));
}

/**
 * Restores the old data where another session dropped the new place: it gets its name again, with
 * its content at the cut or at the last update. Where the old data is gone, too, the split ends.
 * @param {SplitJob} job
 * @throws {TuneError} TUNE-35010 where the new place exists
 */
async function restoreOldData(job) {
  const { port, split } = job;
  const { into, stagingUuid } = split;
  const named = () => nameByUuid(port, into.db, stagingUuid);
  if (!(await isMajorityCommitted(job, async () => (await named()) === undefined))) {
    const name = await job.again(named);
    const isTaken = await job.again(() => findCollection(port, into.db, into.name));
    throw new TuneError(
      'TUNE-35010',
      `${into.db}.${name} has the data: ` +
        (isTaken
          ? `another collection or view has the name ${into.db}.${into.name}.`
          : `rename it to ${into.name}; then a rollback without { lost: true } includes the ` +
            'writes to it.'),
      { value: name },
    );
  }
  const isOldGone = async () =>
    (await nameByUuid(port, split.from.db, split.sourceUuid)) === undefined;
  // A finish ends a split before a rollback has begun.
  if (split.phase !== 'switched' && (await isMajorityCommitted(job, isOldGone)))
    return endWithoutData(job);
  // These are the TTL times, including those that an unfinished rollback read at the target.
  const ttl = merged(split.ttl.forward, split.ttl.reverse);
  // A client that tries the other name must be refused there, and not make a new collection.
  await replaceView(job, reverse(split).to, ttl, {
    ...refusingSource(reverse(split)),
    isAlone: true,
  });
  await job.save({ phase: 'rolled-back', active: false, gone: 'target' });
}

/**
 * Ends a split without data: no collection will have either name any more, and no later command
 * would open them.
 * @param {SplitJob} job
 */
async function endWithoutData(job) {
  for (const view of [job.split.from, job.split.into])
    await dropStep(job, { keeps: null, view, copies: [] });
  await job.save({ phase: 'finished', active: false, gone: 'target' });
}

module.exports = { rollBack, restoreOldData, checkHasWayBack };
