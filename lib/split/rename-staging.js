'use strict';

const { findCollection, sameUuid } = require('./server');
const { command, isNoCollection, isThere } = require('./operations');
const { killOwnOperations } = require('./running-operations');
const { reverse } = require('./directions');
const { followRename } = require('./old-reads');
const { PHASE_TABLE } = require('./pure/phase-table');
const { renamedName, makeStagingName } = require('./pure/split-names');
const { runAtomicStep, withdrawLast } = require('./atomic-step');
const { hasBegun } = require('./where-it-stands');

/**
 * @import { SplitJob } from './split-job'
 * @import { Split } from './types'
 */

/**
 * Makes late messages of a dead shell harmless: they could write an old version of a document over
 * a newer one. So the staging copy gets another name, and a late message finds nothing there or
 * makes a collection that belongs to no split.
 * @typedef {{
 *   db: string, name: string, field: 'into' | 'from', key: 'stagingName' | 'renamedTo', uuid: any,
 *   next: string
 * }} Staging
 */

/** Recovers after a doubt: from here on no earlier write can do harm. @param {SplitJob} job */
async function recover(job) {
  await job.again(() => withdrawLast(job));
  await job.again(() => killOwnOperations(job));
  await renew(job);
  job.isCertain();
}

/** @param {SplitJob} job */
async function renew(job) {
  const place = stagingOf(job.split);
  if (!place) return;
  const { db, field, key, next } = place;
  const there = await job.again(() => findCollection(job.port, db, place.name));
  // The copy is made again, where it is needed, under its name of that time.
  const uuid = place.uuid ?? (there?.type === 'collection' ? there.info.uuid : null);
  const formerNames = [...job.split.formerNames, place.name];
  await job.save(
    /** @type {any} */ ({
      [field]: { ...job.split[field], [key]: next },
      formerNames,
      renamed: job.split.renamed + 1,
    }),
  );
  if (uuid) await rename(job, { ...place, uuid }, formerNames);
}

/**
 * Returns the copy that is written in this phase: the staging copy, or the renamed source.
 * @param {Split} split @returns {Staging | null}
 */
function stagingOf({ phase, mode, from, into, sourceUuid, stagingUuid, planId, renamed }) {
  const { way, stage } = PHASE_TABLE[phase];
  if (way === 'forward' && stage !== 'planned')
    return {
      db: into.db,
      name: into.stagingName,
      field: 'into',
      key: 'stagingName',
      uuid: stagingUuid,
      next: makeStagingName(into.name, planId, renamed + 1),
    };
  if (way === 'reverse' && mode === 'online')
    return {
      db: from.db,
      name: from.renamedTo,
      field: 'from',
      key: 'renamedTo',
      uuid: sourceUuid,
      next: renamedName(from.name, planId, renamed + 1),
    };
  return null;
}

/**
 * @param {SplitJob} job
 * @param {Staging} place
 * @param {readonly string[]} formerNames its former names: a shell may have died before it had
 *   renamed the copy
 */
async function rename(job, { db, uuid, next, key }, formerNames) {
  const old = await job.again(() => nameOf(job, db, uuid, formerNames));
  if (old === null) return;
  await runAtomicStep(job, {
    place: { db, name: old },
    touches: [
      { db, name: old },
      { db, name: next },
    ],
    isDone: async () =>
      (await nameOf(job, db, uuid, [next])) !== null ||
      (await nameOf(job, db, uuid, [old])) === null,
    operations: async () => [
      isThere({ db, name: old, uuid }),
      isNoCollection({ db, name: next }),
      command(db, { renameCollection: `${db}.${old}`, to: `${db}.${next}` }, uuid),
      ...(key === 'renamedTo' ? await oldReads(job, next) : []),
    ],
    pinned: async () => [{ db, name: old, uuid }],
  });
}

/** @param {SplitJob} job @param {string} next */
const oldReads = async (job, next) =>
  followRename(job.port, job.split, {
    renamedTo: next,
    isTargetCut: await hasBegun(job, reverse(job.split)),
  });

/**
 * @param {SplitJob} job
 * @param {string} db
 * @param {any} uuid
 * @param {readonly string[]} names
 * @returns {Promise<string | null>} the name that it has
 */
async function nameOf({ port }, db, uuid, names) {
  const { cursor } = await port.command(db, {
    listCollections: 1,
    filter: { name: { $in: [...names] } },
  });
  return (
    cursor.firstBatch.find(
      (/** @type {any} */ { type, info }) => type === 'collection' && sameUuid(info.uuid, uuid),
    )?.name ?? null
  );
}

module.exports = { recover };
