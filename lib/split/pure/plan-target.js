'use strict';

const {
  bucketsOf,
  namesOf,
  partsOf,
  bytesOf,
  LONGEST_NAMESPACE,
  LONGEST_NAMESPACE_42,
} = require('./split-names');
const { duration } = require('../../base/pure/units');
const { accessTo } = require('./rights');
const { oplogLasts, OPLOG_TIMES } = require('./method');

/**
 * @import { Remark } from './definitions'
 * @import { View } from './dependents'
 * @import { Move, Surroundings } from './types'
 */

/** Bytes for the number of a copy, such as _12, which it gets whenever another shell takes over. */
const NUMBER_BYTES = 4;

/**
 * Finds what prevents a collection from its new place.
 * @typedef {{
 *   id: string, places: ReadonlyMap<string, string>, views: readonly View[], server: Surroundings,
 *   method: 'out' | 'ranges' | null, names?: readonly string[]
 * }} Around `places`: the database of each collection that moves, by its name; `names`: all names
 *   in the source's database
 */

/** Largest number of roles, users and views that are named; all of them are in the plan. */
const MAX_NAMED = 5;

/**
 * @param {Move} move
 * @param {Around} around
 * @returns {{ blockers: Remark[], warnings: Remark[] }}
 */
function targetRemarks(move, around) {
  return {
    blockers: [
      ...taken(move, around),
      ...tooLong(move, around),
      ...tornViews(move, around),
      ...oplog(move, around, 1),
    ],
    warnings: [
      ...movedViews(move, around),
      ...access(move, around),
      ...streams(move, around),
      ...(oplog(move, around, 1).length > 0 ? [] : oplog(move, around, OPLOG_TIMES)),
    ],
  };
}

/** @param {Move} move @param {Around} around @returns {Remark[]} */
function taken({ ns, into }, { server, names = [] }) {
  const [database, name] = partsOf(into);
  const buckets = bucketsOf(name);
  const left = [
    ...(names.includes(buckets) ? [`${partsOf(ns)[0]}.${buckets}`] : []),
    ...(server.taken[database]?.includes(buckets) ? [`${database}.${buckets}`] : []),
  ];
  if (left.length > 0) return left.map(ofTimeSeries);
  return server.taken[database]?.includes(name)
    ? [
        {
          what: 'exists',
          say:
            `${into} already exists: rename or drop it, or name another database. If ` +
            'a split created it: tune.split.finish(id, { open: true }); status shows the id.',
        },
      ]
    : [];
}

/** @param {string} buckets @returns {Remark} */
const ofTimeSeries = (buckets) => ({
  what: 'exists',
  say: `${buckets} holds the documents of a time series: drop it, or name another database.`,
});

/** @param {Move} move @param {Around} around @returns {Remark[]} */
function tooLong({ ns, into }, { id, server }) {
  const names = namesOf({ ns, into, id });
  const limit =
    server.compatibility !== null && Number.parseFloat(server.compatibility) < 4.4
      ? LONGEST_NAMESPACE_42
      : LONGEST_NAMESPACE;
  const longest =
    Math.max(
      bytesOf(`${names.database}.${names.renamedTo}`),
      bytesOf(`${names.targetDatabase}.${names.stagingName}`),
    ) + NUMBER_BYTES;
  return longest <= limit
    ? []
    : [
        {
          what: 'name-length',
          say:
            `During the split its name is ${longest} bytes long with a suffix, and ` +
            'the server allows ' +
            `${limit}${limit === LONGEST_NAMESPACE_42 ? ' with feature compatibility version 4.2' : ''}: ` +
            'rename it to a shorter name first.',
        },
      ];
}

/**
 * Finds views that read the collection and one that goes elsewhere.
 * @param {Move} move
 * @param {Around} around
 * @returns {Remark[]}
 */
function tornViews({ ns }, { places, views }) {
  const [, name] = partsOf(ns);
  const torn = views.filter(
    (view) =>
      view.reads.includes(name) && new Set(view.reads.map((one) => places.get(one))).size > 1,
  );
  return torn.length === 0
    ? []
    : [
        {
          what: 'views',
          say:
            `View ${named(torn.map((view) => view.name))} reads it together with ` +
            'collections that stay or go to another database, and a view reads one ' +
            'database only: move them together, or drop the view.',
        },
      ];
}

/** @param {Move} move @param {Around} around @returns {Remark[]} */
function movedViews({ ns, into }, { places, views }) {
  const [database, name] = partsOf(ns);
  const [target] = partsOf(into);
  const whole = views.filter(
    (view) => view.reads.includes(name) && view.reads.every((one) => places.get(one) === target),
  );
  return whole.length === 0
    ? []
    : [
        {
          what: 'views',
          say:
            `View ${named(whole.map((view) => view.name))} of ${database} reads it (itself or by $lookup, $graphLookup, $unionWith) and ` +
            `fails after the cutover. Create the view again in ${target}, and query it there.`,
        },
      ];
}

/** @param {Move} move @param {Around} around @returns {Remark[]} */
function access({ ns, into }, { server }) {
  const [database, name] = partsOf(ns);
  const [target] = partsOf(into);
  const who = accessTo(server, { database, name });
  if (who === null) return [];
  return [
    ...(who.roles.length === 0
      ? []
      : [
          {
            what: 'roles',
            say: `Role ${named(who.roles)} names ${database}: grant the same on ${target} before the cutover.`,
          },
        ]),
    ...(who.users.length === 0
      ? []
      : [
          {
            what: 'users',
            say:
              `User ${named(who.users)} reaches it by a role on ${database} that is missing on ${target}: grant the same ` +
              'there before the cutover.',
          },
        ]),
  ];
}

/** @param {Move} move @param {Around} around @returns {Remark[]} */
function streams({ ns }, { server }) {
  const [database, name] = partsOf(ns);
  const on = (server.streams ?? []).filter(
    (stream) => stream.database === database && stream.collection === name,
  ).length;
  return on === 0
    ? []
    : [
        {
          what: 'change-streams',
          say:
            `${on} change ${on === 1 ? 'stream is' : 'streams are'} open on it: ${on === 1 ? 'it ends' : 'they end'} with an invalidate event at the cutover. Resume ` +
            'tokens of the source are invalid at the target.',
        },
      ];
}

/**
 * @param {Move} move
 * @param {Around} around
 * @param {number} times how many times as long as needed the oplog must hold
 * @returns {Remark[]}
 */
function oplog({ method, bytes, estimateSeconds: { copy, indexes } }, { server }, times) {
  const block = method === 'out' ? (copy ?? 0) + (indexes ?? 0) : (indexes ?? 0);
  const lasts = oplogLasts(
    server.oplog,
    method === 'out' ? { bytes, seconds: copy } : { bytes: 0, seconds: 1 },
  );
  if (lasts === null || block === 0 || lasts >= block * times) return [];
  return [
    {
      what: 'oplog',
      say:
        `The oplog covers ${duration(lasts * 1000)}, and the ${method === 'out' ? 'copy' : 'indexes'} will take about ${duration(block * 1000)}. Writes during it must ` +
        'still be in the oplog: make it larger (replSetResizeOplog).',
    },
  ];
}

/** @param {readonly string[]} names */
const named = (names) =>
  `${names.slice(0, MAX_NAMED).join(', ')}${names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : ''}`;

module.exports = { targetRemarks };
