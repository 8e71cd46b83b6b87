'use strict';

const { START_OPTIONS } = require('../server/pure/commands');
const { compareVersions } = require('../base/pure/version');
const { count } = require('../base/pure/units');
const { mapServerError } = require('../base/server-errors');

/**
 * @import { Context } from '../base/types'
 * @import { Facts } from '../server/pure/types'
 * @import { Ttl } from './types'
 */

/**
 * Makes the notes of tune.ttl.
 * @typedef {Ttl} Found
 */

/**
 * net.serviceExecutor was removed in 5.0 (https://github.com/mongodb/docs/pull/4886): a server that
 * has it does not start.
 */
const NO_EXECUTOR_SINCE = '5.0.0';

/**
 * @param {Context} ctx
 * @param {Facts} facts
 * @returns {Promise<boolean>} false also where it is not known
 */
async function usesAdaptive({ port }, { version }) {
  if (version === null || compareVersions(version, NO_EXECUTOR_SINCE) >= 0) return false;
  // Without the privilege this is not known.
  const { parsed } = await port.adminCommand(START_OPTIONS).catch(() => ({}));
  return parsed?.net?.serviceExecutor === 'adaptive';
}

/**
 * @param {{ facts: Facts, found: Found, adaptive: boolean, enabled: boolean | null }} seen
 * @returns {string[]}
 */
function ttlNotes({ facts, found, adaptive, enabled }) {
  return [
    ...howItEnded(found),
    ...(facts.role === 'secondary'
      ? [
          'TTL deletes on the primary; a secondary only repeats its deletions, which its own ' +
            'counters do not show.',
        ]
      : []),
    ...(enabled === false
      ? ['TTL deletion is switched off here (ttlMonitorEnabled: false): overdue documents stay.']
      : []),
    ...(adaptive
      ? [
          'net.serviceExecutor is adaptive here. 5.0 and later do not start with it: remove it ' +
            'before an upgrade.',
        ]
      : []),
    ...noNumbers(found),
    ...never(found),
    ...found.notes,
    ...notKnown(found),
  ];
}

/** @param {Found} found @returns {string[]} */
function howItEnded({ ended, error, collections, asked }) {
  const seen = `after ${collections} of ${asked} collections`;
  if (ended === 'interrupted') return [`Interrupted ${seen}; this is what was seen until then.`];
  return ended === 'lost'
    ? [
        `The connection was lost ${seen} (${mapServerError(error, 'listIndexes').message}); ` +
          'this is what was seen until then.',
      ]
    : [];
}

/** Old releases took NaN. @param {Found} found @returns {string[]} */
const noNumbers = ({ seen }) =>
  seen
    .filter(({ kind, expireAfterSeconds }) => kind === 'index' && expireAfterSeconds === null)
    .map(
      ({ ns, index }) =>
        `The expireAfterSeconds of ${index} on ${ns} is no number: some releases delete at ` +
        'once, others never. collMod sets it.',
    );

/** @param {Found} found @returns {string[]} */
const never = ({ seen }) =>
  seen
    .filter(({ expiry }) => expiry !== null && expiry.never > 0)
    .slice(0, MAX_NAMED)
    .map(
      ({ ns, field, expiry, documents }) =>
        `${ns}: some ${count(expiry?.never)} of ${count(documents)} documents are never ` +
        `deleted: their field ${field} holds no date.`,
    );
/** A note names at most this many; the column has all. */
const MAX_NAMED = 3;

/** @param {Found} found @returns {string[]} */
function notKnown({ refused, unknown, wholeUnknown }) {
  const databases = (/** @type {string} */ what) =>
    [...refused.values()]
      .filter((refusal) => refusal.what === what)
      .map(({ database }) => database);
  const [undrawn, other] = [
    databases('find'),
    [...refused.values()].filter(({ what }) => what === '$collStats'),
  ];
  return [
    ...(unknown > 0
      ? [
          `Not known: the indexes of ${count(unknown)} ` +
            `${unknown === 1 ? 'collection' : 'collections'} in ` +
            `${named(databases('$indexStats'))} (it needs the role clusterMonitor, or ` +
            'listIndexes).',
        ]
      : []),
    ...(wholeUnknown.size > 0
      ? [
          'Not known: which collections expire as a whole, time series and clustered ones, ' +
            `in ${named([...wholeUnknown].sort())} (it needs listCollections, role ` +
            'readAnyDatabase).',
        ]
      : []),
    ...(undrawn.length > 0
      ? [
          `Not known: when documents are due in ${named(undrawn.sort())} (it needs find ` +
            'there, role readAnyDatabase).',
        ]
      : []),
    ...other.map(
      ({ database, count: times, message }) =>
        `Not known: the number of documents of ${times} ` +
        `${times === 1 ? 'collection' : 'collections'} in ${database}: ${message}`,
    ),
  ];
}

/** @param {readonly string[]} names */
const named = (names) =>
  `${names.slice(0, MAX_NAMED).join(', ')}${names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more databases` : ''}`;

module.exports = { usesAdaptive, ttlNotes };
