'use strict';

const { codeOf } = require('./event-codes');
const { ENGINE_PARAMETERS, REFUTATIONS, UNCAUSED } = require('./cause-table');
const { bestOf, CLOSE_SHARE } = require('./compete');
const { candidateOf, secondsFrom, NEAR_SECONDS } = require('./reach');
const { shownSeconds } = require('./extent');
const { firstPrimaryMs, isPrimarySeen, isShutdown, ownedByShutdowns } = require('./lifecycle');

/**
 * @import { ChainLink, Incident, IncidentEvent, Shutdown } from '../types'
 * @import { Candidate, Reached } from './reach'
 */

/**
 * Finds the first cause of a failure: of all events that can be one, the one that explains most of
 * the events that need a cause, by the table of what can lead to what. Events that are nearer in
 * time count more.
 *
 * @typedef {Pick<Incident, 'verdict' | 'confidence' | 'confidenceBecause' | 'firstCause' | 'chain' |
 *   'refutedBy' | 'alternatives'> & { unexplained: string[] }} Judged
 */

/** A cause that explains less than this was not noticed by any client (heuristic). */
const MIN_SCORE = 4;
const MIN_EXPLAINED = 2;
/** Elections of a set that starts are no incident. */
const AFTER_START_SECONDS = 60;
const MAX_CHAIN = 12;
const MAX_ALTERNATIVES = 5;

/** These events are incidents by themselves, whether or not a client noticed them. */
const SEVERE_CODES = new Set([
  'process-died',
  'process-restarted',
  'process-fatal',
  'process-start-failed',
  'process-unclean-start',
  'kernel-io-error',
  'kernel-fs-error',
  'kernel-read-only',
  'disk-full',
  'disk-error',
  'election-started',
  'sample-gap',
  'clock-jump',
  'majority-lag',
]);

/**
 * @param {readonly IncidentEvent[]} events in the order of time
 * @param {readonly Shutdown[]} [shutdowns]
 * @returns {Judged}
 */
function judge(events, shutdowns = []) {
  const fromMs = firstPrimaryMs(events);
  const asking = events.filter(
    (event) => event.at.getTime() >= fromMs && asksForCause(event, events),
  );
  const owned = ownedByShutdowns(events, shutdowns);
  const candidates = events
    .filter(canBeFirst)
    .map((event) => candidateOf(event, asking, owned))
    .sort((a, b) => b.score - a.score || a.event.at.getTime() - b.event.at.getTime());
  const chosen = chosenOf(candidates, asking, owned);
  if (chosen === null) return NOTHING;
  const judged = judgedBy(
    beforeShutdown(chosen, { candidates, asking, owned }),
    candidates,
    asking,
  );
  return { ...judged, unexplained: judged.unexplained.filter((id) => !owned.has(id)) };
}

/**
 * @param {readonly Candidate[]} candidates the best first
 * @param {readonly IncidentEvent[]} asking
 * @param {ReadonlyMap<string, string>} owned
 * @returns {Candidate | null} null: nothing unusual
 */
function chosenOf(candidates, asking, owned) {
  const best = bestOf(candidates);
  const isSevere = asking.some(({ code }) => SEVERE_CODES.has(code));
  if (!isFelt(best) && !isSevere && isQuiet(asking)) return null;
  return best !== null && (isFelt(best) || isSevereCause(best)) ? best : firstSign(asking, owned);
}

/**
 * A shutdown explains that the server was shut down: trouble from before it is what is asked for.
 * @param {Candidate} chosen
 * @param {{
 *   candidates: readonly Candidate[], asking: readonly IncidentEvent[],
 *   owned: ReadonlyMap<string, string>
 * }} found
 * @returns {Candidate}
 */
