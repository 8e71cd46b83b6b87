'use strict';

const { hasNewAllocator, isUnsafeNumber, SINCE } = require('../../signals/allocator');

/**
 * What a release changes for a server that is upgraded to it, and for which servers that counts.
 * What tune cannot see is said as something to check.
 *
 * @typedef {{
 *   version: string, isReplicated: boolean | null, isWriteConcernSet: boolean | null,
 *   architecture: string | null, hasAvx: boolean | null, kernelNumber: number | null,
 *   libcNumber: number | null, ticketsSet: boolean | null, parameters: readonly string[],
 *   isMajorityReadOff: boolean | null
 * }} UpgradedServer null: not known; `libcNumber`: 2.35 is 2035; `parameters`: names that the server
 *   was started with
 *
 * @typedef {'default' | 'parameter' | 'platform' | 'data'} ChangeArea
 * @typedef {{
 *   id: string, since: string, until?: string, from?: readonly [string, string], area: ChangeArea,
 *   level: 'blocker' | 'change' | 'check', what: string, todo: string | null, source: string,
 *   applies?: (server: UpgradedServer) => boolean | null
 * }} ReleaseChange `since`: the first release with it; `until`: the first later release without it
 *   again; `from`: only for an upgrade from a release of this range, the second not included;
 *   `applies`: null where it cannot be known, which makes a check of it
 */

const MANUAL = 'https://www.mongodb.com/docs';
const NOTES = (/** @type {string} */ series) => `${MANUAL}/manual/release-notes/${series}/`;
const JIRA = 'https://jira.mongodb.org/browse';
const GLIBC_WITH_RSEQ = 2035;

/** @param {boolean | null} known */
const not = (known) => (known === null ? null : !known);
/** @param {UpgradedServer} server */
const takesNewAllocator = ({ architecture }) =>
  architecture === null ? null : hasNewAllocator(SINCE, architecture);

