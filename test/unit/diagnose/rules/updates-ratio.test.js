'use strict';

const { testRule } = require('../../../support/rule-tester');

const updates = (/** @type {number} */ ratio, /** @type {number} */ waiting = 0) => ({ 'cache.updatesRatio': ratio, 'clients.waitingForCache': waiting });

testRule(__filename, [
  ['below the target', updates(0.025), 'ok', /below the target of 2\.5 %/],
  ['above it', updates(0.026), 'info'],
  ['three quarters of the way', updates(0.075), 'info'],
  ['beyond them', updates(0.076), 'warning', /close to the trigger of 10 %/],
  ['just below the trigger', updates(0.099), 'warning'],
  ['at the trigger, harmless', updates(0.1, 0.05), 'warning', /lose 0\.05 threads/],
  ['at the trigger, and clients wait', updates(0.1, 0.06), 'critical', /10\.0 %/, /currentOp/],
  ['at the trigger, and what it costs is not known', { 'cache.updatesRatio': 0.1 }, 'critical', /trigger of 10 %\.$/],
  ['a trigger of its own counts', { ...updates(0.1, 1), 'config.updatesTriggerRatio': 0.2, 'config.updatesTargetRatio': 0.1 }, 'ok'],
]);
