'use strict';

/**
 * @import { Send } from './types'
 */

/**
 * Orders what was set at run time, as far as it can be known: from the server's log (a ring of 1024
 * lines), getParameter (the last string only) and tune's own journal, whose entries hold what
 * getParameter showed before them.
 *
 * @typedef {{ config: string, atMs: number, answeredAtMs?: number }} OwnCall `answeredAtMs`: when it
 *   was answered, by the server's clock, at the latest; absent where no answer came, or an earlier
 *   release wrote the journal
 * @typedef {{ config: string, id: string | null }} Known
 * @typedef {{ kind: 'set', config: string, id: string | null, atMs: number | null } | { kind: 'gap'
 *   }} TimelineEvent `id`: the journal entry that sent it, null for another session's
 * @typedef {{ atMs: number, config: string, ok: boolean, isCut?: true }} Logged `isCut`: the line
 *   was longer
 * @typedef {{
 *   sets: readonly Logged[], logFromMs: number | null, logWhole: boolean, lastString: string | null
 * }} ServerSide
 */

/**
 * Milliseconds from a call to its log line at most: the call may wait for a checkpoint, and clocks
 * differ.
 */
const MAX_CALL_DELAY_MS = 600_000;
/** Milliseconds of tolerance: the server logs its time in whole milliseconds. */
const CLOCK_GRAIN_MS = 2;

/**
 * @param {ServerSide} server
 * @param {readonly Send[]} sends tune's calls to this run of this server, in order
 * @returns {{ events: TimelineEvent[], complete: boolean }}
 */
function makeTimeline(server, sends) {
  const events = server.logWhole ? fromLog(server, sends) : pieceTogether(server, sends);
  const whole = [...events, ...ending(server, sends, events)];
  return { events: whole, complete: whole.every(({ kind }) => kind !== 'gap') };
}

/**
 * Makes the events from a log that begins late. They start with what was known when a change of
 * this journal began: nothing before that has to be found again.
 * @param {ServerSide} server
 * @param {readonly Send[]} all
 * @returns {TimelineEvent[]}
 */
function pieceTogether(server, all) {
  const first = all.findLastIndex(({ known }) => known);
  const sends = all.slice(Math.max(0, first));
  const own = [...openBefore(all, first), ...sends];
  const known = (all[first]?.known ?? []).map(({ config, id }) => ({
    kind: /** @type {const} */ ('set'),
    config,
    id,
    atMs: null,
  }));
  const { since, isCovered } = sinceKnown(server, all[first]);
  const earlier = beforeLog(since, sends, known);
  return [
    ...earlier,
    ...bridge(since, own, { before: lastOf(earlier), isCovered }),
    ...fromLog(since, own),
  ];
}

/**
 * Returns the calls that were neither answered nor known to have arrived when a change began: they
 * may have arrived since.
 * @param {readonly Send[]} all @param {number} first the first call of that change
 */
const openBefore = (all, first) =>
  all
    .slice(0, Math.max(0, first))
    .filter(
      (send) =>
        isOpen(send) &&
        !all[first].known?.some(({ id, config }) => id === send.id && config === send.config),
    );

/**
 * Says whether a call may still arrive; a string that is sent again after a refusal may be another
 * session's.
 * @param {Send} send
 */
const isOpen = ({ sure, again }) => !sure && !again;

/**
 * Only blanks show that a string without a time is our own, but not a single one: every journal adds that.
 * @param {Send} send
 */
const isUnique = (send) => isOpen(send) && send.config.endsWith('  ');

/**
 * Returns what the log has since a change was planned.
 * @param {ServerSide} server
 * @param {Send | undefined} send the first call of that change; undefined: nothing is known
 * @returns {{ since: ServerSide, isCovered: boolean }} `isCovered`: the log has all that was set
 *   since
 */
function sinceKnown(server, send) {
  if (send === undefined) return { since: server, isCovered: false };
  const line = lineOf(server.sets, send.knownLine ?? null);
  // The line counts whatever the clocks show: the log loses its oldest lines first.
  if (line !== -1)
    return {
      since: { ...server, sets: server.sets.slice(line + 1), logFromMs: -Infinity },
      isCovered: true,
    };
  const fromMs = send.knownAtMs ?? send.atMs;
  return {
    since: { ...server, sets: fromThere(server.sets, fromMs) },
    isCovered: server.logFromMs !== null && server.logFromMs < fromMs,
  };
}

/**
 * @param {readonly Logged[]} sets @param {{ atMs: number, config: string } | null} known the last
 *   line that the log had then
 * @returns {number} the index of the line; -1: it is not there
 */
const lineOf = (sets, known) =>
  known === null
    ? -1
    : sets.findLastIndex(
        ({ atMs, config, ok }) => ok && atMs === known.atMs && config === known.config,
      );

/**
 * Returns the lines from a time on, in the order of the log: its clock may have been set back
 * since.
 * @param {readonly Logged[]} sets @param {number} fromMs
 */
function fromThere(sets, fromMs) {
  const first = sets.findIndex(({ atMs }) => atMs + CLOCK_GRAIN_MS >= fromMs);
  return first === -1 ? [] : sets.slice(first);
}

/** @param {ServerSide} server @param {readonly Send[]} sends @returns {TimelineEvent[]} */
function fromLog({ sets }, sends) {
  const accepted = sets.filter(({ ok }) => ok);
  const own = ownLines(accepted, sends);
  return accepted.flatMap((line, i) => {
    const { config, atMs, isCut } = line;
    const send = own.get(line);
    // The string changed nothing: the session that set it first counts.
    if (send?.again && accepted[i - 1]?.config === config) return [];
    /** @type {TimelineEvent} */
    const set = { kind: 'set', config, atMs, id: send?.id ?? null };
    return isCut ? [set, { kind: 'gap' }] : [set];
  });
}

