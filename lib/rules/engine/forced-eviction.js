'use strict';

const { percent } = require('../../base/pure/units');
const { defineRule } = require('../rule');
const { whole, many } = require('../../signals/words');
const { HEALTHY_THREADS, evictionLoss, isEvictionSevere } = require('../../signals/clients');

// Shares from which MongoDB's support checks for hot pages.
const OFTEN_RATIO = 0.1;
const VERY_OFTEN_RATIO = 0.3;
// Fewer forced evictions a second say nothing by their share; heuristic.
const MIN_PER_SEC = 1;

module.exports = defineRule({
  id: 'forced-eviction',
  area: 'eviction',
  title: 'Forced evictions failing',
  why:
    'A page that has grown too large, or holds too many deleted items or updates, is evicted ' +
    'by the client that meets it. Where that fails, the page is in use by others all the time: ' +
    'it is hot, and each client that comes by tries again.',
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
    `Fewer than ${MIN_PER_SEC} a second: not judged. More than ${whole(OFTEN_RATIO)} of them ` +
    `fail: information as long as eviction costs the clients at most ${HEALTHY_THREADS} ` +
    `threads, else warning; more than ${whole(VERY_OFTEN_RATIO)} while eviction takes a tenth ` +
    'of their time: critical.',
  source:
    'Experience of MongoDB support (10 and 30%); WiredTiger, statistics "forced eviction - ' +
    'pages selected …"',
  advice:
    'Find the hot pages: a document or a range of keys that everybody updates, a counter, a ' +
    'queue in one small collection. Spread it over more documents.',
  whenNot:
    'No eviction setting helps: neither threads nor thresholds make a page free that is in use.',
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
    rare: ({ forcedPerSec }) =>
      `${many(forcedPerSec, 'page')} a second are evicted by force: next to none.`,
    fine: (values) => attempts(values),
    'fails-at-no-cost': (values) => attempts(values),
    fails: (values) => attempts(values),
  },
});

/** How many there are, and how many fail. @param {{ forcedPerSec: number, failedRatio: number }} of */
const attempts = ({ forcedPerSec, failedRatio }) =>
  `${many(forcedPerSec, 'page')} a second are to be evicted by force, and ` +
  `${percent(failedRatio)} of that fails.`;
