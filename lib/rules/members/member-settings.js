'use strict';

const { SETTING_NAMES } = require('../../config/setting-table');
const { defineMemberRule } = require('../rule');
const { groups, difference, differs } = require('../member-groups');

/** The size of the cache has a rule of its own. */
const COMPARED = SETTING_NAMES.filter((setting) => setting !== 'cacheSizeGB');

module.exports = defineMemberRule({
  id: 'member-settings',
  isBetween: true,
  title: 'Members with different engine settings',
  why:
    "Settings of the engine are each member's own: set on the primary alone, they are gone " +
    'after the next election, and a secondary that evicts otherwise lags otherwise.',
  needs: ['settings'],
  threshold:
    'Warning for each setting of tune.settings() that is known on two members and differs.',
  source: 'MongoDB manual, wiredTigerEngineRuntimeConfig (it is not replicated)',
  advice:
    'Set the same on all: tune.apply(change, { members: "all" }), and in every mongod.conf ' +
    '(tune.mongodConf()).',
  whenNot: 'While a change is tried on one member on purpose.',
  check: (_set, known) =>
    COMPARED.flatMap((setting) => {
      const found = groups(
        known.filter(({ settings }) => (settings?.[setting]?.value ?? null) !== null),
        ({ settings }) => String(settings?.[setting]?.value),
      );
      return found.length < 2 ? [] : [difference(setting, found)];
    }),
  messages: {
    fine: () => 'The engine settings in effect are the same on all members.',
    differs: (values) => differs(values),
  },
});
