'use strict';

const { duration, MS_PER_SECOND } = require('../../base/pure/units');
const { defineRule } = require('../rule');
const { many } = require('../../signals/words');
const {
  evictionLoss,
  isEvictionSevere,
  lossWords,
  HEALTHY_THREADS,
} = require('../../signals/clients');

/**
 * @import { Loss } from '../../signals/clients'
 */

// Time that clients lose for each page they evict. On a disk at its limit, where every page is
// written first, it was 20 to 45 ms (docs/evidence/eviction-threads.md); ten times that is not
// spent on evicting. Heuristic.
const BLOCKED_SECONDS = 0.5;

module.exports = defineRule({
  id: 'silent-eviction',
  area: 'eviction',
  title: 'Application threads waiting for eviction without evicting',
  why:
    'A client at a limit of the cache evicts pages or, where it finds none that may go, sleeps ' +
    'and tries again. Time lost without a page evicted means that eviction is blocked, not ' +
    'that it is idle; a look at the count alone calls such a server healthy.',
  needs: ['eviction.appPagesPerSec', 'clients.waitingThreads'],
  wants: ['clients.evictingThreads', 'clients.busyThreads'],
  threshold:
    `Up to ${HEALTHY_THREADS} application threads lost to eviction: healthy. More, at ` +
    `${duration(BLOCKED_SECONDS * 1000)} and more for each page that application threads evict: ` +
    'information; warning when that is a tenth of their time.',
  source:
    'WiredTiger, src/evict (clients sleep 10 ms at a time when nothing is queued); ' +
    'experience of MongoDB support (app evictions 0 with wait above 0)',
  advice:
    'Find what holds the pages: an old transaction or cursor (pinned-timestamps, ' +
    'history-store), a checkpoint at work on the one file that is written (hot-file), or ' +
    'pages that everybody uses (hazard-pointers).',
  whenNot:
    'More eviction threads find no more pages than those that are there: leave their number alone.',
  check(metrics) {
    const pagesPerSec = metrics['eviction.appPagesPerSec'];
    const { threads, share } = /** @type {Loss} */ (evictionLoss(metrics));
    const evidence = {
      'eviction.appPagesPerSec': pagesPerSec,
      'clients.waitingThreads': metrics['clients.waitingThreads'],
      'clients.evictingThreads': metrics['clients.evictingThreads'] ?? null,
    };
    const msPerPage = pagesPerSec === 0 ? null : (threads / pagesPerSec) * MS_PER_SECOND;
    const values = { threads, share, pagesPerSec, msPerPage };
    if (threads <= HEALTHY_THREADS) return { status: 'ok', code: 'fine', values, evidence };
    if (threads < pagesPerSec * BLOCKED_SECONDS)
      return { status: 'ok', code: 'evicting', values, evidence };
    return isEvictionSevere(metrics)
      ? { status: 'warning', code: 'blocked', values, evidence }
      : { status: 'info', code: 'blocked', values, evidence };
  },
  messages: {
    fine: ({ threads }) => `Clients lose ${many(threads, 'thread')} to eviction: next to nothing.`,
    evicting: ({ pagesPerSec, msPerPage }) =>
      `Application threads evict ${many(pagesPerSec, 'page')} a second, and lose ${duration(msPerPage)} for ` +
      'each.',
    blocked: ({ pagesPerSec, msPerPage, ...loss }) =>
      `Eviction costs the clients ${lossWords(loss)}, yet ` +
      (msPerPage === null
        ? 'they evict no page: it is blocked.'
        : `they evict ${many(pagesPerSec, 'page')} a second, one in ${duration(msPerPage)} of ` +
          'their time: it is blocked.'),
  },
});
