'use strict';

const { STATUSES, BOTTLENECKS, EXIT_CODES, isCalm, stateOf } = require('../../base/pure/finding');

/**
 * @import { Finding, Status } from '../../base/pure/finding'
 * @import { Row } from './types'
 */

/**
 * One server of a fleet, as a row of the answer.
 * @typedef {'examined' | 'unreachable' | 'refused' | 'timed out' | 'unsupported' | 'failed' | 'skipped'}
 *   State `refused`: the user lacks the privilege; `timed out`: no answer in
 *   time; `unsupported`: no mongod with WiredTiger data; `skipped`: it was interrupted before
 */

/**
 * The order of the rows: a server that cannot be reached may be down, so only servers in known
 * trouble come before it.
 * @type {readonly Status[]}
 */
const ORDER = Object.freeze(['critical', 'unknown', 'warning', 'error', 'info', 'ok']);

/**
 * @param {readonly Pick<Finding, 'status'>[]} findings
 * @returns {Status} the status of the most severe finding; a rule without data makes no server
 *   worse
 */
const worstOf = (findings) =>
  STATUSES.find(
    (status) => status !== 'unknown' && findings.some((finding) => finding.status === status),
  ) ?? 'ok';

/** @param {readonly Row[]} rows @returns {Row[]} the worst first */
const ranked = (rows) =>
  rows
    .map((row) => ({ row, keys: keysOf(row) }))
    .toSorted(
      (a, b) =>
        firstDifference(a.keys, b.keys) ||
        (a.row.name < b.row.name ? -1 : Number(a.row.name > b.row.name)),
    )
    .map(({ row }) => row);

/** @param {Row} row @returns {number[]} sort keys, the smallest first for the worst server */
function keysOf({ status, state, bottleneck, findings, clients }) {
  const severe = (/** @type {Status} */ wanted) =>
    findings.filter((finding) => finding.status === wanted).length;
  const lost = Object.values(clients ?? {}).reduce(
    (/** @type {number} */ sum, threads) => sum + (threads ?? 0),
    0,
  );
  return [
    ORDER.indexOf(status),
    Number(state === 'skipped'),
    Number(isCalm(bottleneck ?? 'none')),
    -severe('critical'),
    -severe('warning'),
    -lost,
  ];
}

/** @param {readonly number[]} a @param {readonly number[]} b */
const firstDifference = (a, b) =>
  a.map((key, i) => key - b[i]).find((difference) => difference !== 0) ?? 0;

/**
 * @param {readonly Row[]} rows
 * @returns {{
 *   asked: number, examined: number, states: Record<string, number>,
 *   statuses: Record<string, number>, bottlenecks: Record<string, number>,
 *   versions: Record<string, number>
 * }} only values that occur; `statuses` of the examined servers
 */
function countsOf(rows) {
  const examined = rows.filter(({ state }) => state === 'examined');
  return {
    asked: rows.filter(({ state }) => state !== 'skipped').length,
    examined: examined.length,
    states: tally(rows.map(({ state }) => state)),
    statuses: tally(
      examined.map(({ status }) => status),
      ORDER,
    ),
    bottlenecks: tally(
      examined.flatMap(({ bottleneck }) => bottleneck ?? []),
      BOTTLENECKS,
    ),
    versions: tally(examined.map(({ version }) => version ?? '?').sort()),
  };
}

/**
 * @param {readonly string[]} words
 * @param {readonly string[]} [order]
 * @returns {Record<string, number>}
 */
function tally(words, order = []) {
  /** @type {Map<string, number>} */
  const counts = new Map(order.map((word) => [word, 0]));
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return Object.fromEntries([...counts].filter(([, count]) => count > 0));
}

/**
 * Returns the exit code of a fleet: that of its worst server; a server that could not be sampled
 * counts as unknown.
 * @param {readonly Row[]} rows
 * @returns {number}
 */
const exitCodeOf = (rows) =>
  EXIT_CODES[
    stateOf(rows, { failOn: 'warning', isWhole: rows.every(({ state }) => state === 'examined') })
  ];

module.exports = { worstOf, ranked, countsOf, exitCodeOf };
