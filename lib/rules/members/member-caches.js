'use strict';

const { bytes, percent } = require('../../base/pure/units');
const { defineMemberRule } = require('../rule');
const { groups, listed } = require('../member-groups');
const { whole } = require('../../signals/words');

// The default is half of the memory less 1 GiB: machines of one kind tell a few MB more or less.
// Heuristic.
const TOLERANCE = 0.1;

module.exports = defineMemberRule({
  id: 'member-caches',
  isBetween: true,
  title: 'Members with different cache sizes',
  why:
    'A smaller cache on one member makes it the slow one: it lags under the load that the ' +
    'others bear, and after an election the set is slower than before, though nobody changed ' +
    'anything.',
  needs: ['cache'],
  threshold:
    `Warning when the smallest cache is more than ${whole(TOLERANCE)} smaller than the ` +
    'largest; only information where those with less cannot become primary (priority 0).',
  source:
    'MongoDB manual, Replica Set Deployment Architectures; ' +
    'storage.wiredTiger.engineConfig.cacheSizeGB',
  advice:
    'Give them the same cache: tune.apply({ cacheSizeGB: … }, { members: "all" }), and the ' +
    'same lines in every mongod.conf.',
  whenNot: 'A member for backups or reports alone may have less, as long as it keeps up.',
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
          caches: groups(rows, ({ cache }) => bytes(cache?.maxBytes)),
        },
        evidence: { largestBytes, smallestBytes },
      },
    ];
  },
  messages: {
    fine: () => 'All members have caches of one size.',
    differ: ({ smallerRatio, caches }) =>
      `The smallest cache is ${percent(smallerRatio)} smaller than the largest: ${listed(caches)}.`,
  },
});
