'use strict';

const { MS_PER_SECOND } = require('../base/pure/units');
const { HELLO, SET_STATUS } = require('../server/pure/commands');
const { refusalOf } = require('../base/server-errors');
const { membersInHello, membersInStatus } = require('../server/pure/replica-set');

/**
 * @import { Port } from '../base/context'
 * @import { TuneError } from '../base/pure/errors'
 * @import { ReportedMember } from '../server/pure/replica-set'
 */

const SHOWN_ROLES = new Set(['primary', 'secondary', 'recovering', 'rollback', 'startup2']);

/**
 * Collects the members of the replica set: all of them with state and lag, where replSetGetStatus
 * is allowed; else those that hello names.
 * @param {Port} port
 * @returns {Promise<{ self: string | null, members: Member[] }>} no members on a standalone server;
 *   `self`: the member that was asked
 * @throws {TuneError} TUNE-20006
 */
async function collectMembers(port) {
  const hello = await port.adminCommand(HELLO);
  if (!hello.setName) return { self: null, members: [] };
  try {
    const members = membersInStatus(await port.adminCommand(SET_STATUS));
    return {
      self: members.find(({ isSelf }) => isSelf)?.host ?? hello.me ?? null,
      members: fromStatus(members),
    };
  } catch (cause) {
    refusalOf(cause, 'replSetGetStatus');
    return { self: hello.me ?? null, members: fromHello(hello) };
  }
}

/** @param {readonly ReportedMember[]} reported @returns {Member[]} */
function fromStatus(reported) {
  const newestMs = reported.find(({ state }) => state === 'primary')?.optimeMs ?? null;
  return reported.map(({ host, state, isUp, optimeMs }) => ({
    host,
    role: state,
    isUp,
    canBeShown: SHOWN_ROLES.has(state) || !isUp,
    lagSeconds:
      state !== 'secondary' || newestMs === null || optimeMs === null
        ? null
        : Math.max(0, (newestMs - optimeMs) / MS_PER_SECOND),
  }));
}

/** @param {any} hello @returns {Member[]} */
const fromHello = (hello) =>
  membersInHello(hello).map(({ host, role, isArbiter }) => ({
    host,
    role,
    isUp: true,
    canBeShown: !isArbiter,
    lagSeconds: null,
  }));

/**
 * One member of a replica set, as the asked server reports it.
 * @typedef {{
 *   host: string, role: string, isUp: boolean, canBeShown: boolean, lagSeconds: number | null
 * }} Member `role`: `primary`, `secondary`,
 *   `arbiter`, or another state of replSetGetStatus in small letters; `canBeShown`: it stores data;
 *   `lagSeconds`: behind the primary, null where that is not reported
 */

/**
 * Returns the next member after a given one, among those that store data, except the one that is
 * shown already.
 * @param {readonly Member[]} members
 * @param {{ after: string | null, shownHost: string | null }} where
 * @returns {Member | null} null where there is no other member
 */
function nextMember(members, { after, shownHost }) {
  const at = members.findIndex(({ host }) => host === after);
  const order = [...members.slice(at + 1), ...members.slice(0, at + 1)];
  return order.find(({ host, canBeShown }) => canBeShown && host !== shownHost) ?? null;
}

module.exports = { collectMembers, nextMember };
