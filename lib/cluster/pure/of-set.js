'use strict';

/**
 * @import { Entry } from '../../change/pure/journal'
 * @import { Identity } from '../../server/pure/replica-set'
 */

/**
 * Whether a change was made in the set that answers, by whichever member: its journal is that of
 * this computer, and the next shell may have another member. A mongos does not say which sets are
 * behind it, so each change of several members counts there.
 * @param {Pick<Entry, 'run' | 'group'>} entry
 * @param {Identity} is
 * @returns {boolean}
 */
function isOfSet({ run, group }, is) {
  if (is.isMongos) return group !== undefined;
  if (group?.setId && is.setId) return group.setId === is.setId;
  return [run.me, ...(group?.members ?? [])].some(
    (name) => typeof name === 'string' && is.members.includes(name),
  );
}

module.exports = { isOfSet };
