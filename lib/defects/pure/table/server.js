'use strict';

const { UNSAFE_KERNELS } = require('../../../signals/allocator');
const { GiB } = require('../../../base/pure/units');

/** @import { Defect } from '../defects' */

/** WiredTiger's session_max is 33,000: from here on the next burst of connections reaches it. */
const NEAR_SESSION_MAX = 32_000;
/**
 * A line that comes with each conflict reaches this number, one that comes now and then does not.
 */
const FLOOD_LINES = 100;
/** The leak is some hundred bytes for each transaction over several shards. */
const MANY_TRANSACTIONS = 1_000_000;
const MANY_SPILLS = 1000;
/** The internal batch of an insert is 500; it was 64 before 4.4, and is again with the fix. */
const LARGE_BATCH = 500;
const GAP_SECONDS = 5;

/** Defects of mongod that stall, end or expose a server. @type {readonly Defect[]} */
const SERVER = Object.freeze([
  {
    ticket: 'SERVER-115508',
    title: 'zlib messages disclose memory (CVE-2025-14847)',
    effect: 'A client without a login can read data that mongod held in memory earlier.',
    shows: 'use',
    certainty: 'sure',
    status: 'critical',
    ranges: [
      { from: '4.4.0', fixed: '4.4.30' },
      { from: '5.0.0', fixed: '5.0.32' },
      { from: '6.0.0', fixed: '6.0.27' },
      { from: '7.0.0', fixed: '7.0.28' },
      { from: '8.0.0', fixed: '8.0.17' },
      { from: '8.2.0', fixed: '8.2.3' },
    ],
    signature: [[{ value: 'zlib.isAccepted', min: 1 }]],
    workaround: 'Start mongod with net.compression.compressors: snappy,zstd, without zlib.',
    source: 'https://www.cve.org/CVERecord?id=CVE-2025-14847',
  },
  {
    ticket: 'SERVER-75205',
    title: 'Deadlock at step-down when read tickets are exhausted',
    effect: 'A member can neither step down nor serve, until it is killed.',
    shows: 'trouble',
    certainty: 'likely',
    status: 'critical',
    ranges: [
      { from: '4.4.15', fixed: '4.4.20' },
      { from: '5.0.10', fixed: '5.0.16' },
      { from: '6.0.0', fixed: '6.0.6' },
    ],
    signature: [
      [{ log: 'rstl-timeout', min: 1 }],
      [
        { log: 'step-down', min: 1 },
        { value: 'tickets.readEmptyShare', min: 0.5 },
      ],
    ],
    workaround: 'Do not step down while read tickets are exhausted; end long reads first.',
    source: 'the ticket; release notes of 5.0.16 and 6.0.6',
  },
  {
    ticket: 'SERVER-78556',
    title: 'Large internal insert batches delay replication',
    effect: 'While a large insert writes its batch, secondaries cannot read later entries.',
    shows: 'use',
    certainty: 'sure',
    status: 'warning',
    ranges: [
      { from: '4.4.0', fixed: null },
      { from: '5.0.0', fixed: '5.0.27' },
      { from: '6.0.0', fixed: '6.0.15' },
      { from: '7.0.0', fixed: '7.0.8' },
    ],
    signature: [
      [
        { value: 'insert.batchMax', min: LARGE_BATCH },
        { value: 'server.isReplicated', min: 1 },
        { log: 'slow-batch-insert', min: 1 },
      ],
    ],
    workaround: 'Set the parameter internalInsertMaxBatchSize to 64.',
    source: 'release notes of 5.0.27, 6.0.15 and 7.0.8; SERVER-70155',
  },
  {
    ticket: 'SERVER-74551',
    title: 'Write conflicts of findAndModify are logged as warnings',
    effect: 'Each conflict writes a line with its plan; the log grows, and writing it takes time.',
    shows: 'trouble',
    certainty: 'sure',
    status: 'warning',
    ranges: [
      { from: '5.0.0', fixed: '5.0.19' },
      { from: '6.0.0', fixed: '6.0.7' },
    ],
    signature: [[{ log: 'find-and-modify-conflict', min: FLOOD_LINES }]],
    workaround: null,
    source: 'the ticket; release notes of 5.0.19 and 6.0.7',
  },
  {
    ticket: 'SERVER-82688',
    title: 'mongod ends when it runs out of sessions',
    effect: 'More connections than session_max end mongod.',
    shows: 'trouble',
    certainty: 'sure',
    status: 'critical',
    ranges: [
      { from: '7.0.0', fixed: '7.0.27' },
      { from: '8.0.0', fixed: '8.0.16' },
    ],
    signature: [
      [{ value: 'sessions.open', min: NEAR_SESSION_MAX }],
      [{ log: 'session-limit', min: 1 }],
    ],
    workaround: 'Limit connections below session_max (net.maxIncomingConnections).',
    source: 'release notes of 7.0.27 and 8.0.16',
  },
  {
    ticket: 'SERVER-103841',
    title: 'Transactions over several shards leak memory',
    effect: 'The coordinator keeps some memory of each such transaction until it steps down.',
    shows: 'use',
    certainty: 'sure',
    status: 'info',
    ranges: [{ from: '8.0.0', fixed: '8.0.14' }],
    signature: [[{ value: 'transactions.coordinated', min: MANY_TRANSACTIONS }]],
    workaround: 'Step down the primary of the shard: that frees the memory.',
    source: 'the ticket; release notes of 8.0.14',
  },
  {
    ticket: 'SERVER-82037',
    title: 'Memory of sorts that spill grows without bound',
    effect: 'Sorts on disk hold memory beside the cache, until mongod runs out of it.',
    shows: 'trouble',
    certainty: 'likely',
    status: 'warning',
    ranges: [
      { from: '6.0.0', fixed: '6.0.24' },
      { from: '7.0.0', fixed: '7.0.18' },
      { from: '8.0.0', fixed: '8.0.4' },
    ],
    signature: [
      [
        { value: 'sorts.spilled', min: MANY_SPILLS },
        { value: 'process.otherBytes', min: 4 * GiB },
      ],
    ],
    workaround: 'Give large sorts an index.',
    source: 'release notes of 6.0.24, 7.0.18 and 8.0.4',
  },
  {
    ticket: 'SERVER-99342',
    title: 'Throughput probing does not count its decreases',
    effect: 'timesDecreased stays 0, so that tickets seem to be raised only.',
    shows: 'trouble',
    certainty: 'likely',
    status: 'info',
    ranges: [{ from: '8.0.0', fixed: '8.0.12' }],
    signature: [
      [
        { value: 'tickets.timesIncreased', min: 1 },
        { value: 'tickets.timesDecreased', max: 0 },
      ],
    ],
    workaround: 'Compare totalTickets over time instead.',
    source: 'release notes of 8.0.12',
  },
  {
    ticket: 'SERVER-93120',
    title: 'Diagnostic data blocked by a backup cursor',
    effect: 'The diagnostic data has gaps while a backup is open.',
    shows: 'trouble',
    certainty: 'likely',
    status: 'info',
    ranges: [
      { from: '6.0.0', fixed: '6.0.23' },
      { from: '7.0.0', fixed: '7.0.20' },
      { from: '8.0.0', fixed: '8.0.4' },
    ],
    signature: [
      [
        { value: 'backup.cursorOpen', min: 1 },
        { value: 'window.longestGapSeconds', min: GAP_SECONDS },
      ],
    ],
    workaround: null,
    source: 'release notes of 6.0.23 and 7.0.20; changelog of 8.0.4',
  },
  {
    ticket: 'SERVER-109273',
    title: 'Per-CPU caches of the allocator have no size in a container',
    effect:
      'All threads share the lists of the allocator, which costs CPU time under many clients.',
    shows: 'trouble',
    certainty: 'likely',
    status: 'warning',
    ranges: ['8.0.0', '8.2.0'].map((from) => ({ from, fixed: null })),
    signature: [
      [
        { value: 'tcmalloc.perCpuCaches', min: 1 },
        { value: 'tcmalloc.perCpuBytes', max: 0 },
      ],
    ],
    workaround:
      'Start mongod with MONGO_TCMALLOC_PER_CPU_CACHE_SIZE_BYTES=16777216 in its environment.',
    source:
      'the ticket; FrameworkBenchmarks of TechEmpower, pull request 10514; a recording of 8.2.3',
  },
  {
    ticket: 'SERVER-120238',
    title: 'Incompatible with Linux 6.19 to 7.0.13',
    effect: 'The allocator can give out the same memory twice: mongod crashes or damages data.',
    shows: 'use',
    certainty: 'sure',
    status: 'critical',
    ranges: ['8.0.0', '8.1.0', '8.2.0', '8.3.0', '9.0.0'].map((from) => ({ from, fixed: null })),
    signature: [[{ value: 'host.kernelNumber', ...UNSAFE_KERNELS }]],
    workaround:
      'Boot Linux before 6.19. Or 7.0.14 or later, where the release notes of your MongoDB allow it.',
    source: 'release notes of 8.0, warning about the kernel',
  },
]);

module.exports = { SERVER };
