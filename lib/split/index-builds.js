'use strict';

const { COMMAND_NOT_SUPPORTED_ON_VIEW, NAMESPACE_NOT_FOUND } = require('../base/pure/server-codes');
const { TuneError } = require('../base/pure/errors');
const { findIndexes } = require('./server');

/**
 * @import { CollectionName, Port } from './server'
 */

/** Codes for a name without an index. */
const NO_INDEX = Object.freeze(new Set([NAMESPACE_NOT_FOUND, COMMAND_NOT_SUPPORTED_ON_VIEW]));

/**
 * @param {Port} port
 * @param {CollectionName} place
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

/** @param {CollectionName} place */
const isBuilding = ({ db, name }) =>
  new TuneError(
    'TUNE-35016',
    `An index of ${db}.${name} is being built, and a rename during an index build ` +
      'crashes mongod.',
    { value: `${db}.${name}` },
  );

module.exports = { checkNoBuild, isBuilding };
