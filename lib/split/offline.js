'use strict';

const { TuneError } = require('../base/pure/errors');
const { restartCopy } = require('./restart');
const { isThere } = require('./fence');
const { forward, nsOf } = require('./directions');
const { findCollection } = require('./server');
const { takeStep } = require('./step');
const { readNow, unlike } = require('./target');
const { expireNever, expiresNever, readTtl } = require('./ttl');

/**
 * @import { Work } from './work'
 */

/**
 * Without a stream of changes the source is cut off before the copy, and what it is like then is
 * what the target gets.
 *
 */

/** @param {Work} work */
const renamedOf = ({ split: { from, sourceUuid } }) => ({
  db: from.db,
  name: from.renamedTo,
  uuid: sourceUuid,
});
/** @param {Work} work */
const stagingOf = ({ split: { into } }) => ({ db: into.db, name: into.stagingName });

/**
 * Right after the cut: options, indexes and times of expiry are written down as they are. Nothing
 * is switched off before that, so that whoever begins here again reads the same.
 * @param {Work} work
 */
async function readAfterCut(work) {
  const { port, again } = work;
  const { options, indexes } = await again(() => readNow(port, forward(work.split)));
  const times = await again(() => readTtl(port, renamedOf(work)));
  await work.save({
    options,
    indexes,
    ttl: { ...work.split.ttl, forward: times },
    phase: 'created',
  });
}

/**
 * The copy, which was made before the cut: nothing is in it yet.
 * @param {Work} work
 */
async function sameOptions(work) {
  const staging = stagingOf(work);
  const different = await work.again(async () =>
    (await findCollection(work.port, staging.db, staging.name))
      ? unlike(work.port, renamedOf(work), staging)
      : [],
  );
  if (different.some((what) => !what.startsWith('the index '))) await restartCopy(work);
}

/**
 * Before anything is copied. What has expired until then is in neither place.
 * @param {Work} work
 */
async function stopExpiry(work) {
  const renamedTo = renamedOf(work);
  const { forward: ttl } = work.split.ttl;
  await takeStep(work, {
    place: renamedTo,
    touches: [renamedTo],
    isDone: () => expiresNever(work.port, renamedTo, ttl),
    operations: async () => {
      const there = new Set((await readTtl(work.port, renamedTo)).map(({ name }) => name));
      return [
        isThere(renamedTo),
        ...ttl.filter(({ name }) => there.has(name)).map((one) => expireNever(renamedTo, one)),
      ];
    },
  });
}

/** @param {Work} work @throws {TuneError} TUNE-35009 */
async function checkAlike(work) {
  const [renamedTo, staging] = [renamedOf(work), stagingOf(work)];
  const different = await work.again(() => unlike(work.port, renamedTo, staging));
  if (different.length === 0) return;
  throw new TuneError(
    'TUNE-35009',
    `${nsOf(renamedTo)} and ${nsOf(staging)} differ in ${different.join(', ')}. Make the same change ` +
      `to ${nsOf(staging)}, or undo it.`,
    { value: different },
  );
}

module.exports = { checkAlike, readAfterCut, sameOptions, stopExpiry };
