'use strict';

const { testRule } = require('../../../support/rule-tester');

const release = (/** @type {number} */ version, /** @type {number} */ score = 100) => ({
  'server.versionNumber': version,
  'eviction.aggressiveMax': score,
});

testRule(__filename, [
  ['before the fix, not stuck', release(60_005, 99), 'ok', /at most 99 of 100/],
  ['before the fix, stuck', release(60_005), 'info', /may go on writing/, /verbose=\[\]/],
  ['7.0.20', release(70_020), 'info'],
  ['7.0.21 has it', release(70_021), 'ok', /turns the messages/],
  ['7.3 has it not', release(70_304), 'info'],
  ['what comes just before 8.0', release(79_999), 'info'],
  ['8.0 has it', release(80_000), 'ok'],
]);
