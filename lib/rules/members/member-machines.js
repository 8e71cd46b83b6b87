'use strict';

const { bytes, many, shortPercent } = require('../../base/pure/units');
const { defineMemberRule } = require('../rule');
const { membersByValue, listed } = require('../members-by-value');
const { sources, manual } = require('../sources');

// hostInfo reports the memory less what the firmware keeps, which differs a little on machines of one
// kind. Heuristic.
const TOLERANCE = 0.1;

module.exports = defineMemberRule({
  id: 'member-machines',
  isBetween: true,
  title: 'Members on machines of different size',
  why: 'The smallest machine that can become primary limits the load of the set.',
  needs: ['memoryBytes', 'cores'],
  threshold: `Information: RAM differs by more than ${shortPercent(TOLERANCE)}, or the number of CPUs differs.`,
  source: sources(
    manual('Replica Set Deployment Architectures', 'manual/core/replica-set-architectures/'),
  ),
  advice: 'Size the set by its smallest electable member, or give that member priority 0.',
  whenNot: 'Members only for backups or reports.',
  check({ name }, known) {
    const memory = known.map(({ memoryBytes }) => Number(memoryBytes));
    const isDifferent =
      Math.min(...memory) < Math.max(...memory) * (1 - TOLERANCE) ||
      new Set(known.map(({ cores }) => cores)).size > 1;
    if (!isDifferent) return [];
    const machines = membersByValue(
      known,
      ({ memoryBytes, cores }) => `${bytes(memoryBytes)} RAM and ${many(cores, 'CPU')}`,
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
    fine: () => 'All members run on machines of the same size.',
    differ: ({ machines }) => `Machine sizes differ: ${listed(machines)}.`,
  },
});
