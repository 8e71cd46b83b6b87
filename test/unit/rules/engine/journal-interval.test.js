'use strict';

const { testRule } = require('../../../support/rule-tester');

testRule(__filename, [
  ['the default', { 'config.journalCommitMs': 100 }, 'ok', 'default', { intervalMs: 100 }],
  ['shorter', { 'config.journalCommitMs': 99 }, 'info', 'shorter', { intervalMs: 99 }],
  ['longer', { 'config.journalCommitMs': 101 }, 'info', 'longer'],
]);
