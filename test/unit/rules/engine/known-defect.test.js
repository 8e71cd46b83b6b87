'use strict';

const { testRule } = require('../../../support/rule-tester');

/** @param {number} version @param {object} [more] */
const release = (version, more = {}) => ({ 'server.versionNumber': version, ...more });
const missed = { 'eviction.goalMissedPerSec': 4, 'clients.waitingThreads': 3 };
const gap = { 'window.longestGapSeconds': 9, 'checkpoint.windowMaxMs': 12_000 };

testRule(__filename, [
  ['nothing but the release', release(70_012), 'ok', 'none'],
  [
    'a mark of trouble',
    release(70_012, missed),
    'warning',
    'shown',
    { ticket: 'WT-12643', fixedIn: '7.0.14', others: [] },
  ],
  ['the same in the fixed release', release(70_014, missed), 'ok', 'none'],
  [
    'just below the mark',
    release(70_012, { ...missed, 'clients.waitingThreads': 0.9 }),
    'ok',
    'none',
  ],
  [
    'two marks: the severer leads',
    release(70_004, { ...missed, ...gap }),
    'warning',
    'shown',
    { ticket: 'WT-12643', others: ['WT-7929'] },
  ],
  ['what only disturbs reading', release(60_005, gap), 'info', 'shown', { ticket: 'WT-7929' }],
  ['what another rule says', release(60_005, { 'eviction.aggressiveScoreMax': 900 }), 'ok', 'none'],
]);
