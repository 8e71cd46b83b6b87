'use strict';

const { filterLosesOrder } = require('./definitions');
const { isOfSplit, isOurPipeline } = require('./split-names');
const { indexBlockers, indexWarnings } = require('./plan-indexes');

/**
 * @import { Mode, Remark } from './definitions'
 * @import { SeenCollection } from './types'
 */

/** Finds what prevents the move of one collection, to any place. */

const ENCRYPTED_STATE = 'enxcol_.';

/**
 * @type {readonly { what: string, is: (seen: SeenCollection, mode: Mode) => boolean, say: string
 *   }[]}
 */
const BLOCKERS = Object.freeze([
  {
    what: 'split',
    is: ({ name, type }) => type !== 'view' && isOfSplit(name),
    say:
      'It is the copy or the old data of another split: tune.split.status() shows ' +
      'which, and how to end it.',
  },
  {
    what: 'split',
    is: isOurView,
    say:
      'It is the view of another split that blocks this namespace. ' +
      'tune.split.status() shows where the data is.',
  },
  {
    what: 'view',
    is: (seen) => seen.type === 'view' && !isOurView(seen),
    say:
      'It is a view and stores nothing. Move the collections it reads, and create it ' +
      'again there.',
  },
  {
    what: 'time-series',
    is: ({ type }) => type === 'timeseries',
    say:
      'It is a time series: change streams and $merge cannot copy its measurements, ' +
      'and renameCollection does not support it.',
  },
  {
    what: 'system',
    is: ({ name }) => name.startsWith('system.'),
    say: 'It is an internal collection of the server.',
  },
  {
    what: 'encrypted',
    is: ({ name, options }) =>
      name.startsWith(ENCRYPTED_STATE) || options?.encryptedFields !== undefined,
    say:
      'It has encrypted fields: its metadata collections are bound to its name, and queries in ' +
      'another database would not find the data.',
  },
  {
    what: 'capped',
    is: ({ options, capped }) => Boolean(options?.capped ?? capped),
    say:
      'It is capped: $out does not support a capped target, and the order of its ' +
      'documents cannot be kept while they are written.',
  },
  {
    what: 'validator-order',
    is: ({ options }) => filterLosesOrder(options?.validator),
    say:
      'Its validator contains a document with several fields, one with a number as ' +
      'its name: JavaScript would put that one first. Remove the validator first, ' +
      'and set it again after the split.',
  },
  {
    what: 'clustered',
    is: ({ options }, mode) => options?.clusteredIndex !== undefined && mode === 'online',
    say:
      'It is clustered: $merge cannot write to a clustered collection (error 51183 ' +
      'on 6.0), so changes during the copy cannot be applied.',
  },
  {
    what: 'sharded',
    is: ({ sharded }) => Boolean(sharded),
    say:
      'It is sharded: moveCollection (8.0) and reshardCollection move it between shards; ' +
      'another database needs a dump and a restore.',
  },
  {
    what: 'temporary',
    is: ({ options }) => Boolean(options?.temp),
    say: 'It is temporary: the server drops it at the next restart.',
  },
  {
    what: 'index-build',
    is: ({ building }) => (building?.length ?? 0) > 0,
    say:
      'An index on it is being built: wait until it is done (db.currentOp()), ' +
      'then plan again.',
  },
]);

/**
 * @type {readonly { what: string, is: (seen: SeenCollection, mode: Mode) => boolean, say: string
 *   }[]}
 */
const WARNINGS = Object.freeze([
  {
    what: 'clustered',
    is: ({ options }, mode) => options?.clusteredIndex !== undefined && mode === 'offline',
    say: 'It is clustered: kept.',
  },
  {
    what: 'collation',
    is: ({ options }) => options?.collation !== undefined,
    say:
      'It has a collation: kept. An _id that changes only in what the collation ignores, such ' +
      'as its case, is deleted and copied again.',
  },
  {
    what: 'validator',
    is: ({ options }) => options?.validator !== undefined,
    say:
      'It has a validator: kept. The copy bypasses it, so that documents which do ' +
      'not satisfy it are not lost.',
  },
  {
    what: 'pre-images',
    is: ({ options }) =>
      Boolean(options?.changeStreamPreAndPostImages?.enabled ?? options?.recordPreImages),
    say:
      'It records pre-images for change streams: kept. Pre-images from before the ' +
      'split stay with the source collection.',
  },
  {
    what: 'storage-engine',
    is: ({ options }) => options?.storageEngine !== undefined,
    say: 'It has its own storage engine options: kept.',
  },
  {
    what: 'unknown',
    is: ({ type, options }) => type === 'collection' && options === null,
    say: 'Unknown: its creation options (needs listCollections, role readAnyDatabase).',
  },
  {
    what: 'unknown',
    is: ({ type, indexes }) => type === 'collection' && indexes === null,
    say: 'Unknown: its indexes (needs listIndexes, role readAnyDatabase).',
  },
  {
    what: 'unknown',
    is: ({ type, documents }) => type === 'collection' && documents === null,
    say: 'Unknown: its size (needs collStats, role clusterMonitor).',
  },
]);

/** @param {SeenCollection} seen @returns {boolean} */
function isOurView({ type, options }) {
  return type === 'view' && isOurPipeline(options?.pipeline);
}

/** @param {SeenCollection} seen @param {Mode} mode @returns {Remark[]} */
const collectionBlockers = (seen, mode) => [
  ...reported(BLOCKERS, seen, mode),
  ...indexBlockers(seen.indexes ?? []),
];

/** @param {SeenCollection} seen @param {Mode} mode @returns {Remark[]} */
const collectionWarnings = (seen, mode) => [
  ...reported(WARNINGS, seen, mode),
  ...indexWarnings(seen.indexes ?? [], seen.options?.collation),
];

/**
 * @param {typeof BLOCKERS} table
 * @param {SeenCollection} seen
 * @param {Mode} mode
 * @returns {Remark[]}
 */
const reported = (table, seen, mode) =>
  table.filter(({ is }) => is(seen, mode)).map(({ what, say }) => ({ what, say }));

module.exports = { collectionBlockers, collectionWarnings };
