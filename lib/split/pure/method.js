'use strict';

const { compareVersions } = require('../../base/pure/version');
const { count, duration } = require('../../base/pure/units');

/**
 * @import { Mode } from './definitions'
 * @import { Move, SeenCollection, Surroundings } from './types'
 */

/**
 * Chooses how a collection is copied, and estimates how long that takes.
 * @typedef {{ out: number | null, ranges: number | null, indexes: number | null }} Seconds
 */

/**
 * Speeds per second, on MongoDB 6.0.5 with a cache of 1 GB on 2 cores (docs/evidence/split.md):
 * 2,000,000 documents of 353 bytes were copied by $out in 19 s and by $merge in 141 s, and three
 * indexes on them built in 30 s. The slower of documents and bytes decides.
 */
const OUT = Object.freeze({ documents: 100_000, bytes: 37e6 });
const MERGE = Object.freeze({ documents: 14_000, bytes: 5e6 });
const INDEX_KEYS = 200_000;
/**
 * Seconds. A longer copy should not have to begin again, and a running $out cannot be slowed down;
 * heuristic.
 */
const IN_ONE_GO_SECONDS = 600;
/**
 * The oplog must reach this many times as far back as the copy takes: an estimate may be wrong by
 * this factor; heuristic.
 */
const OPLOG_TIMES = 2;
/**
 * Writes of clients a second. From here on a copy is made in ranges, which can be throttled for
 * them: with 200 writes a second on 2 cores their p99 was 1.3 times as long in ranges, and 11 times
 * with $out (docs/evidence/split.md). With fewer writes the throttle has too little to measure
 * (split/pressure.js); heuristic.
 */
const WRITES_TO_SPARE_PER_SEC = 20;
/** The first release in which ranges in $expr use the index on _id. */
const RANGES_SINCE = '5.0.0';

/** @param {SeenCollection} collection @returns {Seconds} null: not known */
function secondsOf({ documents, bytes, indexes }) {
  const copy = (/** @type {{ documents: number, bytes: number }} */ rate) =>
    documents === null ? null : Math.max(documents / rate.documents, (bytes ?? 0) / rate.bytes);
  const built = indexes?.filter(({ name }) => name !== '_id_').length;
  return {
    out: copy(OUT),
    ranges: copy(MERGE),
    indexes: documents === null || built === undefined ? null : (documents * built) / INDEX_KEYS,
  };
}

/**
 * Computes how long after its beginning a copy's start is still in the oplog: until the copy is
 * done, its own writes go into the oplog, too.
 * @param {Surroundings['oplog']} oplog
 * @param {{ bytes: number | null, seconds: number | null }} copy
 * @returns {number | null} seconds
 */
function oplogLasts(oplog, { bytes, seconds }) {
  if (
    oplog === null ||
    oplog.maxBytes === null ||
    oplog.bytesPerSec === null ||
    bytes === null ||
    !seconds
  )
    return oplog?.seconds ?? null;
  const { maxBytes, bytesPerSec } = oplog;
  const meanwhile = maxBytes / (bytesPerSec + bytes / seconds);
  return meanwhile <= seconds ? meanwhile : (maxBytes - bytes) / bytesPerSec;
}

/**
 * @typedef {Pick<Surroundings, 'version' | 'oplog' | 'writesPerSec'> & { wanted?: 'out' | 'ranges'
 *   | null }} Where `wanted`: the method that was asked for
 * @param {SeenCollection} collection
 * @param {Where} server
 * @param {Mode} mode
 * @returns {Pick<Move, 'method' | 'why' | 'estimateSeconds'>}
 */
function methodOf(collection, server, mode) {
  const seconds = secondsOf(collection);
  const { method, why } = choose(collection, seconds, { ...server, mode });
  const copy = seconds[method];
  return {
    method,
    why,
    estimateSeconds: {
      copy,
      indexes: seconds.indexes,
      total: copy === null || seconds.indexes === null ? null : copy + seconds.indexes,
    },
  };
}

/**
 * @param {SeenCollection} collection
 * @param {Seconds} seconds
 * @param {Where & { mode: string }} server
 * @returns {{ method: 'out' | 'ranges', why: string }}
 */
function choose(
  { bytes },
  { out, indexes },
  { version, oplog, mode, writesPerSec, wanted = null },
) {
  if (mode === 'offline')
    return {
      method: 'out',
      why: 'the fastest method, while the source is blocked during the copy',
    };
  if (version !== null && compareVersions(version, RANGES_SINCE) < 0)
    return { method: 'out', why: 'chosen because ranges of _id cannot use its index before 5.0' };
  if (wanted !== null) return { method: wanted, why: 'requested' };
  if (writesPerSec !== null && writesPerSec >= WRITES_TO_SPARE_PER_SEC)
    return {
      method: 'ranges',
      why:
        `chosen because it can be throttled, and clients write ` +
        `${count(Math.round(writesPerSec))} times a second`,
    };
  return out === null
    ? { method: 'out', why: 'chosen because the size of the collection is unknown' }
    : byTime({ bytes, out, indexes }, oplog);
}

/**
 * @param {{ bytes: number | null, out: number, indexes: number | null }} copy
 * @param {Surroundings['oplog']} oplog
 * @returns {{ method: 'out' | 'ranges', why: string }}
 */
function byTime({ bytes, out, indexes }, oplog) {
  const lasts = oplogLasts(oplog, { bytes, seconds: out });
  if (out > IN_ONE_GO_SECONDS)
    return {
      method: 'ranges',
      why:
        `chosen because $out would take ${duration(round(out) * 1000)}: too long to repeat after an ` +
        'interruption, and it cannot be throttled',
    };
  if (lasts !== null && lasts < OPLOG_TIMES * (out + (indexes ?? 0)))
    return {
      method: 'ranges',
      why:
        `chosen because the oplog covers ${duration(round(lasts) * 1000)}: too short for a copy ` +
        'by one command',
    };
  return { method: 'out', why: 'the fastest method, and short enough to repeat' };
}

/** @param {number} seconds */
const round = (seconds) => (seconds < 10 ? seconds : Math.round(seconds));

module.exports = { methodOf, oplogLasts, OPLOG_TIMES };
