'use strict';

const { SETTING_NAMES } = require('../../config/setting-table');
const { defineMemberRule } = require('../rule');
const { membersByValue, difference, differs } = require('../members-by-value');
const { sources, parameter } = require('../sources');

/** The size of the cache has its own rule. */
const COMPARED = SETTING_NAMES.filter((setting) => setting !== 'cacheSizeGB');

module.exports = defineMemberRule({
  id: 'member-settings',
  isBetween: true,
  title: 'Members with different engine settings',
  why:
    'Engine settings are not replicated. Set only on the primary, they are gone after the next ' +
    'election; a secondary with other eviction settings may lag.',
  needs: ['settings'],
  threshold: 'Warning: each setting of tune.settings() that is known on two members and differs.',
  source: sources(parameter('wiredTigerEngineRuntimeConfig')),
  advice:
    'Set the same value on all members: tune.apply(change, { members: "all" }), and in every ' +
    'mongod.conf (tune.mongodConf()).',
  whenNot: 'Not while a change is deliberately tested on one member.',
  check: (_set, known) =>
    COMPARED.flatMap((setting) => {
      const found = membersByValue(
        known.filter(({ settings }) => (settings?.[setting]?.value ?? null) !== null),
        ({ settings }) => String(settings?.[setting]?.value),
      );
      return found.length < 2 ? [] : [difference(setting, found)];
    }),
  messages: {
    fine: () => 'The effective engine settings are the same on all members.',
    differs: (values) => differs(values),
  },
});
