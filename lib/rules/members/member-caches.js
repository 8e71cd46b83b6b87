'use strict';

const { bytes, percent, shortPercent } = require('../../base/pure/units');
const { defineMemberRule } = require('../rule');
const { membersByValue, listed } = require('../members-by-value');
const { sources, manual, option } = require('../sources');

// The default is half of the memory less 1 GiB: machines of one kind report a few MB more or less.
// Heuristic.
const TOLERANCE = 0.1;

module.exports = defineMemberRule({
  id: 'member-caches',
  isBetween: true,
  title: 'Members with different cache sizes',
  why:
    'A member with a smaller cache lags under the same load. After an election to it, the set ' +
    'is slower, although no setting changed.',
  needs: ['cache'],
  threshold:
    `Warning: the smallest cache is more than ${shortPercent(TOLERANCE)} smaller than the largest. ` +
    'Information if the smaller ones cannot become primary (priority 0).',
  source: sources(
    manual('Replica Set Deployment Architectures', 'manual/core/replica-set-architectures/'),
    option('storage.wiredTiger.engineConfig.cacheSizeGB'),
  ),
  advice:
    'Use the same cache size on all members: tune.apply({ cacheSizeGB: … }, { members: "all" ' +
    '}), and the same line in every mongod.conf.',
  whenNot: 'A member for backups or reports may have a smaller cache, if it keeps up.',
  check({ name }, known) {
    const sized = known.flatMap((row) =>
      row.cache?.maxBytes ? [{ row, maxBytes: row.cache.maxBytes }] : [],
    );
    const largestBytes = Math.max(0, ...sized.map(({ maxBytes }) => maxBytes));
    const small = sized.filter(({ maxBytes }) => maxBytes < largestBytes * (1 - TOLERANCE));
    if (small.length === 0) return [];
    const smallestBytes = Math.min(...small.map(({ maxBytes }) => maxBytes));
    const rows = sized.map(({ row }) => row);
    return [
      {
        status: small.every(({ row }) => row.priority === 0) ? 'info' : 'warning',
        code: 'differ',
        subject: name ?? undefined,
        values: {
          smallerRatio: 1 - smallestBytes / largestBytes,
          caches: membersByValue(rows, ({ cache }) => bytes(cache?.maxBytes)),
        },
        evidence: { largestBytes, smallestBytes },
      },
    ];
  },
  messages: {
    fine: () => 'All members have the same cache size.',
    differ: ({ smallerRatio, caches }) =>
      `The smallest cache is ${percent(smallerRatio)} smaller than the largest: ${listed(caches)}.`,
  },
});
