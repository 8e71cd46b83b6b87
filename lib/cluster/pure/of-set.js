'use strict';

/**
 * @import { Entry } from '../../change/pure/journal'
 * @import { Identity } from '../../server/pure/replica-set'
 */

/**
 * Says whether a change of several members was made in the set that answers, or in its cluster,
 * whichever member that is. Names count only where the set may not be asked for its id.
 * @param {Pick<Entry, 'group'>} entry
 * @param {Identity} is
 * @returns {boolean}
 */
function isOfSet({ group }, is) {
  if (!group) return false;
  if (group.setId && is.setId) return group.setId === is.setId;
  return group.members.some((name) => is.members.includes(name));
}

/**
 * Says whether a change of one server was made where the set that answers has a member. Another set
 * may have the same names.
 * @param {Pick<Entry, 'run' | 'group'>} entry @param {Identity} is
 */
const isNamedInSet = ({ run: { me }, group }, is) =>
  !group && typeof me === 'string' && is.members.includes(me);

module.exports = { isOfSet, isNamedInSet };
