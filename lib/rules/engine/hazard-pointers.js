'use strict';

const { percent } = require('../../base/pure/units');
const { defineRule } = require('../rule');
const { whole, many } = require('../../signals/words');
const { HEALTHY_THREADS, evictionLoss } = require('../../signals/clients');

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
    'A thread that works on a page marks it with a hazard pointer, and such a page cannot be ' +
    'evicted. Where that happens often, few pages are used by many operations at once, or ' +
    'operations stay on their pages for long. An idle cursor, between two batches, marks none.',
  needs: ['eviction.hazardBlockedPerSec', 'eviction.pagesPerSec'],
  wants: ['clients.waitingThreads', 'clients.evictingThreads'],
  evidence: ['eviction.hazardBlockedPerSec', 'eviction.pagesPerSec'],
  thresholds: { oftenRatio: OFTEN_RATIO },
  threshold:
    `Fewer than ${MIN_PER_SEC} a second, or less than ${whole(OFTEN_RATIO)} of the pages ` +
    'evicted: healthy. More: warning, or an information as long as eviction costs the clients ' +
    `at most ${HEALTHY_THREADS} threads.`,
  source: 'WiredTiger, statistic "hazard pointer blocked page eviction"',
  advice:
    'Look for hot documents (forced-eviction) and for operations that run for long: ' +
    'db.currentOp({ active: true, secs_running: { $gt: 10 } }).',
  whenNot:
    'No eviction setting helps. A cache that is only a few MB large meets its pages in use ' +
    'because there are so few of them.',
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
    'in-use-at-no-cost': (values) => `${pages(values)} (${percent(values.share)}).`,
    'in-use': (values) => `${pages(values)} (${percent(values.share)}).`,
  },
});

/** Pages that stayed and pages that went. @param {Record<'blockedPerSec' | 'evictedPerSec', number>} of */
const pages = ({ blockedPerSec, evictedPerSec }) =>
  `${many(blockedPerSec, 'page')} a second could not be evicted because they were in use, ` +
  `against ${many(evictedPerSec, 'page')} evicted`;
