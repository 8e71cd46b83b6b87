'use strict';

const { differences, sharedOptions } = require('../../config/member-differences');
const { defineMemberRule } = require('../rule');
const { differs, differenceOf } = require('../members-by-value');
const { sources, manual } = require('../sources');

module.exports = defineMemberRule({
  id: 'member-options',
  isBetween: true,
  title: 'Members started with different options',
  why: 'An option that is in only one mongod.conf applies only while that member is primary.',
  needs: ['options'],
  threshold: 'Warning: each start-up option that differs, except addresses, paths and key files.',
  source: sources(manual('getCmdLineOpts', 'manual/reference/command/getCmdLineOpts/')),
  advice:
    'Make the mongod.conf of all members equal, then restart them one by one. tune.drift() ' +
    'shows each difference with its values.',
  whenNot: 'A member with another purpose: hidden, for backups or reports.',
  check: (_set, known) =>
    differences(
      known.map(({ host, options }) => ({
        host,
        values: sharedOptions(/** @type {Record<string, unknown>} */ (options)),
      })),
    ).map(differenceOf),
  messages: {
    fine: () => 'All members were started with the same options.',
    differs: (values) => differs(values),
  },
});
