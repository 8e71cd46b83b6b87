'use strict';

const { sliceOf } = require('../../model/stretch');
const { Damaged } = require('./bson');
const { ChunkDecoder } = require('./chunk');
const { readEntries } = require('./entries');
const { Selection } = require('./selection');
const { identityOf, withEntry, NO_METADATA, NO_IDENTITY } = require('./server');

/**
 * Diagnostic data from files, chunk by chunk, in the order of time: at any moment only one chunk is in memory.
 *
 * @typedef {import('../../model/stretch').Stretch} Stretch
 * @typedef {import('./entries').ChunkEntry} ChunkEntry
 * @typedef {{ identity: import('./server').Identity, metadata: import('./server').Metadata, state: number | null }} Server `state`: as
 *   a member of a replica set (replSetGetStatus.myState); null for none
 * @typedef {{ stretch: Stretch, server: Server }} Piece
 * @typedef {{
 *   chunks: number, skipped: { atMs: number | null, why: string }[], damagedBytes: number, repeated: number, hosts: string[],
 *   fromMs: number, toMs: number
 * }} Account
 *   `chunks`: decoded; `skipped`: could not be; `damagedBytes`: no documents at all; `repeated`: samples that were there before;
 *   `hosts`: names of servers, the first few; `fromMs`, `toMs`: where the first and the last chunk begin, wanted or not
 * @typedef {{ fromMs: number, toMs: number }} Span
 */

/** No more names than a person reads. */
const MOST_HOSTS = 5;
/** The end of the year 9999; what is beyond was never a time. */
const LAST_MS = Date.UTC(10_000, 0, 1) - 1;

/** @param {number} ms */
const isPossible = (ms) => ms >= 0 && ms <= LAST_MS;

class Recording {
  /** @param {readonly string[]} files in the order of time @param {Partial<Span>} [span] what is wanted; both ends belong to it */
  constructor(files, { fromMs = -Infinity, toMs = Infinity } = {}) {
    this.files = files;
    this.span = { fromMs, toMs };
    this.selection = new Selection();
    this.decoder = new ChunkDecoder(this.selection.choose);
    /** @type {Account} */
    this.account = { chunks: 0, skipped: [], damagedBytes: 0, repeated: 0, hosts: [], fromMs: Infinity, toMs: -Infinity };
    this.metadata = NO_METADATA;
    /** What is known last. @type {Server} */
    this.server = { identity: NO_IDENTITY, metadata: NO_METADATA, state: null };
    /** Where the files before ended: what they hold is in the interim file too, or in a copy. */
    this.seenToMs = -Infinity;
    /** Of each chunk; one that comes a second time tells nothing new. @type {Set<string>} */
    this.seen = new Set();
  }

  /** @returns {AsyncGenerator<Piece, void>} */
  async *pieces() {
    for (const file of this.files) {
      const before = this.seenToMs;
      // What is known goes on: every file begins with its own metadata, but the interim file has none.
      for await (const entry of this.wanted(file)) {
        const piece = this.decode(entry);
        const kept = piece && this.trim(piece.stretch, before);
        if (kept && kept.length > 0) yield { ...piece, stretch: kept };
      }
    }
  }

  /**
   * The chunks that may have something of the span. A chunk that ended before it is known by where the next one begins.
   * @param {string} file @returns {AsyncGenerator<ChunkEntry, void>}
   */
  async *wanted(file) {
    /** @type {ChunkEntry | null} */
    let held = null;
    for await (const entry of readEntries(file)) {
      if (entry.kind === 'damage') {
        this.account.damagedBytes += entry.bytes;
        continue;
      }
      if (held !== null && !this.isBefore(held, entry)) yield held;
      held = null;
      if (entry.kind !== 'chunk') this.learn(entry);
      else if (this.note(entry).atMs <= this.span.toMs) held = entry;
    }
    if (held !== null) yield held;
  }

  /** @param {ChunkEntry} entry @returns {ChunkEntry} */
  note(entry) {
    const { account } = this;
    if (isPossible(entry.atMs)) Object.assign(account, { fromMs: Math.min(account.fromMs, entry.atMs), toMs: Math.max(account.toMs, entry.atMs) });
    return entry;
  }

  /** @param {import('./entries').MetadataEntry} entry */
  learn(entry) {
    this.metadata = withEntry(this.metadata, entry);
    this.server = { ...this.server, metadata: this.metadata };
  }

  /** @param {ChunkEntry} held @param {import('./entries').Entry} next */
  isBefore(held, next) {
    return next.kind === 'chunk' && held.atMs <= next.atMs && next.atMs < this.span.fromMs;
  }

  /** @param {ChunkEntry} entry @returns {Piece | null} */
  decode(entry) {
    try {
      const chunk = this.decoder.decode(entry.data);
      const { state, ...columns } = this.selection.columns(chunk);
      const stretch = toStretch(columns, chunk.samples);
      if (!stretch.atMs.every(isPossible)) throw new Damaged('a sample without a possible time');
      this.server = { identity: identityOf(chunk.reference), metadata: this.metadata, state: state?.at(-1) ?? null };
      this.account.chunks++;
      this.meet(this.server.identity.host);
      return { stretch, server: this.server };
    } catch (error) {
      if (!(error instanceof Damaged)) throw error;
      this.account.skipped.push({ atMs: isPossible(entry.atMs) ? entry.atMs : null, why: error.message });
      return null;
    }
  }

  /** @param {string | null} host */
  meet(host) {
    const { hosts } = this.account;
    if (host !== null && hosts.length < MOST_HOSTS && !hosts.includes(host)) hosts.push(host);
  }

  /** @param {Stretch} stretch @param {number} before @returns {Stretch} what of it is wanted and was not seen yet */
  trim(stretch, before) {
    const { atMs } = stretch;
    let from = this.isRepeated(stretch) ? stretch.length : 0;
    while (from < stretch.length && atMs[from] <= before) from++;
    this.account.repeated += from;
    while (from < stretch.length && atMs[from] < this.span.fromMs) from++;
    let to = stretch.length;
    while (to > from && atMs[to - 1] > this.span.toMs) to--;
    if (to > from) this.seenToMs = Math.max(this.seenToMs, atMs[to - 1]);
    return sliceOf(stretch, from, to);
  }

  /** @param {Stretch} stretch */
  isRepeated({ length, atMs, uptimeMs }) {
    const key = [length, atMs[0], atMs[length - 1], uptimeMs[0]].join();
    return this.seen.size === this.seen.add(key).size;
  }
}

/** @param {Record<string, Float64Array>} columns @param {number} length @returns {Stretch} */
function toStretch({ at, start, uptimeMs, uptimeSeconds, ...columns }, length) {
  const unknown = () => new Float64Array(length).fill(NaN);
  return { length, atMs: at ?? start ?? unknown(), uptimeMs: uptimeMs ?? uptimeSeconds ?? unknown(), columns };
}

module.exports = { Recording };
