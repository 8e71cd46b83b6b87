'use strict';

const { sleep } = require('../base/context');
const { mapServerError, refusalOf } = require('../base/server-errors');
const { MS_PER_SECOND, many } = require('../base/pure/units');
const { toNumber } = require('../base/pure/numbers');
const { GLOBAL_LOG, END_STATUS, SAMPLE_STATUS } = require('../server/pure/commands');
const { OWN_DATABASES } = require('../server/pure/collections');
const { takeSample } = require('../server/sampler');
const { CURRENT_OPERATIONS, MAX_OPERATIONS, operationsIn } = require('./pure/current-op');
const { momentOf, readLine } = require('./pure/slow-log');
const { readLogFile, collectProfile } = require('./logged-operations');
const { TuneError } = require('../base/pure/errors');
const { collectStats } = require('../server/collection-stats');

/**
 * @import { Sample } from '../server/pure/sample'
 * @import { Context } from '../base/types'
 * @import { CollectionFacts } from './pure/index-to-try'
 * @import { ActiveOperation, LoggedOperation } from './types'
 */

/**
 * @typedef {{
 *   samples: Sample[], operations: ActiveOperation[][] | null, logged: LoggedOperation[] | null,
 *   log: { lines: number, fromMs: number | null }, profiled: number, notes: string[],
 *   before: Map<string, CollectionFacts>, beforeMs: number,
 *   ended: 'complete' | 'interrupted' | 'lost'
 * }} Seen `before`: collections early in the window, at `beforeMs`; null: refused; `log.fromMs`: the
 *   oldest line that was there
 */

/** Seconds from one sample to the next. */
const EVERY = 1;
/** Seconds from which on it is known where operations are. */
const EARLY = 3;

/**
 * Samples counters and running operations for a while, then reads what was logged meanwhile.
 * @param {Context} ctx
 * @param {{ seconds: number, log: string | null }} options `log`: a file to read in place of getLog
 * @returns {Promise<Seen>}
 */
async function collectWho(ctx, { seconds, log }) {
  /** @type {Seen} */
  const seen = {
    samples: [await takeSample(ctx.port, END_STATUS)],
    operations: [],
    logged: null,
    log: { lines: 0, fromMs: null },
    profiled: 0,
    before: new Map(),
    beforeMs: 0,
    notes: [],
    ended: 'complete',
  };
  try {
    await sampleOperations(ctx, seconds, seen);
  } catch (error) {
    seen.ended = ctx.signal.aborted ? 'interrupted' : 'lost';
    const why = seen.ended === 'interrupted' ? 'Interrupted' : 'The connection was lost';
    seen.notes.push(`${why} after ${many(seen.samples.length, 'sample')}: partial result.`);
    if (seen.ended === 'lost') seen.notes.push(mapServerError(error, '$currentOp').message);
  }
  if (seen.ended !== 'lost') await readSlow(ctx, log, seen);
  return seen;
}

/** @param {Context} ctx @param {number} seconds @param {Seen} seen */
async function sampleOperations(ctx, seconds, seen) {
  const started = performance.now();
  for (let due = 0; due < seconds; due += EVERY) {
    const at = Math.min(due + EVERY / 2, seconds);
    await sleep(Math.max(0, started + at * MS_PER_SECOND - performance.now()), ctx.signal);
    const isLast = due + EVERY >= seconds;
    const [sample] = await Promise.all([
      isLast ? null : takeSample(ctx.port, SAMPLE_STATUS),
      sampleOnce(ctx, seen),
    ]);
    if (sample) seen.samples.push(sample);
    if (due === EARLY) await examineBusiest(ctx, seen);
    ctx.progress(
      `tune.who: ${due + 1} of ${Math.ceil(seconds)} s; Ctrl-C answers from what was seen`,
    );
  }
  await sleep(Math.max(0, started + seconds * MS_PER_SECOND - performance.now()), ctx.signal);
  seen.samples.push(await takeSample(ctx.port, END_STATUS));
}

/**
 * Collections that operations were seen at so far, the busiest first: read again at the end, they show
 * which of them fill the cache.
 * @param {Context} ctx @param {Seen} seen
 */
async function examineBusiest(ctx, seen) {
  const operations = (seen.operations ?? []).flat();
  const times = (/** @type {string} */ ns) =>
    operations.filter((operation) => operation.ns === ns).length;
  seen.before = await examineCollections(
    ctx,
    operations.toSorted((a, b) => times(b.ns) - times(a.ns)),
  );
  seen.beforeMs = performance.now();
}

/** @param {Context} ctx @param {Seen} seen */
async function sampleOnce(ctx, seen) {
  if (seen.operations === null) return;
  try {
    const { cursor } = await ctx.port.adminCommand(CURRENT_OPERATIONS);
    seen.operations.push(operationsIn(cursor.firstBatch));
    if (cursor.firstBatch.length === MAX_OPERATIONS) noteOnce(seen, MANY);
  } catch (error) {
    refusalOf(error, '$currentOp', ctx.signal);
    seen.operations = null;
    seen.notes.push(
      'Running operations are not known: $currentOp of all users needs the privilege inprog (role ' +
        'clusterMonitor). Operations faster than slowms are not seen.',
    );
  }
}

const MANY = `Only ${MAX_OPERATIONS} of the running operations were read in a sample.`;

