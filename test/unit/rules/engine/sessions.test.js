'use strict';

const { testRule } = require('../../../support/rule-tester');

testRule(__filename, [
  ['few', { 'sessions.open': 23 }, 'ok', /^23 sessions .*0\.1 % of 33,000/],
  ['one', { 'sessions.open': 1 }, 'ok', /^1 session of the storage engine is open/],
  ['just below 80 %', { 'sessions.open': 26_399 }, 'ok'],
  ['80 %', { 'sessions.open': 26_400 }, 'warning', /80\.0 %/, /maxPoolSize/],
  ['just below 95 %', { 'sessions.open': 31_349 }, 'warning'],
  ['95 %', { 'sessions.open': 31_350 }, 'critical'],
]);
