'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { temporaryFolder } = require('./cleanup');
const { fieldPath } = require('./field');
const { fullStatuses } = require('../fuzz/full-status');
const { status902 } = require('./status-9.0');
const { makePort } = require('../../lib/shell/port');
const { maxThreads } = require('../../lib/config/change');
const { lintString } = require('../../lib/config/lint/lint-string');
const { settingsIn } = require('../../lib/config/effective-config');
const { toNumber } = require('../../lib/base/pure/numbers');
const { compareVersions, parseVersion } = require('../../lib/base/pure/version');

/**
 * Servers newer than those that run here, at the port: a real answer to serverStatus, replayed as a
 * server that moves. Real: the sections of serverStatus with all names and types (7.0.5, 8.0.3, 8.2.2,
 * 8.2.3 from diagnostic data; of 9.0.2 the names of `cache` and `queues`). Made: how counters grow;
 * the answers of all other commands, after the form of 6.0; refusals, after code and text of 6.0
 * (2 BadValue for a string that WiredTiger refuses) and after the sources of the releases (20
 * IllegalOperation for tickets under throughput probing).
 *
 * @typedef {Record<string, number>} Growth path with dots (none is in a name of serverStatus that is
 *   used here) → per second; a path that begins with `=` is a level
 */

const GiB = 2 ** 30;
const NO_PRESSURE = Object.freeze({
  waitTimeThresholdExceeded: 0,
  cacheDirtyThreshold: 0,
  cacheUpdatesThreshold: 0,
});
const INDEXES = Object.freeze([
  { v: 2, name: '_id_', key: { _id: 1 } },
  { v: 2, name: 'at_1', key: { at: 1 }, expireAfterSeconds: 86_400 },
]);
const RELEASES = Object.freeze(['7.0.5', '8.0.3', '8.2.2', '8.2.3', '9.0.2']);

/** @param {string} version @returns {any | null} null where the real answer is not at hand */
function realStatus(version) {
  if (version === '9.0.2') {
    const made = fullStatuses(1)[0];
    const real = status902();
    return {
      ...made,
      ...real,
      metrics: { cachePressure: NO_PRESSURE, rollbackUnderCachePressure: { successfulKills: 0 } },
      wiredTiger: {
        ...made.wiredTiger,
        cache: real.wiredTiger.cache,
        // No checkpoint runs all the time: a trial waits for its end.
        checkpoint: { ...made.wiredTiger.checkpoint, 'progress state': 0 },
      },
      storageEngine: { name: 'wiredTiger' },
    };
  }
  const folder = fieldPath('field', 'serverstatus');
  const name =
    folder && fs.readdirSync(folder).find((file) => file.startsWith(`ftdcref__${version}__`));
  return name
    ? JSON.parse(fs.readFileSync(path.join(String(folder), name), 'utf8')).serverStatus
    : null;
}

/** What the driver throws for a refusal. @param {number} code @param {string} codeName @param {string} message */
const refused = (code, codeName, message) =>
  Object.assign(new Error(message), { name: 'MongoServerError', code, codeName });

/** @param {any} doc @param {string} dotted @param {(value: number) => number} change */
function edit(doc, dotted, change) {
  const keys = dotted.split('.');
  const last = String(keys.pop());
  const node = keys.reduce((at, key) => (at[key] ??= {}), doc);
  node[last] = change(toNumber(node[last]) ?? 0);
}

class NewerServer {
  /**
   * @param {{
   *   version: string, status: any, growth?: Growth, options?: any, dataBytes?: number,
   *   parameters?: Record<string, unknown>, refuses?: RegExp
   * }} what `options`: as getCmdLineOpts has them parsed; `refuses`: strings that it does not take
   */
  constructor(what) {
    const { version, status, growth = {}, options = {}, dataBytes = GiB, parameters = {} } = what;
    this.refuses = what.refuses ?? null;
    this.version = version;
    this.status = structuredClone(status);
    this.growth = growth;
    this.options = options;
    this.dataBytes = dataBytes;
    this.began = performance.now();
    this.startedAt = Date.now() - 3_600_000;
    /** @type {any[]} */ this.sent = [];
    /** @type {Record<string, unknown>} */
    this.parameters = {
      wiredTigerEngineRuntimeConfig: '',
      syncdelay: 60,
      journalCommitInterval: 100,
      ...parameters,
    };
    /** @type {string[]} */
    this.log = [this.line(22315, 'initandlisten', { config: 'create,cache_size=1024M' })];
    edit(this.status, 'wiredTiger.cache.maximum bytes configured', () => GiB);
    edit(this.status, 'wiredTiger.cache.eviction worker thread active', () => 4);
  }

