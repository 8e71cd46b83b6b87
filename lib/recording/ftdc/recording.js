'use strict';

const { TuneError } = require('../../base/pure/errors');
const { SAME_RUN_MS, sliceOf } = require('../../series/columns');
const { isPossible } = require('../pure/moment');
const { Damaged } = require('./bson');
const { ChunkDecoder } = require('./chunk');
const { readEntries } = require('./entries');
const { Selection } = require('./selection');
const { isGone } = require('./files');
const { identityOf, withEntry, NO_METADATA, NO_IDENTITY } = require('./facts');

/**
 * @import { Columns } from '../../series/columns'
 * @import { ChunkEntry, Entry, MetadataEntry } from './entries'
 * @import { Identity, Metadata } from './facts'
 * @import { Account } from './types'
 */

/**
 * Diagnostic data from files, chunk by chunk, in the order of time: at any moment only one chunk is
 * in memory.
 *
 * @typedef {{
 *   identity: Identity, metadata: Metadata,
 *   state: number | null
 * }} Server `state`: as
 *   a member of a replica set (replSetGetStatus.myState); null for none
 * @typedef {{ block: Columns, server: Server }} Piece
 * @typedef {{ count: number, why: string | null, fromMs: number, toMs: number }} Skipped `why`: the
 *   first was; `fromMs`, `toMs`: where
 *   the first and the last of them begin, as far as their times are known
 * @typedef {{ host: string | null, atMs: number, uptimeMs: number }} Mark the last sample of a
 *   file; `uptimeMs`: NaN where not recorded
 * @typedef {{ fromMs: number, toMs: number }} Span
 */

/** No more names than a person reads. */
const MAX_HOSTS = 5;
/** The chunks of a year; beyond them copies are not recognized, so that memory is bounded. */
const MAX_SEEN = 100_000;
class Recording {
  /**
   * @param {readonly string[]} files in the order of time
   * @param {Partial<Span>} [span] what is wanted; both ends belong to it
   */
  constructor(files, { fromMs = -Infinity, toMs = Infinity } = {}) {
    this.files = files;
    this.span = { fromMs, toMs };
    this.selection = new Selection();
    this.decoder = new ChunkDecoder(this.selection.choose);
    /** @type {Account} */
    this.account = {
      chunks: 0,
      skipped: { count: 0, why: null, fromMs: Infinity, toMs: -Infinity },
      damagedBytes: 0,
      unknown: 0,
      gone: 0,
      repeated: 0,
      hosts: [],
      fromMs: Infinity,
      toMs: -Infinity,
    };
    this.metadata = NO_METADATA;
    /** The last known facts of the server. @type {Server} */
    this.server = { identity: NO_IDENTITY, metadata: NO_METADATA, state: null };
    /**
     * The end of the files before: the interim file, or a copy, has their samples, too.
     * @type {Mark | null}
     */
    this.seenTo = null;
    /** Keys of all chunks; one that comes a second time has nothing new. @type {Set<string>} */
    this.seen = new Set();
  }

  /** @returns {AsyncGenerator<Piece, void>} */
  async *pieces() {
    for (const file of this.files) {
      const before = this.seenTo;
      // What is known stays: every file begins with its own metadata, but the interim file has
      // none.
      for await (const entry of this.wanted(file)) {
        const piece = this.decode(entry);
        const kept = piece && this.trim(piece, before);
        if (kept && kept.length > 0) yield { ...piece, block: kept };
      }
    }
  }

  /**
   * The chunks that may have something of the span. A chunk that ended before it is known by where
   * the next one begins.
   * @param {string} file
   * @returns {AsyncGenerator<ChunkEntry, void>}
   */
  async *wanted(file) {
    /** @type {ChunkEntry | null} */
    let previous = null;
    for await (const entry of this.entriesOf(file)) {
      if (previous !== null && !this.isBefore(previous, entry)) yield previous;
      previous = null;
      if (entry.kind !== 'chunk') this.learn(entry);
      else if (this.note(entry).atMs <= this.span.toMs) previous = entry;
    }
    if (previous !== null) yield previous;
  }

  /**
   * Yields the entries that are used.
   * @param {string} file
   * @returns {AsyncGenerator<ChunkEntry | MetadataEntry, void>}
   * @throws {TuneError} TUNE-40002
   */
  async *entriesOf(file) {
    try {
      for await (const entry of readEntries(file)) {
        if (entry.kind === 'damage') this.account.damagedBytes += entry.bytes;
        else if (entry.kind === 'unknown') this.account.unknown++;
        else yield entry;
      }
    } catch (cause) {
      if (!isGone(cause))
        throw new TuneError(
          'TUNE-40002',
          `${file} cannot be read: ${/** @type {Error} */ (cause).message}.`,
          { value: file, cause },
        );
      this.account.gone++;
    }
  }

