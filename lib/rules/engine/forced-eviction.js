'use strict';

const { percent } = require('../../base/pure/units');
const { defineRule } = require('../define-rule');
const { whole, many } = require('../../signals/words');
const { HEALTHY_THREADS, evictionLoss, isEvictionSevere } = require('../../signals/clients');

// Shares from which MongoDB's support looks at hot pages.
const OFTEN_RATIO = 0.1;
const VERY_OFTEN_RATIO = 0.3;
// Fewer forced evictions a second say nothing by their share; ours.
const MIN_PER_SEC = 1;

module.exports = defineRule({
  id: 'forced-eviction',
  area: 'eviction',
  title: 'How often a forced eviction fails',
  why:
    'A page that has grown too large, or holds too many deleted items or updates, is evicted ' +
    'by the client that meets it. Where that fails, the page is in use by others all the time: ' +
    'it is hot, and each client that comes by tries again.',
  needs: ['eviction.forcedPerSec'],
  wants: [
    'eviction.forcedUnableRatio',
    'clients.waitingForCache',
    'clients.evicting',
    'clients.busy',
  ],
  limits: { oftenRatio: OFTEN_RATIO, veryOftenRatio: VERY_OFTEN_RATIO },
  threshold:
    `Fewer than ${MIN_PER_SEC} a second: not judged. More than ${whole(OFTEN_RATIO)} of them ` +
    `fail: information as long as eviction costs the clients at most ${HEALTHY_THREADS} ` +
    `threads, else warning; more than ${whole(VERY_OFTEN_RATIO)} while eviction takes a tenth ` +
    'of their time: critical.',
  source:
    'Experience of MongoDB support (10 and 30 %); WiredTiger, statistics "forced eviction - ' +
    'pages selected …"',
  advice:
    'Find the hot pages: a document or a range of keys that everybody updates, a counter, a ' +
    'queue in one small collection. Spread it over more documents.',
  whenNot:
    'No eviction setting helps: neither threads nor thresholds make a page free that is in use.',
  check(metrics, { oftenRatio, veryOftenRatio }) {
    const { 'eviction.forcedPerSec': perSec, 'eviction.forcedUnableRatio': failed = 0 } = metrics;
    const evidence = {
      'eviction.forcedPerSec': perSec,
      'eviction.forcedUnableRatio': metrics['eviction.forcedUnableRatio'] ?? null,
    };
    if (perSec < MIN_PER_SEC)
      return {
        status: 'ok',
        say: `${many(perSec, 'page')} a second are evicted by force: next to none.`,
        evidence,
      };
    const say =
      `${many(perSec, 'page')} a second are to be evicted by force, and ${percent(failed)} of ` +
      'that fails.';
    if (failed <= oftenRatio) return { status: 'ok', say, evidence };
    const lost = evictionLoss(metrics)?.threads;
    if (lost !== undefined && lost <= HEALTHY_THREADS) return { status: 'info', say, evidence };
    return {
      status: failed > veryOftenRatio && isEvictionSevere(metrics) ? 'critical' : 'warning',
      say,
      evidence,
    };
  },
});