function beforeShutdown(chosen, { candidates, asking, owned }) {
  const isOwn =
    isShutdown(chosen.event) && chosen.reached.every(({ event }) => owned.has(event.id));
  if (!isOwn && !owned.has(chosen.event.id)) return chosen;
  const isBefore = (/** @type {IncidentEvent} */ event) =>
    !isShutdown(event) && !owned.has(event.id) && event.at <= chosen.event.at;
  return (
    chosenOf(
      candidates.filter(({ event }) => isBefore(event)),
      asking.filter(isBefore),
      owned,
    ) ?? chosen
  );
}

/** @param {Candidate | null} best */
const isFelt = (best) =>
  best !== null && best.explained >= MIN_EXPLAINED && best.score >= MIN_SCORE;

/** @type {Judged} */
const NOTHING = Object.freeze({
  verdict: 'nothing-unusual',
  confidence: null,
  confidenceBecause: null,
  firstCause: null,
  chain: [],
  refutedBy: [],
  alternatives: [],
  unexplained: [],
});

/** A cause that explains something severe, or is severe itself. @param {Candidate} candidate */
const isSevereCause = ({ event, reached }) =>
  SEVERE_CODES.has(event.code) || reached.some((link) => SEVERE_CODES.has(link.event.code));

/** Clients that waited and a server that did not answer are an incident without any cause, too. */
const FELT_BADLY = new Set(['clients-blocked', 'stall', 'latency-up']);

/** @param {readonly IncidentEvent[]} asking */
function isQuiet(asking) {
  const felt = new Set(asking.map(({ code }) => code).filter((code) => FELT_BADLY.has(code)));
  return felt.size < 2;
}

/**
 * Takes the first sign as the cause where no event explains it.
 * @param {readonly IncidentEvent[]} asking
 * @param {ReadonlyMap<string, string>} owned
 * @returns {Candidate | null}
 */
function firstSign(asking, owned) {
  const [event] = asking;
  return event === undefined ? null : candidateOf(event, asking, owned);
}

/**
 * @param {Candidate} chosen
 * @param {readonly Candidate[]} candidates
 * @param {readonly IncidentEvent[]} asking
 * @returns {Judged}
 */
function judgedBy(chosen, candidates, asking) {
  const { event, reached } = chosen;
  const inChain = new Set([event.id, ...reached.map((link) => link.event.id)]);
  const others = candidates.filter(
    (one) => !inChain.has(one.event.id) && !reaches(one, event) && explainsAlso(one, chosen),
  );
  return {
    verdict: 'incident',
    firstCause: event.id,
    chain: chainOf(chosen),
    ...confidenceIn(chosen, others),
    refutedBy: [...(REFUTATIONS[event.code] ?? UNCAUSED)],
    alternatives: others
      .slice(0, MAX_ALTERNATIVES)
      .map((candidate) => ({ event: candidate.event.id, explains: candidate.reached.length })),
    unexplained: asking.filter(({ id }) => !inChain.has(id)).map(({ id }) => id),
  };
}

/**
 * Whether another cause explains the same events: one that explains others is another incident.
 * @param {Candidate} other
 * @param {Candidate} chosen
 */
const explainsAlso = (other, chosen) => chosen.reached.some(({ event }) => reaches(other, event));

/** @param {Candidate} candidate @param {IncidentEvent} event */
const reaches = ({ reached }, event) => reached.some((link) => link.event.id === event.id);

/** @param {Candidate} chosen @param {readonly Candidate[]} others */
function confidenceIn({ event, score, reached }, others) {
  const close = others.find((candidate) => candidate.score >= CLOSE_SHARE * score);
  const isTrigger = codeOf(event.code)?.role !== 'symptom';
  const isWritten = event.evidence.source !== 'ftdc';
  const first = reached.at(0);
  const isNear = first === undefined || first.delaySeconds <= NEAR_SECONDS;
  const rated = (
    /** @type {'high' | 'medium' | 'low'} */ confidence,
    /** @type {string | null} */ confidenceBecause,
  ) => ({ confidence, confidenceBecause });
  if (!isTrigger) return rated('low', 'Nothing that was read explains its first sign.');
  if (close !== undefined)
    return rated(
      isWritten ? 'medium' : 'low',
      `Another event explains nearly as much: ${close.event.message}`,
    );
  if (!isWritten) return rated('medium', 'It was seen in counters only; no log line names it.');
  if (isNear) return rated('high', highBecause(event, first?.event));
  const delay = shownSeconds(event.at, first.event.at);
  return rated('medium', `Its first consequence came ${delay} s later.`);
}

