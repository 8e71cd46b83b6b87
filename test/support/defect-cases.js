'use strict';

/**
 * Of each known defect: a server that shows it, a release without it, and what the same server is
 * without its mark. `log` are lines as servers wrote them; where only a source names the line, it is
 * composed after it.
 *
 * @typedef {{
 *   version: string, values?: Record<string, number>, log?: string[], fixed: string,
 *   without: { values?: Record<string, number>, log?: string[] }
 * }} Case `fixed`: the first release, or another series, that must not match
 */

const GIB = 2 ** 30;

/**
 * @param {number} id @param {string} component @param {string} more from ctx on
 * @param {string} [severity]
 */
const line = (id, component, more, severity = 'I') =>
  `{"t":{"$date":"2026-11-25T09:49:02.985+00:00"},"s":"${severity}",  "c":"${component}",  ` +
  `"id":${id},   ${more}}`;

const UNCLEAN = line(
  22271,
  'STORAGE',
  '"ctx":"initandlisten","msg":"Detected unclean shutdown - Lock file is not empty",' +
    '"attr":{"lockFile":"/data/mongod.lock"}',
  'W',
);
const CONFLICT = line(
  23802,
  'COMMAND',
  '"ctx":"conn8","msg":"Plan executor error during findAndModify","attr":{"error":{"code":112,' +
    '"codeName":"WriteConflict","errmsg":"WriteConflict error: this operation conflicted with ' +
    'another operation. Please retry your operation or multi-document transaction."}}',
  'W',
);
const OTHER_PLAN_ERROR = CONFLICT.replace('WriteConflict', 'MaxTimeMSExpired');
const insertOf = (/** @type {number} */ documents) =>
  line(
    51803,
    'COMMAND',
    '"ctx":"conn2","msg":"Slow query","attr":{"type":"command","ns":"x.c","command":' +
      `{"insert":"c"},"ninserted":${documents},"durationMillis":412}`,
  );
const COMPACT = line(
  20284,
  'COMMAND',
  '"ctx":"conn2","msg":"Compact begin","attr":{"namespace":"y.c"}',
);
const RENAME = line(
  20398,
  'COMMAND',
  '"ctx":"conn2","msg":"Attempting to create temporary collection","attr":' +
    '{"temporaryCollection":"y.tmpm3VoW.renameCollection","sourceCollection":"x.c"}',
);
const STEP_DOWN = line(
  21579,
  'COMMAND',
  '"ctx":"conn29","msg":"Attempting to step down in response to replSetStepDown command"',
);
const RSTL = line(
  5675600,
  'REPL',
  '"ctx":"conn29","msg":"Time out exceeded waiting for RSTL, stepUp/stepDown is not possible ' +
    'thus calling abort() to allow cluster to progress"',
  'F',
);
const DROP_BUSY = line(
  6936300,
  'STORAGE',
  '"ctx":"TimestampMonitor","msg":"Drop-pending ident is still in use","attr":{"ident":"index-5"}',
);
const NO_SESSIONS = line(
  22435,
  'WT',
  '"ctx":"conn9","msg":"WiredTiger error message","attr":{"error":12,"message":' +
    '"out of sessions, configured for 33010 (including internal sessions)"}',
  'E',
);
const OTHER_ENGINE_ERROR = NO_SESSIONS.replace('out of sessions', 'out of pages');
const buildOf = (/** @type {string} */ architecture) =>
  line(
    23403,
    'CONTROL',
    '"ctx":"initandlisten","msg":"Build Info","attr":{"buildInfo":{"version":"6.0.4",' +
      `"environment":{"distmod":"ubuntu2204","target_arch":"${architecture}"}}}`,
  );

const WAITING = { 'clients.waitingThreads': 6 };
const SHARDED = { 'server.isSharded': 1 };
const TIME_SERIES = { 'timeseries.collections': 2 };
const MANY_FILES = { 'handles.active': 21_000 };

