'use strict';

const { bytes, percent } = require('../../base/pure/units');
const { defineMemberRule } = require('../define-member-rule');
const { groups, listed } = require('../member-groups');
const { whole } = require('../../signals/words');

// The default is half of the memory less 1 GiB: machines of one kind tell a few MB more or less.
// Ours.
const TOLERANCE = 0.1;

module.exports = defineMemberRule({
  id: 'cache-difference',
  isBetween: true,
  title: 'Members whose caches differ in size',
  why:
    'A smaller cache on one member makes it the slow one: it lags under the load that the ' +
    'others bear, and after an election the set is slower than before, though nobody changed ' +
    'anything.',
  needs: ['cache'],
  threshold:
    `Warning when the smallest cache is more than ${whole(TOLERANCE)} smaller than the ` +
    'largest; only information where those with less can not become primary (priority 0).',
  source:
    'MongoDB manual, Replica Set Deployment Architectures; ' +
    'storage.wiredTiger.engineConfig.cacheSizeGB',
  advice:
    'Give them the same cache: tune.apply({ cacheSizeGB: … }, { members: "all" }), and the ' +
    'same lines in every mongod.conf.',
  whenNot: 'A member for backups or reports alone may have less, as long as it keeps up.',
  fine: 'All members have caches of one size.',
  check({ name }, known) {
    const sized = known.flatMap((row) =>
      row.cache?.maxBytes ? [{ row, maxBytes: row.cache.maxBytes }] : [],
    );
    const max = Math.max(0, ...sized.map(({ maxBytes }) => maxBytes));
    const small = sized.filter(({ maxBytes }) => maxBytes < max * (1 - TOLERANCE));
    if (small.length === 0) return [];
    const min = Math.min(...small.map(({ maxBytes }) => maxBytes));
    return [
      {
        status: small.every(({ row }) => row.priority === 0) ? 'info' : 'warning',
        subject: name ?? undefined,
        evidence: { largestBytes: max, smallestBytes: min },
        say: `The smallest cache is ${percent(1 - min / max)} smaller than the largest: ${listed(
          groups(
            sized.map(({ row }) => row),
            ({ cache }) => bytes(cache?.maxBytes),
          ),
        )}.`,
      },
    ];
  },
});
