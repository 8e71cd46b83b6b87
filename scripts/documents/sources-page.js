'use strict';

/**
 * The bibliography: documents that rules, texts and evidence rest on, and, taken from the rules,
 * every address that one of them cites.
 */

const MADE =
  '<!-- Made by `npm run docs` from scripts/documents/sources-page.js and the sources of the rules. -->';

const DOCS = 'https://www.mongodb.com/docs';
const KERNEL = 'https://docs.kernel.org';
const JIRA = 'https://jira.mongodb.org/browse';
const WIREDTIGER = 'https://source.wiredtiger.com/develop';

/** @typedef {{ title: string, address: string | null, for: string }} Document */

/**
 * What has no address here was read on paper or in an internal copy; its conditions are told where
 * its figures are used.
 * @type {readonly (readonly [string, readonly Document[]])[]}
 */
const DOCUMENTS = Object.freeze([
  [
    'MongoDB manual',
    [
      of(
        'WiredTiger storage engine',
        `${DOCS}/manual/core/wiredtiger/`,
        'cache, checkpoints, history',
      ),
      of(
        'Server parameters: wiredTigerEngineRuntimeConfig',
        `${DOCS}/manual/reference/parameters/`,
        "the vendor's advice on changes at run time",
      ),
      of(
        'Configuration file options: storage.wiredTiger, storage.syncPeriodSecs',
        `${DOCS}/manual/reference/configuration-options/`,
        'defaults and ranges',
      ),
      of('serverStatus', `${DOCS}/manual/reference/command/serverStatus/`, 'what the counters are'),
      of(
        'Production notes',
        `${DOCS}/manual/administration/production-notes/`,
        'RAM, disks, NUMA, swap, file systems',
      ),
      of(
        'Operations checklist',
        `${DOCS}/manual/administration/production-checklist-operations/`,
        'limits of the kernel',
      ),
      of('UNIX ulimit settings', `${DOCS}/manual/reference/ulimit/`, 'limits of the process'),
      of(
        'TCMalloc performance optimization',
        `${DOCS}/manual/administration/tcmalloc-performance/`,
        'huge pages, per-CPU caches, rseq',
      ),
      of(
        'Replica set data synchronization',
        `${DOCS}/manual/core/replica-set-sync/`,
        'lag and flow control',
      ),
      of(
        'Unsupported commands in Atlas',
        `${DOCS}/atlas/unsupported-commands/`,
        'managed services',
      ),
    ],
  ],
  [
    'WiredTiger',
    [
      of('Cache and eviction tuning', `${WIREDTIGER}/tune_cache.html`, 'targets and triggers'),
      of(
        'Source code: src/evict, src/include, dist/stat_data.py, dist/api_data.py',
        'https://github.com/wiredtiger/wiredtiger',
        'names of counters, limits of settings, how eviction works',
      ),
    ],
  ],
  [
    'Tickets',
    [
      ticket('WT-5479', 'stalls with 210,000 data handles'),
      ticket('WT-11173', 'a dirty limit of 20% in a very large cache'),
      ticket('WT-12012', 'messages that flood the log'),
      ticket('WT-12798', 'checkpoints should end within a minute'),
      ticket('WT-13090', 'eviction scores above 100'),
      ticket('WT-13283', 'eviction scores above 100'),
      ticket('WT-15039', 'up to 64 eviction threads: 8.0.24, 8.2.6'),
      ticket('WT-18765', 'dirty pages of a file while its checkpoint runs'),
      ticket('SERVER-31704', 'checkpoints with many collections'),
      ticket('SERVER-57181', 'one thread finds the work for all eviction threads'),
    ],
  ],
  [
    'Linux',
    [
      of(
        'Documentation for /proc/sys/vm',
        `${KERNEL}/admin-guide/sysctl/vm.html`,
        'writeback, swap',
      ),
      of('Scaling in the networking stack', `${KERNEL}/networking/scaling.html`, 'RSS, RPS, RFS'),
      of('Control group v2', `${KERNEL}/admin-guide/cgroup-v2.html`, 'limits of containers'),
      of('Pressure stall information', `${KERNEL}/accounting/psi.html`, 'rule io-pressure'),
      of('I/O statistics fields', `${KERNEL}/admin-guide/iostats.html`, 'rules about disks'),
      of(
        'Manual pages',
        'https://man7.org/linux/man-pages/',
        'proc(5), listen(2), mount(8) and more',
      ),
      of(
        'rseq: refactoring in v6.19 broke everyone on arm64 and tcmalloc everywhere (2026-04-22)',
        'https://lkml.iu.edu/2604.2/08673.html',
        'rule host-kernel-release',
      ),
    ],
  ],
  [
    'Published tests and reports',
    [
      of(
        'MongoDB 3.2 WiredTiger in iiBench. Percona blog, 2015-12-15',
        'https://www.percona.com/blog/2015/12/15/mongodb-3-2-wiredtiger-in-iibench/',
        'stalls around checkpoints',
      ),
      of(
        'MongoDB high-throughput cluster optimization. 2022',
        'https://www.besthub.dev/articles/mongodb-high-throughput-cluster-optimization-software-configuration-and-storage-engine-tuning-7aa1c39e800b',
        'a smaller cache and other thresholds for writes that outran a disk; TTL at night',
      ),
      of(
        'MongoDB performance on ZFS and Linux. Clock, 2016',
        'http://www.clock.co.uk/blog/mongodb-performance-on-zfs-and-linux',
        'record sizes, compression',
      ),
      of(
        'MongoDB on IBM Z, Performance Tuning Guide. IBM, 2026-05',
        null,
        'one s390x machine, 24 cores, 128 GiB, MongoDB 8.2.5, 95% reads: [conditions](evidence/do-nothing.md)',
      ),
      of(
        'Performance evaluation of MongoDB on Linux on z Systems. IBM, 2015',
        null,
        'how to find out that the load driver is the limit',
      ),
    ],
  ],
  [
    'Benchmarks that tune.bench() runs',
    [
      of('YCSB', 'https://github.com/brianfrankcooper/YCSB', 'workloads A to F'),
      of(
        'iibench-mongodb',
        'https://github.com/tmcallaghan/iibench-mongodb',
        'inserts with indexes',
      ),
      of(
        'sysbench-mongodb',
        'https://github.com/tmcallaghan/sysbench-mongodb',
        'mixed transactions',
      ),
    ],
  ],
]);

