'use strict';

const { testRule } = require('../../../support/rule-tester');

testRule(__filename, [
  ['few', { 'sessions.open': 23 }, 'ok', 'fine', { sessions: 23, ratio: 0.000697 }],
  ['one', { 'sessions.open': 1 }, 'ok', 'fine', { sessions: 1 }],
  ['just below 80%', { 'sessions.open': 26_399 }, 'ok', 'fine'],
  ['80%', { 'sessions.open': 26_400 }, 'warning', 'near-limit', { ratio: 0.8 }],
  ['just below 95%', { 'sessions.open': 31_349 }, 'warning', 'near-limit'],
  [
    'a limit of its own, just below 80%',
    { 'sessions.open': 399, 'config.sessionMax': 500 },
    'ok',
    'fine',
  ],
  [
    'and there',
    { 'sessions.open': 400, 'config.sessionMax': 500 },
    'warning',
    'near-limit',
    { ratio: 0.8, max: 500 },
  ],
  ['95%', { 'sessions.open': 31_350 }, 'critical', 'at-limit'],
]);
