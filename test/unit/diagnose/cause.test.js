'use strict';

const assert = require('node:assert/strict');
const { withCause } = require('../../../lib/diagnose/cause');

/** @param {any} bottleneck @param {any} metrics @param {any} [change] */
const causeOf = (bottleneck, metrics, change = null) =>
  withCause({ bottleneck, change, explain: ['It was computed.'] }, metrics);

const SCANS = {
  'query.examinedPerSec': 50_000,
  'documents.returnedPerSec': 100,
  'documents.writtenPerSec': 0,
};
const DUMP = {
  'query.examinedPerSec': 50_000,
  'documents.returnedPerSec': 50_000,
  'ops.readsPerSec': 10,
};
const TTL = { 'ttl.deletedPerSec': 1000, 'documents.writtenPerSec': 1000 };
const RANGE = { 'rangeDeleter.deletedPerSec': 1000, 'documents.writtenPerSec': 0 };
const CONFLICTS = { 'conflicts.perSec': 50, 'documents.writtenPerSec': 200 };
const CHECKPOINTS = { 'checkpoint.seen': 6, 'window.seconds': 30, 'config.syncdelaySeconds': 60 };
const STORM = { 'connections.createdPerSec': 100, 'connections.createdRatio': 0.5 };
const MAJORITY = { 'clients.majorityThreads': 4, 'clients.busyThreads': 5 };
const POOL = {
  'tickets.readTotal': 5,
  'tickets.readEmptyShare': 1,
  'tickets.isReadSetAtStart': 0,
  'clients.queued': 6,
  'clients.busyThreads': 10,
};
const PROBING = { ...POOL, 'tickets.probing': 1, 'process.cpuRatio': 0.1, 'host.cores': 2 };
const COLD = {
  'window.uptimeSeconds': 60,
  'cache.usedRatio': 0.3,
  'eviction.pagesPerSec': 1,
  'cache.pagesReadPerSec': 10,
};

/** @type {[string, any, any, string | null, any][]} title, bottleneck, metrics, kind, share */
const CASES = [
  ['scans', 'cache-read', SCANS, 'scans', 0.998],
  ['scans that end', 'cpu', { ...SCANS, 'query.scansPerSec': 2 }, 'scans', 0.998],
  [
    'a scan of ten documents',
    'cache-read',
    { ...SCANS, 'query.examinedPerSec': 999, 'documents.returnedPerSec': 1 },
    null,
  ],
  ['good targeting', 'cache-read', { ...SCANS, 'documents.returnedPerSec': 2501 }, null],
  ['scans that find what they write', 'disk', { ...SCANS, 'documents.writtenPerSec': 5000 }, null],
  ['scans are no cause of a calm engine', 'none', SCANS, null],
  ['nothing is known', 'cache-read', {}, null],
  ['a dump', 'disk', DUMP, 'full-reads', 1],
  ['many short reads', 'cache-read', { ...DUMP, 'ops.readsPerSec': 40_000 }, null],
  ['a dump without queries', 'disk', { ...DUMP, 'ops.readsPerSec': 0 }, 'full-reads', 1],
  ['sorts that spill', 'disk', { 'query.sortSpills': 2 }, 'sort-spills', null],
  ['TTL', 'cache-dirty', TTL, 'ttl', 0.5],
  [
    'a TTL pass that has not ended',
    'cache-dirty',
    { 'ttl.passYieldsPerSec': 10, 'window.seconds': 6 },
    'ttl',
    null,
  ],
  ['a TTL pass that hardly works', 'cache-dirty', { 'ttl.passYieldsPerSec': 9 }, null],
  ['a small TTL', 'cache-dirty', { ...TTL, 'ttl.deletedPerSec': 199 }, null],
  ['TTL beside many writes', 'disk', { ...TTL, 'documents.writtenPerSec': 3000 }, null],
  ['the range deleter', 'disk', RANGE, 'range-deleter', 1],
  ['few ranges', 'disk', { 'rangeDeleter.deletedPerSec': 10 }, null],
  [
    'a build',
    'cache-read',
    { 'indexBuilds.activeShare': 0.3, 'indexBuilds.started': 1 },
    'index-build',
    0.3,
  ],
  ['a short build', 'disk', { 'indexBuilds.activeShare': 0.2, 'indexBuilds.started': 1 }, null],
  [
    'a build of a release that only counts them',
    'disk',
    { 'indexBuilds.started': 1 },
    'index-build',
    null,
  ],
  ['forced checkpoints', 'none', CHECKPOINTS, 'forced-checkpoints', null],
  [
    'a timer that is off',
    'disk',
    { 'checkpoint.seen': 3, 'window.seconds': 30, 'config.syncdelaySeconds': 0 },
    'forced-checkpoints',
    null,
  ],
  [
    'an interval that is not known',
    'disk',
    { 'checkpoint.seen': 5, 'window.seconds': 30 },
    'forced-checkpoints',
    null,
  ],
  ['ordinary checkpoints', 'none', { ...CHECKPOINTS, 'checkpoint.seen': 2 }, null],
  ['conflicts', 'none', CONFLICTS, 'write-conflicts', 0.2],
  [
    'few conflicts for so many writes',
    'none',
    { ...CONFLICTS, 'documents.writtenPerSec': 501 },
    null,
  ],
  ['few conflicts', 'none', { 'conflicts.perSec': 19 }, null],
  ['a connection storm', 'none', STORM, 'connection-storm', null],
  ['few new connections', 'none', { ...STORM, 'connections.createdPerSec': 49 }, null],
  ['new ones among very many', 'none', { ...STORM, 'connections.createdRatio': 0.19 }, null],
  ['the majority', 'unknown', MAJORITY, 'majority', 0.8],
  ['little of the time', 'unknown', { ...MAJORITY, 'clients.busyThreads': 9 }, null],
  ['short waits', 'none', { 'clients.majorityThreads': 0.2, 'clients.busyThreads': 0.2 }, null],
  ['the majority at once', 'unknown', { ...MAJORITY, 'majority.meanMs': 99 }, null],
  ['the majority late', 'unknown', { ...MAJORITY, 'majority.meanMs': 100 }, 'majority', 0.8],
  ['a pool set low', 'concurrency', POOL, 'ticket-pools', 0.6],
  ['a pool of its default size', 'concurrency', { ...POOL, 'tickets.readTotal': 128 }, null],
  ['a low pool that nobody waits for', 'unknown', { ...POOL, 'clients.queued': 0 }, null],
  ['a low pool with tickets left', 'unknown', { ...POOL, 'tickets.readEmptyShare': 0.4 }, null],
  ['a low pool whose holders read pages', 'cache-read', POOL, null],
  ['probing that stays low', 'concurrency', PROBING, 'ticket-pools', 0.6],
  [
    'of the write pool',
    'concurrency',
    {
      ...PROBING,
      'tickets.readTotal': 64,
      'tickets.writeTotal': 8,
      'tickets.writeEmptyShare': 0.5,
    },
    'ticket-pools',
    0.6,
  ],
  ['probing with more tickets', 'concurrency', { ...PROBING, 'tickets.readTotal': 9 }, null],
  [
    'few for so many CPUs',
    'concurrency',
    { ...PROBING, 'tickets.readTotal': 16, 'host.cores': 8 },
    'ticket-pools',
    0.6,
  ],
  ['probing with tickets left', 'concurrency', { ...PROBING, 'tickets.readEmptyShare': 0 }, null],
  ['probing on busy CPUs', 'concurrency', { ...PROBING, 'process.cpuRatio': 0.51 }, null],
  ['probing, CPUs not known', 'concurrency', { ...PROBING, 'process.cpuRatio': undefined }, null],
  ['probing and a short queue', 'concurrency', { ...PROBING, 'clients.queued': 0.9 }, null],
  [
    'probing before a busy disk',
    'concurrency',
    { ...PROBING, 'disk.busyRatio': 1, 'disk.readMs': 100, 'disk.readsPerSec': 100 },
    null,
  ],
  [
    'probing while pages are read',
    'concurrency',
    { ...PROBING, 'clients.readingThreads': 3 },
    null,
  ],
  [
    'probing while threads evict',
    'concurrency',
    { ...PROBING, 'clients.evictingThreads': 3 },
    null,
  ],
  [
    'transactions that are rolled back',
    'none',
    { 'transaction.rolledBackForEviction': 18 },
    'large-transactions',
    null,
  ],
  ['none rolled back', 'none', { 'transaction.rolledBackForEviction': 0 }, null],
  ['too large a transaction', 'none', { 'transaction.tooLarge': 1 }, 'large-transactions', null],
  ['a cold start', 'cache-read', COLD, 'cold-start', null],
  ['a warm cache', 'cache-read', { ...COLD, 'cache.usedRatio': 0.75 }, null],
  ['an old server', 'cache-read', { ...COLD, 'window.uptimeSeconds': 601 }, null],
  ['pages that are read and evicted', 'cache-read', { ...COLD, 'eviction.pagesPerSec': 9 }, null],
  ['an idle server', 'idle', STORM, null],
];