/** @param {number} seconds */
const soonText = (seconds) => (seconds <= 0 ? 'within a second' : `${seconds} s later`);

/** @param {IncidentEvent} event @param {IncidentEvent | undefined} effect */
const highBecause = ({ at, evidence }, effect) =>
  `${evidence.source === 'journal' ? 'The journal of tune' : 'A log'} names it` +
  (effect === undefined
    ? ''
    : `, its first consequence came ${soonText(shownSeconds(at, effect.at))}`) +
  ', and no other event explains nearly as much.';

/**
 * The chain in the order of time: of what repeats itself, the first.
 * @param {Candidate} chosen
 * @returns {ChainLink[]}
 */
function chainOf({ event, reached }) {
  const once = reached.filter(
    (one, i) => reached.findIndex((other) => isAlike(one.event, other.event)) === i,
  );
  const shown = once.slice(0, MAX_CHAIN);
  return [
    { event: event.id, from: null, delaySeconds: null },
    ...shown.map((one) => {
      const from = shownCause(one, event, shown);
      return {
        event: one.event.id,
        from: from.id,
        delaySeconds: secondsFrom(from.at, one.event.at),
      };
    }),
  ];
}

/**
 * The cause as the chain has it: of what repeats itself, the one that is in it.
 * @param {Reached} one
 * @param {IncidentEvent} first
 * @param {readonly Reached[]} shown
 * @returns {IncidentEvent}
 */
function shownCause({ from }, first, shown) {
  const events = [first, ...shown.map(({ event }) => event)];
  return (
    events.find(({ id }) => id === from.id) ?? events.find((event) => isAlike(event, from)) ?? first
  );
}

/** @param {IncidentEvent} a @param {IncidentEvent} b */
const isAlike = (a, b) =>
  a.code === b.code &&
  // All members report the one that is down.
  (a.host === b.host || (a.code === 'member-down' && a.values.member === b.values.member));

const TTL_DELETES = new Set(['ttl-deleted', 'ttl-burst']);

/** @param {IncidentEvent} event @param {readonly IncidentEvent[]} all */
function asksForCause(event, all) {
  const role = codeOf(event.code)?.role;
  // Deletes are routine, and ask for no cause, unless a client had just changed what is due.
  if (TTL_DELETES.has(event.code))
    return all.some(({ code, at }) => code === 'ttl-set' && at <= event.at);
  if (role === 'context' || (role === 'trigger' && !SEVERE_CODES.has(event.code))) return false;
  if (event.code !== 'election-started') return true;
  return event.values.reason === 'no-primary' && !isAtStart(event, all);
}

/**
 * A member that has just started and has seen no primary yet.
 * @param {IncidentEvent} event
 * @param {readonly IncidentEvent[]} all
 */
function isAtStart(event, all) {
  const before = all.filter(
    ({ host, at }) => host === event.host && secondsFrom(at, event.at) >= 0,
  );
  const started = before.findLast(({ code }) => code === 'process-started');
  if (started === undefined || secondsFrom(started.at, event.at) > AFTER_START_SECONDS)
    return false;
  return !before.some((other) => other.at >= started.at && other !== event && isPrimarySeen(other));
}

/** @param {IncidentEvent} event */
function canBeFirst({ code, values }) {
  const role = codeOf(code)?.role;
  if (code === 'parameter-set') return ENGINE_PARAMETERS.test(String(values.parameter));
  if (code === 'kernel-oom-kill') return /^mongo/.test(String(values.process));
  return role === 'trigger' || role === 'both';
}

module.exports = { judge };
