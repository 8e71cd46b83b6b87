'use strict';

const { defineRule } = require('../define-rule');
const { many } = require('../../signals/words');
const { evictionLoss, isEvictionSevere, lossWords } = require('../../signals/clients');

module.exports = defineRule({
  id: 'eviction-goal',
  area: 'eviction',
  title: 'Whether eviction reaches its goal',
  why:
    'The eviction server counts the rounds in which it could not bring the cache below its ' +
    'targets. Where the count grows, pages are pinned by old snapshots, are in use all the ' +
    'time, or are written more slowly than they become dirty.',
  needs: ['eviction.goalMissedPerSec'],
  wants: ['clients.waitingForCache', 'clients.evicting', 'clients.busy', 'eviction.aggressiveMax'],
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
    const { 'eviction.goalMissedPerSec': missed, 'eviction.aggressiveMax': score } = metrics;
    const evidence = {
      'eviction.goalMissedPerSec': missed,
      'eviction.aggressiveMax': score ?? null,
    };
    if (missed === 0)
      return { status: 'ok', say: 'Eviction has missed its goal in 0 rounds.', evidence };
    const say = `Eviction missed its goal ${many(missed, 'time')} a second`;
    const loss = evictionLoss(metrics);
    if (loss === undefined || !isEvictionSevere(metrics))
      return { status: 'info', say: `${say}.`, evidence };
    return {
      status: 'warning',
      say: `${say}, and costs the clients ${lossWords(loss)}.`,
      evidence,
    };
  },
});
