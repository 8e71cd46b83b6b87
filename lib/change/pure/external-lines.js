'use strict';

const { isLineOf } = require('./timeline');

/**
 * @import { LoggedSet } from '../../server/engine-history'
 * @import { OwnCall } from './timeline'
 */

/**
 * Finds the strings in the log that neither the plan knew nor this change sent.
 * @param {readonly LoggedSet[]} now
 * @param {readonly LoggedSet[]} planned the log when the change was planned
 * @param {readonly OwnCall[]} calls the calls of this change
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
 * Finds the lines of the calls. A call is the first line of its string while it was in progress:
 * the same string later is another session's. A call that was not answered may be any line that is
 * left.
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
 * @returns {LoggedSet[]} the strings accepted since
 */
function freshIn(now, planned) {
  const known = new Set(planned.map(({ atMs, config }) => `${atMs} ${config}`));
  return now.filter(({ atMs, config, ok }) => ok && !known.has(`${atMs} ${config}`));
}

/**
 * @param {readonly { config: string }[]} found the strings in the log, which is read after the last
 *   string
 * @param {string | null} last the last string, where another session set it
 * @returns {string[]} the strings in the order in which they were set
 */
function inOrderOf(found, last) {
  const logged = found.map(({ config }) => config);
  return last === null || logged.includes(last) ? logged : [...logged, last];
}

/**
 * Sorts external changes by the time of their last set, also where the same string was set before.
 * @param {{ values: { config: string } }[]} external
 * @param {readonly string[]} configs the strings in the order in which they were set
 */
function sortBySet(external, configs) {
  const placeOf = (/** @type {(typeof external)[0]} */ { values }) =>
    configs.lastIndexOf(values.config);
  external.sort((a, b) => placeOf(a) - placeOf(b));
}

module.exports = { externalIn, freshIn, inOrderOf, sortBySet };
