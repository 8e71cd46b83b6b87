'use strict';

/**
 * Symptoms in the words of those who see them. `words`: what people type for it; `command`: the one
 * to run first; `answer`: what it shows if this is it; `notIf`: what it is not.
 * @typedef {{
 *   id: string, title: string, words: readonly string[], command: string, answer: string,
 *   notIf: string
 * }} Symptom
 */

/** @type {readonly Symptom[]} */
const SYMPTOMS = Object.freeze([
  {
    id: 'spikes-every-minute',
    title: 'Latency spikes every 60 seconds',
    words: ['spike', 'every minute', '60 seconds', 'p99', 'periodic', 'checkpoint'],
    command: 'tune.checkpoints({ seconds: 130 })',
    answer: 'Stalls that fall into checkpoints: the disk takes too long for what is dirty.',
    notIf: 'The stalls are outside of checkpoints, or a job of your own runs every minute.',
  },
  {
    id: 'memory-above-cache',
    title: 'mongod uses more memory than cacheSizeGB',
    words: ['memory', 'rss', 'ram', 'cachesizegb', 'leak', 'grows'],
    command: 'tune.status()',
    answer:
      'The cache has the size that is set. The rest is connections, sorts, index builds and memory ' +
      'that the allocator keeps: it comes on top of the cache, by design. Compare with ' +
      'db.serverStatus().mem.resident (MiB).',
    notIf: 'The cache itself is at 95% or more: see "The cache is stuck at 95%".',
  },
  {
    id: 'oom',
    title: 'mongod was killed: out of memory (OOMKilled, exit code 137)',
    words: ['oom', 'oomkilled', 'killed', '137', 'out of memory', 'pod', 'container', 'restart'],
    command: 'tune.host()',
    answer:
      'A memory limit below the need of mongod. Set cacheSizeGB to about half of the limit: connections, ' +
      'sorts and the page cache need the other half.',
    notIf: "The kernel's log has no OOM kill: then mongod's log shows why it ended.",
  },
  {
    id: 'disk-not-released',
    title: 'Half of the data was deleted, and the disk is as full as before',
    words: ['disk', 'space', 'released', 'reclaim', 'compact', 'deleted', 'shrink', 'full'],
    command: 'tune.collections({ by: "cache", limit: 50 })',
    answer:
      'Files whose storage is much larger than their documents need. New documents use that space ' +
      'again; compact, or a resync of the member, gives it back to the file system.',
    notIf: 'The collection grows again soon: then the space is used without compact.',
  },
  {
    id: 'slow-after-upgrade',
    title: 'Everything is slower after an upgrade',
    words: ['upgrade', 'slower', 'version', 'regression', '7.0', '8.0'],
    command: 'tune.replay("after.ndjson", { compare: "before.ndjson" })',
    answer:
      'Which resource changed between two recordings of tune.record() under the same load: reads, ' +
      'eviction, checkpoints, CPU or waits.',
    notIf: 'There is no recording of before. Then run tune.advise() and tune.host().',
  },
  {
    id: 'stuck-at-95',
    title: 'The cache is stuck at 95%',
    words: ['95', '95%', 'full', 'stuck', 'cache', 'eviction'],
    command: 'tune.advise({ seconds: 30 })',
    answer: 'eviction-threads, cache-dirty or history: eviction does not keep up, and why.',
    notIf: 'It stays at 80%: that is the target of a healthy, full cache.',
  },
  {
    id: 'write-conflict',
    title: 'WriteConflict errors, or many retried writes',
    words: ['writeconflict', 'write conflict', '112', 'conflict', 'hot document', 'retry'],
    command: 'tune.who({ seconds: 30 })',
    answer: 'The collection whose writes conflict, and the application that sends them.',
    notIf:
      'The errors name the oldest pinned transaction id: that is cache pressure, see tune.advise().',
  },
  {
    id: 'tickets',
    title: 'No tickets are available, operations queue',
    words: ['ticket', 'queue', 'concurrent', 'globallock', '128', 'starved', 'probing'],
    command: 'tune.who({ seconds: 30 })',
    answer:
      'Who holds the tickets. A slow operation holds one longer: find it before you add tickets.',
    notIf:
      'tune.advise() prints a CAUSE about the ticket pools: they were set low, or the probing of MongoDB 7.0 ' +
      'and later stays low while CPUs, disk and cache are idle. The CAUSE names the parameters to set.',
  },
  {
    id: 'slow-after-failover',
    title: 'Slow after a failover or a restart',
    words: ['failover', 'restart', 'election', 'step down', 'cold', 'warm'],
    command: 'tune.advise({ seconds: 30 })',
    answer:
      'CAUSE: the server started minutes ago and still fills its cache; that ends by itself. After ' +
      'a failover: cache-read, since the new primary has other pages in its cache.',
    notIf:
      'The cache is used to 80% already, or it is slow for longer than data takes to be read once.',
  },
  {
    id: 'collection-scan',
    title: 'One query makes all others slow',
    words: ['query', 'collscan', 'index', 'scan', 'slow query', 'missing index', 'targeting'],
    command: 'tune.who({ seconds: 30 })',
    answer: 'The shape, its application, the command that shows its plan, and an index to try.',
    notIf:
      '"not attributed" is the largest share: add { log: "/var/log/mongodb/mongod.log" } on the machine of the server.',
  },
  {
    id: 'app-threads-evict',
    title: 'Application threads evict pages',
    words: ['application threads', 'evict', 'eviction', 'app threads'],
    command: 'tune.advise({ seconds: 30 })',
    answer: 'cache-dirty or eviction-threads, and the change to try; tune.trial() tests it.',
    notIf: 'Fewer than 0.25 threads evict on average (rule app-eviction): clients hardly notice.',
  },
  {
    id: 'dirty-20',
    title: 'Dirty data at 20%, writes stall',
    words: ['dirty', '20%', 'writes', 'stall', 'freeze', 'dirty trigger'],
    command: 'tune.advise({ seconds: 30 })',
    answer: 'cache-dirty: writes are faster than eviction and checkpoints write to disk.',
    notIf: 'The cause is a TTL pass or an index build: then it is named, and ends by itself.',
  },
  {
    id: 'updates-trigger',
    title: 'Application threads wait because of the updates trigger',
    words: ['updates', 'update trigger', 'eviction_updates_trigger'],
    command: 'tune.status({ seconds: 5 })',
    answer: 'Update data above its trigger while dirty data is below its own.',
    notIf: 'Dirty data is at its trigger, too.',
  },
  {
    id: 'ttl',
    title: 'Slow for a while in every minute or hour, with many deletes',
    words: ['ttl', 'expire', 'delete', 'expired'],
    command: 'tune.ttl()',
    answer: 'How many documents expire when, and how to move the deletes to a quiet window.',
    notIf: 'tune.who() does not name the TTL monitor.',
  },
  {
    id: 'index-build',
    title: 'Slow while an index is built',
    words: ['index build', 'createindex', 'build'],
    command: 'tune.who({ seconds: 30 })',
    answer: 'The build, how far it is, and its share of the wait time.',
    notIf: 'Only a secondary is slow: run it there.',
  },
  {
    id: 'dump',
    title: 'Slow during mongodump or a nightly export',
    words: ['mongodump', 'backup', 'dump', 'export', 'nightly', 'pbm'],
    command: 'tune.who({ seconds: 30 })',
    answer: 'The program by its application name, and what it reads.',
    notIf:
      'The backup is a snapshot of the file system: then run tune.checkpoints() and tune.host().',
  },
  {
    id: 'connections',
    title: 'Thousands of connections, new ones all the time',
    words: ['connection', 'pool', 'storm', 'too many', 'threads'],
    command: 'tune.advise({ seconds: 30 })',
    answer:
      'CAUSE: clients open connections instead of using those they have, with how many a second.',
    notIf: 'Many are open but few are new: that costs memory, about 1 MB each.',
  },
  {
    id: 'majority',
    title: 'Writes got slower for no reason since MongoDB 5.0',
    words: ['majority', 'write concern', 'w:majority', '5.0', 'replication', 'wtime'],
    command: 'tune.advise({ seconds: 30, includeMembers: true })',
    answer:
      'CAUSE: writes wait for the majority (its slowest member that is needed), not for this server.',
    notIf: 'The writes use w: 1.',
  },
  {
    id: 'flow-control',
    title: 'The primary slows itself down (flow control)',
    words: ['flow control', 'lag', 'secondary', 'throttle', 'islagged'],
    command: 'tune.members({ advise: true })',
    answer: 'The member that lags, and what limits it.',
    notIf: 'No member lags: check members that are down and still vote.',
  },
  {
    id: 'history-store',
    title: 'WiredTigerHS.wt grows and never shrinks',
    words: ['wiredtigerhs', 'history store', 'lookaside', 'wiredtigerlas', 'snapshot'],
    command: 'tune.advise({ seconds: 30, includeMembers: true })',
    answer: 'history: an old snapshot or a lagging majority keeps old versions.',
    notIf: 'It does not grow any more: its space is used again.',
  },
  {
    id: 'iops-wall',
    title: 'Fast, then suddenly slow: the disk is at its limit',
    words: ['iops', 'ebs', 'gp3', 'burst', 'credits', 'throughput', 'throttled disk'],
    command: 'tune.advise({ seconds: 60 })',
    answer:
      'CAUSE: the disk is at its limit, the same rate in each second. Compare that rate with ' +
      'the limit you pay for.',
    notIf: 'The disk is below its limit: then the wait is elsewhere.',
  },
  {
    id: 'pool-of-collections',
    title: 'Tens of thousands of collections: slow start, much memory',
    words: ['collections', 'tables', 'files', 'handles', 'namespaces'],
    command: 'tune.check()',
    answer: 'data-handles, sessions or checkpoint-prepare: each collection and index is a file.',
    notIf: 'There are fewer than a few thousand files.',
  },
  {
    id: 'fsync',
    title: 'Checkpoints all the time',
    words: ['fsync', 'forced checkpoint', 'syncdelay', 'flush'],
    command: 'tune.advise({ seconds: 30 })',
    answer: 'CAUSE: something forces checkpoints: it calls fsync or takes backups.',
    notIf: 'There is one in each interval (60 s by default).',
  },
  {
    id: 'transaction-too-large',
    title: 'TransactionTooLargeForCache, TemporarilyUnavailable',
    words: ['transactiontoolargeforcache', 'temporarilyunavailable', 'transaction', '-31800'],
    command: 'tune.advise({ seconds: 30 })',
    answer: 'CAUSE: transactions did not fit into the cache. Write less in one transaction.',
    notIf: 'The error is WriteConflict alone: see "WriteConflict errors".',
  },
  {
    id: 'range-deleter',
    title: 'Slow while or after chunks are moved to another shard',
    words: ['balancer', 'chunk', 'shard', 'migration', 'orphan', 'range deleter', 'movechunk'],
    command: 'tune.advise({ seconds: 30 })',
    answer:
      'CAUSE: documents arrive or leave; later the range deleter removes what has left, and the ' +
      'parameters that slow it down.',
    notIf: 'Neither is named: then tune.who() names what runs.',
  },
  {
    id: 'drops',
    title: 'Everything stops while collections are dropped',
    words: ['drop', 'drop an index', 'dropindex', 'drop a collection', 'dropcollection'],
    command: 'tune.check()',
    answer:
      'data-handles: clients wait for the locks of handles. Drop one by one, at a quiet hour.',
    notIf: 'No client waits for handle locks: then run tune.checkpoints({ seconds: 130 }).',
  },
  {
    id: 'virtual-memory',
    title: 'Virtual memory is much higher since MongoDB 8.0',
    words: ['virtual', 'vsz', 'virt', 'address space'],
    command: 'tune.status()',
    answer:
      'db.serverStatus().mem (MiB): virtual is high, resident is not. The allocator of 8.0 reserves ' +
      'address space, which is no memory.',
    notIf: 'Resident memory grows, too: see "mongod uses more memory than cacheSizeGB".',
  },
  {
    id: 'defect',
    title: 'Threads hang, or it seems to be a bug of this release',
    words: ['bug', 'defect', 'hang', 'deadlock', 'known issue'],
    command: 'tune.defects({ seconds: 30 })',
    answer:
      'The known defects of this release whose signs are seen, and the release that fixes each.',
    notIf: 'None has its signs: then run tune.advise({ seconds: 30 }).',
  },
]);

/**
 * Finds the symptoms that a query means, the best match first.
 * @param {string} query the text that a person types
 * @returns {Symptom[]}
 */
function symptomsFor(query) {
  const asked = wordsOf(query);
  return SYMPTOMS.map((symptom) => ({ symptom, score: scoreOf(symptom, query, asked) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ symptom }) => symptom);
}

/** @param {string} text */
const wordsOf = (text) =>
  text
    .toLowerCase()
    .split(/[^a-z0-9%.:-]+/)
    .filter(Boolean);

/** @param {Symptom} symptom @param {string} query @param {readonly string[]} asked */
function scoreOf({ id, title, words }, query, asked) {
  const text = query.toLowerCase().trim();
  if (text === id) return 100;
  const phrases = words.filter((word) => text.includes(word)).length;
  const own = new Set([...wordsOf(title), ...words.flatMap(wordsOf)]);
  return phrases * 3 + asked.filter((word) => word.length > 2 && own.has(word)).length;
}

module.exports = { SYMPTOMS, symptomsFor };