/** @param {readonly Logged[]} accepted @param {readonly Send[]} sends */
function ownLines(accepted, sends) {
  /** @type {Set<Send>} */
  const taken = new Set();
  /** @type {Map<Logged, Send>} */
  const own = new Map();
  for (const line of accepted) {
    const send = sendOf(line, sends, taken);
    if (send === undefined) continue;
    taken.add(send);
    own.set(line, send);
  }
  return own;
}

/**
 * Finds the call of a line of the log. A call of this journal is one line: the same string a second
 * time is another session's.
 * @param {{ config: string, atMs: number }} logged
 * @param {readonly Send[]} sends
 * @param {ReadonlySet<Send>} [taken] the calls of other lines
 * @returns {Send | undefined}
 */
const sendOf = ({ config, atMs }, sends, taken = new Set()) =>
  sends.findLast((send) => !taken.has(send) && isLineOf(send, { config, atMs }));

/**
 * @param {OwnCall} call
 * @param {{ config: string, atMs: number }} logged
 * @returns {boolean} whether the line may be of this call: logged between question and answer
 */
const isLineOf = (call, { config, atMs }) =>
  call.config === config &&
  call.atMs <= atMs + CLOCK_GRAIN_MS &&
  (call.answeredAtMs === undefined
    ? atMs - call.atMs < MAX_CALL_DELAY_MS
    : atMs <= call.answeredAtMs + CLOCK_GRAIN_MS);

/**
 * Lists the calls of this journal from before the log begins, with a gap wherever the server had
 * another last string than expected. A call with unknown outcome is judged by the string that was
 * seen next: it was applied where that is the call's own, and not where it is still the former one.
 * @param {ServerSide} server
 * @param {readonly Send[]} sends
 * @param {readonly TimelineEvent[]} known the events before them
 * @returns {TimelineEvent[]}
 */
function beforeLog(server, sends, known) {
  const accepted = server.sets.filter(({ ok }) => ok);
  const inLog = new Set(ownLines(accepted, sends).values());
  const early = sends.filter(
    (send) =>
      (server.logFromMs === null || send.atMs < server.logFromMs) &&
      // The server's clock may have been set back: the time is certain only between question and
      // answer.
      !(send.answeredAtMs !== undefined && inLog.has(send)),
  );
  const events = [...known];
  early.forEach(({ atMs, config, was, id, sure, isGuessed }, i) => {
    const next = i + 1 < early.length ? early[i + 1].was : seenFirst(server, sends);
    const isTaken = sure || next === config;
    if (!isTaken && next !== null && next === was) return;
    if (!isTaken || isGuessed || was !== lastOf(events)) events.push({ kind: 'gap' });
    if (isTaken) events.push({ kind: 'set', config, atMs, id });
  });
  return events;
}

/**
 * Returns the last string after some events; "" since the start of the server.
 * @param {readonly TimelineEvent[]} events
 * @returns {string}
 */
function lastOf(events) {
  const last = events.at(-1);
  return last?.kind === 'set' ? last.config : '';
}

/**
 * Returns a gap between what is known and the first set in the log, unless that set is of this
 * journal and saw the known string before it, or the log has all since that was known.
 * @param {ServerSide} server
 * @param {readonly Send[]} sends
 * @param {{ before: string, isCovered: boolean }} known
 * @returns {TimelineEvent[]}
 */
function bridge(server, sends, { before, isCovered }) {
  const first = server.sets.find(({ ok }) => ok);
  // The string before an unanswered call is only guessed.
  const isOfOthers = first !== undefined && sendOf(first, sends)?.sure !== true;
  return (isCovered && isOfOthers) || seenFirst(server, sends) === before ? [] : [{ kind: 'gap' }];
}

/**
 * Returns the last string before the log begins, or before its first set; null: not known.
 * @param {ServerSide} server
 * @param {readonly Send[]} sends
 * @returns {string | null}
 */
function seenFirst({ sets, logFromMs, lastString }, sends) {
  const first = sets.find(({ ok }) => ok);
  if (first === undefined) return lastString;
  const send = sendOf(first, sends);
  // A call that came late may have overwritten a string that the log has lost.
  const isLate = send?.sure === false && logFromMs !== null && send.atMs < logFromMs;
  return isLate ? null : (send?.was ?? null);
}

/**
 * Adds the last string that getParameter shows; it is an own call if it equals the last one sent,
 * or an unanswered one, whatever the clocks show.
 * @param {ServerSide} server
 * @param {readonly Send[]} sends
 * @param {readonly TimelineEvent[]} events
 * @returns {TimelineEvent[]}
 */
function ending({ lastString }, sends, events) {
  if (lastString === null || lastString === lastOf(events)) return [];
  const last = sends.findLast(
    (send) => (send === sends.at(-1) || isUnique(send)) && send.config === lastString,
  );
  const isOurs =
    last !== undefined &&
    !events.some(
      (event) => event.kind === 'set' && event.id === last.id && event.config === lastString,
    );
  return [
    {
      kind: 'set',
      config: lastString,
      id: isOurs ? last.id : null,
      atMs: isOurs ? last.atMs : null,
    },
  ];
}

/**
 * @param {readonly TimelineEvent[]} events
 * @returns {string[]} the strings that were set, in their order
 */
const stringsSet = (events) =>
  events.flatMap((event) => (event.kind === 'set' ? [event.config] : []));

module.exports = { stringsSet, makeTimeline, isLineOf, CLOCK_GRAIN_MS, MAX_CALL_DELAY_MS };
