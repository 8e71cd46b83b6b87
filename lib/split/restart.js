'use strict';

const { TuneError } = require('../base/pure/errors');
const { makeStagingName } = require('./pure/split-names');
const { copiesOf, dropStep } = require('./drop');
const { catchUp } = require('./catch-up');
const { killOwnOperations } = require('./left-running');
const { directionOf, forward } = require('./directions');
const { persist } = require('./persistently');
const { dropSurplus } = require('./sync-indexes');
const { majorityTime } = require('./server');
const { sourceName } = require('./target');
const { compare, verifiedOf } = require('./verify');

/**
 * @import { Way } from './directions'
 * @import { Split } from './state'
 * @import { Work } from './work'
 */

/**
 * What is done where the oplog has lost what was written: a new copy before the cutover, a
 * comparison of everything after it.
 */

/**
 * The copy begins anew: what happened since the first one is not known any more.
 * @param {Work} work
 */
async function restartCopy(work) {
  const { phase, mode, from, into, sourceUuid, planId, former, renamed } = work.split;
  // Before anything is changed: without a source the copy may be the last one.
  await work.again(() => sourceName(work.port, forward(work.split)));
  await work.again(() => killOwnOperations(work));
  const copies = await copiesOf(work);
  // By a name of its own: whoever goes on before the old copy is dropped must not take that for the
  // new one, which would keep what was deleted since.
  const stagingName = makeStagingName(into.name, planId, renamed + 1);
  // Offline the source is cut off before the copy.
  const begins = mode === 'offline' && phase !== 'planned' ? 'created' : 'planned';
  await work.save({
    phase: begins,
    token: null,
    startAt: null,
    copiedTo: null,
    copied: 0,
    pendingConflicts: [],
    stagingUuid: null,
    verified: null,
    uncompared: false,
    into: { ...into, stagingName },
    former: [...former, into.stagingName],
    renamed: renamed + 1,
  });
  await dropStep(work, { keeps: { ...from, uuid: sourceUuid }, view: null, copies });
}

/**
 * After the switch, where the oplog has lost what was written to the target: everything is
 * compared, and brought back.
 * @param {Work} work
 */
async function restartReverse(work) {
  // Until the comparison has come to its end nobody knows what was missed: a rollback must not pass
  // over it.
  await work.save({
    reverseStartAt: await work.again(() => majorityTime(work.port)),
    reverseToken: null,
    pendingConflicts: [],
    uncompared: true,
  });
  await reconcileReverse(work);
}

/** What was written to the target is brought to the old data. @param {Work} work */
const reconcileReverse = (work) =>
  persist(work, () => (work.split.uncompared ? compareAll : catchUp)(work, 'reverse'));

/**
 * Compares every document, and copies those that differ again.
 * @param {Work} work @param {Way} way
 */
async function compareAll(work, way) {
  const direction = directionOf(work.split, way);
  await dropSurplus(work, direction);
  const found = await compare(work, direction, () => catchUp(work, way));
  await work.save({
    verified: verifiedOf(found),
    uncompared: found.differences.length > 0,
    broughtAt: new Date(),
  });
}

/**
 * What is not the same in the place that is to answer would be lost by a cutover, or by a rollback.
 * @param {Split} split
 * @param {Way} way
 * @throws {TuneError} TUNE-35015
 */
function checkSame({ source, target, verified }, way) {
  if (!(verified?.differences > 0)) return;
  const [both, answers] =
    way === 'forward'
      ? [`${source} and ${target}`, source]
      : [`${target} and of the old data of ${source}`, target];
  throw new TuneError(
    'TUNE-35015',
    `${verified.differences} documents of ${both} differed when they were compared last. ` +
      `${answers} goes on answering.`,
    { value: verified.differences },
  );
}

module.exports = { restartCopy, restartReverse, reconcileReverse, checkSame, compareAll };
