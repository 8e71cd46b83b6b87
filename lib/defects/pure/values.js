'use strict';

const { toNumber } = require('../../base/pure/numbers');

/**
 * What a signature compares besides metrics of a window: what one reply of the server shows. What
 * the server does not report is absent, never 0.
 *
 * @typedef {'backup.cursorOpen' | 'host.kernelNumber' | 'insert.batchMax' | 'ops.deletesTotal' |
 *   'server.isReplicated' | 'server.isSharded' | 'server.isWeaklyOrdered' | 'sorts.spilled' |
 *   'tickets.timesDecreased' | 'tickets.timesIncreased' | 'timeseries.collections' |
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
    const value = paths.map((path) => at(status, path)).find((one) => one !== undefined);
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

/** CPUs that may reorder stores: the barrier that x86 does not need was missing there. */
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
 * What hostInfo has beside the usual: one level deeper since 6.0.
 * @param {any} host
 * @returns {Record<string, unknown>}
 */
const extraOf = (host) => host?.extra?.extra ?? host?.extra ?? {};

/** 6.19.3 is 6,019,003. */
const STEP = 1000;

/**
 * @param {any} host a reply of hostInfo
 * @returns {ReplyValues}
 */
function valuesOfHost(host) {
  const release = host?.os?.type === 'Linux' ? extraOf(host).kernelVersion : undefined;
  const parts = /^(\d+)\.(\d+)(?:\.(\d+))?/.exec(typeof release === 'string' ? release : '');
  if (parts === null) return {};
  const [major, minor, patch] = parts.slice(1).map((part) => Number(part ?? 0));
  return { 'host.kernelNumber': (major * STEP + minor) * STEP + patch };
}

/**
 * @param {any} parameters a reply of getParameter
 * @returns {ReplyValues}
 */
function valuesOfParameters(parameters) {
  const batch = at(parameters, 'internalInsertMaxBatchSize');
  return batch === undefined ? {} : { 'insert.batchMax': batch };
}

module.exports = { extraOf, valuesOfStatus, valuesOfBuild, valuesOfHost, valuesOfParameters };
