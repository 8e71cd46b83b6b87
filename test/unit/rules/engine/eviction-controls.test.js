'use strict';

const { testRule } = require('../../../support/rule-tester');

const stalled = {
  'server.versionNumber': 80_016,
  'cache.usedRatioMax': 0.79,
  'eviction.aggressiveScoreMax': 19,
  'cache.dirtyHardShare': 0.05,
  'clients.waitingThreads': 3,
  'clients.busyThreads': 10,
};
const but = (/** @type {Record<string, number>} */ more) => ({ ...stalled, ...more });

testRule(__filename, [
  ['stalls at the dirty trigger', stalled, 'info', 'worth-trying', { lostThreads: 3 }],
  [
    'at the updates trigger',
    but({ 'cache.dirtyHardShare': 0, 'cache.updatesHardShare': 0.05 }),
    'info',
    'worth-trying',
  ],
  ['a full cache', but({ 'cache.usedRatioMax': 0.8 }), 'ok', 'no-need'],
  ['all are drawn in already', but({ 'eviction.aggressiveScoreMax': 20 }), 'ok', 'no-need'],
  ['hardly ever at a trigger', but({ 'cache.dirtyHardShare': 0.049 }), 'ok', 'no-need'],
  ['no client waits', but({ 'clients.waitingThreads': 0 }), 'ok', 'no-need'],
  ['a release before them', but({ 'server.versionNumber': 80_015 }), 'ok', 'not-there'],
  ['the last of the line', but({ 'server.versionNumber': 80_099 }), 'info', 'worth-trying'],
  ['a line of which it is not known', but({ 'server.versionNumber': 80_100 }), 'ok', 'not-there'],
]);
