'use strict';

const { readSample } = require('../server/pure/sample');
const { momentMs, isPossible } = require('./pure/moment');
const { blockOf, SAME_RUN_MS } = require('../series/columns');
const { factsIn, FORMAT } = require('./recording-file');
const { readDocuments } = require('./recording-documents');

/**
 * @import { Columns } from '../series/columns'
 * @import { Sample } from '../server/pure/sample'
 * @import { Facts } from '../server/pure/types'
 * @import { Account } from './types'
 */

/**
 * A recording of server statuses: what tune.record() wrote, or what anybody kept of
 * db.serverStatus(), as extended JSON or as JSON.stringify makes it. What a line holds besides
 * numbers is kept of the last one.
 *
 * @typedef {{
 *   host: string | null, version: string | null, process: string | null, engine: string | null
 * }} Identity
 * @typedef {{ identity: Identity, facts: Partial<Facts> }} Known `facts`:
 *   as recorded with it
 */

/** No more names than a person reads. */
const MAX_HOSTS = 5;

class StatusRecording {
  /**
   * @param {readonly string[]} files in any order
   * @param {{ fromMs?: number, toMs?: number }} [span] what is wanted; both ends belong to it
   */
  constructor(files, { fromMs = -Infinity, toMs = Infinity } = {}) {
    this.files = files;
    this.span = { fromMs, toMs };
    /** @type {Account} */
    this.account = {
      lines: 0,
      garbled: 0,
      damage: null,
      newer: null,
      repeated: 0,
      others: { hosts: [], lines: 0 },
      fromMs: Infinity,
      toMs: -Infinity,
    };
    this.isDated = false;
    /** What is known of the server at the last lines. @type {Known} */
    this.known = {
      identity: { host: null, version: null, process: null, engine: null },
      facts: {},
    };
  }

  /** @returns {AsyncGenerator<{ block: Columns, known: Known }, void>} */
  async *pieces() {
    const queue = new SampleQueue();
    for (const { file, atMs } of await inOrder(this.files)) {
      // Files that follow one another are kept apart, for what is known may differ; what overlaps
      // is put in order.
      if (atMs > this.account.toMs) yield* this.piecesOf(queue.end());
      for await (const { doc, lines } of readDocuments(file, (error) => {
        this.account.damage = error.message;
      })) {
        this.account.lines += lines;
        const samples = this.read(doc);
        if (samples === null) this.account.garbled += lines;
        else yield* this.piecesOf(queue.add(samples));
      }
    }
    yield* this.piecesOf(queue.end());
    this.account.repeated = queue.repeated;
  }

  /** @param {Sample[][]} lists */
  piecesOf(lists) {
    return lists.map((list) => ({ block: blockOf(list), known: this.known }));
  }

  /**
   * @param {unknown} found a document, or a list of them
   * @returns {Sample[] | null} null: it is no server status
   */
  read(found) {
    const docs = [found].flat();
    if (docs.length === 1 && this.learn(docs[0])) return [];
    const samples = docs.flatMap((doc) => this.sampleOf(statusOf(doc)) ?? []);
    if (samples.length === 0) return null;
    if (samples.length < docs.length) this.account.garbled++;
    return samples.filter((sample) => this.isWanted(sample));
  }

  /** @param {any} doc @returns {boolean} whether it is the line of facts */
  learn(doc) {
    if (typeof doc?.tuneRecording !== 'number') return false;
    if (doc.tuneRecording > FORMAT) this.account.newer = doc.tuneRecording;
    this.known = { ...this.known, facts: { ...this.known.facts, ...factsIn(doc.facts) } };
    return true;
  }

  /** @param {any} status @returns {Sample | null} its time is NaN when it is of another server */
  sampleOf(status) {
    if (status === null) return null;
    const sample = readSample(status);
    const atMs = this.timeOf(status, sample) ?? NaN;
    if (!isPossible(atMs) || Object.keys(sample.counters).length === 0) return null;
    const identity = identityOf(status);
    const isOther = this.isOther(identity.host);
    if (!isOther) this.known = { ...this.known, identity };
    return { ...sample, atMs: isOther ? NaN : atMs };
  }

  /**
   * Finds the time of a status; where no line has the time, the uptime replaces it.
   * @param {any} status
   * @param {Sample} sample
   * @returns {number | null | undefined}
   */
  timeOf(status, { uptimeMs }) {
    const atMs = momentMs(status.localTime) ?? momentMs(status.t);
    this.isDated ||= atMs !== undefined;
    return this.isDated ? atMs : uptimeMs;
  }

  /** The counters of two servers have nothing to do with each other. @param {string | null} host */
  isOther(host) {
    const {
      known: { identity },
      account: { others },
    } = this;
    if (host === null || identity.host === null || host === identity.host) return false;
    if (others.hosts.length < MAX_HOSTS && !others.hosts.includes(host)) others.hosts.push(host);
    others.lines++;
    return true;
  }

