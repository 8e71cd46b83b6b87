'use strict';

const { count, many } = require('../../base/pure/units');
const { defineRule } = require('../rule');
const { HEALTHY_THREADS, evictionLoss } = require('../../signals/clients');
const { sources, statistic } = require('../sources');

// A second in which a trigger was reached; heuristic.
const OFTEN_PER_SEC = 1;

module.exports = defineRule({
  id: 'eviction-triggers',
  area: 'eviction',
  title: 'Eviction triggers reached',
  why:
    'At a trigger, application threads must evict pages before they go on. The server counts each ' +
    'time (from 8.0.13 on), so that also what happens between two samples is seen.',
  needs: ['eviction.triggersReachedPerSec'],
  wants: ['clients.waitingThreads', 'clients.evictingThreads', 'clients.busyThreads'],
  evidence: ['eviction.triggersReachedPerSec'],
  thresholds: { oftenPerSec: OFTEN_PER_SEC },
  threshold:
    `Information: a trigger was reached. Warning: ${OFTEN_PER_SEC}/s, or application threads wait ` +
    'for eviction meanwhile.',
  source: sources(
    statistic('number of times dirty trigger was reached'),
    `${OFTEN_PER_SEC}/s is a heuristic`,
  ),
  advice:
    'See which one: dirty-ratio, updates-ratio and cache-fill. Then a larger cache, or fewer writes.',
  whenNot: 'One burst that reaches a trigger needs nothing while no application thread waits.',
  speaksFor: ['cache-dirty', 'eviction-threads'],
  check(metrics, { oftenPerSec }) {
    const reachedPerSec = metrics['eviction.triggersReachedPerSec'];
    const lostThreads = evictionLoss(metrics)?.threads ?? 0;
    const values = { reachedPerSec, lostThreads };
    if (reachedPerSec === 0) return { status: 'ok', code: 'never', values };
    if (reachedPerSec >= oftenPerSec) return { status: 'warning', code: 'often', values };
    return lostThreads > HEALTHY_THREADS
      ? { status: 'warning', code: 'with-waits', values }
      : { status: 'info', code: 'reached', values };
  },
  messages: {
    never: () => '0 times was a trigger of eviction reached.',
    reached: (values) => `${number(values)}.`,
    often: (values) => `${number(values)}.`,
    'with-waits': (values) =>
      `${number(values)}, with ${many(values.lostThreads, 'application thread')} waiting for cache space on average.`,
  },
});

/** @param {{ reachedPerSec: number }} values */
const number = ({ reachedPerSec }) =>
  `${count(reachedPerSec)} times/s a trigger of eviction was reached`;
