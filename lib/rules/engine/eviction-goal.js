'use strict';

const { defineRule } = require('../rule');
const { many } = require('../../signals/words');
const { evictionLoss, isEvictionSevere, lossWords } = require('../../signals/clients');

module.exports = defineRule({
  id: 'eviction-goal',
  area: 'eviction',
  title: 'Eviction missing its goal',
  why:
    'The eviction server counts the rounds in which it could not bring the cache below its ' +
    'targets. Where the count grows, pages are pinned by old snapshots, are in use all the ' +
    'time, or are written more slowly than they become dirty.',
  needs: ['eviction.goalMissedPerSec'],
  wants: [
    'clients.waitingThreads',
    'clients.evictingThreads',
    'clients.busyThreads',
    'eviction.aggressiveScoreMax',
  ],
  evidence: ['eviction.goalMissedPerSec', 'eviction.aggressiveScoreMax'],
  threshold:
    'Growing: information. Growing while eviction costs the clients a quarter of a thread ' +
    'and a tenth of their time: warning.',
  source:
    'WiredTiger, statistic "eviction server unable to reach eviction goal"; 0.6 a second ' +
    'were seen with writes that outran a disk',
  advice:
    "Look at dirty-ratio (the disk's write rate), pinned-timestamps and history-store (old " +
    'snapshots), and hazard-pointers (pages in use).',
  whenNot:
    'There is no knob for it. A few rounds missed right after the cache was made smaller ' +
    'need nothing.',
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
    reached: () => 'Eviction has missed its goal in 0 rounds.',
    missed: ({ missedPerSec }) =>
      `Eviction missed its goal ${many(missedPerSec, 'time')} a second.`,
    'missed-at-a-cost': ({ missedPerSec, ...loss }) =>
      `Eviction missed its goal ${many(missedPerSec, 'time')} a second, and costs the clients ` +
      `${lossWords(loss)}.`,
  },
});