  /** @param {ChunkEntry} entry @returns {ChunkEntry} */
  note(entry) {
    const { account } = this;
    if (isPossible(entry.atMs))
      Object.assign(account, {
        fromMs: Math.min(account.fromMs, entry.atMs),
        toMs: Math.max(account.toMs, entry.atMs),
      });
    return entry;
  }

  /** @param {MetadataEntry} entry */
  learn(entry) {
    this.metadata = withEntry(this.metadata, entry);
    this.server = { ...this.server, metadata: this.metadata };
  }

  /** @param {ChunkEntry} previous @param {Entry} next */
  isBefore(previous, next) {
    return next.kind === 'chunk' && previous.atMs <= next.atMs && next.atMs < this.span.fromMs;
  }

  /** @param {ChunkEntry} entry @returns {Piece | null} */
  decode(entry) {
    try {
      const chunk = this.decoder.decode(entry.data);
      const { state, ...columns } = this.selection.columns(chunk);
      const block = toBlock({ ...columns, ...(state && { 'member.state': state }) }, chunk.samples);
      if (!block.atMs.every(isPossible)) throw new Damaged('a sample without a possible time');
      this.server = {
        identity: identityOf(chunk.reference),
        metadata: this.metadata,
        state: state?.at(-1) ?? null,
      };
      this.account.chunks++;
      this.meet(this.server.identity.host);
      return { block, server: this.server };
    } catch (error) {
      if (!(error instanceof Damaged)) throw error;
      this.skip(entry, error.message);
      return null;
    }
  }

  /** @param {ChunkEntry} entry @param {string} why */
  skip({ atMs }, why) {
    const { skipped } = this.account;
    skipped.count++;
    skipped.why ??= why;
    if (isPossible(atMs))
      Object.assign(skipped, {
        fromMs: Math.min(skipped.fromMs, atMs),
        toMs: Math.max(skipped.toMs, atMs),
      });
  }

  /** @param {string | null} host */
  meet(host) {
    const { hosts } = this.account;
    if (host !== null && hosts.length < MAX_HOSTS && !hosts.includes(host)) hosts.push(host);
  }

  /**
   * @param {Piece} piece
   * @param {Mark | null} before
   * @returns {Columns} what of it is wanted and was not seen yet
   */
  trim(
    {
      block,
      server: {
        identity: { host },
      },
    },
    before,
  ) {
    const { atMs, uptimeMs, length } = block;
    this.account.toMs = Math.max(this.account.toMs, atMs[length - 1]);
    let from = this.isRepeated(block, host) ? length : 0;
    while (from < length && isSeen({ host, atMs: atMs[from], uptimeMs: uptimeMs[from] }, before))
      from++;
    this.account.repeated += from;
    while (from < length && atMs[from] < this.span.fromMs) from++;
    let to = length;
    while (to > from && atMs[to - 1] > this.span.toMs) to--;
    if (to > from) this.seenTo = { host, atMs: atMs[to - 1], uptimeMs: uptimeMs[to - 1] };
    return sliceOf(block, from, to);
  }

  /** @param {Columns} block @param {string | null} host */
  isRepeated({ length, atMs, uptimeMs }, host) {
    const key = [length, atMs[0], atMs[length - 1], uptimeMs[0], host].join();
    if (this.seen.has(key)) return true;
    if (this.seen.size < MAX_SEEN) this.seen.add(key);
    return false;
  }
}

/**
 * Whether a sample was seen before, but only within one run of one server: after a clock that was
 * set back between two runs no sample counts as seen.
 * @param {Mark} sample
 * @param {Mark | null} before
 */
function isSeen(sample, before) {
  if (before === null || sample.host !== before.host || sample.atMs > before.atMs) return false;
  const drift = Math.abs(before.atMs - sample.atMs - (before.uptimeMs - sample.uptimeMs));
  return Number.isNaN(drift) || drift < SAME_RUN_MS;
}

/**
 * Columns of a chunk as a block of samples.
 * @param {Record<string, Float64Array>} columns
 * @param {number} length
 * @returns {Columns}
 */
function toBlock({ at, start, uptimeMs, uptimeSeconds, ...columns }, length) {
  const unknown = () => new Float64Array(length).fill(NaN);
  return {
    length,
    atMs: at ?? start ?? unknown(),
    uptimeMs: uptimeMs ?? uptimeSeconds ?? unknown(),
    columns,
  };
}

module.exports = { Recording };
