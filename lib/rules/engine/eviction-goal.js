'use strict';

const { defineRule } = require('../rule');
const { count } = require('../../base/pure/units');
const { evictionLoss, isEvictionSevere, timeSpent } = require('../../signals/clients');
const { sources, statistic } = require('../sources');

module.exports = defineRule({
  id: 'eviction-goal',
  area: 'eviction',
  title: 'Eviction missing its goal',
  why:
    'The eviction server counts the passes in which it could not bring the cache below its ' +
    'targets. A growing count means that pages are pinned by snapshots, constantly in use, or ' +
    'written too slowly.',
  needs: ['eviction.goalMissedPerSec'],
  wants: [
    'clients.waitingThreads',
    'clients.evictingThreads',
    'clients.busyThreads',
    'eviction.aggressiveScoreMax',
  ],
  evidence: ['eviction.goalMissedPerSec', 'eviction.aggressiveScoreMax'],
  threshold:
    'Information: the count grows. Warning: it grows while eviction takes a quarter of an ' +
    'application thread and a tenth of application-thread time.',
  source: sources(
    statistic('eviction server unable to reach eviction goal'),
    'project measurement: 0.6/s when writes outran a disk',
  ),
  advice:
    'Check dirty-ratio (write rate of the disk), pinned-timestamps and history-store (old ' +
    'snapshots), and hazard-pointers (pages in use).',
  whenNot:
    'No setting changes it. Some missed passes right after the cache was made smaller need no ' +
    'action.',
  check(metrics) {
    const { 'eviction.goalMissedPerSec': missedPerSec } = metrics;
    const { threads = 0, share = 0 } = evictionLoss(metrics) ?? {};
    const values = { missedPerSec, threads, share };
    if (missedPerSec === 0) return { status: 'ok', code: 'reached', values };
    return isEvictionSevere(metrics)
      ? { status: 'warning', code: 'missed-at-a-cost', values }
      : { status: 'info', code: 'missed', values };
  },
  messages: {
    reached: () => 'Eviction reached its goal in every pass.',
    missed: ({ missedPerSec }) => `Eviction missed its goal ${count(missedPerSec)} times/s.`,
    'missed-at-a-cost': ({ missedPerSec, ...loss }) =>
      `Eviction missed its goal ${count(missedPerSec)} times/s; ` +
      `${timeSpent(loss, 'waiting for cache space')}.`,
  },
});
