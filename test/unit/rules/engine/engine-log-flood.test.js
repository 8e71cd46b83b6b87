'use strict';

const { testRule } = require('../../../support/rule-tester');

const release = (/** @type {number} */ version, /** @type {number} */ score = 100) => ({
  'server.versionNumber': version,
  'eviction.aggressiveScoreMax': score,
});

testRule(__filename, [
  ['before the fix, not stuck', release(60_005, 99), 'ok', 'not-stuck', { score: 99 }],
  ['before the fix, stuck', release(60_005), 'info', 'stuck'],
  ['7.0.20', release(70_020), 'info', 'stuck'],
  ['7.0.21 has it', release(70_021), 'ok', 'mended-release'],
  ['7.3 has it not', release(70_304), 'info', 'stuck'],
  ['what comes just before 8.0', release(79_999), 'info', 'stuck'],
  ['8.0 has it', release(80_000), 'ok', 'mended-release'],
]);
