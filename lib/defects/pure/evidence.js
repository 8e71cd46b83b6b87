'use strict';

const { kernelNumber } = require('../../base/pure/version');
const { toNumber } = require('../../base/pure/numbers');

/** Reads the marks of defects from a server's replies and its log. */

/**
 * Lines of a mongod log (JSON, 4.4 and later) that are the mark of a defect, or of a feature that a
 * defect needs. Servers of 4.4.2, 6.0.5 and 6.0.27 log these numbers; some are from mongod's
 * source, where no server at hand can be brought to log them.
 * @typedef {{ id: number, text?: RegExp }} LogMark `text`: what the line contains besides its
 *   number
 */

/** A slow insert of at least this many documents counts: the internal batch was 64 before 4.4. */
const LARGE_BATCH = /"ninserted":[1-9]\d{2,}/;

const LOG_SIGNATURES = Object.freeze({
  /** "Detected unclean shutdown": mongod was killed, or lost its machine. */
  'unclean-start': { id: 22271 },
  'find-and-modify-conflict': { id: 23802, text: /"codeName":"WriteConflict"/ },
  'slow-batch-insert': { id: 51803, text: LARGE_BATCH },
  'compact-begun': { id: 20284 },
  /** mongod makes a temporary collection only to rename to another database. */
  'cross-database-rename': { id: 20398 },
  'step-down': { id: 21579 },
  /** mongod ends itself when it could not step up or down (src/mongo/db/repl). */
  'rstl-timeout': { id: 5675600 },
  /** "Drop-pending ident is still in use" (src/mongo/db/storage). */
  'drop-pending-busy': { id: 6936300 },
  /** WiredTiger reports this error at session_max. */
  'session-limit': { id: 22435, text: /out of sessions, configured for/ },
  /** mongod writes this line at each start. */
  'weakly-ordered-build': { id: 23403, text: /"target_arch":"(?:aarch64|ppc64le)"/ },
});

/** @typedef {keyof typeof LOG_SIGNATURES} LogSignature */
/**
 * @typedef {{ [name in LogSignature]?: number }} LogCounts how many lines of each; one that is
 *   absent was not seen
 */

