'use strict';

const { codeOf, stageOf } = require('./event-codes');
const { EDGES, NEVER_EARLIER, OF_SET } = require('./cause-table');
const { MS_PER_SECOND } = require('../../base/pure/units');

/**
 * @import { IncidentEvent } from '../types'
 */

/**
 * Finds what an event explains, over one link of the table or several.
 *
 * @typedef {{ event: IncidentEvent, from: IncidentEvent, delaySeconds: number }} Reached
 * @typedef {{ event: IncidentEvent, reached: Reached[], explained: number, score: number }} Candidate
 */

/** Times of samples and of lines differ by this much because of rounding. */
const SLACK_SECONDS = 3;
/** Lines of one log are in their order. */
const LOG_SLACK_SECONDS = 0.5;
/** An explanation at the far end of its time counts for this share of a near one (heuristic). */
const FAR_SHARE = 0.3;
/** A first cause counts by half of its own weight: how specific it is (heuristic). */
const OWN_SHARE = 0.5;
/** Within this time a cause and its effect are as near as can be (heuristic). */
const NEAR_SECONDS = 30;

/**
 * All that an event explains, over one link or several.
 * @param {IncidentEvent} event
 * @param {readonly IncidentEvent[]} asking
 * @param {ReadonlyMap<string, string>} owned what belongs to a shutdown: only that leads to it
 * @returns {Candidate}
 */
function candidateOf(event, asking, owned = NONE_OWNED) {
  /** @type {Map<string, Reached>} */
  const reached = new Map();
  const open = [event];
  for (let cause = open.shift(); cause !== undefined; cause = open.shift())
    for (const effect of asking) {
      if (reached.has(effect.id) || !mayFollow(event, effect)) continue;
      if (!mayOwn(cause, effect, owned) || !leadsTo(cause, effect)) continue;
      reached.set(effect.id, {
        event: effect,
        from: cause,
        delaySeconds: secondsFrom(event.at, effect.at),
      });
      open.push(effect);
    }
  const list = [...reached.values()].sort(
    (a, b) =>
      stageTime(a) - stageTime(b) ||
      stageOf(a.event) - stageOf(b.event) ||
      a.delaySeconds - b.delaySeconds,
  );
  const explained = explainedBy(event, list);
  const own = codeOf(event.code)?.weight ?? 0;
  return { event, reached: list, explained, score: explained + OWN_SHARE * own };
}

/** @param {IncidentEvent} first @param {IncidentEvent} effect */
const mayFollow = (first, effect) =>
  effect.id !== first.id &&
  !(effect.at < first.at && NEVER_EARLIER[first.code]?.includes(effect.code));

/** @type {ReadonlyMap<string, string>} */
const NONE_OWNED = new Map();

/** @param {IncidentEvent} cause @param {IncidentEvent} effect @param {ReadonlyMap<string, string>} owned */
const mayOwn = (cause, effect, owned) =>
  !owned.has(effect.id) ||
  owned.has(cause.id) ||
  cause.code === 'process-signal' ||
  cause.code === 'process-shutdown-command';

/** Events of the same few seconds are put in the order in which one leads to the other. */
const SAME_SECONDS = 5;
/** @param {Reached} one */
const stageTime = ({ delaySeconds }) => Math.floor(delaySeconds / SAME_SECONDS);

/**
 * Each kind of sign counts once for each server: its nearest.
 * @param {IncidentEvent} cause
 * @param {readonly Reached[]} reached
 */
function explainedBy(cause, reached) {
  /** @type {Map<string, number>} */
  const counted = new Map();
  for (const { event, delaySeconds } of reached) {
    const key = `${event.code}\0${event.host}`;
    const value = (codeOf(event.code)?.weight ?? 0) * nearness(delaySeconds) * during(cause, event);
    counted.set(key, Math.max(counted.get(key) ?? 0, value));
  }
  return [...counted.values()].reduce((sum, value) => sum + value, 0);
}

/** Work that is over delays no operation; its effect began while it ran. */
const OVER_SECONDS = 5;
/** … and does not outlast it by more than this, or by its own length (heuristic). */
const OUTLAST_SECONDS = 20;

/** @param {IncidentEvent} cause @param {IncidentEvent} effect */
function during({ kind, at: began, to: ended }, { at, to }) {
  if (!WORK_KINDS.has(kind) || ended === null) return 1;
  const outlasts = secondsFrom(ended, to ?? at);
  const isOver =
    secondsFrom(ended, at) > OVER_SECONDS ||
    outlasts > Math.max(OUTLAST_SECONDS, secondsFrom(began, ended));
  return isOver ? FAR_SHARE : 1;
}
const WORK_KINDS = new Set(['index', 'backup', 'ttl', 'transaction', 'load']);

/** @param {number} seconds @returns {number} 1 for near, less for later */
const nearness = (seconds) =>
  seconds <= NEAR_SECONDS ? 1 : Math.max(FAR_SHARE, Math.sqrt(NEAR_SECONDS / seconds));

/** @param {IncidentEvent} cause @param {IncidentEvent} effect */
function leadsTo(cause, effect) {
  if (!mayReach(cause, effect)) return false;
  return (EDGES[cause.code] ?? []).some(({ to, seconds, before = 0 }) => {
    if (!to.includes(effect.code)) return false;
    return (
      secondsFrom(cause.at, effect.at) >= -Math.max(slackOf(cause, effect), before) &&
      secondsFrom(cause.to ?? cause.at, effect.at) <= seconds
    );
  });
}

/** @param {IncidentEvent} cause @param {IncidentEvent} effect */
function slackOf(cause, effect) {
  const isLog = [cause, effect].every(
    ({ evidence, code }) => evidence.source === 'log' && code !== 'connections-up',
  );
  return isLog ? LOG_SLACK_SECONDS : SLACK_SECONDS;
}

/**
 * Another server's trouble reaches only what belongs to the set.
 * @param {IncidentEvent} cause
 * @param {IncidentEvent} effect
 */
function mayReach(cause, effect) {
  const isSame =
    cause.host === null ||
    effect.host === null ||
    cause.host === effect.host ||
    withoutPort(cause.host) === effect.host ||
    cause.host === withoutPort(effect.host);
  if (!isSame)
    return OF_SET.has(effect.code) && (effect.code !== 'member-down' || isAbout(effect, cause));
  // An event of this member does not make it report another member as down.
  return effect.code !== 'member-down' || cause.code.startsWith('kernel-conntrack');
}

/** @param {IncidentEvent} effect @param {IncidentEvent} cause */
function isAbout({ values }, { host }) {
  const member = String(values.member ?? '');
  return member === host || portOf(member) === portOf(String(host));
}

/** @param {string} host */
const withoutPort = (host) => host.replace(/:\d+$/, '');
/** @param {string} host */
const portOf = (host) => /:(\d+)$/.exec(host)?.[1] ?? '';
/** @param {Date} a @param {Date} b */
const secondsFrom = (a, b) => (b.getTime() - a.getTime()) / MS_PER_SECOND;

module.exports = { candidateOf, isAbout, secondsFrom, NEAR_SECONDS, SLACK_SECONDS };
