'use strict';

const { readSample } = require('../model/sample');
const { momentMs } = require('../model/moment');
const { stretchOf } = require('../model/stretch');
const { readDocuments } = require('./recording-documents');
const { SampleQueue } = require('./sample-queue');
const { FORMAT } = require('./recording-file');

/**
 * A recording of server statuses: what tune.record() wrote, or what anybody kept of db.serverStatus(), as extended JSON or as
 * JSON.stringify makes it. What a line tells besides numbers is kept of the last one.
 *
 * @typedef {import('../model/sample').Sample} Sample
 * @typedef {import('../model/stretch').Stretch} Stretch
 * @typedef {{ host: string | null, version: string | null, process: string | null, engine: string | null }} Identity
 * @typedef {{
 *   lines: number, garbled: number, damage: string | null, newer: number | null, repeated: number, others: { hosts: string[], lines: number },
 *   fromMs: number, toMs: number
 * }} Account `garbled`: lines that are no server status; `damage`: why the rest can not be unpacked; `newer`: format of a later
 *   release of tune; `repeated`: lines that are there twice; `others`: of other servers than the first; `fromMs`, `toMs`: what
 *   there is, wanted or not
 */

/** No more names than a person reads. */
const MOST_HOSTS = 5;

class StatusRecording {
  /** @param {string} file @param {{ fromMs?: number, toMs?: number }} [span] what is wanted; both ends belong to it */
  constructor(file, { fromMs = -Infinity, toMs = Infinity } = {}) {
    this.file = file;
    this.span = { fromMs, toMs };
    /** @type {Account} */
    this.account = { lines: 0, garbled: 0, damage: null, newer: null, repeated: 0, others: { hosts: [], lines: 0 }, fromMs: Infinity, toMs: -Infinity };
    /** As recorded with it. @type {Partial<import('../model/facts').Facts>} */
    this.facts = {};
    /** @type {Identity} */
    this.identity = { host: null, version: null, process: null, engine: null };
  }

  /** @returns {AsyncGenerator<Stretch, void>} */
  async *stretches() {
    const queue = new SampleQueue();
    for await (const { doc, lines } of readDocuments(this.file, (error) => { this.account.damage = error.message; })) {
      this.account.lines += lines;
      const samples = this.read(doc);
      if (samples === null) this.account.garbled += lines;
      else for (const list of queue.add(samples)) yield stretchOf(list);
    }
    for (const list of queue.end()) yield stretchOf(list);
    this.account.repeated = queue.repeated;
  }

  /** @param {unknown} found a document, or a list of them @returns {Sample[] | null} null: it is no server status */
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
    this.facts = doc.facts ?? {};
    return true;
  }

  /** @param {any} status @returns {Sample | null} its time is NaN when it is of another server */
  sampleOf(status) {
    if (status === null) return null;
    const sample = readSample(status);
    const atMs = momentMs(status.localTime) ?? momentMs(status.t) ?? sample.uptimeMs ?? NaN;
    if (Number.isNaN(atMs) || Object.keys(sample.metrics).length === 0) return null;
    const identity = identityOf(status);
    const isOther = this.isOther(identity.host);
    if (!isOther) this.identity = identity;
    return { ...sample, atMs: isOther ? NaN : atMs };
  }

  /** The counters of two servers have nothing to do with each other. @param {string | null} host */
  isOther(host) {
    const { identity, account: { others } } = this;
    if (host === null || identity.host === null || host === identity.host) return false;
    if (others.hosts.length < MOST_HOSTS && !others.hosts.includes(host)) others.hosts.push(host);
    others.lines++;
    return true;
  }

  /** @param {Sample} sample */
  isWanted({ atMs }) {
    const { account, span } = this;
    if (Number.isNaN(atMs)) return false;
    Object.assign(account, { fromMs: Math.min(account.fromMs, atMs), toMs: Math.max(account.toMs, atMs) });
    return atMs >= span.fromMs && atMs <= span.toMs;
  }
}

/** @param {any} status @returns {Identity} */
const identityOf = ({ host = null, version = null, process = null, storageEngine = {} }) => ({ host, version, process, engine: storageEngine?.name ?? null });

/** The reply of serverStatus, also inside that of getDiagnosticData, or of a script that wrote more beside it. @param {any} doc */
function statusOf(doc) {
  if (doc === null || typeof doc !== 'object') return null;
  const outer = doc.data?.serverStatus ? doc.data : doc;
  if (!outer.serverStatus || typeof outer.serverStatus !== 'object') return outer;
  return { ...outer.serverStatus, systemMetrics: outer.systemMetrics, t: outer.serverStatus.t ?? outer.t };
}

module.exports = { StatusRecording };
