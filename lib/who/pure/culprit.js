'use strict';

const { areConflictsMany } = require('../../diagnose/causes/applications');
const { bytes, count, many, percent } = require('../../base/pure/units');
const { isWrite, presenceOf, runningOf } = require('./groups');
const { explainText, indexToTry } = require('./index-to-try');

/**
 * @import { CollectionFacts, IndexToTry } from './index-to-try'
 * @import { Row, Shared } from './share-out'
 */

/**
 * @typedef {'scan' | 'full-read' | 'targeting' | 'spilling-sort' | 'write-conflicts' | 'task' |
 *   'writes'} CulpritCode
 * @typedef {{
 *   code: CulpritCode, row: Row, share: number, say: string, evidence: string[],
 *   remedy: string, explain: string | null, index: IndexToTry | null
 * }} Culprit `share`: of the wait time, of the bytes read, or of the window, whichever is largest
 */

/** Mean threads: less wait time holds no client back (as signals/clients.js). */
const MIN_LOST_THREADS = 0.25;
/** Share from which one row is called the cause of the others' waits (heuristic). */
const MIN_SHARE = 0.2;
/** A plain, targeted operation must account for more than all others and the unseen together. */
const MIN_PLAIN_SHARE = 0.5;
/** Times as much as all other rows that were seen (heuristic). */
const TIMES_OTHERS = 2;
/**
 * One row has at least this share of the active writes; the others conflict with it (heuristic).
 */
const MIN_CONFLICTING_SHARE = 0.6;
/** Documents examined for one that is returned or written (MongoDB Atlas alerts at 1,000). */
const POOR_TARGETING = 100;
/** Documents: a scan of fewer costs less than the index would (heuristic). */
const SMALL_COLLECTION = 1000;
/**
 * One thread that never stops is half of a cause by itself: it has this weight even where eight
 * threads that wait for it lose more time (heuristic).
 */
const PRESENCE_WEIGHT = 0.5;
/** Tasks that are part of any server's work. */
const USUAL_TASKS = new Set(['replication', 'sessions']);

/**
 * @typedef {{
 *   seconds: number, readBytes: number | null, conflictsPerSec: number | null,
 *   writesPerSec: number | null,
 *   collection(ns: string): CollectionFacts | null, readPerSec(ns: string): number | null
 * }} Surroundings `readBytes`: all that was read into the cache; `readPerSec`: bytes of a collection;
 *   null: not known
 */

/**
 * Finds the row that makes the others wait.
 * @param {Shared} shared
 * @param {Surroundings} around
 * @returns {Culprit | null} null: too little time is lost, or it is spread over many
 */
function findCulprit(shared, around) {
  const { seconds } = around;
  if (seconds <= 0) return null;
  const conflicting = conflictingRow(shared, around);
  if (conflicting)
    return culpritOf(
      { ...conflicting, facts: null, code: 'write-conflicts' },
      `${count(around.conflictsPerSec)} write conflicts a second on this server`,
    );
  if (shared.lostSeconds / seconds < MIN_LOST_THREADS) return null;
  const [best] = shared.rows
    .flatMap((row) => {
      const facts = around.collection(row.ns);
      const code = codeOf(row, facts);
      const share = weightOf(row, shared, around);
      return code === null || share < MIN_SHARE ? [] : [{ row, facts, code, share }];
    })
    .sort((a, b) => b.share - a.share);
  if (best) return culpritOf(best);
  const [first, second] = shared.rows;
  // Where nothing else runs, no operation waits for another.
  return first && second && isWrite(first) && prevails(shared)
    ? culpritOf({ row: first, facts: null, code: 'writes', share: first.share })
    : null;
}

/**
 * The first row waits for more than half, or for more than is unseen and twice as much as all other
 * rows: short operations are in no log, and in few samples.
 * @param {Shared} shared
 */
function prevails({ rows: [first, ...others], lostSeconds, unseenSeconds }) {
  if (first.share >= MIN_PLAIN_SHARE) return true;
  const seen = others.reduce((sum, { share }) => sum + share, 0);
  return first.share * lostSeconds > unseenSeconds && first.share > TIMES_OTHERS * seen;
}

