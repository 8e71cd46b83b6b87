'use strict';

const assert = require('node:assert/strict');
const { standsOut } = require('../../../lib/server/pure/status-text');
const { blockedThreads, blockedWords } = require('../../../lib/server/pure/status');
const {
  MIN_THREADS: MIN,
  MIN_READING_THREADS: MIN_READING,
} = require('../../../lib/signals/clients');

const CALM = {
  clients: { readingThreads: 0, evictingThreads: 0, waitingThreads: 0 },
  ops: { readsPerSec: 100, writesPerSec: 5 },
  tickets: { readInUse: 0, readTotal: 128, writeInUse: 1, writeTotal: 128 },
  cache: { usedRatio: 0.85, dirtyRatio: 0.01, updatesRatio: 0 },
  thresholds: {
    targetRatio: 0.8,
    triggerRatio: 0.95,
    dirtyTargetRatio: 0.05,
    dirtyTriggerRatio: 0.2,
    updatesTargetRatio: 0.025,
    updatesTriggerRatio: 0.1,
  },
};
const NOTHING = { readingThreads: null, evictingThreads: null, waitingThreads: null };

describe('server/pure/status-text', () => {
  for (const [name, more, wanted] of /** @type {[string, object, [string, string | null]][]} */ ([
    ['a cache above its target is healthy', {}, ['fine', null]],
    ['clients wait', { clients: { ...CALM.clients, waitingThreads: MIN } }, ['blocked', null]],
    ['clients evict', { clients: { ...CALM.clients, evictingThreads: MIN } }, ['blocked', null]],
    [
      'clients read pages',
      { clients: { ...CALM.clients, readingThreads: MIN_READING } },
      ['blocked', null],
    ],
    [
      'clients wait a little, and read a little',
      { clients: { readingThreads: MIN, evictingThreads: 0.05, waitingThreads: 0.06 } },
      ['noticeable', null],
    ],
    ['almost no wait', { clients: { ...CALM.clients, waitingThreads: 0.05 } }, ['fine', null]],
    [
      'dirty data at its trigger',
      { cache: { ...CALM.cache, dirtyRatio: 0.2 } },
      ['at-trigger', 'dirty'],
    ],
    [
      'update data at its trigger',
      { cache: { ...CALM.cache, updatesRatio: 0.1 } },
      ['at-trigger', 'updates'],
    ],
    ['a full cache', { cache: { ...CALM.cache, usedRatio: 0.95 } }, ['at-trigger', 'used']],
    [
      'dirty data above its target',
      { cache: { ...CALM.cache, dirtyRatio: 0.05 } },
      ['above-target', 'dirty'],
    ],
    ['all write tickets', { tickets: { ...CALM.tickets, writeInUse: 128 } }, ['tickets', 'write']],
    ['all read tickets', { tickets: { ...CALM.tickets, readInUse: 128 } }, ['tickets', 'read']],
    [
      'tickets not reported',
      { tickets: { readInUse: null, readTotal: null, writeInUse: null, writeTotal: null } },
      ['fine', null],
    ],
    ['no operations', { ops: { readsPerSec: 0, writesPerSec: 0 } }, ['idle', null]],
    [
      'one sample',
      { clients: NOTHING, ops: { readsPerSec: null, writesPerSec: null } },
      ['no-rates', null],
    ],
    ['waits not reported', { clients: NOTHING }, ['fine', null]],
    [
      'thresholds not known',
      { thresholds: {}, cache: { ...CALM.cache, dirtyRatio: 0.3 } },
      ['fine', null],
    ],
  ]))
    it(name, () => {
      const thresholds = Object.fromEntries(Object.keys(CALM.thresholds).map((key) => [key, null]));
      const status = { ...CALM, ...more };
      if ('thresholds' in more) status.thresholds = /** @type {any} */ (thresholds);
      const { code, of } = standsOut(/** @type {any} */ (status));
      assert.deepEqual([code, of], wanted);
    });

  it('the parts of what is blocked add up', () => {
    const cases =
      /** @type {[[number | null, number | null, number | null], string, number | null][]} */ ([
        [[0.1, 2, 3.5], 'reading pages 0.1, waiting for cache space 3.5, of which evicting 2', 3.6],
        [[0.1, 2, 1], 'reading pages 0.1, evicting pages 2, of which waiting 1', 2.1],
        [[0, 0, 0], 'reading pages 0, waiting for cache space 0', 0],
        [[0.5, null, 1], 'reading pages 0.5, waiting for cache space 1', 1.5],
        [[0.5, 1, null], 'reading pages 0.5, evicting pages 1', 1.5],
        [[null, null, null], 'reading pages ?, waiting for cache space ?', null],
      ]);
    for (const [[readingThreads, evictingThreads, waitingThreads], words, sum] of cases) {
      const clients = { readingThreads, evictingThreads, waitingThreads };
      assert.deepEqual([blockedWords(clients), blockedThreads(clients)], [words, sum]);
    }
  });
});