  /** @param {number} id @param {string} ctx @param {object} attr */
  line(id, ctx, attr) {
    return JSON.stringify({
      t: { $date: new Date().toISOString() },
      s: 'I',
      c: 'STORAGE',
      id,
      ctx,
      attr,
    });
  }

  /** @param {any} spec */
  serverStatus(spec) {
    const seconds = (performance.now() - this.began) / 1000;
    const doc = structuredClone(this.status);
    for (const [name, value] of Object.entries(this.growth))
      if (name.startsWith('=')) edit(doc, name.slice(1), () => value);
      else edit(doc, name, (before) => before + Math.round(value * seconds));
    const nowMs = Date.now();
    const left = Object.fromEntries(Object.entries(doc).filter(([section]) => spec[section] !== 0));
    if (spec.metrics === 0) delete left.mem;
    return {
      ...left,
      host: 'newer:27017',
      version: this.version,
      process: 'mongod',
      pid: 77,
      localTime: new Date(nowMs),
      uptimeMillis: nowMs - this.startedAt,
      uptime: Math.floor((nowMs - this.startedAt) / 1000),
    };
  }

  /** @param {any} spec */
  setParameter(spec) {
    const [, [name, value]] = Object.entries(spec);
    if (/Concurrent(Read|Write)Transactions$/.test(name) && parseVersion(this.version)[0] < 9)
      throw refused(20, 'IllegalOperation', `Cannot modify ${name} while throughput probing`);
    if (!(name in this.parameters))
      throw refused(72, 'InvalidOptions', `attempted to set unrecognized parameter [${name}]`);
    const was = this.parameters[name];
    if (name === 'wiredTigerEngineRuntimeConfig') this.reconfigure(String(value));
    this.parameters[name] = value;
    return { was, ok: 1 };
  }

  /** @param {string} config */
  reconfigure(config) {
    this.log.push(this.line(22376, 'conn1', { config }));
    const problems = lintString(config, { version: this.version, at: 'runtime' });
    const change = settingsIn(config);
    const threads = Math.max(change.evictionThreadsMax ?? 0, change.evictionThreadsMin ?? 0);
    if (
      this.refuses?.test(config) ||
      threads > maxThreads(this.version) ||
      problems.some(({ level }) => level === 'error')
    ) {
      this.log.push(
        this.line(22435, 'conn1', {
          error: 22,
          message: {
            session_name: 'WT_CONNECTION.reconfigure',
            msg: 'config_check:143:refused by this release',
            error_code: 22,
          },
        }),
      );
      throw refused(
        2,
        'BadValue',
        `WiredTiger reconfiguration failed with error code (22): Invalid argument`,
      );
    }
    const cache = (/** @type {string} */ name, /** @type {number | undefined} */ value) =>
      value === undefined ? undefined : edit(this.status, `wiredTiger.cache.${name}`, () => value);
    cache('maximum bytes configured', change.cacheSizeGB && change.cacheSizeGB * GiB);
    cache('eviction worker thread active', change.evictionThreadsMax);
    if (compareVersions(this.version, '9.0.0') < 0) return;
    const live = (/** @type {string} */ name, /** @type {number | undefined} */ percent) =>
      cache(`eviction threshold ${name} multiplied by 100 for precision`, percent && percent * 100);
    live('dirty target', change.evictionDirtyTarget);
    live('dirty trigger', change.evictionDirtyTrigger);
    live('updates target', change.evictionDirtyTarget && change.evictionDirtyTarget / 2);
    live('updates trigger', change.evictionDirtyTrigger && change.evictionDirtyTrigger / 2);
    live('cache full target', change.evictionTarget);
    live('cache full trigger', change.evictionTrigger);
  }

