'use strict';

const { codeOf } = require('./event-codes');
const { secondsFrom, SLACK_SECONDS } = require('./reach');

/**
 * @import { Candidate } from './reach'
 */

/** Work that often runs by chance while something else goes wrong. */
const ROUTINE = new Set(['index-build', 'dump-client']);
/** An alternative this near to the first cause competes with it, and makes it uncertain (heuristic). */
const CLOSE_SHARE = 0.7;

/**
 * The best candidate. A routine that was under way gives way to what began after it, nearer to the first
 * sign, and explains nearly as much: the routine did no harm until then.
 * @param {readonly Candidate[]} candidates the best first
 * @returns {Candidate | null}
 */
function bestOf(candidates) {
  const best = candidates.at(0) ?? null;
  if (best === null || !ROUTINE.has(best.event.code)) return best;
  return candidates.find((candidate) => isNearer(candidate, best)) ?? best;
}

/** @param {Candidate} candidate @param {Candidate} routine */
function isNearer(candidate, routine) {
  const { event, score, reached } = candidate;
  const isOwnEffect = routine.reached.some((effect) => effect.event.id === event.id);
  if (event.at <= routine.event.at || isOwnEffect) return false;
  if (codeOf(event.code)?.role !== 'trigger' || score < CLOSE_SHARE * routine.score) return false;
  const shared = reached.filter((effect) =>
    routine.reached.some((other) => other.event.id === effect.event.id),
  );
  const firstMs = Math.min(...routine.reached.map((effect) => effect.event.at.getTime()));
  return shared.length > 0 && secondsFrom(event.at, new Date(firstMs)) >= -SLACK_SECONDS;
}

module.exports = { bestOf, CLOSE_SHARE };