describe('the cause of a bottleneck', () => {
  for (const [title, bottleneck, metrics, kind, share] of CASES)
    it(`${title}: ${kind ?? 'none'}`, () => {
      const { cause, remedy } = causeOf(bottleneck, metrics);
      assert.equal(cause?.kind ?? null, kind);
      assert.equal(remedy, cause?.remedy ?? null);
      if (cause === null) return;
      if (share === null) assert.equal(cause.share, null);
      else assert.ok(Math.abs(Number(cause.share) - share) < 1e-3, String(cause.share));
      assert.match(cause.say, /^(?:[a-z]|\d).*[^.]$/);
      assert.match(cause.remedy, /^[A-Z]/);
      assert.ok(cause.evidence.every((one) => /\d/.test(one)));
    });

  it('says how pools of tickets get larger again', () => {
    assert.match(
      String(causeOf('concurrency', POOL).remedy),
      /setParameter: 1, wiredTigerConcurrentReadTransactions: 128 /,
    );
    const { cause, remedy, change } = causeOf('concurrency', PROBING);
    assert.match(String(cause?.say), /keeps the pool of read tickets at 5,/);
    assert.match(String(remedy), /throughputProbingInitialConcurrency .* at start-up only/);
    assert.equal(change, null, 'no trial of start-up parameters');
  });

  it('comes before a setting where it is a query, and leaves it where it is not', () => {
    const cache = { cacheSizeGB: 3 };
    const query = causeOf('cache-read', SCANS, cache);
    assert.equal(query.change, null);
    assert.deepEqual(query.explain, ['cacheSizeGB: 3 would only hide it.', 'It was computed.']);
    assert.deepEqual(causeOf('cache-dirty', TTL, cache).change, cache);
    assert.deepEqual(causeOf('cache-read', {}, cache), {
      bottleneck: 'cache-read',
      change: cache,
      explain: ['It was computed.'],
      cause: null,
      remedy: null,
    });
  });
});
