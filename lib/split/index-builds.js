'use strict';

const { TuneError } = require('../base/pure/errors');
const { findIndexes } = require('./server');

/**
 * @import { Port } from './server'
 */

/**
 * @typedef {{ db: string, name: string }} Place
 * @typedef {{
 *   opid: unknown, ns: string, desc?: string, waitingForLock?: boolean, command?: Record<string, any>
 * }} Running
 */

/** NamespaceNotFound, CommandNotSupportedOnView: then there is no index. */
const NO_INDEX = Object.freeze(new Set([26, 166]));

/**
 * @param {Port} port
 * @param {Place} place
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

/** @param {Place} place */
const isBuilding = ({ db, name }) =>
  new TuneError(
    'TUNE-35016',
    `An index of ${db}.${name} is being built, and a rename in the middle of it would end mongod.`,
    { value: `${db}.${name}` },
  );

/** Commands that change the name, the options or the indexes of a collection of their database. */
const CHANGES = Object.freeze([
  'createIndexes',
  'collMod',
  'drop',
  'dropIndexes',
  'deleteIndexes',
  'convertToCapped',
]);
const SHOWN = Object.freeze(
  Object.fromEntries(
    ['comment', 'renameCollection', ...CHANGES].map((name) => [`command.${name}`, 1]),
  ),
);

/**
 * Our step, and what others do to the collections that it touches: of all users. Nothing of this
 * question waits for a lock.
 * @param {Port} port
 * @param {{ comment: string, touches: readonly Place[] }} of
 * @returns {Promise<{ step: Running | undefined, builds: Place[], changes: string[] }>} `builds`:
 *   where an index is being built; `changes`: commands that have not done their part yet
 */
async function stepAndWaiting(port, { comment, touches }) {
  const names = touches.map(({ name }) => name);
  const full = touches.map(({ db, name }) => `${db}.${name}`);
  const { cursor } = await port.adminCommand({
    aggregate: 1,
    cursor: {},
    pipeline: [
      { $currentOp: { allUsers: true } },
      {
        $match: {
          $or: [
            { 'command.comment': comment },
            { 'command.renameCollection': { $in: full } },
            ...CHANGES.map((name) => ({ [`command.${name}`]: { $in: names } })),
            { desc: /^IndexBuild/, ns: { $in: full } },
          ],
        },
      },
      { $project: { _id: 0, opid: 1, ns: 1, desc: 1, waitingForLock: 1, ...SHOWN } },
    ],
  });
  /** @type {Running[]} */
  const running = cursor.firstBatch;
  const others = running.filter(({ command }) => command?.comment !== comment);
  const of = others.flatMap((op) =>
    touches.filter((place) => isOf(op, place)).map((place) => ({ op, place })),
  );
  return {
    step: running.find(({ command }) => command?.comment === comment),
    builds: of.filter(({ op }) => isBuild(op)).map(({ place }) => place),
    changes: of.filter(({ op }) => !isBuild(op)).map(({ op }) => nameOf(op)),
  };
}

/** @param {Running} op @param {Place} place */
const isOf = ({ ns, command = {} }, { db, name }) =>
  ns === `${db}.${name}` ||
  command.renameCollection === `${db}.${name}` ||
  (ns.startsWith(`${db}.`) && CHANGES.some((one) => command[one] === name));

/** What waits for its lock has not begun. @param {Running} op */
const isBuild = ({ desc, command, waitingForLock }) =>
  /^IndexBuild/.test(desc ?? '') || (command?.createIndexes !== undefined && !waitingForLock);

/** @param {Running} op */
const nameOf = ({ command = {} }) =>
  ['renameCollection', ...CHANGES].find((name) => command[name] !== undefined) ?? 'a change';

module.exports = { checkNoBuild, isBuilding, stepAndWaiting };
