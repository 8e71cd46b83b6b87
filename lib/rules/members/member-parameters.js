'use strict';

const { differences, flatten } = require('../../base/pure/differences');
const { sharedParameters, sharedOptions } = require('../../config/member-options');
const { defineMemberRule } = require('../rule');
const { differs, differenceOf } = require('../member-groups');

module.exports = defineMemberRule({
  id: 'member-parameters',
  isBetween: true,
  title: 'Members with different server parameters',
  why:
    'setParameter changes one member, and nobody else hears of it. After the next election the ' +
    'set behaves otherwise.',
  needs: ['parameters', 'version'],
  threshold:
    'Warning for each parameter that both members have and that differs, where they run the ' +
    'same release; what the options of the start say already is not said again.',
  source: 'getParameter: "*" of each member',
  advice:
    'Set the same on all members, and in the setParameter section of every mongod.conf. ' +
    'tune.drift() shows each difference with its values.',
  whenNot: 'While a parameter is tried on one member on purpose.',
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
