'use strict';

const { withoutCopies } = require('./journal-copies');
const { undosIn, undoOf } = require('./undone');
const { noWayBack } = require('./way-back');

/**
 * @import { Change } from '../../base/types'
 * @import { Places } from './undone'
 * @import { Run } from '../../server/types'
 * @import { Intent, Send } from './types'
 */

/**
 * Makes entries of the lines of the journal.
 *
 * @typedef {{
 *   id: string, member: string, members: string[], names?: string[], setId?: string | null
 * }} MemberGroup one
 *   change on several members, which is undone as one. `member`: this one, as its set calls it;
 *   `members`: all that are to be changed, in their order; `names`: all that the sets have;
 *   `setId`: which no other set has, null where it may not be read
 * @typedef {{
 *   host: string, bootId: string | null, bootedAtMs: number, pidNamespace: string | null,
 *   startedTicks: string | null
 * }} Writer a computer or
 *   container, since its start; a number of a process means something only there. `startedTicks`:
 *   of the process itself
 * @typedef {{ blocks: number, seconds: number, metric: string }} TrialPlan `blocks` of `seconds`
 *   each, under `before` and `change` in turn
 * @typedef {{ kind: 'asking', id: string, atMs: number, command: string, again?: boolean }} Asking
 *   on disk just before the server is asked; on the way
 *   down to a planned command there may be others. `atMs` by the server's clock; `again`: what was
 *   in effect already, sent once more to put a refused call right
 * @typedef {{
 *   kind: 'sent', id: string, atMs: number, command: string, was: string | null, again?: boolean,
 *   answeredAtMs?: number
 * }} Sent the server accepted it; `atMs` as asked; `answeredAtMs`: at the latest
 * @typedef {{ kind: 'refused', id: string, atMs: number, command: string }} Refused the server took
 *   nothing of that call
 * @typedef {{
 *   kind: 'external', id: string, atMs: number, configs: string[], planned: string | null
 * }} External what another session set after
 *   this was planned: `planned`: the last string that the plan knew of
 * @typedef {{
 *   kind: 'outcome', id: string, at: string, outcome: Outcome, after: Change | null,
 *   verified: boolean | null, reason: string | null, result?: TrialResult
 * }} Closing `id` may be that of a group, which has come to its end then, well or not
 * @typedef {{
 *   verdict: string, metric: string, ratio: number | null, low: number | null,
 *   high: number | null, expected: { ratio: number, low: number, high: number } | null
 * }} TrialResult what was measured (B ÷ A), and what had been expected of the throughput
 * @typedef {'applied' | 'refused' | 'interrupted' | 'unknown' | 'undone' | 'partly-undone'} Outcome
 *   `partly-undone`: all but what has no way back
 * @typedef {Intent | Asking | Sent | Refused | External | Closing} JournalLine
 *
 * @typedef {Omit<Intent, 'kind'> & { asking: Asking | null, open?: Asking[], sent: Sent[],
 *   external?: string[],
 *   resent?: (Omit<Sent, 'kind'> & { sure: boolean })[], undoneBy?: string, groupEnded?: boolean, groupDone?: boolean,
 *   outcome: Outcome, after: Change | null, verified: boolean | null, reason: string | null,
 *   result?: TrialResult }} Entry `asking`: the last call, while no answer is known; `open`: each
 *   such call, in their order; `external`:
 *   what another session set meanwhile; `resent`: sent again after a refusal; `undoneBy`: the undo
 *   that made it undone,
 *   absent where the journal says of the entry itself that it is; `groupEnded`: nobody goes from
 *   member to member any more; `groupDone`: since it came to all of them
 */

/**
 * @param {readonly JournalLine[]} lines
 * @returns {Entry[]} in the order in which they were begun
 */
