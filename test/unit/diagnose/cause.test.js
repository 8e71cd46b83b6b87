'use strict';

const assert = require('node:assert/strict');
const { withCause, withMachineCause } = require('../../../lib/diagnose/cause');

/** @param {any} bottleneck @param {any} metrics @param {any} [change] */
const causeOf = (bottleneck, metrics, change = null) =>
  withCause({ bottleneck, change, explain: ['It was computed.'] }, metrics);

const SCANS = {
  'query.examinedPerSec': 50_000,
  'documents.returnedPerSec': 100,
  'documents.writtenPerSec': 0,
};
const SORTS = {
  'query.examinedPerSec': 222_000,
  'documents.returnedPerSec': 27_750,
  'query.scansPerSec': 5.5,
};
const SORTED = {
  'query.sortedPerSec': 4,
  'query.examinedPerSec': 80_000,
  'query.scansPerSec': 4,
  'documents.returnedPerSec': 10_000,
  'ops.readsPerSec': 10,
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
const LIMITED = {
  'disk.flatRequestsPerSec': 3010,
  'disk.flatSeconds': 9,
  'clients.readingThreads': 8,
  'eviction.pageReadMs': 6,
};
const SWAPPING = {
  'memory.swapInPagesPerSec': 100,
  'process.otherBytes': 4 * 2 ** 30,
  'process.residentBytes': 10 * 2 ** 30,
  'process.freeHeapBytes': 2 ** 30,
  'connections.open': 2048,
};

const SENDING = { 'migrations.sentPerSec': 800, 'query.examinedPerSec': 200 };
const RECEIVING = { 'migrations.receivedPerSec': 900, 'documents.writtenPerSec': 100 };
const MIRRORED = { 'mirrored.processedPerSec': 800, 'ops.readsPerSec': 1000 };
const MIRRORING = { 'mirrored.sentPerSec': 9000, 'ops.readsPerSec': 10_000 };

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
  ['whole collections are read to sort them', 'cpu', SORTS, 'scans', 0.875],
  ['… where clients wait for the disk', 'cache-read', SORTS, null],
  ['… a scan of ten documents', 'cpu', { ...SORTS, 'query.scansPerSec': 300 }, null],
  ['… a scan now and then', 'cpu', { ...SORTS, 'query.scansPerSec': 0.4 }, null],
  ['… a dump', 'cpu', { ...SORTS, 'documents.returnedPerSec': 200_000 }, null],
  [
    '… of a server that does not count scans',
    'cpu',
    { ...SORTS, 'query.scansPerSec': undefined },
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
  ['large sorts of a release that counts no spills', 'disk', SORTED, 'large-sorts', null],
  ['… and of one that does', 'disk', { ...SORTED, 'query.sortSpills': 0 }, null],
  ['sorts of a few documents', 'disk', { ...SORTED, 'query.sortedPerSec': 90 }, null],
  [
    'a sort now and then',
    'disk',
    { ...SORTED, 'query.sortedPerSec': 0.09, 'query.scansPerSec': 0.09 },
    null,
  ],
  [
    'sorts by a range of an index',
    'disk',
    { ...SORTED, 'query.scansPerSec': 0 },
    'large-sorts',
    null,
  ],
  [
    '… beside many other reads',
    'disk',
    { ...SORTED, 'query.scansPerSec': 0, 'ops.readsPerSec': 41 },
    null,
  ],
  ['sorts beside other scans', 'disk', { ...SORTED, 'query.scansPerSec': 9 }, null],
  ['large sorts and a calm engine', 'none', SORTED, null],
  ['large sorts that also scan', 'cpu', { ...SORTS, ...SORTED }, 'large-sorts', null],
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
  [
    'a build that outlasts the window, of a release that counts it at its start',
    'disk',
    { 'indexBuilds.started': 0, 'indexBuilds.runningShare': 1 },
    'index-build',
    null,
  ],
  [
    '… that runs at one end alone',
    'disk',
    { 'indexBuilds.started': 0, 'indexBuilds.runningShare': 0.5 },
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
  ['a limited disk', 'cache-read', LIMITED, 'disk-limit', null],
  [
    'a disk limited in bytes',
    'disk',
    { ...LIMITED, 'disk.flatRequestsPerSec': undefined, 'disk.flatBytesPerSec': 125e6 },
    'disk-limit',
    null,
  ],
  ['a steady load that hardly waits', 'cache-read', { ...LIMITED, 'eviction.pageReadMs': 4 }, null],
  ['one reader', 'cache-read', { ...LIMITED, 'clients.readingThreads': 1.9 }, null],
  [
    'writes at a limited disk',
    'checkpoint',
    {
      'disk.flatRequestsPerSec': 800,
      'disk.flatSeconds': 9,
      'disk.busyRatio': 1,
      'disk.writeMs': 30,
      'disk.writesPerSec': 800,
    },
    'disk-limit',
    null,
  ],
  ['a load without a plateau', 'disk', { ...LIMITED, 'disk.flatRequestsPerSec': undefined }, null],
  ['a limited disk and a calm engine', 'none', LIMITED, null],
  ['a shard that gives ranges away', 'cache-read', SENDING, 'migrations', 0.8],
  ['… and few of them', 'cache-read', { ...SENDING, 'migrations.sentPerSec': 199 }, null],
  ['… beside many more reads', 'disk', { ...SENDING, 'query.examinedPerSec': 1900 }, null],
  ['… and a calm engine', 'none', SENDING, null],
  ['a shard that gets ranges', 'cache-dirty', RECEIVING, 'migrations', 0.9],
  ['… beside many writes', 'disk', { ...RECEIVING, 'documents.writtenPerSec': 9000 }, null],
  ['both at once, the larger share', 'disk', { ...SENDING, ...RECEIVING }, 'migrations', 0.9],
  [
    '… of which the donor is the larger',
    'disk',
    { ...SENDING, ...RECEIVING, 'query.examinedPerSec': 0 },
    'migrations',
    1,
  ],
  ['reads that a primary mirrors here', 'cpu', MIRRORED, 'mirrored-reads', 0.8],
  [
    '… of a release that counts them apart',
    'cache-read',
    { ...MIRRORED, 'ops.readsPerSec': 10 },
    'mirrored-reads',
    1,
  ],
  ['mirrored reads beside more others', 'cpu', { ...MIRRORED, 'ops.readsPerSec': 1601 }, null],
  ['few mirrored reads', 'cpu', { ...MIRRORED, 'mirrored.processedPerSec': 99 }, null],
  ['mirrored reads and a calm engine', 'none', MIRRORED, null],
  ['a primary that mirrors its reads', 'cpu', MIRRORING, 'mirrored-reads', null],
  ['one that mirrors a hundredth', 'cpu', { ...MIRRORING, 'mirrored.sentPerSec': 110 }, null],
  ['few reads, all of them mirrored', 'cpu', { 'mirrored.sentPerSec': 99 }, null],
  ['memory beside the cache', 'unknown', SWAPPING, 'memory-beside-cache', null],
  ['little swapping', 'unknown', { ...SWAPPING, 'memory.swapInPagesPerSec': 99 }, null],
  ['a large cache that is swapped', 'disk', { ...SWAPPING, 'process.otherBytes': 2 ** 31 }, null],
  ['little memory in all', 'disk', { ...SWAPPING, 'process.otherBytes': 2 ** 29 }, null],
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

  it('lets short operations go first, where the release can and operations queue for tickets', () => {
    const queue = { 'clients.queued': 20, 'tickets.readEmptyShare': 1, 'tickets.prioritizing': 0 };
    const remedyOf = (/** @type {object} */ metrics, of = 'cpu') =>
      String(causeOf(of, metrics).remedy);
    const GATE = /queue behind it: db\.adminCommand\(\{ setParameter: 1, executionControlDepri/;
    assert.match(remedyOf({ ...SCANS, ...queue }), GATE);
    assert.match(remedyOf({ ...TTL, ...queue }, 'cache-dirty'), GATE);
    for (const more of [
      { 'tickets.prioritizing': 1 },
      { 'tickets.prioritizing': undefined },
      { 'clients.queued': 0 },
    ])
      assert.doesNotMatch(remedyOf({ ...SCANS, ...queue, ...more }), /Deprioritization/);
    assert.doesNotMatch(remedyOf({ ...CONFLICTS, ...queue }, 'none'), /Deprioritization/);
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

  it('names the limit of a disk that is published, and credits that are used up', () => {
    const { cause } = causeOf('disk', LIMITED);
    assert.deepEqual(cause?.evidence, [
      'the same rate for 9 seconds',
      '8 application threads wait for page reads of 6 ms',
      '3,000/s is the baseline of AWS gp3 volumes, and the burst of small gp2 ones',
    ]);
    const fallen = causeOf('disk', {
      ...LIMITED,
      'disk.flatRequestsPerSec': 900,
      'disk.flatFallRatio': 3.3,
    });
    assert.deepEqual(fallen.cause?.evidence.slice(2), ['3.3 times as much before']);
    assert.match(String(fallen.remedy), /^Burst credits are used up/);
  });

  it('divides the memory beside the cache, the largest part first', () => {
    const { cause, remedy } = causeOf('unknown', SWAPPING);
    assert.deepEqual(cause?.evidence, [
      '100 pages/s read from swap',
      '2 GiB: connections, at 1 MiB each',
      '1 GiB: free in the allocator',
      '1 GiB: sorts, index builds, aggregations and all else',
    ]);
    assert.match(String(remedy), /maxPoolSize/);
  });

  describe('that the machine shows', () => {
    const found = {
      rule: 'host-memory-limit',
      code: 'too-large',
      advice: 'Set the cache to 512 MiB.',
      values: { limitBytes: 2 ** 30, usedBytes: 2 ** 30, cacheBytes: 2 ** 30 },
    };
    /** @param {any} conclusion @param {any} [finding] */
    const ofMachine = (conclusion, finding = found) =>
      withMachineCause(
        { cause: null, remedy: null, change: null, expected: null, explain: [], ...conclusion },
        [finding],
      );

    it('a limit of the container, and no larger cache', () => {
      const { cause, ...rest } = ofMachine({
        bottleneck: 'cache-read',
        change: { cacheSizeGB: 3 },
        expected: {},
      });
      assert.equal(cause?.kind, 'container-limit');
      assert.deepEqual(cause?.evidence, ['100.0% of the limit is used']);
      assert.deepEqual(rest, {
        bottleneck: 'cache-read',
        remedy: found.advice,
        change: null,
        expected: null,
        explain: ['A cache of 3 GiB does not fit into that limit.'],
      });
    });

    it('leaves other changes', () => {
      const change = { evictionThreadsMax: 8 };
      assert.deepEqual(ofMachine({ bottleneck: 'eviction-threads', change }).change, change);
    });

    for (const [title, conclusion, finding] of /** @type {[string, any, any?][]} */ ([
      ['a calm engine', { bottleneck: 'none' }],
      ['another cause', { bottleneck: 'disk', cause: { kind: 'scans' } }],
      ['a limit that fits', { bottleneck: 'disk' }, { ...found, code: 'fits' }],
      [
        'a limit that is not reached',
        { bottleneck: 'disk' },
        { ...found, values: { ...found.values, usedBytes: 2 ** 29 } },
      ],
    ]))
      it(`${title}: as it was`, () => {
        assert.equal(
          ofMachine(conclusion, finding).cause?.kind,
          /** @type {any} */ (conclusion).cause?.kind,
        );
      });
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
