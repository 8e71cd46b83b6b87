'use strict';

const { DEFAULT_DB_PATH, DEFAULT_PORT } = require('../server/pure/facts');
const { GiB } = require('../base/pure/units');
const {
  ENGINE_STATUS,
  HOST_INFO,
  START_OPTIONS,
  DIAGNOSTIC_DATA,
  STARTUP_WARNINGS,
} = require('../server/pure/commands');
const { toNumber, toMs } = require('../base/pure/numbers');
const { mapServerError, refusalOf } = require('../base/server-errors');
const { systemMetricsOf } = require('../server/pure/system-counters');

/**
 * @import { Port } from '../base/context'
 * @import { Identity } from './types'
 */

/**
 * The raw answers of the server; an answer that was refused is absent, and `refused` says so.
 * @typedef {{
 *   status: any, hostInfo?: any, options?: any, diagnostics?: any, warnings?: any, you?: any,
 *   refused: Partial<Record<Question, string>>
 * }} Answers
 * @typedef {'hostInfo' | 'options' | 'diagnostics' | 'warnings' | 'you'} Question
 */

// whatsmyuri: the address of this very connection, as the server sees it. The command is old and
// undocumented, and needs no privilege.
const QUESTIONS = Object.freeze(
  /** @type {Record<Question, Record<string, unknown>>} */ ({
    hostInfo: HOST_INFO,
    options: START_OPTIONS,
    diagnostics: DIAGNOSTIC_DATA,
    warnings: STARTUP_WARNINGS,
    you: { whatsmyuri: 1 },
  }),
);

const QUESTION_NAMES = Object.freeze(/** @type {Question[]} */ (Object.keys(QUESTIONS)));

/**
 * Asks the server what it knows of its machine.
 * @param {Port} port
 * @param {readonly Question[]} [names] the questions, by default all
 * @returns {Promise<Answers>} rejects only where serverStatus itself gets no answer
 */
async function askServer(port, names = QUESTION_NAMES) {
  /** @type {Answers['refused']} */
  const refused = {};
  const ask = async (/** @type {Question} */ name) => {
    try {
      return [name, await port.adminCommand(QUESTIONS[name])];
    } catch (error) {
      const [command] = Object.keys(QUESTIONS[name]);
      refused[name] =
        refusalOf(error, command).code === 'TUNE-20005'
          ? `this user is not allowed to run ${command}`
          : `the server refused ${command}`;
      return [name, undefined];
    }
  };
  const status = await port.adminCommand(ENGINE_STATUS).catch((error) => {
    throw mapServerError(error, 'serverStatus');
  });
  const others = await Promise.all(names.map(ask));
  return { status, ...Object.fromEntries(others), refused };
}

/** The identity that the server reports; it decides whether the server runs on this machine. */

/** @param {Answers} answers @returns {Identity} */
function identityOf({ status, hostInfo, options, diagnostics, you }) {
  return {
    host: textAt(status, 'host'),
    hostname: withoutPort(textAt(hostInfo, 'system.hostname') ?? textAt(status, 'host')),
    version: textAt(status, 'version'),
    pid: numberAt(status, 'pid'),
    startedAtMs: startOf(status),
    memorySizeMB: numberAt(hostInfo, 'system.memSizeMB'),
    bootAtSeconds: numberAt(systemMetricsOf(diagnostics), 'cpu.btime'),
    port: numberAt(options, 'parsed.net.port') ?? portIn(status.host),
    cacheBytes: cacheOf(status, options),
    dbPath:
      textAt(options, 'parsed.storage.dbPath') ??
      (options?.parsed && !isMongos(status) ? DEFAULT_DB_PATH : null),
    client: textAt(you, 'you'),
  };
}

/** A mongos stores nothing. @param {any} status */
const isMongos = (status) => /\bmongos(\.exe)?$/.test(String(status.process));

/**
 * Computes when the server was started.
 * @param {any} status
 */
function startOf(status) {
  const [uptimeMs, nowMs] = [toNumber(status.uptimeMillis), toMs(status.localTime)];
  return uptimeMs === undefined || nowMs === undefined ? null : nowMs - uptimeMs;
}

/**
 * Reads the size of the cache from the status or the options.
 * @param {any} status
 * @param {any} options
 */
function cacheOf(status, options) {
  const cacheGB = numberAt(options, 'parsed.storage.wiredTiger.engineConfig.cacheSizeGB');
  return (
    numberAt(status, 'wiredTiger.cache.maximum bytes configured') ??
    (cacheGB === null ? null : cacheGB * GiB)
  );
}

/** @param {string | null} host */
const withoutPort = (host) => host?.replace(/:\d+$/, '') ?? null;

/** @param {any} document @param {string} path a dotted path @returns {unknown} */
const valueAt = (document, path) => path.split('.').reduce((part, name) => part?.[name], document);
/** @param {any} document @param {string} path @returns {number | null} */
const numberAt = (document, path) => toNumber(valueAt(document, path)) ?? null;
/**
 * Reads a text in a document.
 * @param {any} document
 * @param {string} path
 * @returns {string | null}
 */
function textAt(document, path) {
  const value = valueAt(document, path);
  return typeof value === 'string' ? value : null;
}

/** @param {unknown} host from serverStatus: it has the port, unless that is the default */
const portIn = (host) =>
  typeof host === 'string' ? Number(/:(\d+)$/.exec(host)?.[1] ?? DEFAULT_PORT) : null;

module.exports = { askServer, identityOf, numberAt, textAt, withoutPort };
