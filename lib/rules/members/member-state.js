'use strict';

const { defineMemberRule } = require('../define-member-rule');

/** Neither reads nor votes of any use come from a member in these. */
const PASSING = new Set(['startup', 'startup2', 'recovering', 'rollback', 'removed', 'unknown']);

module.exports = defineMemberRule({
  id: 'member-state',
  title: 'Members that are neither primary nor secondary',
  why:
    'A member in RECOVERING, ROLLBACK or STARTUP2 (initial sync) answers no reads and can not ' +
    'become primary; one that stays there has usually fallen out of the oplog.',
  needs: ['role'],
  threshold: 'Warning for every such member; also for a set without a primary.',
  source: 'MongoDB manual, Replica Set Member States',
  advice:
    'Its log tells why. If it is too stale to catch up, resync it: empty its dbPath and ' +
    'start it again.',
  whenNot: 'During an initial sync that was begun on purpose.',
  fine: 'Every member is primary, secondary or arbiter.',
  check({ name, rows, newestMs }) {
    const passing = rows
      .filter(({ role, isUp }) => isUp && PASSING.has(role))
      .map(({ host, role }) => ({
        status: /** @type {const} */ ('warning'),
        subject: host,
        evidence: { role },
        say: `${host} is in state ${role.toUpperCase()}.`,
      }));
    const leaderless =
      name !== null && newestMs !== null && !rows.some(({ role }) => role === 'primary');
    return leaderless
      ? [
          ...passing,
          {
            status: /** @type {const} */ ('warning'),
            subject: name,
            evidence: {},
            say: `The set ${name} has no primary: nothing can be written.`,
          },
        ]
      : passing;
  },
});
