'use strict';

const { testRule } = require('../../../support/rule-tester');

const missed = (/** @type {number} */ perSec, /** @type {number} */ waiting = 0) => ({
  'eviction.goalMissedPerSec': perSec,
  'clients.waitingForCache': waiting,
  'clients.busy': 2,
  'eviction.aggressiveMax': 40,
});

testRule(__filename, [
  ['always reached', missed(0, 1), 'ok', /in 0 rounds/],
  ['missed, and nobody loses by it', missed(0.02), 'info', /0\.02 times a second\.$/],
  ['just below a quarter of a thread', missed(0.6, 0.24), 'info'],
  [
    'missed, and clients lose by it',
    missed(0.6, 0.25),
    'warning',
    /0\.6 times a second, and costs the clients 0\.25 threads/,
    /dirty-ratio/,
  ],
  ['what it costs is not known', { 'eviction.goalMissedPerSec': 3 }, 'info'],
]);
