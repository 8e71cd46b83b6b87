'use strict';

const { testRule } = require('../../../support/rule-tester');

const missed = (/** @type {number} */ perSec, /** @type {number} */ waiting = 0) => ({
  'eviction.goalMissedPerSec': perSec,
  'clients.waitingThreads': waiting,
  'clients.busyThreads': 2,
  'eviction.aggressiveScoreMax': 40,
});

testRule(__filename, [
  ['always reached', missed(0, 1), 'ok', 'reached', { missedPerSec: 0 }],
  ['missed, and nobody loses by it', missed(0.02), 'info', 'missed', { missedPerSec: 0.02 }],
  ['just below a quarter of a thread', missed(0.6, 0.24), 'info', 'missed'],
  [
    'missed, and clients lose by it',
    missed(0.6, 0.25),
    'warning',
    'missed-at-a-cost',
    { missedPerSec: 0.6, threads: 0.25 },
  ],
  ['what it costs is not known', { 'eviction.goalMissedPerSec': 3 }, 'info', 'missed'],
]);
