'use strict';

const { defineMemberRule } = require('../rule');

/** Neither reads nor votes of any use come from a member in these. */
const PASSING = new Set(['startup', 'startup2', 'recovering', 'rollback', 'removed', 'unknown']);

module.exports = defineMemberRule({
  id: 'member-state',
  title: 'Members that are neither primary nor secondary',
  why:
    'A member in RECOVERING, ROLLBACK or STARTUP2 (initial sync) answers no reads and cannot ' +
    'become primary; one that stays there has usually fallen out of the oplog.',
  needs: ['role'],
  threshold: 'Warning for every such member; also for a set without a primary.',
  source: 'MongoDB manual, Replica Set Member States',
  advice:
    'Its log tells why. If it is too stale to catch up, resync it: empty its dbPath and ' +
    'start it again.',
  whenNot: 'During an initial sync that was begun on purpose.',
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
    'no-primary': ({ name }) => `The set ${name} has no primary: nothing can be written.`,
  },
});
