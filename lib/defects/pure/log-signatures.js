'use strict';

/**
 * Lines of a mongod log (JSON, 4.4 and later) that are the mark of a defect, or of what a defect
 * needs. The numbers are those that servers of 4.4.2, 6.0.5 and 6.0.27 log, or those of mongod's
 * source where no server at hand can be brought to log them.
 * @typedef {{ id: number, text?: RegExp }} LogMark `text`: what the line holds besides its number
 */

/** Documents of one insert from which on a slow one counts: the internal batch was 64 before 4.4. */
const LARGE_BATCH = /"ninserted":[1-9]\d{2,}/;

const LOG_SIGNATURES = Object.freeze({
  /** "Detected unclean shutdown": mongod was killed, or lost its machine. */
  'unclean-start': { id: 22271 },
  'find-and-modify-conflict': { id: 23802, text: /"codeName":"WriteConflict"/ },
  'slow-batch-insert': { id: 51803, text: LARGE_BATCH },
  'compact-begun': { id: 20284 },
  /** A temporary collection is made only to rename to another database. */
  'cross-database-rename': { id: 20398 },
  'step-down': { id: 21579 },
  /** mongod ends itself: it could not step up or down (src/mongo/db/repl). */
  'rstl-timeout': { id: 5675600 },
  /** "Drop-pending ident is still in use" (src/mongo/db/storage). */
  'drop-pending-busy': { id: 6936300 },
  /** WiredTiger's own error at session_max. */
  'session-limit': { id: 22435, text: /out of sessions, configured for/ },
  /** Written at each start. */
  'weakly-ordered-build': { id: 23403, text: /"target_arch":"(?:aarch64|ppc64le)"/ },
});

/** @typedef {keyof typeof LOG_SIGNATURES} LogSignature */
/**
 * @typedef {{ [name in LogSignature]?: number }} LogCounts how many lines of each; one that is
 *   absent was not seen
 */

/** The number stands before everything that a client can write into a line. */
const HEAD = /^\{"t":\{"\$date":"[^"]*"\},"s":"[^"]*",\s*"c":"[^"]*",\s*"id":(\d+),/;

const BY_ID = /** @type {ReadonlyMap<number, [LogSignature, LogMark]>} */ (
  new Map(Object.entries(LOG_SIGNATURES).map(([name, mark]) => [mark.id, [name, mark]]))
);

/**
 * Which mark a line of the log is.
 * @param {string} line as the server wrote it
 * @returns {LogSignature | null}
 */
function signatureOf(line) {
  const id = HEAD.exec(line)?.[1];
  const found = id === undefined ? undefined : BY_ID.get(Number(id));
  if (found === undefined) return null;
  const [name, { text }] = found;
  return text === undefined || text.test(line) ? name : null;
}

/**
 * How many lines of each mark there are.
 * @param {Iterable<string>} lines
 * @returns {LogCounts}
 */
function countSignatures(lines) {
  /** @type {LogCounts} */
  const counts = {};
  for (const line of lines) {
    const name = signatureOf(line);
    if (name !== null) counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

module.exports = { LOG_SIGNATURES, signatureOf, countSignatures };