/** The number stands before everything that a client can write into a line. */
const HEAD = /^\{"t":\{"\$date":"[^"]*"\},"s":"[^"]*",\s*"c":"[^"]*",\s*"id":(\d+),/;

const BY_ID = /** @type {ReadonlyMap<number, [LogSignature, LogMark]>} */ (
  new Map(Object.entries(LOG_SIGNATURES).map(([name, mark]) => [mark.id, [name, mark]]))
);

/**
 * Finds the mark that a line of the log is.
 * @param {string} line the line as the server wrote it
 * @returns {LogSignature | null}
 */
function signatureOf(line) {
  const id = HEAD.exec(line)?.[1];
  const found = id === undefined ? undefined : BY_ID.get(Number(id));
  if (found === undefined) return null;
  const [name, { text }] = found;
  return text === undefined || text.test(line) ? name : null;
}

/**
 * Counts the lines of each mark.
 * @param {Iterable<string>} lines
 * @returns {LogCounts}
 */
function countSignatures(lines) {
  /** @type {LogCounts} */
  const counts = {};
  for (const line of lines) {
    const name = signatureOf(line);
    if (name !== null) counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

/**
 * Reads the values that a signature compares besides metrics of a window: those of one reply. A
 * value that the server does not report is absent, never 0.
 *
 * @typedef {'backup.cursorOpen' | 'host.kernelNumber' | 'insert.batchMax' | 'ops.deletesTotal' |
 *   'server.isReplicated' | 'server.isSharded' | 'server.isWeaklyOrdered' | 'sorts.spilled' |
 *   'tcmalloc.perCpuBytes' | 'tickets.timesDecreased' | 'tickets.timesIncreased' | 'timeseries.collections' |
 *   'transactions.coordinated' | 'transactions.started' | 'zlib.isAccepted'} ReplyValue flags
 *   are 0 and 1; totals are since the start of the server
 * @typedef {{ [name in ReplyValue]?: number }} ReplyValues
 */

/** @param {any} status @param {string} path */
const at = (status, path) =>
  toNumber(path.split('.').reduce((value, key) => value?.[key], status)) ?? undefined;

const PATHS = Object.freeze(
  /** @type {Partial<Record<ReplyValue, readonly string[]>>} */ ({
    'backup.cursorOpen': ['storageEngine.backupCursorOpen'],
    'timeseries.collections': ['catalogStats.timeseries'],
    'transactions.coordinated': ['twoPhaseCommitCoordinator.totalCreated'],
    'transactions.started': ['transactions.totalStarted'],
    'tcmalloc.perCpuBytes': ['tcmalloc.maxPerCPUCacheSizeBytes'], // 8.0+
    'sorts.spilled': ['metrics.query.sort.spillToDisk'],
    'ops.deletesTotal': ['opcounters.delete'],
    'tickets.timesIncreased': [
      'queues.execution.monitor.timesIncreased',
      'wiredTiger.concurrentTransactions.monitor.timesIncreased',
    ],
    'tickets.timesDecreased': [
      'queues.execution.monitor.timesDecreased',
      'wiredTiger.concurrentTransactions.monitor.timesDecreased',
    ],
  }),
);

/**
 * @param {any} status a whole reply of serverStatus
 * @returns {ReplyValues}
 */
function valuesOfStatus(status) {
  const found = Object.entries(PATHS).flatMap(([name, paths]) => {
    const value = paths.map((path) => at(status, path)).find((found) => found !== undefined);
    return value === undefined ? [] : [[name, value]];
  });
  return {
    ...Object.fromEntries(found),
    // mongod reports a section for each compressor that it accepts; zlib is one by default.
    ...(status?.network !== undefined &&
      status.network !== null && {
        'zlib.isAccepted': Number(status.network.compression?.zlib !== undefined),
      }),
    ...(status?.version !== undefined && {
      'server.isSharded': Number(status.sharding !== undefined),
      'server.isReplicated': Number(status.repl !== undefined),
    }),
  };
}

/** CPUs that may reorder stores: the defect is a missing barrier, which x86 does not need. */
const WEAKLY_ORDERED = new Set(['aarch64', 'arm64', 'ppc64le']);

/**
 * @param {any} build a reply of buildInfo
 * @returns {ReplyValues}
 */
function valuesOfBuild(build) {
  const architecture = build?.buildEnvironment?.target_arch;
  return typeof architecture === 'string'
    ? { 'server.isWeaklyOrdered': Number(WEAKLY_ORDERED.has(architecture)) }
    : {};
}

/**
 * Finds the extra fields of hostInfo, which lie one level deeper since 6.0.
 * @param {any} host
 * @returns {Record<string, unknown>}
 */
const extraOf = (host) => host?.extra?.extra ?? host?.extra ?? {};

/**
 * @param {any} host a reply of hostInfo
 * @returns {ReplyValues}
 */
function valuesOfHost(host) {
  const release = host?.os?.type === 'Linux' ? extraOf(host).kernelVersion : undefined;
  return typeof release === 'string' && /^\d+\.\d+/.test(release)
    ? { 'host.kernelNumber': kernelNumber(release) }
    : {};
}

/**
 * @param {any} parameters a reply of getParameter
 * @returns {ReplyValues}
 */
function valuesOfParameters(parameters) {
  const batch = at(parameters, 'internalInsertMaxBatchSize');
  return batch === undefined ? {} : { 'insert.batchMax': batch };
}

module.exports = {
  extraOf,
  valuesOfStatus,
  valuesOfBuild,
  valuesOfHost,
  valuesOfParameters,
  LOG_SIGNATURES,
  signatureOf,
  countSignatures,
};
