'use strict';

const { testRule } = require('../../../support/rule-tester');

testRule(__filename, [
  ['the default', { 'config.journalCommitMs': 100 }, 'ok', /100 ms, as by default/],
  [
    'shorter',
    { 'config.journalCommitMs': 99 },
    'info',
    /every 99 ms instead of 100 ms: more syncs/,
    /journalCommitInterval: 100/,
  ],
  ['longer', { 'config.journalCommitMs': 101 }, 'info', /more to lose in a crash/],
]);
