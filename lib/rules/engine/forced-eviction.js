'use strict';

const { count, percent, shortPercent } = require('../../base/pure/units');
const { defineRule } = require('../rule');
const { HEALTHY_THREADS, evictionLoss, isEvictionSevere } = require('../../signals/clients');
const { sources, statistic } = require('../sources');

// Shares from which hot pages are likely; heuristic.
const OFTEN_RATIO = 0.1;
const VERY_OFTEN_RATIO = 0.3;
// Fewer forced evictions a second say nothing by their share; heuristic.
const MIN_PER_SEC = 1;

module.exports = defineRule({
  id: 'forced-eviction',
  area: 'eviction',
  title: 'Forced evictions failing',
  why:
    'A page that is too large, or holds too many deletes or updates, is evicted by the ' +
    'application thread that meets it. Failed attempts mean that other threads use the page ' +
    'constantly: it is hot.',
  needs: ['eviction.forcedPerSec'],
  wants: [
    'eviction.forcedUnableRatio',
    'clients.waitingThreads',
    'clients.evictingThreads',
    'clients.busyThreads',
  ],
  evidence: ['eviction.forcedPerSec', 'eviction.forcedUnableRatio'],
  thresholds: { oftenRatio: OFTEN_RATIO, veryOftenRatio: VERY_OFTEN_RATIO },
  threshold:
    `Not judged below ${MIN_PER_SEC}/s. Information: more than ${shortPercent(OFTEN_RATIO)} fail, ` +
    `with at most ${HEALTHY_THREADS} application threads waiting for cache space. Warning: with more. ` +
    `Critical: more than ${shortPercent(VERY_OFTEN_RATIO)} fail while eviction takes a tenth of ` +
    'application-thread time.',
  source: sources(statistic('forced eviction - pages selected count'), '10 and 30% are heuristics'),
  advice:
    'Find the hot pages: a document or key range that many clients update, a counter, a queue ' +
    'in one small collection. Spread the updates over more documents.',
  whenNot: 'No eviction setting helps: a page in use cannot be evicted.',
  check(metrics, { oftenRatio, veryOftenRatio }) {
    const {
      'eviction.forcedPerSec': forcedPerSec,
      'eviction.forcedUnableRatio': failedRatio = null,
    } = metrics;
    const values = { forcedPerSec, failedRatio: failedRatio ?? 0 };
    if (forcedPerSec < MIN_PER_SEC) return { status: 'ok', code: 'rare', values };
    if (values.failedRatio <= oftenRatio) return { status: 'ok', code: 'fine', values };
    const lost = evictionLoss(metrics)?.threads;
    if (lost !== undefined && lost <= HEALTHY_THREADS)
      return { status: 'info', code: 'fails-at-no-cost', values };
    const isCritical = values.failedRatio > veryOftenRatio && isEvictionSevere(metrics);
    return { status: isCritical ? 'critical' : 'warning', code: 'fails', values };
  },
  messages: {
    rare: ({ forcedPerSec }) => `${count(forcedPerSec)} forced evictions/s: too few to judge.`,
    fine: (values) => attempts(values),
    'fails-at-no-cost': (values) => attempts(values),
    fails: (values) => attempts(values),
  },
});

/** @param {{ forcedPerSec: number, failedRatio: number }} of */
const attempts = ({ forcedPerSec, failedRatio }) =>
  `${percent(failedRatio)} of ${count(forcedPerSec)} forced evictions/s fail.`;
