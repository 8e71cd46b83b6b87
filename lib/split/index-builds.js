'use strict';

const { TuneError } = require('../errors');
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

module.exports = { checkNoBuild, isBuilding };
