'use strict';

const { isLineOf } = require('./timeline');

/**
 * @import { LoggedSet } from '../../server/engine-history'
 * @import { OwnCall } from './timeline'
 */

/**
 * The strings in the log that neither the plan knew nor this change sent.
 * @param {readonly LoggedSet[]} now
 * @param {readonly LoggedSet[]} planned as the log was when the change was planned
 * @param {readonly OwnCall[]} calls of this change
 * @returns {{ config: string, later: string[] }[]} `later`: the calls of this change that came
 *   after it
 */
function externalIn(now, planned, calls) {
  const fresh = freshIn(now, planned);
  const own = linesOf(calls, fresh);
  return fresh.flatMap((line, i) =>
    own.has(line)
      ? []
      : [
          {
            config: line.config,
            later: fresh.slice(i + 1).flatMap((one) => (own.has(one) ? [one.config] : [])),
          },
        ],
  );
}

/**
 * A call is the first line of its string while it was under way: the same string later is another
 * session's. A call that was not answered may be any line that is left.
 * @param {readonly OwnCall[]} calls
 * @param {readonly LoggedSet[]} lines
 * @returns {Set<LoggedSet>}
 */
function linesOf(calls, lines) {
  /** @type {Set<LoggedSet>} */
  const own = new Set();
  const isAnswered = (/** @type {OwnCall} */ { answeredAtMs }) => answeredAtMs !== undefined;
  const inTurn = [...calls.filter(isAnswered), ...calls.filter((call) => !isAnswered(call))];
  for (const call of inTurn) {
    const line = lines.find((one) => !own.has(one) && isLineOf(call, one));
    if (line) own.add(line);
  }
  return own;
}

/**
 * @param {readonly LoggedSet[]} now
 * @param {readonly LoggedSet[]} planned
 * @returns {LoggedSet[]} what was accepted since
 */
function freshIn(now, planned) {
  const known = new Set(planned.map(({ atMs, config }) => `${atMs} ${config}`));
  return now.filter(({ atMs, config, ok }) => ok && !known.has(`${atMs} ${config}`));
}

module.exports = { externalIn, freshIn };
