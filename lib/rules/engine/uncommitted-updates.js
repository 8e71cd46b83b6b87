'use strict';

const { percent, shortPercent } = require('../../base/pure/units');
const { defineRule } = require('../rule');
const { DEFAULT_TRIGGER_RATIO, OF_DIRTY } = require('../../signals/dirty-limit');
const { sources, statistic, parameter } = require('../sources');

// WiredTiger's default eviction_updates_trigger.
const TRIGGER_RATIO = DEFAULT_TRIGGER_RATIO * OF_DIRTY;
// Uncommitted changes are half of the trigger; heuristic.
const LARGE_SHARE = 0.5;

module.exports = defineRule({
  id: 'uncommitted-updates',
  area: 'history',
  title: 'Large uncommitted transactions fill the cache',
  why:
    'Changes of a transaction that has not committed cannot be evicted. When they reach the updates ' +
    'trigger, no eviction thread can bring the cache back below it.',
  needs: ['cache.uncommittedRatio'],
  wants: ['config.updatesTriggerRatio'],
  evidence: ['cache.uncommittedRatio', 'config.updatesTriggerRatio'],
  thresholds: { largeRatio: LARGE_SHARE },
  threshold:
    `Warning: ${shortPercent(LARGE_SHARE)} of eviction_updates_trigger (default ${shortPercent(TRIGGER_RATIO)} of ` +
    'the cache). Critical: all of it. Servers before 8.2.1 do not report it.',
  source: sources(
    statistic('updates in uncommitted txn - bytes'),
    parameter('transactionTooLargeForCacheThreshold'),
    'half of the trigger is a heuristic',
  ),
  advice:
    'Make transactions smaller: fewer or smaller documents each. A larger cache only moves the limit.',
  whenNot: 'A bulk load that runs alone may fill the cache for a while.',
  speaksFor: ['history', 'cache-dirty'],
  check(
    {
      'cache.uncommittedRatio': uncommittedRatio,
      'config.updatesTriggerRatio': triggerRatio = TRIGGER_RATIO,
    },
    { largeRatio },
  ) {
    const values = { uncommittedRatio, triggerRatio };
    if (uncommittedRatio >= triggerRatio) return { status: 'critical', code: 'at-trigger', values };
    return uncommittedRatio >= triggerRatio * largeRatio
      ? { status: 'warning', code: 'large', values }
      : { status: 'ok', code: 'fine', values };
  },
  messages: {
    fine: (values) => `${volume(values)}.`,
    large: (values) => `${volume(values)}.`,
    'at-trigger': (values) => `${volume(values)}: eviction cannot remove any of it.`,
  },
});

/** @param {{ uncommittedRatio: number, triggerRatio: number }} values */
const volume = ({ uncommittedRatio, triggerRatio }) =>
  `${percent(uncommittedRatio)} of the cache are changes of transactions that have not committed ` +
  `(updates trigger ${percent(triggerRatio)})`;