/**
 * The engine counts conflicts, and no time for them. The writes that are in the server most are those
 * that are retried.
 * @param {Shared} shared
 * @param {Surroundings} around
 * @returns {{ row: Row, share: number } | null}
 */
function conflictingRow({ rows }, { conflictsPerSec, writesPerSec }) {
  if (!areConflictsMany(conflictsPerSec ?? 0, writesPerSec ?? 0)) return null;
  const writes = rows
    .filter((row) => row.task === null && isWrite(row))
    .toSorted((a, b) => b.writeConflicts - a.writeConflicts || presenceOf(b) - presenceOf(a));
  const all = writes.reduce((total, row) => total + presenceOf(row), 0);
  const [row] = writes;
  const share = row === undefined || all === 0 ? 0 : presenceOf(row) / all;
  return share >= MIN_CONFLICTING_SHARE ? { row, share } : null;
}

/**
 * Finds what is avoidable about a row.
 * @param {Row} row
 * @param {CollectionFacts | null} facts
 * @returns {CulpritCode | null}
 */
function codeOf(row, facts) {
  if (row.task !== null) return USUAL_TASKS.has(row.task) ? null : 'task';
  if (row.usedDisk) return 'spilling-sort';
  if (!readsMuch(row, facts)) return null;
  const perOne = row.examined / Math.max(1, row.returned);
  if (row.plan?.includes('COLLSCAN')) return scanCode(row, perOne);
  return perOne >= POOR_TARGETING ? 'targeting' : null;
}

/**
 * Whether a row reads much: a scan of few documents does no harm.
 * @param {Row} row
 * @param {CollectionFacts | null} facts
 */
const readsMuch = ({ examined, logged }, facts) =>
  (facts?.documents ?? 0) >= SMALL_COLLECTION || examined / Math.max(1, logged) >= SMALL_COLLECTION;

/** @param {Row} row @param {number} perOne @returns {CulpritCode | null} */
function scanCode({ fields, logged, examined }, perOne) {
  const hasFilter =
    fields === null || !fields.isWhole || fields.equal.length + fields.range.length > 0;
  if (!hasFilter) return 'full-read';
  // Without logged operations only the plan is known.
  return logged === 0 || examined === 0 || perOne >= POOR_TARGETING / 10 ? 'scan' : 'full-read';
}

/** @param {Row} row @param {Shared} shared @param {Surroundings} around */
function weightOf(row, { rows, lost, lostSeconds }, { seconds, readBytes, readPerSec }) {
  const running = runningOf(row);
  const beside = rows
    .filter(({ ns }) => ns === row.ns)
    .reduce((all, row) => all + runningOf(row), 0);
  const ofCollection = (readPerSec(row.ns) ?? 0) * seconds * (beside === 0 ? 0 : running / beside);
  const read = Math.max(row.readBytes, ofCollection);
  return Math.max(
    row.share,
    (Math.min(1, readBytes ? read / readBytes : 0) * lost.reading) / lostSeconds,
    Math.min(1, running / seconds) * PRESENCE_WEIGHT,
  );
}

/**
 * @param {{ row: Row, facts: CollectionFacts | null, code: CulpritCode, share: number }} found
 * @param {string} [first] the strongest evidence, where it is another than its share
 * @returns {Culprit}
 */
function culpritOf({ row, facts, code, share }, first) {
  const index =
    code === 'scan' || code === 'targeting'
      ? indexToTry(row.ns, row.fields, facts ?? UNKNOWN_COLLECTION)
      : null;
  return {
    code,
    row,
    share,
    say: sayOf(code, row),
    evidence: evidenceOf(row, facts, first),
    remedy: index === null ? remedyOf(code, row) : `Try an index first: ${index.command}`,
    explain: EXPLAINED.has(code) ? explainText(row.ns, row.fields) : null,
    index,
  };
}

