'use strict';

const { hasData, inOrder } = require('../../server/pure/replica-set');
const { duration } = require('../../base/pure/units');
const { TuneError } = require('../../base/pure/errors');
const { show } = require('../../base/pure/options');

/**
 * @import { Place, SetPlace } from '../../server/pure/types'
 */

/**
 * Plans a change that goes from member to member: to which of them, in which order, and when the
 * set is well enough to continue.
 * @typedef {'all' | 'secondaries' | string[]} Wanted
 */

/**
 * Seconds of lag that a set is expected to stay below, by flowControlTargetLagSeconds. A member
 * that lagged more already may stay so.
 */
const LAG_LIMIT_SECONDS = 10;
/** Seconds by which a measurement of whole seconds may be wrong. */
const LAG_TOLERANCE_SECONDS = 2;

/**
 * @param {readonly SetPlace[]} sets
 * @param {Wanted} wanted
 * @returns {Place[]} secondaries first, primaries last
 * @throws {TuneError} TUNE-10003 for a name that is no member, TUNE-20005 where not all of them are
 *   reported, TUNE-30008 where there are none
 */
function chooseMembers(sets, wanted) {
  const all = inOrder(sets);
  if (!Array.isArray(wanted)) refuseUnreported(sets, wanted);
  if (wanted === 'all') return all;
  if (wanted === 'secondaries')
    return some(all.filter(({ role }) => role !== 'primary' && role !== 'standalone'));
  const hosts = all.map(({ host }) => host);
  const unknown = wanted.find((host) => !hosts.includes(host));
  if (unknown !== undefined)
    throw new TuneError(
      'TUNE-10003',
      `${show(unknown)} is not a data-bearing member. Members: ${hosts.join(', ')}.`,
      { value: unknown, allowed: hosts },
    );
  return all.filter(({ host }) => wanted.includes(host));
}

/**
 * Refuses a set that does not report all members: one left out unnoticed would keep another setting
 * than the rest.
 * @param {readonly SetPlace[]} sets @param {string} wanted
 */
function refuseUnreported(sets, wanted) {
  const set = sets.find(({ hidesMembers }) => hidesMembers);
  if (set === undefined) return;
  const names = set.members.filter(hasData).map(({ host }) => JSON.stringify(host));
  throw new TuneError(
    'TUNE-20005',
    `The members of ${set.name} are not fully known: hidden ones are visible only with the ` +
      'privilege replSetGetStatus or replSetGetConfig (role clusterMonitor). Grant it, or name the ' +
      `members instead of "${wanted}": { members: [${names.join(', ')}] }.`,
    { value: wanted, allowed: 'clusterMonitor' },
  );
}

/** @param {Place[]} chosen @returns {Place[]} */
function some(chosen) {
  if (chosen.length > 0) return chosen;
  throw new TuneError('TUNE-30008', 'There is no secondary.', {
    value: 'secondaries',
    allowed: ['all'],
  });
}

/**
 * Says why the next member must not be changed yet.
 * @param {SetPlace} before the set when the change began @param {SetPlace} now
 * @returns {string | null} null: it may be changed
 */
function notReady(before, now) {
  const then = new Map(before.members.map((one) => [one.host, one]));
  const reasons = now.members.filter(hasData).flatMap((one) => reasonOf(one, then.get(one.host)));
  const hadPrimary = before.members.some(({ role }) => role === 'primary');
  const hasPrimary = now.members.some(({ role }) => role === 'primary');
  return [...(hadPrimary && !hasPrimary ? ['there is no primary'] : []), ...reasons][0] ?? null;
}

/** @param {Place} now @param {Place | undefined} then @returns {string[]} */
function reasonOf(now, then) {
  if (then === undefined || then.isUp === false) return [];
  if (now.isUp === false) return [`${now.host} is down`];
  const isWell = (/** @type {string} */ role) =>
    role === 'primary' || role === 'secondary' || role === 'standalone';
  if (!isWell(now.role) && isWell(then.role))
    return [`${now.host} is in state ${now.role.toUpperCase()}`];
  const limit = Math.max(
    LAG_LIMIT_SECONDS + (now.delaySeconds ?? 0),
    (then.lagSeconds ?? 0) + LAG_TOLERANCE_SECONDS,
  );
  return (now.lagSeconds ?? 0) > limit
    ? [`${now.host} lags by ${duration(Number(now.lagSeconds) * 1000)}`]
    : [];
}

module.exports = { chooseMembers, notReady };
