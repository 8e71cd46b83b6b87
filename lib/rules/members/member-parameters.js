'use strict';

const {
  differences,
  flatten,
  sharedParameters,
  sharedOptions,
} = require('../../config/member-differences');
const { defineMemberRule } = require('../rule');
const { differs, differenceOf } = require('../members-by-value');
const { sources, manual } = require('../sources');

module.exports = defineMemberRule({
  id: 'member-parameters',
  isBetween: true,
  title: 'Members with different server parameters',
  why:
    'setParameter changes only one member. After the next election, the set behaves ' +
    'differently.',
  needs: ['parameters', 'version'],
  threshold:
    'Warning: each parameter that differs between members of the same release. Differences ' +
    'already found in the start-up options are not repeated.',
  source: sources(manual('getParameter', 'manual/reference/command/getParameter/')),
  advice:
    'Set the same value on all members, and in the setParameter section of every mongod.conf. ' +
    'tune.drift() shows each difference with its values.',
  whenNot: 'Not while a parameter is deliberately tested on one member.',
  check(_set, known) {
    const atStart = new Set(
      differences(
        known.map(({ host, options }) => ({ host, values: sharedOptions(options ?? {}) })),
      ).map(({ name }) => name.replace(/^setParameter\./, '')),
    );
    const byVersion = [...new Set(known.map(({ version }) => version))].map((version) =>
      known.filter((row) => row.version === version),
    );
    return byVersion
      .flatMap((rows) =>
        differences(
          rows.map(({ host, parameters }) => ({
            host,
            values: flatten(sharedParameters(/** @type {Record<string, unknown>} */ (parameters))),
          })),
          { common: true },
        ),
      )
      .filter(({ name }) => !atStart.has(name))
      .map(differenceOf);
  },
  messages: {
    fine: () => 'The server parameters are the same on all members.',
    differs: (values) => differs(values),
  },
});
