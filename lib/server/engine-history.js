'use strict';

const { DEFAULT_DB_PATH } = require('./pure/facts');
const { START_OPTIONS, GLOBAL_LOG } = require('./pure/commands');
const { TuneError } = require('../base/pure/errors');
const { mapServerError, refusalOf } = require('../base/server-errors');
const { toMs, toNumber } = require('../base/pure/numbers');
const { thresholdsIn, sessionMaxIn, numberOf } = require('../config/setting-table');

/**
 * @import { Port } from '../base/context'
 * @import { EngineHistory } from './types'
 */

/**
 * Reads what the server remembers of its engine's configuration: its start, and each setting at run
 * time that is still in its log.
 *
 * @typedef {{
 *   atMs: number, config: string, ok: boolean, reason: string | null, isCut?: true
 * }} LoggedSet a refused one is logged as well; `isCut`: the server logs no more than 10 KB of a
 *   string
 */

const OPENING_WIREDTIGER = 22315;
const RECONFIGURING = 22376;
const WIREDTIGER_ERROR = 22435;
const OUR_IDS = Object.freeze([OPENING_WIREDTIGER, RECONFIGURING, WIREDTIGER_ERROR]);

/**
 * @param {Port} port
 * @param {AbortSignal} [signal]
 * @returns {Promise<EngineHistory>}
 * @throws {TuneError} TUNE-20006 only; what the server refuses to tell becomes
 *   a note
 */
async function readEngineHistory(port, signal) {
  /** @type {string[]} */
  const notes = [];
  /** @type {string[]} */
  const refused = [];
  const ask = async (
    /** @type {string} */ what,
    /** @type {Record<string, unknown>} */ command,
  ) => {
    try {
      return await port.adminCommand(command);
    } catch (cause) {
      notes.push(refusalOf(cause, what, signal).message);
      refused.push(what);
      return {};
    }
  };
  const options = await ask('getCmdLineOpts', START_OPTIONS);
  // The log first: what another session sets between the two is found before the first call.
  const log = await ask('getLog', GLOBAL_LOG);
  const parameters = await ask('getParameter', {
    getParameter: 1,
    wiredTigerEngineRuntimeConfig: 1,
    syncdelay: 1,
    journalCommitInterval: 1,
  });
  return {
    ...fromOptions(options.parsed),
    ...fromParameters(parameters),
    ...fromLog(log),
    notes,
    refused,
  };
}

/** @param {any} parsed of the reply of getCmdLineOpts */
function fromOptions(parsed) {
  const { storage, config = null } = parsed ?? {};
  return {
    engineConfig: parsed ? engineOptions(parsed) : null,
    syncPeriodSecs: toNumber(storage?.syncPeriodSecs) ?? null,
    configFile: config,
    dbPath: parsed ? (storage?.dbPath ?? DEFAULT_DB_PATH) : null,
    ticketsAtStart: ticketsIn(parsed),
  };
}

/** @param {any} parsed @returns {NonNullable<EngineHistory['engineConfig']>} */
function engineOptions({ storage, setParameter }) {
  const {
    cacheSizeGB,
    cacheSizePct,
    configString = null,
  } = storage?.wiredTiger?.engineConfig ?? {};
  return {
    cacheSizeGB: toNumber(cacheSizeGB) ?? null,
    cacheSizePct: numberOf(cacheSizePct) ?? null,
    configString,
    thresholds: thresholdsIn(setParameter),
    sessionMax: sessionMaxIn(setParameter),
  };
}

/**
 * 7.0 renamed the parameters, and takes the old names as well.
 * @param {any} parsed of the reply of getCmdLineOpts: parameters of the start are texts
 * @returns {EngineHistory['ticketsAtStart']}
 */
function ticketsIn(parsed) {
  if (!parsed) return null;
  const parameters = parsed.setParameter ?? {};
  const ticketsOf = (/** @type {'Read' | 'Write'} */ kind) => {
    const asked =
      parameters[`storageEngineConcurrent${kind}Transactions`] ??
      parameters[`wiredTigerConcurrent${kind}Transactions`];
    const value = asked === undefined ? NaN : Number(asked);
    return Number.isFinite(value) ? value : null;
  };
  return { read: ticketsOf('Read'), write: ticketsOf('Write') };
}

/** @param {any} parameters */
const fromParameters = (parameters) => ({
  lastString:
    typeof parameters.wiredTigerEngineRuntimeConfig === 'string'
      ? parameters.wiredTigerEngineRuntimeConfig
      : null,
  syncdelay: toNumber(parameters.syncdelay) ?? null,
  journalCommitMs: toNumber(parameters.journalCommitInterval) ?? null,
});

