'use strict';

/**
 * One member of a replica set, as the server that was asked sees it.
 * @typedef {{
 *   host: string, role: string, isUp: boolean, canBeShown: boolean, lagSeconds: number | null
 * }} Member `role`: `primary`, `secondary`,
 *   `arbiter`, or another state of replSetGetStatus in small letters; `canBeShown`: it stores data;
 *   `lagSeconds`: behind the primary, null where that is not reported
 */

/**
 * The member after that one, among those that store data, but not the one that is shown already.
 * @param {readonly Member[]} members
 * @param {{ after: string | null, shownHost: string | null }} where
 * @returns {Member | null} null where there is no other
 */
function nextMember(members, { after, shownHost }) {
  const at = members.findIndex(({ host }) => host === after);
  const order = [...members.slice(at + 1), ...members.slice(0, at + 1)];
  return order.find(({ host, canBeShown }) => canBeShown && host !== shownHost) ?? null;
}

module.exports = { nextMember };
