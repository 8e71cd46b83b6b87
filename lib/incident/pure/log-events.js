'use strict';

/**
 * @import { EventValues } from '../types'
 */

/**
 * Finds what a line of mongod's log means, by its id. The ids were read in logs of 6.0.5 where
 * these events were caused; those marked "source" are from the server's source and were not caused
 * here.
 *
 * @typedef {{ code: string, values: EventValues }} Meaning
 * @typedef {(attr: any) => Meaning | null} Read null: the line is not worth a place on the timeline
 */

/** @param {unknown} value @returns {string | null} short enough for a sentence */
const text = (value) => (typeof value === 'string' && value !== '' ? value.slice(0, 120) : null);
/** @param {unknown} value @returns {number | null} */
const number = (value) => {
  const made = typeof value === 'string' ? Number(value) : value;
  return typeof made === 'number' && Number.isFinite(made) ? made : null;
};
/** @param {string} code @param {(attr: any) => EventValues} [values] @returns {Read} */
const is =
  (code, values = () => ({})) =>
  (attr) => ({ code, values: values(attr) });
/** @param {string} reason @returns {Read} */
const election = (reason) =>
  is('election-started', (attr) => ({
    reason,
    timeoutMs: number(attr.electionTimeoutPeriodMillis),
  }));

const NO_SPACE = 28; // ENOSPC
const IO_ERROR = 5; // EIO
const PANIC = -31_804; // WT_PANIC: its own fatal assertion follows

/** @type {Read} */
function wiredTigerError({ error, message }) {
  const errorCode = number(error);
  if (errorCode === NO_SPACE) return { code: 'disk-full', values: { file: fileIn(message) } };
  if (errorCode === null || errorCode === PANIC || errorCode <= 0) return null;
  return { code: 'disk-error', values: { errorCode, error: errorText(errorCode, message) } };
}

/** The file that an error is about. @param {any} message */
const fileIn = (message) =>
  /[\w.-]+\.(?:wt|turtle|lock)|WiredTigerLog\.\d+/.exec(text(message?.msg ?? message) ?? '')?.[0] ??
  null;

/** @param {number} errorCode @param {any} message */
const errorText = (errorCode, message) =>
  text(message?.error_str) ?? (errorCode === IO_ERROR ? 'I/O error' : null);

/** Leaves out the request, which does not help an operator. @param {unknown} message */
const heartbeatError = (message) =>
  text(message)?.replace(/(?:, deadline was |, op was | :: caused by :: ).*$/s, '') ?? null;

/** Characters of a value of a parameter. */
const MAX_VALUE = 200;

/** A value of a parameter is quoted JSON. @param {unknown} value */
function plain(value) {
  if (typeof value !== 'string' || value === '') return null;
  const made = value.replace(/^"(.*)"$/s, '$1');
  return made.length <= MAX_VALUE ? made : `${made.slice(0, MAX_VALUE)}…`;
}

/** @type {Read} */
const slowTransaction = (attr) =>
  (number(attr.durationMillis) ?? 0) < LONG_TRANSACTION_MS
    ? null
    : {
        code: 'transaction-long',
        values: {
          durationMs: number(attr.durationMillis),
          ended: attr.terminationCause === 'aborted' ? 'aborted' : 'committed',
        },
      };

/** A clean start took 0.3 to 1.3 s on our test machine: longer is a recovery from the journal. */
const LONG_RECOVERY_MS = 5000;

/** @type {Read} */
function opened({ durationMillis }) {
  const durationMs = number(durationMillis);
  return {
    code: Number(durationMs) >= LONG_RECOVERY_MS ? 'recovery-long' : 'process-recovered',
    values: { durationMs },
  };
}

/** Shorter ones pin no history that matters (heuristic): the default lifetime limit is 60 s. */
const LONG_TRANSACTION_MS = 5000;
/** Programs that copy a whole server, by the name that their driver reports. */
const DUMPS =
  /^(?:mongodump|mongoexport|pbm|pbm-agent|percona backup|mongodb ops manager|.*backup)/i;

/** @type {Read} */
function clientMetadata({ client, doc }) {
  const application = text(doc?.application?.name);
  return application !== null && DUMPS.test(application)
    ? { code: 'dump-client', values: { application, durationMs: null, client: text(client) } }
    : null;
}

/** @param {any} buildUuid @param {any} attr */
const buildOf = (buildUuid, attr) => text(buildUuid?.uuid?.$uuid) ?? text(attr.namespace);

/** Whether a namespace is internal to the server. @param {unknown} ns */
const isOwn = (ns) => /^(?:config|local|admin)\./.test(String(ns));

