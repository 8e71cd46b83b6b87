'use strict';

const { readSample } = require('../model/sample');
const { stretchOf } = require('../model/stretch');
const { readLines } = require('./recording-lines');
const { FORMAT } = require('./recording-file');

/**
 * A recording of server statuses, one a line: what tune.record() wrote, or what anybody kept of db.serverStatus(), as extended JSON or
 * as JSON.stringify makes it. What a line tells besides numbers is kept of the last one.
 *
 * @typedef {import('../model/sample').Sample} Sample
 * @typedef {import('../model/stretch').Stretch} Stretch
 * @typedef {{ host: string | null, version: string | null, process: string | null, engine: string | null }} Identity
 * @typedef {{ lines: number, garbled: number, damage: string | null, newer: number | null }} Account `garbled`: lines that are no
 *   server status; `damage`: why the rest can not be unpacked; `newer`: format of a later release of tune
 */

/** As many as a chunk of diagnostic data has. */
const STRETCH_SAMPLES = 300;

class StatusRecording {
  /** @param {string} file */
  constructor(file) {
    this.file = file;
    /** @type {Account} */
    this.account = { lines: 0, garbled: 0, damage: null, newer: null };
    /** As recorded with it. @type {Partial<import('../model/facts').Facts>} */
    this.facts = {};
    /** @type {Identity} */
    this.identity = { host: null, version: null, process: null, engine: null };
  }

  /** @returns {AsyncGenerator<Stretch, void>} */
  async *stretches() {
    /** @type {Sample[]} */
    let samples = [];
    for await (const line of readLines(this.file, (error) => { this.account.damage = error.message; })) {
      if (line.trim() === '') continue;
      this.account.lines++;
      samples.push(...this.read(line));
      if (samples.length < STRETCH_SAMPLES) continue;
      yield stretchOf(samples);
      samples = [];
    }
    if (samples.length > 0) yield stretchOf(samples);
  }

  /** @param {string} line @returns {Sample[]} */
  read(line) {
    const docs = [parse(line)].flat();
    if (docs.length === 1 && this.learn(docs[0])) return [];
    const samples = docs.flatMap((doc) => this.sampleOf(statusOf(doc)) ?? []);
    if (samples.length < Math.max(1, docs.length)) this.account.garbled++;
    return samples;
  }

  /** @param {any} doc @returns {boolean} whether it is the line of facts */
  learn(doc) {
    if (typeof doc?.tuneRecording !== 'number') return false;
    if (doc.tuneRecording > FORMAT) this.account.newer = doc.tuneRecording;
    this.facts = doc.facts ?? {};
    return true;
  }

  /** @param {any} status @returns {Sample | null} */
  sampleOf(status) {
    if (status === null) return null;
    const sample = readSample(status);
    const atMs = Number.isFinite(sample.atMs) ? sample.atMs : sample.uptimeMs ?? NaN;
    if (Number.isNaN(atMs) || Object.keys(sample.metrics).length === 0) return null;
    this.identity = identityOf(status);
    return { ...sample, atMs };
  }
}

/** @param {any} status @returns {Identity} */
const identityOf = ({ host = null, version = null, process = null, storageEngine = {} }) => ({ host, version, process, engine: storageEngine?.name ?? null });

/** @param {string} line @returns {any} null for what is not JSON */
function parse(line) {
  try {
    return JSON.parse(line.replace(/^\uFEFF/, ''));
  } catch (_noJson) {
    return null;
  }
}

/** The reply of serverStatus, also inside that of getDiagnosticData, or of a script that wrote more beside it. @param {any} doc */
function statusOf(doc) {
  if (doc === null || typeof doc !== 'object') return null;
  const outer = doc.data?.serverStatus ? doc.data : doc;
  if (!outer.serverStatus || typeof outer.serverStatus !== 'object') return outer;
  return { ...outer.serverStatus, systemMetrics: outer.systemMetrics, t: outer.serverStatus.t ?? outer.t };
}

module.exports = { StatusRecording };
