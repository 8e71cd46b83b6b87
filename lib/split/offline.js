'use strict';

const { TuneError } = require('../base/pure/errors');
const { beginAnew } = require('./anew');
const { isThere } = require('./fence');
const { forth, nsOf } = require('./names');
const { findCollection } = require('./server');
const { takeStep } = require('./step');
const { readNow, unlike } = require('./target');
const { expireNever, expiresNever, readTtl } = require('./ttl');

/**
 * Without a stream of changes the source is cut off before the copy, and what it is like then is
 * what the target gets.
 *
 * @typedef {import('./work').Work} Work
 */

/** @param {Work} work */
const asideOf = ({ split: { from, sourceUuid } }) => ({
  db: from.db,
  name: from.aside,
  uuid: sourceUuid,
});
/** @param {Work} work */
const stagingOf = ({ split: { into } }) => ({ db: into.db, name: into.working });

/**
 * Right after the cut: options, indexes and times of expiry are written down as they are. Nothing
 * is switched off before that, so that whoever begins here again reads the same.
 * @param {Work} work
 */
async function readAfterCut(work) {
  const { port, again } = work;
  const { options, indexes } = await again(() => readNow(port, forth(work.split)));
  const times = await again(() => readTtl(port, asideOf(work)));
  await work.save({ options, indexes, ttl: { ...work.split.ttl, forth: times }, phase: 'created' });
}

/**
 * The copy, which was made before the cut: nothing is in it yet.
 * @param {Work} work
 */
async function sameOptions(work) {
  const staging = stagingOf(work);
  const different = await work.again(async () =>
    (await findCollection(work.port, staging.db, staging.name))
      ? unlike(work.port, asideOf(work), staging)
      : [],
  );
  if (different.some((what) => !what.startsWith('the index '))) await beginAnew(work);
}

/**
 * Before anything is copied. What has expired until then is in neither place.
 * @param {Work} work
 */
async function stopExpiry(work) {
  const aside = asideOf(work);
  const { forth: ttl } = work.split.ttl;
  await takeStep(work, {
    place: aside,
    touches: [aside],
    isDone: () => expiresNever(work.port, aside, ttl),
    operations: async () => {
      const there = new Set((await readTtl(work.port, aside)).map(({ name }) => name));
      return [
        isThere(aside),
        ...ttl.filter(({ name }) => there.has(name)).map((one) => expireNever(aside, one)),
      ];
    },
  });
}

/** @param {Work} work @throws {TuneError} TUNE-35009 */
async function checkAlike(work) {
  const [aside, staging] = [asideOf(work), stagingOf(work)];
  const different = await work.again(() => unlike(work.port, aside, staging));
  if (different.length === 0) return;
  throw new TuneError(
    'TUNE-35009',
    `${nsOf(aside)} and ${nsOf(staging)} differ in ${different.join(', ')}. Make the same change ` +
      `to ${nsOf(staging)}, or undo it.`,
    { value: different },
  );
}

module.exports = { checkAlike, readAfterCut, sameOptions, stopExpiry };