function entriesOf(lines) {
  /** @type {Map<string, Entry>} */
  const entries = new Map();
  /** @type {Map<string, Outcome>} of groups */
  const ended = new Map();
  /** @type {Places} */
  const places = new Map();
  withoutCopies(lines).forEach((line, i) => {
    const known = entries.get(line.id);
    // An entry begins once: a second beginning would remove what it sent.
    if (known && line.kind === 'intent') return;
    if (line.kind === 'intent') entries.set(line.id, begun(line));
    else if (known) add(known, line);
    else if (line.kind === 'outcome') ended.set(line.id, line.outcome);
    places.set(line.id, placeOf(line, i, places.get(line.id)));
  });
  const all = [...entries.values()].map((entry) =>
    entry.group && ended.has(entry.group.id)
      ? { ...entry, groupEnded: true, groupDone: ended.get(entry.group.id) === 'applied' }
      : entry,
  );
  const undos = undosIn(all);
  return all.map((entry) => {
    const undo = undoOf(entry, undos, places);
    return undo === undefined ? entry : undoneBy(entry, undo);
  });
}

/** @param {JournalLine} line @param {number} i @param {{ begun: number, asked: number }} [known] */
const placeOf = (line, i, known = { begun: i, asked: i }) => ({
  begun: line.kind === 'intent' ? i : known.begun,
  asked: isCall(line) ? i : known.asked,
});

/** @param {JournalLine} line */
const isCall = (line) => (line.kind === 'asking' || line.kind === 'sent') && !line.again;

/** @param {Entry} entry @param {Entry} undo @returns {Entry} */
const undoneBy = (entry, { id }) => ({
  ...entry,
  outcome: noWayBack(entry).length > 0 ? 'partly-undone' : 'undone',
  ...(entry.outcome !== 'undone' && entry.outcome !== 'partly-undone' && { undoneBy: id }),
});

/**
 * Begins an entry. Fields that only reading adds are no part of its line, whichever program may have written them
 * there.
 * @param {Intent} line
 * @returns {Entry}
 */
function begun(line) {
  const intent = /** @type {Partial<Entry> & Intent} */ ({ ...line });
  for (const derived of DERIVED) delete intent[derived];
  return {
    ...intent,
    asking: null,
    sent: [],
    external: [],
    outcome: 'unknown',
    after: null,
    verified: null,
    reason: null,
  };
}

const DERIVED = /** @type {const} */ ([
  'kind',
  'open',
  'resent',
  'undoneBy',
  'groupEnded',
  'groupDone',
  'result',
]);

/** @param {Entry} entry @param {Exclude<JournalLine, Intent>} line */
function add(entry, line) {
  if ((line.kind === 'asking' || line.kind === 'sent') && line.again) sendAgain(entry, line);
  else if (line.kind === 'asking')
    Object.assign(entry, { asking: line, open: [...openBut(entry, line.command), line] });
  else if (line.kind === 'sent')
    Object.assign(entry, {
      asking: null,
      open: openBut(entry, line.command),
      sent: [...entry.sent, line],
    });
  else if (line.kind === 'refused') forget(entry, line);
  else if (line.kind === 'external') entry.external = [...(entry.external ?? []), ...line.configs];
  else if (line.kind === 'outcome') close(entry, line);
}

/** @param {Entry} entry @param {Refused} refused */
function forget(entry, { atMs, command }) {
  const isIt = (/** @type {Asking} */ one) => one.atMs === atMs && one.command === command;
  if (entry.asking !== null && isIt(entry.asking)) entry.asking = null;
  entry.open = (entry.open ?? []).filter((one) => !isIt(one));
}

/**
 * Returns the unanswered calls of an entry, without those of this string: a repeated string changes nothing.
 * @param {Entry} entry @param {string} command
 */
const openBut = ({ open = [] }, command) => open.filter((one) => one.command !== command);

/** Notes a string sent again after a refusal, which is an answer. @param {Entry} entry @param {Asking | Sent} line */
function sendAgain(entry, { kind, id, atMs, command, ...answer }) {
  const sure = kind === 'sent';
  const { was = command, answeredAtMs } = /** @type {Partial<Sent>} */ (answer);
  const earlier = entry.resent ?? [];
  entry.open = (entry.open ?? []).filter((one) => one !== entry.asking);
  entry.resent = [
    ...(sure && earlier.at(-1)?.sure === false ? earlier.slice(0, -1) : earlier),
    { id, atMs, command, was, sure, ...(answeredAtMs !== undefined && { answeredAtMs }) },
  ];
}

