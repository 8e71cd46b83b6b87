'use strict';

const { TuneError } = require('../base/pure/errors');
const { findCollection } = require('./server');
const { nsOf } = require('./directions');

/**
 * @import { Source } from './directions'
 * @import { Port } from './server'
 * @import { Split } from './types'
 */

/**
 * A collection that applications made at a name where the view of a split is due.
 *
 */

/**
 * A name that is free: it may not be the first.
 * @param {Port} port
 * @param {Split} split
 * @param {Source} from
 * @returns {Promise<string>}
 */
async function unexpectedName(port, { planId }, { db, name }) {
  for (let number = 1; ; number += 1) {
    const unexpected = `${name}__strays_${planId}${number === 1 ? '' : `_${number}`}`;
    if (!(await findCollection(port, db, unexpected))) return unexpected;
  }
}

/**
 * @param {Port} port
 * @param {Split} split
 * @param {Source} from
 */
async function unexpectedCollection(port, split, from) {
  const unexpected = await unexpectedName(port, split, from);
  return new TuneError(
    'TUNE-35013',
    `${nsOf(from)} has its data in ${from.db}.${from.renamedTo}, and a new collection, made by ` +
      `another session, has the name ${nsOf(from)} and takes its writes. Nothing was dropped. Stop what ` +
      'writes to it, then ' +
      `db.getSiblingDB(${JSON.stringify(from.db)}).getCollection(${JSON.stringify(from.name)}).renameCollection(${JSON.stringify(unexpected)}).`,
    {
      value: nsOf(from),
      renamedTo: `${from.db}.${from.renamedTo}`,
      unexpected: `${from.db}.${unexpected}`,
    },
  );
}

module.exports = { unexpectedCollection };