/** @type {Record<string, Case>} */
const CASES = {
  'WT-7995': { version: '4.4.2', log: [UNCLEAN], fixed: '4.4.9', without: { log: [] } },
  'WT-7984': { version: '5.0.2', log: [UNCLEAN], fixed: '5.0.3', without: { log: [] } },
  'WT-10461': {
    version: '6.0.4',
    log: [buildOf('aarch64')],
    fixed: '6.0.5',
    without: { values: { 'server.isWeaklyOrdered': 0 }, log: [buildOf('x86_64')] },
  },
  'WT-10551': {
    version: '6.0.5',
    values: { 'backup.cursorOpen': 1 },
    fixed: '6.0.6',
    without: { values: { 'backup.cursorOpen': 0 } },
  },
  'SERVER-131805': {
    version: '8.0.10',
    values: SHARDED,
    log: [RENAME],
    fixed: '6.0.27',
    without: { values: { 'server.isSharded': 0 }, log: [RENAME] },
  },
  'SERVER-77506': {
    version: '6.0.12',
    values: { 'transactions.coordinated': 3 },
    fixed: '6.0.13',
    without: { values: { 'transactions.coordinated': 0 } },
  },
  'SERVER-82353': {
    version: '7.0.5',
    values: { 'transactions.started': 12, ...SHARDED },
    fixed: '7.0.6',
    without: { values: { 'transactions.started': 12, 'server.isSharded': 0 } },
  },
  'SERVER-95067': {
    version: '8.0.3',
    values: TIME_SERIES,
    fixed: '8.0.4',
    without: { values: { 'timeseries.collections': 0 } },
  },
  'SERVER-94559': {
    version: '7.0.15',
    values: { ...TIME_SERIES, 'ops.deletesTotal': 2 },
    fixed: '7.0.16',
    without: { values: { ...TIME_SERIES, 'ops.deletesTotal': 0 } },
  },
  'SERVER-80203': {
    version: '5.0.21',
    values: { ...TIME_SERIES, ...SHARDED },
    fixed: '5.0.22',
    without: { values: { ...TIME_SERIES, 'server.isSharded': 0 } },
  },
  'SERVER-115508': {
    version: '6.0.5',
    values: { 'zlib.isAccepted': 1 },
    fixed: '6.0.27',
    without: { values: { 'zlib.isAccepted': 0 } },
  },
  'SERVER-75205': {
    version: '6.0.5',
    values: { 'tickets.readEmptyShare': 1 },
    log: [STEP_DOWN],
    fixed: '6.0.6',
    without: { values: { 'tickets.readEmptyShare': 0.1 }, log: [STEP_DOWN] },
  },
  'SERVER-78556': {
    version: '6.0.5',
    values: { 'insert.batchMax': 500, 'server.isReplicated': 1 },
    log: [insertOf(2000)],
    fixed: '6.0.15',
    without: { values: { 'insert.batchMax': 500, 'server.isReplicated': 1 }, log: [insertOf(1)] },
  },
  'SERVER-74551': {
    version: '6.0.5',
    log: Array(100).fill(CONFLICT),
    fixed: '6.0.7',
    without: { log: [...Array(99).fill(CONFLICT), ...Array(99).fill(OTHER_PLAN_ERROR)] },
  },
  'SERVER-82688': {
    version: '7.0.26',
    values: { 'sessions.open': 900 },
    log: [NO_SESSIONS],
    fixed: '7.0.27',
    without: { values: { 'sessions.open': 900 }, log: [OTHER_ENGINE_ERROR] },
  },
  'SERVER-103841': {
    version: '8.0.13',
    values: { 'transactions.coordinated': 1_000_000 },
    fixed: '8.0.14',
    without: { values: { 'transactions.coordinated': 999_999 } },
  },
  'SERVER-82037': {
    version: '7.0.17',
    values: { 'sorts.spilled': 1000, 'process.otherBytes': 4 * GIB },
    fixed: '7.0.18',
    without: { values: { 'sorts.spilled': 1000, 'process.otherBytes': GIB } },
  },
  'SERVER-99342': {
    version: '8.0.11',
    values: { 'tickets.timesIncreased': 7, 'tickets.timesDecreased': 0 },
    fixed: '8.0.12',
    without: { values: { 'tickets.timesIncreased': 7, 'tickets.timesDecreased': 1 } },
  },
  'SERVER-93120': {
    version: '7.0.19',
    values: { 'backup.cursorOpen': 1, 'window.longestGapSeconds': 9 },
    fixed: '7.0.20',
    without: { values: { 'backup.cursorOpen': 0, 'window.longestGapSeconds': 9 } },
  },
  'SERVER-109273': {
    version: '8.2.3',
    values: { 'tcmalloc.perCpuCaches': 1, 'tcmalloc.perCpuBytes': 0 },
    fixed: '7.0.28',
    without: { values: { 'tcmalloc.perCpuCaches': 1, 'tcmalloc.perCpuBytes': 67_108_864 } },
  },
  'SERVER-120238': {
    version: '8.0.10',
    values: { 'host.kernelNumber': 6_019_003 },
    fixed: '7.0.21',
    without: { values: { 'host.kernelNumber': 7_000_014 } },
  },
  'WT-13283': {
    version: '6.0.23',
    values: { 'eviction.aggressiveScoreMax': 4_294_967 },
    fixed: '6.0.24',
    without: { values: { 'eviction.aggressiveScoreMax': 100 } },
  },
  'WT-12012': {
    version: '7.0.20',
    values: { 'eviction.aggressiveScoreMax': 100 },
    fixed: '7.0.21',
    without: { values: { 'eviction.aggressiveScoreMax': 99 } },
  },
  'WT-12560': {
    version: '7.0.12',
    values: {
      'eviction.forcedUnableRatio': 0.97,
      'eviction.forcedPerSec': 400,
      'clients.evictingThreads': 20,
    },
    fixed: '7.0.14',
    without: {
      values: {
        'eviction.forcedUnableRatio': 0.97,
        'eviction.forcedPerSec': 400,
        'clients.evictingThreads': 0.1,
      },
    },
  },
  'WT-12643': {
    version: '7.0.12',
    values: { 'eviction.goalMissedPerSec': 8, ...WAITING },
    fixed: '7.0.14',
    without: { values: { 'eviction.goalMissedPerSec': 0, ...WAITING } },
  },
  'WT-12708': {
    version: '6.0.16',
    values: { 'eviction.emptyScore': 100, ...WAITING },
    fixed: '6.0.17',
    without: { values: { 'eviction.emptyScore': 40, ...WAITING } },
  },
  'WT-9575': {
    version: '8.0.15',
    values: { 'cache.updatesHardShare': 0.9, 'eviction.goalMissedPerSec': 2, ...WAITING },
    fixed: '8.0.16',
    without: {
      values: { 'cache.updatesHardShare': 0, 'eviction.goalMissedPerSec': 2, ...WAITING },
    },
  },
  'WT-10759': {
    version: '6.0.8',
    values: {
      'cache.historyRatio': 0.3,
      'eviction.forcedUnableRatio': 0.8,
      'clients.evictingThreads': 3,
    },
    fixed: '6.0.9',
    without: {
      values: {
        'cache.historyRatio': 0.01,
        'eviction.forcedUnableRatio': 0.8,
        'clients.evictingThreads': 3,
      },
    },
  },
  'WT-14140': {
    version: '8.0.13',
    values: { ...MANY_FILES, 'clients.handleWaitThreads': 2 },
    fixed: '8.0.14',
    without: { values: { ...MANY_FILES, 'clients.handleWaitThreads': 0 } },
  },
  'WT-10253': {
    version: '6.0.5',
    values: { ...MANY_FILES, 'clients.handleWaitThreads': 2 },
    fixed: '6.0.6',
    without: { values: { 'handles.active': 40, 'clients.handleWaitThreads': 2 } },
  },
  'WT-14968': {
    version: '8.0.13',
    values: { ...MANY_FILES, 'history.diskBytes': 40 * GIB },
    fixed: '8.0.14',
    without: { values: { ...MANY_FILES, 'history.diskBytes': GIB } },
  },
  'WT-13216': {
    version: '8.0.9',
    values: { 'cache.usedRatioMax': 0.97 },
    log: [COMPACT],
    fixed: '8.0.10',
    without: { values: { 'cache.usedRatioMax': 0.97 }, log: [] },
  },
  'WT-15225': {
    version: '8.2.0',
    log: Array(10).fill(DROP_BUSY),
    fixed: '8.2.1',
    without: { log: Array(9).fill(DROP_BUSY) },
  },
  'WT-7929': {
    version: '7.0.4',
    values: { 'window.longestGapSeconds': 12, 'checkpoint.windowMaxMs': 14_000 },
    fixed: '7.0.5',
    without: { values: { 'window.longestGapSeconds': 12, 'checkpoint.windowMaxMs': 800 } },
  },
};

module.exports = { CASES, RSTL, UNCLEAN, line };
