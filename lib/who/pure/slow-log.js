'use strict';

const { toMs, toNumber } = require('../../base/pure/numbers');
const { MICROS_PER_MS } = require('../../base/pure/units');
const { NOT_SHOWN, isObject, shapeOf, taskOf, waitsForBuilder } = require('./operation-kind');

/**
 * @import { LoggedOperation } from '../types'
 */

/** Log ids (src/mongo/db/op_debug.cpp, src/mongo/db/ttl.cpp). */
const SLOW_QUERY = 51803;
const TTL_DELETED = 5479200;
/** Characters: the server itself cuts attributes at 10 KiB each (maxLogSizeKB). */
const MAX_LINE = 64 * 1024;
/** Longer names of applications are cut; the driver allows 128 bytes. */
const MAX_APP = 60;

/**
 * Parses one line of the server's log.
 * @param {unknown} line
 * @returns {LoggedOperation | null} null: the line has another subject, or cannot be parsed
 */
function readLine(line) {
  if (typeof line !== 'string' || line.length > MAX_LINE || !ofInterest(line)) return null;
  const entry = parsed(line);
  const endMs = toMs(entry?.t);
  if (endMs === undefined || !isObject(entry.attr)) return null;
  const thread = typeof entry.ctx === 'string' ? entry.ctx : '';
  return READERS[entry.id]?.(entry.attr, endMs, thread) ?? null;
}

/** @type {Readonly<Record<string, (attr: any, endMs: number, thread: string) => LoggedOperation | null>>} */
const READERS = Object.freeze({
  [TTL_DELETED]: (attr, endMs, thread) => ofTtl(attr, endMs, thread),
  [SLOW_QUERY]: (attr, endMs, thread) =>
    waitsForBuilder(attr.command, thread) ? null : readOperation(attr, endMs, thread),
});

/** Most lines are about something else: they are not parsed. @param {string} line */
const ofInterest = (line) =>
  line.includes(`"id":${SLOW_QUERY}`) || line.includes(`"id":${TTL_DELETED}`);

/** @param {string} line @returns {any} */
function parsed(line) {
  try {
    return JSON.parse(line);
  } catch (_damaged) {
    return null;
  }
}

/**
 * Finds when a line was written.
 * @param {string} line
 * @returns {number | null} ms since 1970; null: it is no line of a log
 */
function momentOf(line) {
  const ms = Date.parse(/^\{"t":\{"\$date":"([^"]{10,40})"/.exec(line)?.[1] ?? '');
  return Number.isNaN(ms) ? null : ms;
}

/**
 * A document of system.profile.
 * @param {any} doc
 * @returns {LoggedOperation | null}
 */
function readProfile(doc) {
  const endMs = toMs(doc?.ts);
  if (endMs === undefined) return null;
  return readOperation(
    { ...doc, type: doc.op, durationMillis: doc.millis },
    endMs,
    typeof doc.client === 'string' ? doc.client : '',
  );
}

/**
 * @param {any} attr of a slow operation: the profiler's fields are called the same
 * @param {number} endMs
 * @param {string} thread
 * @returns {LoggedOperation | null}
 */
function readOperation(attr, endMs, thread) {
  const ms = ownNumber(attr.durationMillis);
  if (ms === null || typeof attr.ns !== 'string') return null;
  const shape = shapeOf(attr.command, {
    type: String(attr.type),
    originating: attr.originatingCommand,
  });
  const app = appOf(attr.appName);
  const { data = {}, timeWaitingMicros: waited = {} } = attr.storage ?? {};
  const within = (/** @type {unknown} */ micros) => Math.min(ms, or0(micros) / MICROS_PER_MS);
  return {
    shape,
    ns: namespaceOf(attr.ns, attr.command, shape.kind),
    app,
    task: taskOf({ thread, app, kind: shape.kind }),
    thread,
    isWrapper: attr.ns.endsWith('.$cmd'),
    endMs,
    ms,
    readMs: within(data.timeReadingMicros),
    cacheMs: within(waited.cache),
    majorityMs: Math.min(ms, or0(attr.waitForWriteConcernDurationMillis)),
    queuedMs: within(attr.queues?.execution?.totalTimeQueuedMicros), // 8.0+
    isAccounted: !attr.ns.endsWith('.$cmd') && isObject(attr.storage),
    readBytes: or0(data.bytesRead),
    ...workOf(attr),
  };
}

/** @param {any} attr */
const workOf = (attr) => ({
  examined: ownNumber(attr.docsExamined),
  returned: sumOf([
    attr.nreturned,
    attr.nModified,
    attr.ndeleted,
    attr.ninserted,
    attr.nMatched === undefined ? undefined : 0,
  ]),
  plan: planOf(attr.planSummary),
  usedDisk: attr.usedDisk === true,
  writeConflicts: or0(attr.writeConflicts),
});

/** @param {any} attr @param {number} endMs @param {string} thread @returns {LoggedOperation} */
const ofTtl = (attr, endMs, thread) => ({
  shape: { ...NOT_SHOWN, kind: 'delete', text: 'delete expired documents' },
  ns: String(attr.namespace ?? ''),
  app: null,
  task: 'ttl',
  thread,
  isWrapper: false,
  endMs,
  ms: or0(attr.durationMillis),
  readMs: 0,
  cacheMs: 0,
  majorityMs: 0,
  queuedMs: 0,
  isAccounted: false,
  readBytes: 0,
  examined: null,
  returned: ownNumber(attr.numDeleted),
  plan: null,
  usedDisk: false,
  writeConflicts: 0,
});

/** A plan names fields; of an index its bounds are left out. @param {unknown} plan */
const planOf = (plan) =>
  typeof plan === 'string' && plan !== '' ? plan.slice(0, 120).replace(/\s+/g, ' ') : null;

/**
 * The collection of a command that is shown as one of the database.
 * @param {string} ns @param {any} command @param {string} name of the command
 */
const namespaceOf = (ns, command, name) =>
  ns.endsWith('.$cmd') && typeof command?.[name] === 'string'
    ? ns.replace(/\$cmd$/, () => command[name])
    : ns;

/** @param {unknown} name */
const appOf = (name) => (typeof name === 'string' && name !== '' ? name.slice(0, MAX_APP) : null);

/** @param {unknown} value @returns {number | null} not below nothing */
const ownNumber = (value) => {
  const number = toNumber(value);
  return number === undefined || number < 0 ? null : number;
};
/** @param {unknown} value */
const or0 = (value) => ownNumber(value) ?? 0;

/** @param {unknown[]} values @returns {number | null} null: none is reported */
const sumOf = (values) => {
  const known = values.flatMap((value) => ownNumber(value) ?? []);
  return known.length === 0 ? null : known.reduce((total, value) => total + value, 0);
};

module.exports = { readLine, readProfile, momentOf, appOf, namespaceOf };
