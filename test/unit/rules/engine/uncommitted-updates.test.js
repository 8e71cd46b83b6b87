'use strict';

const { testRule } = require('../../../support/rule-tester');

const volume = (/** @type {number} */ ratio, more = {}) => ({
  'cache.uncommittedRatio': ratio,
  ...more,
});
const TRIGGER = { 'config.updatesTriggerRatio': 0.2 };

testRule(__filename, [
  ['none', volume(0), 'ok', 'fine', { uncommittedRatio: 0, triggerRatio: 0.1 }],
  ['just below half of the trigger', volume(0.0499), 'ok', 'fine'],
  ['half of it', volume(0.05), 'warning', 'large'],
  ['just below it', volume(0.0999), 'warning', 'large'],
  ['at it', volume(0.1), 'critical', 'at-trigger'],
  ['just below half of a higher one', volume(0.0999, TRIGGER), 'ok', 'fine', { triggerRatio: 0.2 }],
  ['half of a higher one', volume(0.1, TRIGGER), 'warning', 'large'],
]);
