'use strict';

const { testRule } = require('../../../support/rule-tester');

testRule(__filename, [
  ['at once', { 'checkpoint.prepareMs': 3 }, 'ok', 'fine', { prepareMs: 3 }],
  [
    'just below a second',
    { 'checkpoint.prepareMs': 999, 'checkpoint.gatherMs': 900, 'handles.active': 50_000 },
    'ok',
    'fine',
    { gatherMs: 900, handles: 50000 },
  ],
  ['before the first one', { 'checkpoint.prepareMs': 0 }, 'unknown', 'none-yet'],
  ['a second', { 'checkpoint.prepareMs': 1000 }, 'warning', 'long', { prepareMs: 1000 }],
]);
