'use strict';

const { bytes } = require('../../base/pure/units');
const { defineMemberRule } = require('../rule');
const { groups, listed } = require('../member-groups');
const { whole } = require('../../signals/words');

// hostInfo reports the memory less what the firmware keeps, which differs a little on machines of one
// kind. Heuristic.
const TOLERANCE = 0.1;

module.exports = defineMemberRule({
  id: 'member-machines',
  isBetween: true,
  title: 'Members on machines of different size',
  why: 'The smallest machine of those that may become primary decides what the set can bear.',
  needs: ['memoryBytes', 'cores'],
  threshold:
    `Information when memory differs by more than ${whole(TOLERANCE)}, or the number of ` +
    'CPUs at all.',
  source: 'MongoDB manual, Replica Set Deployment Architectures',
  advice: 'Size the set by its smallest electable member, or give that one priority 0.',
  whenNot: 'Members for backups or reports alone.',
  check({ name }, known) {
    const memory = known.map(({ memoryBytes }) => Number(memoryBytes));
    const isDifferent =
      Math.min(...memory) < Math.max(...memory) * (1 - TOLERANCE) ||
      new Set(known.map(({ cores }) => cores)).size > 1;
    if (!isDifferent) return [];
    const machines = groups(
      known,
      ({ memoryBytes, cores }) =>
        `${bytes(memoryBytes)} and ${cores} ${cores === 1 ? 'core' : 'cores'}`,
    );
    return [
      {
        status: 'info',
        code: 'differ',
        subject: name ?? undefined,
        values: { machines },
        evidence: { machines: machines.length },
      },
    ];
  },
  messages: {
    fine: () => 'The members run on machines of one size.',
    differ: ({ machines }) => `The members' machines differ: ${listed(machines)}.`,
  },
});
