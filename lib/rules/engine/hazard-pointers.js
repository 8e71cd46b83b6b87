'use strict';

const { many, shortPercent } = require('../../base/pure/units');
const { defineRule } = require('../rule');
const { HEALTHY_THREADS, evictionLoss } = require('../../signals/clients');
const { sources, statistic } = require('../sources');

// Pages that could not be evicted because they were in use, per evicted page; below 1% under every
// load measured. Heuristic.
const OFTEN_RATIO = 0.1;
// Fewer a second say nothing by their share; heuristic.
const MIN_PER_SEC = 10;

module.exports = defineRule({
  id: 'hazard-pointers',
  area: 'eviction',
  title: 'Eviction stopped by pages in use',
  why:
    'A thread that uses a page marks it with a hazard pointer, and a marked page cannot be ' +
    'evicted. Many blocked evictions mean that few pages serve many operations, or that ' +
    'operations stay on their pages for long.',
  needs: ['eviction.hazardBlockedPerSec', 'eviction.pagesPerSec'],
  wants: ['clients.waitingThreads', 'clients.evictingThreads'],
  evidence: ['eviction.hazardBlockedPerSec', 'eviction.pagesPerSec'],
  thresholds: { oftenRatio: OFTEN_RATIO },
  threshold:
    `Healthy: fewer than ${MIN_PER_SEC}/s, or less than ${shortPercent(OFTEN_RATIO)} of the pages ` +
    `evicted. Warning: more. Information instead, with at most ${HEALTHY_THREADS} application ` +
    'threads waiting for cache space.',
  source: sources(
    statistic('hazard pointer blocked page eviction'),
    'the thresholds are heuristics',
  ),
  advice:
    'Find hot documents (forced-eviction) and long operations: db.currentOp({ active: true, ' +
    'secs_running: { $gt: 10 } }).',
  whenNot:
    'No eviction setting helps. A cache of a few MiB has so few pages that many are in use. An ' +
    'idle cursor marks no page.',
  check(metrics, { oftenRatio }) {
    const { 'eviction.hazardBlockedPerSec': blockedPerSec, 'eviction.pagesPerSec': evictedPerSec } =
      metrics;
    const share = blockedPerSec / Math.max(evictedPerSec, 1);
    const values = { blockedPerSec, evictedPerSec, share };
    if (blockedPerSec < MIN_PER_SEC || share <= oftenRatio)
      return { status: 'ok', code: 'fine', values };
    const lost = evictionLoss(metrics)?.threads;
    return lost !== undefined && lost <= HEALTHY_THREADS
      ? { status: 'info', code: 'in-use-at-no-cost', values }
      : { status: 'warning', code: 'in-use', values };
  },
  messages: {
    fine: (values) => `${pages(values)}.`,
    'in-use-at-no-cost': (values) => `${pages(values)}.`,
    'in-use': (values) => `${pages(values)}.`,
  },
});

/** Pages that stayed and pages that went. @param {Record<'blockedPerSec' | 'evictedPerSec', number>} of */
const pages = ({ blockedPerSec, evictedPerSec }) =>
  `${many(blockedPerSec, 'page')}/s in use could not be evicted; ` +
  `${many(evictedPerSec, 'page')}/s were evicted`;