/** @param {{ log?: unknown, totalLinesWritten?: unknown }} answer */
function fromLog({ log: logged, totalLinesWritten }) {
  const log = Array.isArray(logged) ? logged.filter((line) => typeof line === 'string') : [];
  const lines = log.flatMap(toLine);
  const opened = lines.findLast(({ id }) => id === OPENING_WIREDTIGER);
  return {
    opened: opened?.config ?? null,
    sets: setsIn(lines),
    logFromMs: lines[0]?.atMs ?? null,
    logWhole: log.length > 0 && toNumber(totalLinesWritten) === log.length,
  };
}

/**
 * @typedef {{
 *   id: number, atMs: number, thread: string, config: string | null, text: string, isCut: boolean
 * }} LogLine
 */

/**
 * Cheap test first: a busy server's log holds 1024 lines of something else.
 * @param {string} text
 * @returns {LogLine[]}
 */
function toLine(text, /** @type {number} */ i) {
  if (i > 0 && !OUR_IDS.some((id) => text.includes(`:${id}`))) return [];
  try {
    const { t, id, ctx, attr, truncated } = JSON.parse(text);
    return [
      {
        id,
        atMs: toMs(t) ?? NaN,
        thread: ctx,
        config: typeof attr?.config === 'string' ? attr.config : null,
        text: JSON.stringify(attr ?? null),
        isCut: truncated?.config !== undefined,
      },
    ];
  } catch {
    // The server cuts very long lines short.
    return [];
  }
}

/** @param {LogLine[]} lines @returns {LoggedSet[]} */
function setsIn(lines) {
  return lines.flatMap((line, i) => {
    if (line.id !== RECONFIGURING || line.config === null) return [];
    const reason = refusalAfter(lines, i);
    const { atMs, config, isCut } = line;
    return [{ atMs, config, ok: reason === null, reason, ...(isCut && { isCut }) }];
  });
}

/**
 * The server logs the attempt, then, on the same thread, why WiredTiger refused.
 * @param {LogLine[]} lines
 * @param {number} i
 */
function refusalAfter(lines, i) {
  const later = lines.slice(i + 1).filter((line) => line.thread === lines[i].thread);
  const next = later.findIndex((line) => line.id === RECONFIGURING);
  const errors = later
    .slice(0, next === -1 ? undefined : next)
    .filter(
      ({ id, text }) => id === WIREDTIGER_ERROR && text.includes('WT_CONNECTION.reconfigure'),
    );
  return errors.length === 0 ? null : reasonIn(errors[0].text);
}

/**
 * `config_check:143:Value too large…`, in a JSON field since 6.0 and at the end of a line of text
 * before.
 * @param {string} text
 */
function reasonIn(text) {
  const { message } = JSON.parse(text);
  const said =
    typeof message === 'string'
      ? message.replace(/^.*WT_CONNECTION\.reconfigure: /, '').replace(/: Invalid argument$/, '')
      : message?.msg;
  return String(said)
    .replace(/^\w+:\d+:/, '')
    .replace(/^\w+, \d+: /, '');
}

/**
 * Reads the last string that was accepted, which getParameter shows.
 * @param {Port} port
 * @returns {Promise<string | null>} null without the privilege
 */
async function readLastString(port) {
  try {
    return fromParameters(
      await port.adminCommand({ getParameter: 1, wiredTigerEngineRuntimeConfig: 1 }),
    ).lastString;
  } catch (cause) {
    const error = mapServerError(cause, 'getParameter');
    if (isUnreadable(error)) return null;
    throw error;
  }
}

/**
 * Reads what was set at run time, as far as the log still has it.
 * @typedef {Pick<EngineHistory, 'sets' | 'logFromMs' | 'logWhole'>} Log
 * @param {Port} port
 * @returns {Promise<Log | null>} null without the privilege
 */
async function readLog(port) {
  try {
    return fromLog(await port.adminCommand(GLOBAL_LOG));
  } catch (cause) {
    const error = mapServerError(cause, 'getLog');
    if (isUnreadable(error)) return null;
    throw error;
  }
}

/**
 * Whether the parameter is missing or not allowed. Any other error passes, and must not count as
 * "nothing was set".
 * @param {unknown} error
 */
const isUnreadable = (error) =>
  error instanceof TuneError && ['TUNE-20002', 'TUNE-20005', 'TUNE-20007'].includes(error.code);

/**
 * Finds why WiredTiger refused a string, in its own words; a later refusal is another session's.
 * @param {Port} port
 * @param {string} refused
 * @returns {Promise<string | null>} null without the privilege to read the log
 */
async function readRefusal(port, refused) {
  const log = await readLog(port);
  return log?.sets.findLast(({ config }) => config === refused)?.reason ?? null;
}

module.exports = { readEngineHistory, readLastString, readLog, readRefusal, fromOptions };
