'use strict';

const { TuneError } = require('../base/pure/errors');
const { findIndexes } = require('./server');

/** NamespaceNotFound, CommandNotSupportedOnView: then there is no index. */
const NO_INDEX = Object.freeze(new Set([26, 166]));

/**
 * @param {import('./server').Port} port
 * @param {{ db: string, name: string }} place
 * @throws {TuneError} TUNE-35016
 */
async function checkNoBuild(port, place) {
  const indexes = await findIndexes(port, place.db, place.name, { includeBuildUUIDs: true }).catch(
    (error) => {
      if (NO_INDEX.has(error.code)) return [];
      throw error;
    },
  );
  if (indexes.some(({ buildUUID }) => buildUUID)) throw isBuilding(place);
}

/** @param {{ db: string, name: string }} place */
const isBuilding = ({ db, name }) =>
  new TuneError(
    'TUNE-35016',
    `An index of ${db}.${name} is being built, and a rename in the middle of it would end mongod.`,
    { value: `${db}.${name}` },
  );

/**
 * Of all users: who builds an index or changes an option is another. Nothing of it waits for a
 * lock.
 * @param {import('./server').Port} port
 * @param {{ comment: string, touches: readonly { db: string, name: string }[] }} of
 * @returns {Promise<{
 *   opid: unknown, ns: string, of: string, changes: boolean, comment?: string,
 *   waitingForLock?: boolean
 * }[]>} `changes`: it is no build
 */
async function stepAndBuilds(port, { comment, touches }) {
  const names = touches.map(({ name }) => name);
  const { cursor } = await port.adminCommand({
    aggregate: 1,
    cursor: {},
    pipeline: [
      { $currentOp: { allUsers: true } },
      {
        $match: {
          $or: [
            { 'command.comment': comment },
            { 'command.createIndexes': { $in: names } },
            { 'command.collMod': { $in: names } },
            { desc: /^IndexBuild/, ns: { $in: touches.map(({ db, name }) => `${db}.${name}`) } },
          ],
        },
      },
      {
        $project: {
          _id: 0,
          opid: 1,
          ns: 1,
          of: { $ifNull: ['$command.createIndexes', '$command.collMod'] },
          changes: { $gt: ['$command.collMod', null] },
          comment: '$command.comment',
          waitingForLock: 1,
        },
      },
    ],
  });
  const isMeant = (/** @type {any} */ one) =>
    one.comment === comment ||
    touches.some(
      ({ db, name }) => one.ns === `${db}.${name}` || (one.ns === `${db}.$cmd` && one.of === name),
    );
  return cursor.firstBatch.filter(isMeant);
}

module.exports = { checkNoBuild, isBuilding, stepAndBuilds };
