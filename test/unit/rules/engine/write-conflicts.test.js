'use strict';

const { testRule } = require('../../../support/rule-tester');

const conflicts = (/** @type {number} */ perSec, /** @type {number | undefined} */ writes) => ({
  'transaction.conflictsPerSec': perSec,
  ...(writes === undefined ? {} : { 'ops.writesPerSec': writes }),
});

testRule(__filename, [
  ['none', conflicts(0, 100), 'ok', 'rare', { conflictsPerSec: 0 }],
  ['too few to judge', conflicts(0.99, 1), 'ok', 'rare'],
  ['just below a tenth', conflicts(9.9, 100), 'ok', 'fine', { ratio: 0.099 }],
  ['a tenth', conflicts(10, 100), 'warning', 'often', { ratio: 0.1 }],
  ['writes are not known', conflicts(10, undefined), 'ok', 'fine', { ratio: null }],
  ['no write counted', conflicts(10, 0), 'ok', 'fine', { ratio: null }],
]);
