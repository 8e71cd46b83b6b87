'use strict';

const { differences } = require('../../base/pure/differences');
const { sharedOptions } = require('../../config/member-options');
const { defineMemberRule } = require('../rule');
const { differs, differenceOf } = require('../member-groups');

module.exports = defineMemberRule({
  id: 'member-options',
  isBetween: true,
  title: 'Members started with different options',
  why:
    'What stands in one mongod.conf and not in the others is in effect only as long as that ' +
    'member is the primary.',
  needs: ['options'],
  threshold:
    'Warning for each option of the start that differs, other than addresses, paths and key ' +
    "files, which are each member's own.",
  source: 'getCmdLineOpts of each member',
  advice:
    'Bring the mongod.conf of the members in line, then restart them one by one. ' +
    'tune.drift() shows each difference with its values.',
  whenNot: 'A member with another task: hidden, for backups or reports.',
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