/** @param {Entry} entry @param {Closing} closing */
function close(entry, { outcome, after, verified, reason, result }) {
  Object.assign(entry, { outcome, after, verified, reason, ...(result && { result }) });
}

/** @param {Run} a @param {Run} b @returns {boolean} the same process, not only the same place */
function sameRun(a, b) {
  if (a.processId !== null && b.processId !== null) return a.processId === b.processId;
  return a.host === b.host && a.pid === b.pid && closeTogether(a.startedAtMs, b.startedAtMs);
}

/** Milliseconds by which the wall clock may be corrected; the start is computed from it. */
const CLOCK_CORRECTION_MS = 10_000;

/** @param {number | null} a @param {number | null} b */
const closeTogether = (a, b) => a === null || b === null || Math.abs(a - b) <= CLOCK_CORRECTION_MS;

/**
 * @param {readonly Entry[]} entries
 * @param {Run} run
 * @returns {Send[]} the calls that tune sent in this run, in order; of an entry whose writer died also the call that
 *   may have been in progress
 */
function sendsOf(entries, run) {
  const place = clockThatGoesOn();
  return entries
    .filter((entry) => sameRun(entry.run, run))
    .flatMap((entry) => place(entry, sendsIn(entry)))
    .toSorted((a, b) => a.at - b.at)
    .map(({ send }) => send);
}

/**
 * Returns the places of calls in time, also where the server's clock was set back between two entries: an entry that
 * is later in the journal came later, and what an entry knew of came before it.
 * @returns {(entry: Entry, sends: Send[]) => { send: Send, at: number }[]} called for each entry in turn, it returns
 *   the places of its calls
 */
function clockThatGoesOn() {
  let shiftMs = 0;
  let beforeMs = -Infinity;
  /** @type {Map<string, { first: number, last: number }>} */
  const places = new Map();
  return ({ at, atMs, known }, sends) => {
    const aheadMs = atMs - Date.parse(at);
    // An edited line, whose time may be no time, does not count.
    if (beforeMs - aheadMs > CLOCK_CORRECTION_MS) shiftMs += beforeMs - aheadMs;
    if (Number.isFinite(aheadMs)) beforeMs = aheadMs;
    // On one computer both clocks are set back, and the difference does not show it.
    for (const one of known ?? []) {
      const seen = places.get(keyOf(one));
      if (seen !== undefined && seen.first >= atMs + shiftMs)
        shiftMs = Math.max(shiftMs, seen.last - atMs + 1);
    }
    const placed = sends.map((send) => ({ send, at: send.atMs + shiftMs }));
    for (const { send, at: last } of placed) {
      const { first = last } = places.get(keyOf(send)) ?? {};
      places.set(keyOf(send), { first, last });
    }
    return placed;
  };
}

/** @param {{ id: string | null, config: string }} one */
const keyOf = ({ id, config }) => `${id} ${config}`;

/** @param {Entry} entry @returns {Send[]} */
function sendsIn(entry) {
  return [
    ...entry.sent.map(({ atMs, command, was, id, answeredAtMs }) => ({
      atMs,
      config: command,
      was,
      id,
      sure: true,
      ...(answeredAtMs !== undefined && { answeredAtMs }),
    })),
    ...(entry.resent ?? []).map(({ command, ...one }) => ({
      ...one,
      config: command,
      again: true,
    })),
    ...unansweredCalls(entry),
  ].map((send, i) =>
    i === 0 && entry.known
      ? {
          ...send,
          known: entry.known,
          knownAtMs: entry.readFromMs ?? send.atMs,
          knownLine: entry.logged ?? null,
        }
      : send,
  );
}

/** @param {Entry} entry @returns {Send[]} */
function unansweredCalls({ id, outcome, open = [], sent, was, external = [] }) {
  if (!['unknown', 'undone', 'partly-undone'].includes(outcome)) return [];
  return open.map(({ atMs, command }) => ({
    atMs,
    config: command,
    was: sent.at(-1)?.command ?? was,
    id,
    sure: false,
    // The last check before the call saw this string, or another session's.
    ...((external.length > 0 || open.length > 1) && { isGuessed: true }),
  }));
}

module.exports = { entriesOf, sendsOf, sameRun };
