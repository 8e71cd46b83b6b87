'use strict';

const { count, many, shortPercent } = require('../../base/pure/units');
const { defineRule } = require('../rule');
const {
  evictionLoss,
  isEvictionSevere,
  timeSpent,
  HEALTHY_THREADS,
} = require('../../signals/clients');
const {
  againstMoreThreads,
  headroomWords,
  threadsNow,
  FAST_WRITE_MS,
  BUSY_CPU_RATIO,
  DEFAULT_THREADS,
} = require('../../signals/eviction-threads');
const { sources, measured, S390X } = require('../sources');

/**
 * @import { Loss } from '../../signals/clients'
 */

module.exports = defineRule({
  id: 'eviction-threads-busy',
  area: 'eviction',
  title: 'Eviction threads at their limit',
  why:
    'Eviction threads keep free space in the cache, so that application threads need not ' +
    'evict. If all are busy and application threads still evict, more may help, but only with ' +
    'headroom on CPUs and disk.',
  needs: ['eviction.threadsActive', 'clients.waitingThreads'],
  wants: [
    'clients.evictingThreads',
    'clients.busyThreads',
    'config.threadsMax',
    'host.cores',
    'process.cpuRatio',
    'process.cpuCores',
    'eviction.pageWriteMs',
    'cpu.busyRatio',
    'disk.busyRatio',
    'disk.readsPerSec',
    'disk.readMs',
    'disk.writesPerSec',
    'disk.writeMs',
  ],
  threshold:
    'Warning: application threads wait for cache space, all eviction threads are active, and ' +
    `a page write takes at most ${FAST_WRITE_MS} ms. mongod must also use at most ` +
    `${shortPercent(BUSY_CPU_RATIO)} of the CPUs, with cores for two more threads or fewer than ` +
    `${DEFAULT_THREADS} threads set. Otherwise information, with the reason.`,
  source: sources(S390X, measured('eviction-threads')),
  advice:
    'Raise evictionThreadsMin and evictionThreadsMax together, at most to twice their number ' +
    `or to the default of ${DEFAULT_THREADS}. Watch the wait for cache space, and undo the ` +
    'change if it does not fall.',
  whenNot:
    'Not on a disk at its limit: 1, 4 and 16 threads gave the same throughput within 3%, and ' +
    '16 slowed the slowest updates. Never more than the cores (or the default), nor more than ' +
    '20.',
  speaksFor: ['eviction-threads'],
  check(metrics) {
    const { 'eviction.threadsActive': active, 'host.cores': cores } = metrics;
    const evidence = {
      'eviction.threadsActive': active,
      'config.threadsMax': metrics['config.threadsMax'] ?? null,
      'host.cores': cores ?? null,
      'eviction.pageWriteMs': metrics['eviction.pageWriteMs'] ?? null,
    };
    const { threads, share } = evictionLoss(metrics) ?? { threads: 0, share: 0 };
    const [obstacle = null] = againstMoreThreads(metrics);
    const headroom = headroomWords(metrics);
    const allThreads = threadsNow(metrics) ?? null;
    const values = { active, allThreads, threads, share, obstacle, headroom };
    if (threads <= HEALTHY_THREADS) return { status: 'ok', code: 'enough', values, evidence };
    if (obstacle !== null) return { status: 'info', code: 'more-would-not-help', values, evidence };
    return isEvictionSevere(metrics)
      ? { status: 'warning', code: 'too-few', values, evidence }
      : { status: 'info', code: 'noticeable', values, evidence };
  },
  messages: {
    enough: ({ active }) =>
      `${many(active, 'eviction thread')} keep up: application threads do not need to evict.`,
    noticeable: (values) => `${cost(values)}.`,
    'more-would-not-help': (values) =>
      `${cost(values)}. More threads are not recommended: ${values.obstacle}.`,
    'too-few': (values) => `${cost(values)}, while ${values.headroom}.`,
  },
  adviceFor: { 'more-would-not-help': () => 'Do not change the number of eviction threads.' },
});

/**
 * Says how many threads are active, and how much time clients still spend on eviction.
 * @param {Loss & { active: number, allThreads: number | null }} values
 */
const cost = ({ active, allThreads, ...loss }) =>
  `${count(active)} of ${many(allThreads, 'eviction thread')} ${active === 1 ? 'is' : 'are'} ` +
  `active, and ${timeSpent(loss, 'waiting for cache space')}`;
