'use strict';

const { toMs, toNumber } = require('../../base/pure/numbers');
const { MS_PER_SECOND } = require('../../base/pure/units');

/**
 * @import { Bottleneck, Finding } from '../../base/pure/finding'
 * @import { SettingName } from '../../base/types'
 * @import { Place, SetPlace } from './types'
 */

/**
 * A replica set, and the sets of a sharded cluster, as the servers report them.
 * @typedef {Place & {
 *   reached: boolean, why: string | null, serverHost: string | null, version: string | null,
 *   memoryBytes: number | null, cores: number | null,
 *   cache: {
 *     maxBytes: number | null, usedRatio: number | null, dirtyRatio: number | null
 *   } | null,
 *   settings: { [setting in SettingName]?: { value: number | null, isDefault: boolean } } | null,
 *   options: Record<string, unknown> | null, parameters: Record<string, unknown> | null,
 *   bottleneck: Bottleneck | null, because: string | null, findings: Finding[], notes: string[]
 * }} Row a member that was examined. `why`: it was not reached; `serverHost`: as it calls itself;
 *   `memoryBytes`: that it may use; `options`: it was started with, `parameters`: as they are now,
 *   both null where that may not be read; `bottleneck`: null where no verdict was asked for
 * @typedef {{
 *   kind: 'standalone' | 'replica set' | 'sharded cluster', sets: SetPlace[], notes: string[]
 * }} ClusterPlace
 */

/**
 * A member as replSetGetStatus reports it.
 * @typedef {{
 *   host: string, state: string, isUp: boolean, optimeMs: number | null, said: string | null,
 *   isSelf: boolean
 * }} ReportedMember `state`: in small letters; `optimeMs`: its newest write, null where it never
 *   answered; `said`: its last heartbeat message; `isSelf`: it is the one that was asked
 */

/** @param {{ members: any[] }} status @returns {ReportedMember[]} */
const membersInStatus = ({ members }) =>
  members.map(({ name, stateStr, health, optimeDate, lastHeartbeatMessage, self }) => ({
    host: String(name),
    state: String(stateStr).toLowerCase(),
    isUp: toNumber(health) !== 0,
    optimeMs: knownMs(optimeDate),
    said: lastHeartbeatMessage || null,
    isSelf: self === true,
  }));

/** The members that hello names: all but the hidden ones. @param {any} hello */
const membersInHello = ({ hosts = [], passives = [], arbiters = [], primary }) => {
  const member = (/** @type {unknown} */ host, /** @type {string} */ role) => ({
    host: String(host),
    role,
    isUp: null,
    isArbiter: role === 'arbiter',
    optimeMs: null,
    said: null,
  });
  return [
    ...[...hosts, ...passives].map((host) =>
      member(host, host === primary ? 'primary' : 'secondary'),
    ),
    ...arbiters.map((/** @type {unknown} */ host) => member(host, 'arbiter')),
  ];
};

/** A member that never answered is reported with the beginning of 1970. @param {unknown} date */
function knownMs(date) {
  const ms = toMs(date);
  return ms === undefined || ms <= 0 ? null : ms;
}

/** Positions in the oplog count whole seconds. @param {unknown} date */
function wholeSeconds(date) {
  const ms = knownMs(date);
  return ms === null ? null : Math.floor(ms / MS_PER_SECOND) * MS_PER_SECOND;
}

/** Default of settings.heartbeatIntervalMillis, ms. */
const HEARTBEAT_MS = 2000;

/** @param {Place} place @returns {boolean} it stores data */
const hasData = ({ isArbiter }) => !isArbiter;

/**
 * The member and the set that a server reports itself to be.
 * @typedef {{
 *   setName: string | null, me: string | null, setId: string | null, setVersion: number | null,
 *   isStarting: boolean, members: string[]
 * }} Identity `members`: of its set, or of all shards of a mongos, by the names they have there
 */

/**
 * Explains why a server is not the expected member: from here a name may lead to another one,
 * through a tunnel or to an exchanged machine.
 * @param {Place} place
 * @param {SetPlace} set
 * @param {Identity} is
 * @returns {string | null} null: it is that member
 */
function notTheMember(place, set, is) {
  if (place.role === 'standalone')
    return is.setName === null ? null : `is a member of the replica set ${is.setName}`;
  if (is.setName === null) return 'is in no replica set';
  const name = place.set ?? set.name;
  if (is.setName !== name) return `is a member of the replica set ${is.setName}, not of ${name}`;
  return is.me === place.host ? notTheSet(set, is) : `calls itself ${is.me}`;
}

/**
 * Two sets may have the same name, and members of the same names.
 * @param {SetPlace} set
 * @param {Identity} is
 * @returns {string | null}
 */
function notTheSet({ name, setId = null, setVersion = null }, is) {
  if (is.setId !== null && setId !== null)
    return is.setId === setId ? null : `is in another replica set that is called ${name}, too`;
  if (is.setVersion === null || setVersion === null || is.setVersion === setVersion) return null;
  return `has version ${is.setVersion} of the set's configuration, not ${setVersion}`;
}

/**
 * @param {readonly Place[]} members
 * @returns {number | null} of all votes; null where they are not known
 */
function majorityOf(members) {
  if (members.some(({ votes }) => votes === null)) return null;
  return Math.floor(members.reduce((sum, { votes }) => sum + Number(votes), 0) / 2) + 1;
}

/**
 * Lag of the majority: as the server reports it, else from the writes that the voting members have.
 * @param {SetPlace} set
 * @returns {number | null} seconds; null where it is not known
 */
function majorityLagSeconds({ newestMs, committedMs, members, majority }) {
  const pointMs = committedMs ?? computed(members, majority);
  return newestMs === null || pointMs === null
    ? null
    : Math.max(0, (newestMs - pointMs) / MS_PER_SECOND);
}

/**
 * @param {readonly Place[]} members
 * @param {number | null} majority
 * @returns {number | null} the newest write that so many voting members have
 */
function computed(members, majority) {
  if (majority === null) return null;
  const have = members
    .filter(({ votes, isArbiter, optimeMs }) => votes && !isArbiter && optimeMs !== null)
    .map(({ optimeMs }) => Number(optimeMs))
    .sort((a, b) => b - a);
  return have[majority - 1] ?? null;
}

/**
 * The set as reported twice, each lag the smaller of the two: real lag is there both times.
 * @param {SetPlace} first
 * @param {SetPlace} again
 * @returns {SetPlace} the members of the first
 */
function nearer(first, again) {
  const now = new Map(again.members.map((member) => [member.host, member]));
  const members = first.members.map((member) => {
    const { lagSeconds, ...rest } = now.get(member.host) ?? member;
    return {
      ...rest,
      lagSeconds:
        lagSeconds === null ? null : Math.min(lagSeconds, member.lagSeconds ?? lagSeconds),
    };
  });
  return { ...again, members };
}

/**
 * Secondaries first, the primary last, sets one after the other: what is done one by one.
 * @param {readonly SetPlace[]} sets @returns {Place[]} those that store data
 */
const inOrder = (sets) =>
  sets.flatMap(({ members }) => {
    const data = members.filter(hasData);
    const leads = (/** @type {Place} */ { role }) => role === 'primary' || role === 'standalone';
    return [...data.filter((member) => !leads(member)), ...data.filter(leads)];
  });

module.exports = {
  membersInStatus,
  membersInHello,
  wholeSeconds,
  HEARTBEAT_MS,
  hasData,
  majorityOf,
  majorityLagSeconds,
  nearer,
  inOrder,
  notTheMember,
};
