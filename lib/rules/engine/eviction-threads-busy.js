'use strict';

const { count } = require('../../base/pure/units');
const { defineRule } = require('../rule');
const { whole, many } = require('../../signals/words');
const {
  evictionLoss,
  isEvictionSevere,
  lossWords,
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

/**
 * @import { Loss } from '../../signals/clients'
 */

module.exports = defineRule({
  id: 'eviction-threads-busy',
  area: 'eviction',
  title: 'Eviction threads at their limit',
  why:
    'Eviction threads keep room in the cache so that clients need not. When all of them are at ' +
    'work and application threads still evict, more may help, but only where CPUs and disk have room ' +
    'for what they would do.',
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
    'Warning when clients lose time to eviction, all threads are active, a page write takes ' +
    `at most ${FAST_WRITE_MS} ms, mongod uses at most ${whole(BUSY_CPU_RATIO)} of the ` +
    'CPUs, and there are cores for at least two more threads, or fewer than the ' +
    `${DEFAULT_THREADS} that mongod starts everywhere. Else nothing, with the reason.`,
  source:
    'IBM-Z step 3 (16 threads on 24 cores, small effect on throughput); ' +
    'docs/evidence/eviction-threads.md',
  advice:
    'Raise evictionThreadsMin and evictionThreadsMax together, at most to twice their number ' +
    `or to the default of ${DEFAULT_THREADS}; watch clients.waitingThreads, and undo it if ` +
    'that does not fall.',
  whenNot:
    'Not on a disk at its limit: 1, 4 and 16 threads gave the same throughput within 3%, ' +
    'and 16 made the slowest updates slower. Never more than the cores (or the default), nor ' +
    'more than 20.',
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
      `${many(active, 'eviction thread')} keep up: application threads need not evict.`,
    noticeable: (values) => `${cost(values)}.`,
    'more-would-not-help': (values) =>
      `${cost(values)}. More threads would not help: ${values.obstacle}.`,
    'too-few': (values) => `${cost(values)}, while ${values.headroom}.`,
  },
  adviceFor: { 'more-would-not-help': () => 'Leave the number of eviction threads as it is.' },
});

/**
 * How many threads are busy, and what eviction costs all the same.
 * @param {Loss & { active: number, allThreads: number | null }} values
 */
const cost = ({ active, allThreads, ...loss }) =>
  `${count(active)} of ${many(allThreads, 'eviction thread')} ${active === 1 ? 'is' : 'are'} at ` +
  `work, and eviction costs the clients ${lossWords(loss)}`;
