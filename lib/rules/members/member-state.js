'use strict';

const { defineMemberRule } = require('../rule');
const { sources, manual } = require('../sources');

/** Neither reads nor votes of any use come from a member in these. */
const PASSING = new Set(['startup', 'startup2', 'recovering', 'rollback', 'removed', 'unknown']);

module.exports = defineMemberRule({
  id: 'member-state',
  title: 'Members that are neither primary nor secondary',
  why:
    'A member in RECOVERING, ROLLBACK or STARTUP2 (initial sync) serves no reads and cannot ' +
    'become primary. One that stays there has usually fallen off the oplog.',
  needs: ['role'],
  threshold: 'Warning: each such member, and a set without a primary.',
  source: sources(manual('Replica Set Member States', 'manual/reference/replica-states/')),
  advice:
    'Check its log for the reason. If it is too stale to catch up, and another member has all ' +
    'data: stop it, move its dbPath files away, and start it. An initial sync follows.',
  whenNot: 'Not during a deliberate initial sync.',
  check({ name, rows, newestMs }) {
    const passing = rows
      .filter(({ role, isUp }) => isUp && PASSING.has(role))
      .map(({ host, role }) => ({
        status: /** @type {const} */ ('warning'),
        code: /** @type {const} */ ('passing-state'),
        subject: host,
        evidence: { role },
        values: { name: host, state: role.toUpperCase() },
      }));
    const hasNoPrimary =
      name !== null && newestMs !== null && !rows.some(({ role }) => role === 'primary');
    return hasNoPrimary
      ? [
          ...passing,
          { status: 'warning', code: 'no-primary', subject: name, values: { name, state: '' } },
        ]
      : passing;
  },
  messages: {
    fine: () => 'Every member is primary, secondary or arbiter.',
    'passing-state': ({ name, state }) => `${name} is in state ${state}.`,
    'no-primary': ({ name }) => `Replica set ${name} has no primary: no writes are possible.`,
  },
});