const EXPLAINED = new Set(['scan', 'targeting', 'spilling-sort']);
const UNKNOWN_COLLECTION = Object.freeze({
  documents: null,
  idIndexBytes: null,
  readBytes: null,
  indexes: null,
});

/** @param {CulpritCode} code @param {Row} row */
function sayOf(code, row) {
  const by = row.app === null ? '' : ` of application "${row.app}"`;
  return {
    scan: `A query${by} on ${row.ns} reads the whole collection to find a part of it.`,
    'full-read': `${row.app ?? 'A client'} reads all of ${row.ns}.`,
    targeting: `A query${by} on ${row.ns} examines ${examinedText(row)}.`,
    'spilling-sort': `A sort${by} on ${row.ns} is larger than its memory and spills to disk.`,
    'write-conflicts': `Writes${by} to the same documents of ${row.ns} conflict and are retried.`,
    task: TASK_SAY[String(row.task)]?.(row.ns) ?? `${row.task} is running${onText(row.ns)}.`,
    writes: `Writes${by} to ${row.ns} (${row.operation}) take most of what the disk and the cache can do.`,
  }[code];
}

/** @param {string} ns */
const onText = (ns) => (ns === '' ? '' : ` on ${ns}`);

/** @type {Readonly<Record<string, (ns: string) => string>>} */
const TASK_SAY = Object.freeze({
  ttl: (ns) => `The TTL monitor deletes expired documents${ns === '' ? '' : ` of ${ns}`}.`,
  'index build': (ns) => `An index is being built${onText(ns)}.`,
  mongodump: (ns) => `mongodump reads ${ns || 'everything'}.`,
});

/** @param {Row} row */
const examinedText = ({ examined, returned }) =>
  `${many(examined / Math.max(1, returned), 'document')} for each one it returns`;

/**
 * @param {Row} row @param {CollectionFacts | null} facts
 * @param {string} [first]
 * @returns {string[]}
 */
function evidenceOf(row, facts, first) {
  return [
    first ?? `It causes ${percent(row.share)} of the wait time`,
    ...(row.examined > 0
      ? [`${many(row.examined, 'document')} examined, ${count(row.returned)} returned or written`]
      : []),
    ...(row.readBytes > 0 ? [`${bytes(row.readBytes)} read from disk into cache`] : []),
    ...(row.plan === null ? [] : [`plan ${row.plan}`]),
    ...(row.progressRatio === null ? [] : [`${percent(row.progressRatio)} done`]),
    ...(row.writeConflicts > 0 ? [many(row.writeConflicts, 'write conflict')] : []),
    ...(facts?.documents ? [`${many(facts.documents, 'document')} in the collection`] : []),
  ];
}

/** @param {CulpritCode} code @param {Row} row */
function remedyOf(code, row) {
  return {
    scan: 'Check the plan: no further index can be derived from what is known of the query.',
    'full-read':
      'Read from a hidden secondary, or at a quiet hour. A larger cache does not help a read of everything.',
    targeting: 'Check the plan: the index used leaves too many documents to be examined.',
    'spilling-sort':
      'An index on the sort fields makes the sort unnecessary; or sort fewer or smaller documents.',
    'write-conflicts':
      'Spread the writes over several documents, or combine them: no setting removes conflicts.',
    task: TASK_REMEDY[String(row.task)] ?? 'Let it end, or run it at a quiet hour.',
    writes: 'Write in smaller batches, or at a quiet hour.',
  }[code];
}

const TASK_REMEDY = Object.freeze(
  /** @type {Record<string, string>} */ ({
    ttl: 'Move the deletes to a quiet window: tune.ttl()',
    'index build': 'Let it end. Next time build at a quiet hour, or member by member.',
    'range deleter':
      'Slow it down: rangeDeleterBatchDelayMS, rangeDeleterBatchSize, orphanCleanupDelaySecs.',
    migration: 'Give the balancer a window at a quiet hour.',
    mongodump: 'Dump a hidden secondary, or take a snapshot of the file system.',
  }),
);

module.exports = { findCulprit, MIN_LOST_THREADS };