/** @param {string} title @param {string | null} address @param {string} what @returns {Document} */
function of(title, address, what) {
  return { title, address, for: what };
}

/** @param {string} id @param {string} what */
function ticket(id, what) {
  return of(id, `${JIRA}/${id}`, what);
}

/** An address in the source of a rule, with the title in front of it. */
const CITED = /([^;()]*(?:\([^()]*\))?[^;()]*)\((https?:\/\/[^\s()]+)\)/g;

/**
 * @param {readonly { id: string, source: string }[]} rules
 * @returns {string} the page, in markdown
 */
function sourcesPage(rules) {
  const cited = citedIn(rules);
  return `${[
    '# Sources',
    MADE,
    'What the rules and the [evidence](evidence/README.md) rest on. Each [rule](rules/README.md) names its\n' +
      'sources. A threshold that no document gives is a measurement of this project, with a page of\n' +
      'evidence, or a heuristic, and is called so.',
    ...DOCUMENTS.flatMap(([title, documents]) => [`## ${title}`, documents.map(lineOf).join('\n')]),
    ...(cited.size > 0
      ? ['## Addresses that rules cite', [...cited].map(citedLine).join('\n')]
      : []),
  ].join('\n\n')}\n`;
}

/** @param {Document} document */
const lineOf = ({ title, address, for: what }) =>
  `- ${address === null ? `${title} (no public address found)` : `[${title}](${address})`}: ${what}`;

/**
 * @param {readonly { id: string, source: string }[]} rules
 * @returns {Map<string, { title: string, rules: string[] }>} by address
 */
function citedIn(rules) {
  /** @type {Map<string, { title: string, rules: string[] }>} */
  const cited = new Map();
  for (const { id, source } of rules)
    for (const [, title, address] of source.matchAll(CITED)) {
      const known = cited.get(address) ?? {
        title: title.replace(/^[\s.]+|[\s,]+$/g, ''),
        rules: [],
      };
      known.rules.push(id);
      cited.set(address, known);
    }
  return new Map([...cited].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** @param {[string, { title: string, rules: string[] }]} cited */
const citedLine = ([address, { title, rules }]) =>
  `- [${title}](${address}): ${[...new Set(rules)].map((id) => `[${id}](rules/${id}.md)`).join(', ')}`;

module.exports = { sourcesPage };
