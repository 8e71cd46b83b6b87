'use strict';

const { MS_PER_SECOND } = require('../base/pure/units');
const { OWN_DATABASES, withoutBuckets } = require('../server/pure/collections');

/**
 * @import { Row } from '../server/pure/types'
 * @import { Oplog } from '../server/types'
 * @import { CollectionValues } from './types'
 */

/**
 * Makes the values that rules about collections judge, from the samples of tune.collections(). A
 * file or an index with unknown values is left out.
 * @param {{
 *   rows: readonly Row[], oplog: Oplog | null, cacheMaxBytes: number | null, atMs: number
 * }} sampled
 * @returns {Partial<CollectionValues>}
 */
function collectionValues({ rows, oplog, cacheMaxBytes, atMs }) {
  const files = rows.flatMap(({ ns, index, storageBytes, reusableBytes }) =>
    storageBytes === null || reusableBytes === null || OWN_DATABASES.test(ns)
      ? []
      : [{ ns, index, storageBytes, reusableBytes }],
  );
  const indexes = rows.flatMap((row) => indexOf(row, atMs));
  return {
    ...(files.length > 0 ? { files } : {}),
    ...(indexes.length > 0 ? { indexes } : {}),
    ...(oplog === null ? {} : { oplog }),
    ...(cacheMaxBytes === null ? {} : { cacheMaxBytes }),
  };
}

/** @param {Row} row @param {number} atMs @returns {CollectionValues['indexes']} none or one */
function indexOf({ ns, index, uses, usesSince, keeps, cacheBytes, storageBytes }, atMs) {
  if (index === null || uses === null || usesSince === null) return [];
  if (cacheBytes === null || OWN_DATABASES.test(ns)) return [];
  const countedSeconds = Math.max(0, (atMs - usesSince.getTime()) / MS_PER_SECOND);
  return [{ ns, index, uses, keeps, cacheBytes, storageBytes, countedSeconds }];
}

/** The reasons why a value is missing without a fault. */
const WITHOUT = Object.freeze({
  oplog: 'a server in no replica set has none, or it may not be read',
  files: 'no collection of a user was found',
  indexes: 'no index beside those on _id, or $indexStats was refused',
});

/**
 * @param {{ ns: string, index: string | null }} file of a collection or an index
 * @returns {string} as a user calls it
 */
const nameOf = ({ ns, index }) => `${withoutBuckets(ns)}${index === null ? '' : ` ${index}`}`;

module.exports = { collectionValues, WITHOUT, nameOf };