/** @param {Seen} seen @param {string} note */
function noteOnce({ notes }, note) {
  if (!notes.includes(note)) notes.push(note);
}

/**
 * Reads logged operations, by the server's own clock.
 * @param {Context} ctx
 * @param {string | null} file
 * @param {Seen} seen
 */
async function readSlow(ctx, file, seen) {
  const [fromMs, toMs] = [seen.samples[0].atMs, seen.samples[seen.samples.length - 1].atMs];
  if (file === null) await readServerLog(ctx, seen);
  else {
    const { operations, lines, oldestMs, notes } = await readLogFile(file, fromMs);
    Object.assign(seen, { logged: operations, log: { lines, fromMs: oldestMs } });
    seen.notes.push(...notes);
  }
  const { operations, databases, notes } = await collectProfile(ctx, fromMs);
  seen.notes.push(...notes);
  const others = (seen.logged ?? []).filter(({ ns }) => !databases.has(ns.split('.')[0]));
  if (databases.size > 0) seen.logged = [...others, ...operations];
  seen.profiled = operations.length;
  seen.logged =
    seen.logged && seen.logged.filter(({ endMs, ms }) => endMs >= fromMs && endMs - ms <= toMs);
  noteGap(seen, fromMs, toMs);
}

/** @param {Context} ctx @param {Seen} seen */
async function readServerLog(ctx, seen) {
  try {
    const { log, totalLinesWritten } = await ctx.port.adminCommand(GLOBAL_LOG);
    const lines = log.filter((/** @type {unknown} */ line) => typeof line === 'string');
    seen.logged = lines.flatMap((/** @type {string} */ line) => readLine(line) ?? []);
    const isWhole = (toNumber(totalLinesWritten) ?? Infinity) <= lines.length;
    seen.log = { lines: lines.length, fromMs: isWhole ? null : oldest(lines) };
  } catch (error) {
    refusalOf(error, 'getLog', ctx.signal);
    seen.notes.push(
      'Slow operations are not known: getLog needs the privilege of that name (role clusterMonitor).',
    );
  }
}

/** @param {string[]} lines @returns {number | null} ms since 1970 */
const oldest = (lines) => lines.map(momentOf).find((ms) => ms !== null) ?? null;

/** A log that holds only the end of the window. @param {Seen} seen @param {number} fromMs @param {number} toMs */
function noteGap(seen, fromMs, toMs) {
  const { fromMs: begins } = seen.log;
  if (begins === null || begins <= fromMs) return;
  const part = Math.max(0, (toMs - begins) / (toMs - fromMs));
  seen.notes.push(
    `The server keeps ${seen.log.lines} log lines: they cover the last ${(part * 100).toFixed(0)}% of ` +
      'the window. Give the log file itself (log: "/path/to/mongod.log") to see all of it.',
  );
}

/** Collections whose size and indexes are read: those at the top. */
const MAX_COLLECTIONS = 8;
const PATIENCE_MS = 2000;

/**
 * Reads the size of the collections of the largest rows, and their indexes.
 * @param {Context} ctx
 * @param {readonly { ns: string, task: string | null }[]} rows
 * @returns {Promise<Map<string, CollectionFacts>>} without collections that the user may not read
 */
async function examineCollections(ctx, rows) {
  /** @type {Map<string, CollectionFacts>} */ const facts = new Map();
  if (ctx.signal.aborted) return facts;
  const names = [...new Set(rows.filter(isOfCollection).map(({ ns }) => ns))];
  for (const ns of names.slice(0, MAX_COLLECTIONS)) {
    const known = await factsOf(ctx, ns);
    if (known !== null) facts.set(ns, known);
  }
  return facts;
}

/** @param {{ ns: string, task: string | null }} row */
const isOfCollection = ({ ns, task }) =>
  task === null && /^[^.$]+\.[^$]+$/.test(ns) && !OWN_DATABASES.test(ns);

/**
 * @param {Context} ctx
 * @param {string} ns
 * @returns {Promise<CollectionFacts | null>}
 */
async function factsOf(ctx, ns) {
  const at = ns.indexOf('.');
  const namespace = { database: ns.slice(0, at), name: ns.slice(at + 1) };
  const stats = await collectStats(ctx, namespace, { patienceMs: PATIENCE_MS });
  if (stats === 'gone' || stats instanceof TuneError) return null;
  return {
    documents: stats.documents,
    idIndexBytes: stats.indexes._id_?.storageBytes ?? null,
    readBytes: stats.collection.readBytes,
    indexes: await keysOf(ctx, namespace),
  };
}

/**
 * @param {Context} ctx
 * @param {{ database: string, name: string }} namespace
 * @returns {Promise<Record<string, unknown>[] | null>} null: not permitted
 */
async function keysOf({ port, signal }, { database, name }) {
  try {
    const { cursor } = await port.command(database, {
      aggregate: name,
      pipeline: [{ $indexStats: {} }, { $project: { _id: 0, key: 1 } }],
      cursor: {},
      maxTimeMS: PATIENCE_MS,
    });
    return cursor.firstBatch.map((/** @type {any} */ { key }) => key ?? {});
  } catch (error) {
    refusalOf(error, '$indexStats', signal);
    return null;
  }
}

module.exports = { collectWho, examineCollections };
