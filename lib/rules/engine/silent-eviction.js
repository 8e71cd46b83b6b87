'use strict';

const { duration, secondsText, MS_PER_SECOND, many, capital } = require('../../base/pure/units');
const { defineRule } = require('../rule');
const {
  evictionLoss,
  isEvictionSevere,
  timeSpent,
  HEALTHY_THREADS,
} = require('../../signals/clients');
const { sources, wiredTiger, measured } = require('../sources');

/**
 * @import { Loss } from '../../signals/clients'
 */

// Time that application threads spend on each page they evict. On a disk at its limit, where every page is
// written first, it was 20 to 45 ms (docs/evidence/eviction-threads.md); ten times that is not
// spent on evicting. Heuristic.
const BLOCKED_SECONDS = 0.5;

module.exports = defineRule({
  id: 'silent-eviction',
  area: 'eviction',
  title: 'Application threads waiting for eviction without evicting',
  why:
    'An application thread at a trigger of the cache evicts pages, or sleeps and retries if it ' +
    'finds none. Wait time without evicted pages means that eviction is blocked. A page count ' +
    'alone would show a healthy server.',
  needs: ['eviction.appPagesPerSec', 'clients.waitingThreads'],
  wants: ['clients.evictingThreads', 'clients.busyThreads'],
  threshold:
    `Healthy: up to ${HEALTHY_THREADS} application threads waiting for cache space. Information: more, ` +
    `with ${secondsText(BLOCKED_SECONDS)} or more for each page they evict. Warning: that ` +
    'takes a tenth of their time.',
  source: sources(
    wiredTiger('eviction', 'arch-eviction') + ': threads sleep 10 ms when nothing is queued',
    measured('eviction-threads'),
  ),
  advice:
    'Find what holds the pages: an old transaction or cursor (pinned-timestamps, ' +
    'history-store), a checkpoint on a hot file (hot-file), or pages in constant use ' +
    '(hazard-pointers).',
  whenNot: 'Do not add eviction threads: they find no more pages than the existing ones.',
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
    fine: ({ threads }) =>
      `No significant wait for eviction: ${many(threads, 'thread')} on average.`,
    evicting: ({ pagesPerSec, msPerPage }) =>
      `Application threads evict ${many(pagesPerSec, 'page')}/s and spend ` +
      `${duration(msPerPage)} on each.`,
    blocked: ({ pagesPerSec, msPerPage, ...loss }) =>
      `${capital(timeSpent(loss, 'waiting for cache space'))}, yet evict ` +
      (msPerPage === null
        ? 'no page: eviction is blocked.'
        : `only ${many(pagesPerSec, 'page')}/s (${duration(msPerPage)} each): eviction is blocked.`),
  },
});