  /** @param {Sample} sample */
  isWanted({ atMs }) {
    const { account, span } = this;
    if (Number.isNaN(atMs)) return false;
    Object.assign(account, {
      fromMs: Math.min(account.fromMs, atMs),
      toMs: Math.max(account.toMs, atMs),
    });
    return atMs >= span.fromMs && atMs <= span.toMs;
  }
}

/**
 * The files by the time of their first line that has one; those without go last, in the order
 * given.
 * @param {readonly string[]} files
 * @returns {Promise<{ file: string, atMs: number }[]>}
 */
async function inOrder(files) {
  const begun = [];
  for (const file of new Set(files))
    begun.push({ file, atMs: files.length === 1 ? -Infinity : await beginOf(file) });
  return begun.sort((a, b) => (a.atMs < b.atMs ? -1 : Number(a.atMs > b.atMs)));
}

/**
 * Finds when a recording begins.
 * @param {string} file
 * @returns {Promise<number>}
 */
async function beginOf(file) {
  const recording = new StatusRecording([file]);
  for await (const { doc } of readDocuments(file, () => {})) {
    recording.read(doc);
    if (recording.account.fromMs < Infinity) return recording.account.fromMs;
  }
  return Infinity;
}

const text = (/** @type {unknown} */ value) => (typeof value === 'string' ? value : null);

/** @param {any} status @returns {Identity} */
const identityOf = ({ host, version, process, storageEngine }) => ({
  host: text(host),
  version: text(version),
  process: text(process),
  engine: text(storageEngine?.name),
});

/**
 * The reply of serverStatus, also inside that of getDiagnosticData, or of a script that wrote more
 * beside it.
 * @param {any} doc
 */
function statusOf(doc) {
  if (doc === null || typeof doc !== 'object') return null;
  const whole = doc.data?.serverStatus ? doc.data : doc;
  if (!whole.serverStatus || typeof whole.serverStatus !== 'object') return whole;
  return {
    ...whole.serverStatus,
    systemMetrics: whole.systemMetrics,
    t: whole.serverStatus.t ?? whole.t,
  };
}

/**
 * Sorts the samples of a recording by time before they are read: a user may have joined files, or
 * sorted lines by something else. Memory is bounded, so lines that are far from their place stay
 * there.
 */

/** A chunk of diagnostic data has this many samples. */
const BLOCK_SAMPLES = 300;
/** Half an hour at one a second; some 5 MB. */
const BUFFER_SAMPLES = 1800;

class SampleQueue {
  constructor() {
    /** @type {Sample[]} */
    this.buffer = [];
    this.isSorted = true;
    this.repeated = 0;
  }

  /** @param {readonly Sample[]} samples @returns {Sample[][]} what need not wait any longer */
  add(samples) {
    for (const sample of samples) this.push(sample);
    return this.buffer.length < BUFFER_SAMPLES + BLOCK_SAMPLES
      ? []
      : this.take(this.buffer.length - BUFFER_SAMPLES);
  }

  /** @param {Sample} sample */
  push(sample) {
    const last = this.buffer.at(-1);
    if (last !== undefined && isEarlier(sample, last)) this.isSorted = false;
    this.buffer.push(sample);
  }

  /** @returns {Sample[][]} the rest */
  end() {
    return this.take(this.buffer.length);
  }

  /** @param {number} count @returns {Sample[][]} */
  take(count) {
    if (!this.isSorted) this.buffer.sort((a, b) => a.atMs - b.atMs);
    this.isSorted = true;
    const taken = this.buffer.splice(0, count);
    const kept = taken.filter((sample, i) => i === 0 || !isSame(taken[i - 1], sample));
    this.repeated += taken.length - kept.length;
    return Array.from({ length: Math.ceil(kept.length / BLOCK_SAMPLES) }, (_, i) =>
      kept.slice(i * BLOCK_SAMPLES, (i + 1) * BLOCK_SAMPLES),
    );
  }
}

/**
 * Compares by both clocks: a wall clock alone may have been set back, an uptime alone begins again
 * at a restart.
 * @param {Sample} sample
 * @param {Sample} last
 */
function isEarlier(sample, last) {
  const passedMs = sample.atMs - last.atMs;
  const upMs =
    sample.uptimeMs === null || last.uptimeMs === null ? passedMs : sample.uptimeMs - last.uptimeMs;
  return passedMs < 0 && Math.abs(upMs - passedMs) < SAME_RUN_MS;
}

/** @param {Sample} a @param {Sample} b */
const isSame = (a, b) => a.atMs === b.atMs && a.uptimeMs === b.uptimeMs;

module.exports = { StatusRecording };
