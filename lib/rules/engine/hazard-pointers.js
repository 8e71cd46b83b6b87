'use strict';

const { percent } = require('../../base/pure/units');
const { defineRule } = require('../define-rule');
const { whole, many } = require('../../signals/words');
const { HEALTHY_THREADS, evictionLoss } = require('../../signals/clients');

// Pages that could not go because somebody was at them, per page that went; below 1 % under every
// load measured. Ours.
const OFTEN_RATIO = 0.1;
// Fewer a second say nothing by their share; ours.
const MIN_PER_SEC = 10;

module.exports = defineRule({
  id: 'hazard-pointers',
  area: 'eviction',
  title: 'How often a page is in use when it should go',
  why:
    'A thread that works on a page marks it with a hazard pointer, and such a page can not be ' +
    'evicted. Where that happens often, few pages are used by many operations at once, or ' +
    'operations stay on their pages for long. An idle cursor, between two batches, marks none.',
  needs: ['eviction.hazardBlockedPerSec', 'eviction.pagesPerSec'],
  wants: ['clients.waitingForCache', 'clients.evicting'],
  limits: { oftenRatio: OFTEN_RATIO },
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
    const { 'eviction.hazardBlockedPerSec': blocked, 'eviction.pagesPerSec': evicted } = metrics;
    const share = blocked / Math.max(evicted, 1);
    const evidence = { 'eviction.hazardBlockedPerSec': blocked, 'eviction.pagesPerSec': evicted };
    const say =
      `${many(blocked, 'page')} a second could not be evicted because they were in use, ` +
      `against ${many(evicted, 'page')} evicted`;
    if (blocked < MIN_PER_SEC || share <= oftenRatio)
      return { status: 'ok', say: `${say}.`, evidence };
    const lost = evictionLoss(metrics)?.threads;
    return {
      status: lost !== undefined && lost <= HEALTHY_THREADS ? 'info' : 'warning',
      say: `${say} (${percent(share)}).`,
      evidence,
    };
  },
});
