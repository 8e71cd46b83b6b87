'use strict';

/**
 * The options of mongod.conf around the storage engine, with the release lines that know them;
 * mongod does not start with an option it does not know. Seen with `mongod --outputConfig` on
 * 6.0.5; other releases from the manual's release notes.
 * @typedef {{ since?: string, patch?: string, until?: string, gone?: string }} Availability
 *   `patch`: the patch release from which an older line has it, too; `until`: the last line that
 *   knows it; `gone`: what to do instead
 */

/** Sections of the Community and Enterprise editions. */
const SECTIONS = Object.freeze(
  /** @type {Record<string, Availability>} */ ({
    systemLog: {},
    processManagement: {},
    cloud: {},
    net: {},
    security: {},
    setParameter: {},
    storage: {},
    operationProfiling: {},
    replication: {},
    sharding: {},
    auditLog: {},
    snmp: {},
    config: {},
    outputConfig: {},
  }),
);

const STORAGE = Object.freeze(
  /** @type {Record<string, Availability>} */ ({
    dbPath: {},
    directoryPerDB: {},
    engine: {},
    syncPeriodSecs: {},
    journal: {},
    wiredTiger: {},
    inMemory: {},
    oplogMinRetentionHours: {},
    queryableBackupMode: {},
    restore: {},
    repairPath: { until: '4.0' },
    indexBuildRetry: { until: '4.4', gone: 'Remove it; mongod decides by itself.' },
    mmapv1: { until: '4.0', gone: 'Remove it; WiredTiger is the only engine.' },
  }),
);

const JOURNAL = Object.freeze(
  /** @type {Record<string, Availability>} */ ({
    commitIntervalMs: {},
    enabled: { until: '6.0', gone: 'Remove it: the journal is always on.' },
  }),
);

const WIRED_TIGER = Object.freeze(
  /** @type {Record<string, Availability>} */ ({
    engineConfig: {},
    collectionConfig: {},
    indexConfig: {},
  }),
);

const ENGINE_CONFIG = Object.freeze(
  /** @type {Record<string, Availability>} */ ({
    cacheSizeGB: {},
    cacheSizePct: { since: '8.2', patch: '8.0.20', gone: 'Give cacheSizeGB.' },
    configString: {},
    journalCompressor: {},
    directoryForIndexes: {},
    zstdCompressionLevel: { since: '5.0' },
    statisticsLogDelaySecs: {},
    maxCacheOverflowFileSizeGB: {},
    maxHistoryFileSizeGB: {},
  }),
);

/** @type {readonly { path: string[], known: Record<string, Availability> }[]} */
const PLACES = Object.freeze([
  { path: [], known: SECTIONS },
  { path: ['storage'], known: STORAGE },
  { path: ['storage', 'journal'], known: JOURNAL },
  { path: ['storage', 'wiredTiger'], known: WIRED_TIGER },
  { path: ['storage', 'wiredTiger', 'engineConfig'], known: ENGINE_CONFIG },
]);

/**
 * Options with a range of numbers, and the release from which mongod checks it. mongod takes a
 * number in quotes as well.
 */
const RANGES = Object.freeze(
  /** @type {{ path: string[], min: number, max: number, since?: string }[]} */ ([
    { path: ['storage', 'syncPeriodSecs'], min: 0, max: 9_000_000 },
    {
      path: ['storage', 'wiredTiger', 'engineConfig', 'cacheSizeGB'],
      min: 0.25,
      max: 10_000,
      since: '5.0',
    },
    { path: ['storage', 'wiredTiger', 'engineConfig', 'cacheSizePct'], min: 0, max: 80 },
    { path: ['storage', 'wiredTiger', 'engineConfig', 'zstdCompressionLevel'], min: -7, max: 22 },
  ]),
);

module.exports = { PLACES, RANGES };
