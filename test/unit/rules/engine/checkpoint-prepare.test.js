'use strict';

const { testRule } = require('../../../support/rule-tester');

testRule(__filename, [
  ['at once', { 'checkpoint.prepareMs': 3 }, 'ok', /3 ms to begin\.$/],
  [
    'just below a second',
    { 'checkpoint.prepareMs': 999, 'checkpoint.gatherMs': 900, 'handles.active': 50_000 },
    'ok',
    /900 ms of it for gathering handles; 50,000 are active/,
  ],
  ['a second', { 'checkpoint.prepareMs': 1000 }, 'warning', /1 s to begin/, /fewer collections/],
]);