/** @type {Read} */
const buildBegan = (attr) =>
  isOwn(attr.namespace)
    ? null
    : {
        code: 'index-build',
        values: {
          ns: text(attr.namespace),
          index: text(attr.firstIndex?.name),
          durationMs: null,
          failed: false,
          build: buildOf(attr.buildUUID, attr),
        },
      };

/** @param {boolean} failed @returns {Read} ends an `index-build` */
const buildEnded = (failed) => (attr) => ({
  code: 'index-build-end',
  values: { build: buildOf(attr.buildUUID, attr), failed },
});

/** The line names the collection without its database. @type {Read} */
function collectionModified({ cmdObj }) {
  const index = cmdObj?.index;
  const afterSeconds = number(index?.expireAfterSeconds);
  if (afterSeconds === null) return null;
  const keys = Object.keys(index.keyPattern ?? {}).join('_');
  return {
    code: 'ttl-set',
    values: { ns: text(cmdObj.collMod), index: text(index.name) ?? text(keys), afterSeconds },
  };
}

/** Lines about a connection: what its client says of itself, and its end. */
const CONNECTION = Object.freeze({ METADATA: 51800, ENDED: 22944 });

/** @type {Readonly<Record<number, Read>>} */
const LOG_EVENTS = Object.freeze({
  4615611: is('process-started', (a) => ({ pid: number(a.pid), version: null })),
  23016: is('process-ready'),
  22271: is('process-unclean-start'),
  4795906: opened,
  23138: is('process-exited', (a) => ({ exitCode: number(a.exitCode) })),
  23377: is('process-signal', (a) => ({ signal: number(a.signal), byPid: null, byUid: null })),
  23378: is('process-signal-sender', (a) => ({ byPid: number(a.pid), byUid: number(a.uid) })),
  4695400: is('process-shutdown-command'),
  20557: is('process-start-failed', (a) => ({ error: text(a.error) })), // source
  23089: is('process-fatal', (a) => ({ assertion: number(a.msgid), message: null })),
  6384300: is('process-fatal', (a) => ({
    assertion: null,
    message: text(a.message)?.trim() ?? null,
  })),
  22435: wiredTigerError,
  4615652: election('no-primary'),
  4615660: election('a member with a higher priority takes over'),
  4615661: election('the primary that shuts down or steps down asked for it'),
  21450: is('election-won', (a) => ({ term: number(a.term) })),
  21358: is('state-changed', (a) => ({ from: text(a.oldState), to: text(a.newState) })),
  21215: is('member-state', (a) => ({ member: text(a.hostAndPort), state: text(a.newState) })),
  21216: is('member-down', (a) => ({
    member: text(a.hostAndPort),
    reason: heartbeatError(a.heartbeatMessage),
  })),
  21402: is('stepped-down', () => ({ reason: 'a new term has begun' })),
  21809: is('stepped-down', () => ({ reason: 'it cannot see a majority of the set' })), // source
  21579: is('step-down-command'),
  23435: is('parameter-set', (a) => ({
    parameter: text(a.parameterName),
    from: plain(a.oldValue),
    to: plain(a.newValue),
  })),
  48742: is('profiler-set', (a) => ({ level: number(a.to?.level), slowMs: number(a.to?.slowms) })),
  20438: buildBegan,
  20663: buildEnded(false),
  20649: buildEnded(true),
  20461: (a) => (a.lock === true ? { code: 'fsync-locked', values: { durationMs: null } } : null),
  20466: (a) => (a.lockCount === 0 ? { code: 'fsync-unlocked', values: {} } : null),
  [CONNECTION.METADATA]: clientMetadata,
  [CONNECTION.ENDED]: is('connection-ended'),
  51802: slowTransaction,
  5324200: collectionModified,
  5479200: is('ttl-deleted', (a) => ({
    ns: text(a.namespace),
    index: text(a.index),
    deleted: number(a.numDeleted),
    durationMs: number(a.durationMillis),
  })),
  20499: is('server-status-slow', (a) => ({ durationMs: number(a.timeStats?.['at end']) })), // source
  23166: is('log-rotated'),
});

/** Lines that say whose log it is. */
const IDENTITY = Object.freeze({ STARTING: 4615611, DETAILS: 20721, BUILD: 23403 });
/** Counted, not parsed. */
const COUNTED = Object.freeze({ SLOW: 51803, ACCEPTED: 22943 });
/**
 * A run writes some lines before the one that says that it starts; the first of them is "SERVER
 * RESTARTED" where it appends to a log, else one about wire versions or TLS.
 */
const FIRST_LINES = new Set([20698, 4915701, 23285]);

module.exports = { LOG_EVENTS, CONNECTION, IDENTITY, COUNTED, FIRST_LINES, text };