  /** One collection, nothing else under way. @param {any} spec @returns {any[]} */
  aggregate({ pipeline: [stage] }) {
    if (stage.$collStats)
      return [{ ns: 'app.events', host: 'newer:27017', storageStats: this.collectionStats() }];
    if (stage.$indexStats)
      return INDEXES.map(({ name, key }) => ({
        name,
        key,
        accesses: { ops: 0, since: new Date(this.startedAt) },
      }));
    return [];
  }

  collectionStats() {
    const ofCache = {
      'bytes currently in the cache': 2 ** 20,
      'tracked dirty bytes in the cache': 0,
    };
    return {
      size: this.dataBytes,
      count: 1000,
      storageSize: this.dataBytes,
      nindexes: INDEXES.length,
      totalIndexSize: 2 ** 20,
      indexSizes: Object.fromEntries(INDEXES.map(({ name }) => [name, 2 ** 19])),
      capped: false,
      wiredTiger: { cache: ofCache, 'block-manager': { 'file size in bytes': this.dataBytes } },
      indexDetails: Object.fromEntries(INDEXES.map(({ name }) => [name, { cache: ofCache }])),
    };
  }

  /** @param {string} _database @param {any} spec */
  async command(_database, spec) {
    this.sent.push(spec);
    const [name] = Object.keys(spec);
    const answers = /** @type {Record<string, () => any>} */ ({
      hello: () => ({ isWritablePrimary: true, ok: 1 }),
      ping: () => ({ ok: 1 }),
      connectionStatus: () => ({
        authInfo: { authenticatedUsers: [], authenticatedUserRoles: [] },
      }),
      whatsmyuri: () => ({ you: '127.0.0.1:50000' }),
      profile: () => ({ was: 0, slowms: 100, sampleRate: 1 }),
      aggregate: () => ({ cursor: { id: 0, ns: 'app.$cmd', firstBatch: this.aggregate(spec) } }),
      find: () => ({ cursor: { id: 0, ns: 'app.c', firstBatch: [] } }),
      top: () => ({ totals: {} }),
      listCollections: () => ({
        cursor: {
          id: 0,
          ns: 'app.$cmd.listCollections',
          firstBatch: [{ name: 'events', type: 'collection', options: {}, info: {} }],
        },
      }),
      listIndexes: () => ({ cursor: { id: 0, ns: 'app.events', firstBatch: INDEXES } }),
      serverStatus: () => this.serverStatus(spec),
      setParameter: () => this.setParameter(spec),
      getParameter: () =>
        spec.getParameter === '*'
          ? { ...this.parameters, ok: 1 }
          : Object.fromEntries(
              Object.entries(this.parameters).filter(
                ([parameter]) => spec[parameter] !== undefined,
              ),
            ),
      hostInfo: () => ({ system: { memSizeMB: 16_384, memLimitMB: 16_384, numCores: 8 } }),
      buildInfo: () => ({ version: this.version, modules: [] }),
      getCmdLineOpts: () => ({ argv: ['mongod'], parsed: this.options }),
      getLog: () => ({ log: this.log, totalLinesWritten: this.log.length }),
      listDatabases: () => ({ databases: [{ name: 'app', sizeOnDisk: this.dataBytes }] }),
      dbStats: () => ({ dataSize: this.dataBytes, indexSize: 0 }),
      replSetGetStatus: () => {
        throw refused(76, 'NoReplicationEnabled', 'not running with --replSet');
      },
      getDiagnosticData: () => {
        throw refused(13, 'Unauthorized', 'not authorized on admin to execute command');
      },
    });
    if (!Object.hasOwn(answers, name))
      throw refused(59, 'CommandNotFound', `no such command: '${name}'`);
    return answers[name]();
  }

  /** @returns {any} a context as the shell makes it */
  context() {
    const send = (/** @type {string} */ database, /** @type {any} */ spec) =>
      this.command(database, spec);
    const notThere = async () => {
      throw new Error('there is no other connection');
    };
    return {
      port: makePort(/** @type {any} */ (send)).port,
      signal: new AbortController().signal,
      home: temporaryFolder('home').path,
      progress: () => {},
      connection: notThere,
      connect: notThere,
      reach: notThere,
      guarded: (own) => makePort(own).port,
      terminal: { isTTY: false, columns: 80, write: () => {} },
    };
  }
}

module.exports = { NewerServer, realStatus, RELEASES };
