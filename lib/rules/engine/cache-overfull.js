'use strict';

const { bytes, percent } = require('../../base/pure/units');
const { defineRule } = require('../rule');
const { HEALTHY_THREADS } = require('../../signals/clients');
const { many } = require('../../signals/words');

module.exports = defineRule({
  id: 'cache-overfull',
  area: 'cache',
  title: 'Cache above its configured size',
  why:
    'A cache that was made smaller under load holds more than it may until eviction has caught ' +
    'up; within a second or two where the pages are clean. Where it stays so, something pins ' +
    'pages that may not be dropped.',
  needs: ['cache.maxBytes', 'cache.usedBytes'],
  wants: ['clients.waitingThreads', 'process.residentBytes'],
  evidence: ['cache.usedBytes', 'cache.maxBytes'],
  threshold:
    'More bytes in use than configured at the end of the window: warning; critical when ' +
    'clients wait for room.',
  source:
    'docs/evidence/cache-size.md (1536 MiB made 256 MiB under load: 473% full, normal again ' +
    'within 2 s)',
  advice:
    'If the cache was just made smaller, wait some seconds and look again: tune.status(). ' +
    'Else find what pins pages: db.currentOp({ "transaction.timeOpenMicros": { $gt: 1e7 } })',
  whenNot:
    'Do not wait for the process to shrink: what was freed stays with the process (resident ' +
    'memory does not fall) until it restarts.',
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
    fits: ({ usedBytes, maxBytes }) => `${bytes(usedBytes)} are in use of ${bytes(maxBytes)}.`,
    overfull: ({ usedBytes, maxBytes }) =>
      `${bytes(usedBytes)} are in use of ${bytes(maxBytes)}, ${percent(usedBytes / maxBytes)}.`,
    'clients-wait': ({ usedBytes, maxBytes, waitingThreads }) =>
      `${bytes(usedBytes)} are in use of ${bytes(maxBytes)}, ${percent(usedBytes / maxBytes)}, ` +
      `with ${many(waitingThreads, 'application thread')} waiting for room.`,
  },
});
