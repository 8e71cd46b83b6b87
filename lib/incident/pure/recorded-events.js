'use strict';

const { featureEvents } = require('./feature-events');
const { MS_PER_SECOND } = require('../../base/pure/units');
const { hostWithPort } = require('./reconcile');

/**
 * @import { Discontinuity } from '../../series/columns'
 * @import { Span } from '../../text/types'
 * @import { RawEvent, RecordedMember, FeatureRows } from '../types'
 * @import { JournalLine } from '../../change/pure/journal'
 */

/**
 * Events of what was recorded beside the logs: diagnostic data of a member, and the journal of
 * tune.
 */

/**
 * Changes that tune made, by its journal.
 * @param {readonly JournalLine[]} lines
 * @param {ReadonlySet<string>} hosts
 * @returns {RawEvent[]}
 */
const tuneEvents = (lines, hosts) =>
  lines.flatMap((line) => {
    if (line.kind !== 'intent' || line.host === null) return [];
    const host = hostWithPort(line.host);
    if (!hosts.has(host)) return [];
    return [
      {
        code: 'tune-changed',
        fromMs: line.atMs,
        toMs: null,
        host,
        count: 1,
        values: {
          settings: Object.entries(line.change)
            .map(([name, value]) => `${name} to ${value}`)
            .join(', '),
        },
        evidence: { source: 'journal', file: null, id: null },
      },
    ];
  });

/** @typedef {Omit<RawEvent, 'host' | 'evidence'>} Found */

/** A checkpoint that takes longer than its interval never ends: the default is 60 s. */
const LONG_CHECKPOINT_SECONDS = 30;
/** A time service corrects smaller jumps without harm (heuristic). */
const MIN_JUMP_SECONDS = 2;
/** Shorter than this no client notices (heuristic). */
const MIN_STALL_SECONDS = 2;
/** Stalls and checkpoints are searched in this many buckets; they do not depend on it. */
const ANY_BUCKETS = 10;

/** Names of the states of a member, by replSetGetStatus.myState. */
const STATES = Object.freeze(
  /** @type {Record<number, string>} */ ({
    0: 'STARTUP',
    1: 'PRIMARY',
    2: 'SECONDARY',
    3: 'RECOVERING',
    5: 'STARTUP2',
    6: 'UNKNOWN',
    7: 'ARBITER',
    8: 'DOWN',
    9: 'ROLLBACK',
    10: 'REMOVED',
  }),
);

/**
 * All that the diagnostic data of a member shows.
 * @param {RecordedMember} member
 * @param {string} file
 * @returns {RawEvent[]}
 */
function memberEvents(member, file) {
  const { checkpoints, stalls } = member.chart(ANY_BUCKETS);
  const found = [
    ...featureEvents(member.rows),
    ...member.breaks.flatMap(breakEvent),
    ...spanEvents('checkpoint-long', checkpoints, LONG_CHECKPOINT_SECONDS),
    ...spanEvents('stall', stalls, MIN_STALL_SECONDS),
    ...stateEvents(member.rows),
  ];
  return found.map((event) => ({
    ...event,
    host: member.host,
    evidence: { source: 'ftdc', file, id: null },
  }));
}

/** @param {Discontinuity} of @returns {Found[]} */
function breakEvent({ kind, fromMs, toMs }) {
  const seconds = Math.abs(toMs - fromMs) / MS_PER_SECOND;
  const found = (/** @type {string} */ code, /** @type {RawEvent['values']} */ values) => [
    { code, fromMs: Math.min(fromMs, toMs), toMs: Math.max(fromMs, toMs), count: 1, values },
  ];
  if (kind === 'gap') return found('sample-gap', { seconds });
  if (kind === 'restart') return found('process-restarted', { downSeconds: seconds });
  return kind === 'clock' && seconds >= MIN_JUMP_SECONDS ? found('clock-jump', { seconds }) : [];
}

/**
 * @param {string} code
 * @param {readonly Span[] | null} spans
 * @param {number} minSeconds shorter ones are no event
 * @returns {Found[]}
 */
const spanEvents = (code, spans, minSeconds) =>
  (spans ?? [])
    .filter((span) => secondsOf(span) >= minSeconds)
    .map((span) => ({
      fromMs: span.fromMs,
      toMs: span.toMs,
      code,
      count: 1,
      values: { seconds: secondsOf(span) },
    }));

/** @param {Span} span */
const secondsOf = ({ fromMs, toMs }) => (toMs - fromMs) / MS_PER_SECOND;

/** @param {FeatureRows} rows @returns {Found[]} */
function stateEvents({ atMs, columns: { state }, length }) {
  /** @type {Found[]} */
  const found = [];
  let last = NaN;
  for (let i = 0; i < length; i++) {
    if (Number.isNaN(state[i])) continue;
    if (!Number.isNaN(last) && state[i] !== last)
      found.push({
        code: 'state-changed',
        fromMs: atMs[i],
        toMs: null,
        count: 1,
        values: { from: STATES[last] ?? String(last), to: STATES[state[i]] ?? String(state[i]) },
      });
    last = state[i];
  }
  return found;
}

module.exports = { memberEvents, tuneEvents };
