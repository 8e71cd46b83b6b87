'use strict';

const { bytes, percent, many } = require('../../base/pure/units');
const { defineRule } = require('../rule');
const { HEALTHY_THREADS } = require('../../signals/clients');
const { sources, measured } = require('../sources');

module.exports = defineRule({
  id: 'cache-overfull',
  area: 'cache',
  title: 'Cache above its configured size',
  why:
    'A cache that was made smaller under load stays above its new size until eviction has ' +
    'caught up. That takes 1 to 2 s with clean pages. If it lasts, something pins pages.',
  needs: ['cache.maxBytes', 'cache.usedBytes'],
  wants: ['clients.waitingThreads', 'process.residentBytes'],
  evidence: ['cache.usedBytes', 'cache.maxBytes'],
  threshold:
    'Warning: more bytes used than configured at the end of the window. Critical: application ' +
    'threads wait for cache space as well.',
  source: sources(measured('cache-size')),
  advice:
    'If the cache was just made smaller, wait some seconds and run tune.status(). Otherwise ' +
    'find what pins pages: db.currentOp({ "transaction.timeOpenMicros": { $gt: 1e7 } })',
  whenNot:
    'Do not wait for resident memory to shrink: the allocator keeps freed pages until mongod ' +
    'restarts.',
  check({
    'cache.maxBytes': maxBytes,
    'cache.usedBytes': usedBytes,
    'clients.waitingThreads': waitingThreads = 0,
  }) {
    const values = { usedBytes, maxBytes, waitingThreads };
    if (usedBytes <= maxBytes) return { status: 'ok', code: 'fits', values };
    return waitingThreads > HEALTHY_THREADS
      ? { status: 'critical', code: 'clients-wait', values }
      : { status: 'warning', code: 'overfull', values };
  },
  messages: {
    fits: ({ usedBytes, maxBytes }) => `${bytes(usedBytes)} of ${bytes(maxBytes)} cache used.`,
    overfull: ({ usedBytes, maxBytes }) =>
      `${bytes(usedBytes)} of ${bytes(maxBytes)} cache used (${percent(usedBytes / maxBytes)}).`,
    'clients-wait': ({ usedBytes, maxBytes, waitingThreads }) =>
      `${bytes(usedBytes)} of ${bytes(maxBytes)} cache used ` +
      `(${percent(usedBytes / maxBytes)}), with ${many(waitingThreads, 'application thread')} ` +
      'waiting for cache space.',
  },
});