/** @type {readonly ReleaseChange[]} */
const RELEASE_CHANGES = Object.freeze([
  {
    id: 'write-concern',
    since: '5.0.0',
    area: 'default',
    level: 'change',
    what:
      'Writes wait for the majority: with feature compatibility version 5.0 the implicit default ' +
      'write concern is { w: "majority" } instead of { w: 1 }. Each write then takes as long as ' +
      'the slowest needed member.',
    todo:
      'Keep the old one where the application does not need the new one: before the upgrade, ' +
      'setDefaultRWConcern with { w: 1 }.',
    source: `${NOTES('5.0')}; measured over 4.4.2 and 5.0.4 (test/server/upgrade.test.js)`,
    applies: ({ isReplicated, isWriteConcernSet }) =>
      isReplicated === false ? false : not(isWriteConcernSet),
  },
  {
    id: 'majority-reads',
    since: '5.0.0',
    area: 'parameter',
    level: 'change',
    what: 'replication.enableMajorityReadConcern: false has no effect: it is always true.',
    todo: 'Remove the option.',
    source: NOTES('5.0'),
    applies: ({ isMajorityReadOff }) => isMajorityReadOff,
  },
  {
    id: 'avx',
    since: '5.0.0',
    area: 'platform',
    level: 'blocker',
    what: 'mongod for x86-64 does not start on a CPU without AVX.',
    todo: 'Move the server to another CPU first.',
    source: `${MANUAL}/manual/administration/production-notes/`,
    applies: ({ architecture, hasAvx }) =>
      architecture !== null && architecture !== 'x86_64' ? false : not(hasAvx),
  },
  {
    id: 'ttl-nan',
    since: '5.0.0',
    area: 'data',
    level: 'check',
    what:
      'A TTL index whose expireAfterSeconds is NaN deletes nothing before 5.0, and from 5.0 on ' +
      'everything that is older than now.',
    todo: 'Search all indexes for one, and give it a number with collMod.',
    source: `${JIRA}/SERVER-68477`,
  },
  {
    id: 'stale-checkpoints',
    since: '4.4.8',
    until: '4.4.11',
    from: ['4.4.3', '4.4.5'],
    area: 'data',
    level: 'blocker',
    what: 'Data can become inconsistent: 4.4.3 and 4.4.4 leave wrong checkpoint metadata (WT-8395).',
    todo: 'Go to 4.4.11 or later, or to 5.0.6 or later.',
    source: `${JIRA}/WT-8395`,
  },
  {
    id: 'stale-checkpoints-5.0',
    since: '5.0.2',
    until: '5.0.6',
    from: ['4.4.3', '4.4.5'],
    area: 'data',
    level: 'blocker',
    what: 'Data can become inconsistent: 4.4.3 and 4.4.4 leave wrong checkpoint metadata (WT-8395).',
    todo: 'Go to 4.4.11 or later, or to 5.0.6 or later.',
    source: `${JIRA}/WT-8395`,
  },
  {
    id: 'ticket-probing',
    since: '7.0.0',
    area: 'default',
    level: 'change',
    what:
      'The server adapts the number of tickets (throughput probing), instead of 128 each for reads ' +
      'and writes. A number set at start disables probing.',
    todo: 'Compare queued operations before and after.',
    source: NOTES('7.0'),
    applies: ({ ticketsSet }) => (ticketsSet === null ? null : !ticketsSet),
  },
  {
    id: 'slow-operations',
    since: '8.0.0',
    area: 'default',
    level: 'change',
    what:
      'Slow operations are logged by the time that MongoDB works on them, without waits for locks ' +
      'and flow control. There are fewer of them for the same load.',
    todo: null,
    source: NOTES('8.0'),
  },
  {
    id: 'huge-pages',
    since: '8.0.0',
    area: 'platform',
    level: 'change',
    what: 'Transparent huge pages should be on (always), and were off until 7.0.',
    todo: 'tune.host() shows what to set; set it with the upgrade of each member.',
    source: `${MANUAL}/manual/administration/tcmalloc-performance/`,
    applies: takesNewAllocator,
  },
  {
    id: 'rseq',
    since: '8.0.0',
    area: 'platform',
    level: 'change',
    what: 'The allocator has per-CPU caches only where glibc leaves restartable sequences to it.',
    todo: 'Start mongod with GLIBC_TUNABLES=glibc.pthread.rseq=0, but never on Linux 6.19 to 7.0.13.',
    source: `${MANUAL}/manual/administration/tcmalloc-performance/`,
    applies: (server) =>
      server.libcNumber === null
        ? takesNewAllocator(server) && null
        : server.libcNumber >= GLIBC_WITH_RSEQ && takesNewAllocator(server),
  },
  {
    id: 'kernel',
    since: '8.0.0',
    area: 'platform',
    level: 'blocker',
    what: 'mongod crashes or does not start on Linux 6.19 to 7.0.13.',
    todo: 'Boot Linux before 6.19. Or 7.0.14 or later, where the release notes of your MongoDB allow it.',
    source: NOTES('8.0'),
    applies: ({ kernelNumber }) => (kernelNumber === null ? null : isUnsafeNumber(kernelNumber)),
  },
  {
    id: 'spill-engine',
    since: '8.2.0',
    area: 'default',
    level: 'change',
    what: 'Sorts and groups spill into a second WiredTiger, whose cache is 2.5% of RAM.',
    todo: 'Leave free RAM for it beside cacheSizeGB.',
    source: NOTES('8.2'),
  },
  {
    id: 'execution-control',
    since: '8.3.0',
    area: 'parameter',
    level: 'change',
    what:
      'storageEngineConcurrent…Transactions and storageEngineConcurrencyAdjustmentAlgorithm are ' +
      'called executionControl….',
    todo: 'Rename them in mongod.conf with the upgrade.',
    source: NOTES('8.3'),
    applies: ({ parameters }) =>
      parameters.some((name) => /^(?:storageEngine|wiredTiger)Concurren/.test(name)),
  },
]);

module.exports = { RELEASE_CHANGES };
