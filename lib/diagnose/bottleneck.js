'use strict';

const { percent } = require('../base/pure/units');
const { PHRASES, evidenceOf, isActive, weight } = require('./evidence');
const { whyBlind, whyHalfBlind, whatIsUnexplained } = require('./mechanisms/unknown');
const { isIdle } = require('./mechanisms/idle');
const { readingPagesTime, evictionLoss, HEALTHY_THREADS } = require('../signals/clients');
const { many } = require('../signals/words');

/**
 * @import { Bottleneck, Verdict } from '../base/pure/finding'
 * @import { Metrics } from '../server/pure/metrics'
 * @import { Loss } from '../signals/clients'
 * @import { Candidate, Case } from './evidence'
 */

/**
 * @typedef {Case & { name: Bottleneck }} Named
 */

/** @type {readonly Candidate[]} */
const CANDIDATES = Object.freeze([
  require('./mechanisms/history'),
  require('./mechanisms/eviction-threads'),
  require('./mechanisms/cache-dirty'),
  require('./mechanisms/checkpoint'),
  require('./mechanisms/disk'),
  require('./mechanisms/cache-read'),
  require('./mechanisms/concurrency'),
  require('./mechanisms/cpu'),
]);

/**
 * The bottleneck. Each mechanism makes its case; the one that explains most of the wait time, and
 * that nothing contradicts, is chosen. Where time is lost and no mechanism is plausible, the answer
 * is `unknown`, never a guess.
 * @param {Metrics} metrics
 * @returns {Verdict}
 */
function findBottleneck(metrics) {
  const blind = whyBlind(metrics);
  if (blind !== null)
    return verdict(
      'unknown',
      blind,
      evidenceOf(metrics, [PHRASES.seconds, PHRASES.samples, PHRASES.fill]),
      null,
    );
  if (isIdle(metrics)) {
    return verdict(
      'idle',
      `The server does next to nothing, ${many(metrics['ops.perSec'], 'operation')} a ` +
        'second: sample again under load.',
      evidenceOf(metrics, [PHRASES.ops, PHRASES.busy, PHRASES.reading]),
      null,
    );
  }
  const cases = CANDIDATES.map(({ name, examine }) => ({ name, ...examine(metrics) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => weight(b) - weight(a));
  const [winner, ...rest] = cases;
  const halfBlind = whyHalfBlind(metrics);
  if (halfBlind !== null)
    return verdict(
      'unknown',
      halfBlind,
      evidenceOf(metrics, [PHRASES.dirty, PHRASES.fill, PHRASES.reading, PHRASES.ops]),
      runnerUp(cases, null),
    );
  if (winner !== undefined && isActive(winner))
    return verdict(winner.name, winner.because, winner.evidence, runnerUp(rest, winner));
  return noneOrUnknown(metrics, cases);
}

/** @param {Metrics} metrics @param {Named[]} cases none of which stands @returns {Verdict} */
function noneOrUnknown(metrics, cases) {
  const unexplained = whatIsUnexplained(metrics);
  const evidence = evidenceOf(metrics, [
    PHRASES.reading,
    PHRASES.waiting,
    PHRASES.evicting,
    PHRASES.ops,
  ]);
  if (unexplained !== null) return verdict('unknown', unexplained, evidence, runnerUp(cases, null));
  return verdict(
    'none',
    `${many(metrics['ops.perSec'], 'operation')} a second, and the cache costs the clients ` +
      `${costOf(metrics)}: nothing should be changed.`,
    evidence,
    runnerUp(cases, null),
  );
}

/** @param {Metrics} metrics whose losses are known and not grave */
function costOf(metrics) {
  const [reading, eviction] = /** @type {Loss[]} */ ([
    readingPagesTime(metrics),
    evictionLoss(metrics),
  ]);
  const larger = reading.threads >= eviction.threads ? reading : eviction;
  return larger.threads <= HEALTHY_THREADS
    ? 'next to no time'
    : `little (${many(larger.threads, 'thread')} on average for ` +
        `${larger === reading ? 'reading pages' : 'eviction'})`;
}

/**
 * @param {Named[]} rest the strongest first
 * @param {Named | null} winner
 * @returns {Verdict['runnerUp']}
 */
function runnerUp([next], winner) {
  if (next === undefined) return null;
  const because = next.against[0] ?? active(next, winner);
  return { bottleneck: next.name, because: `${because}.` };
}

/**
 * @param {Named} next that nothing contradicts
 * @param {Named | null} winner null: it may come from what is not known
 */
function active({ score }, winner) {
  if (winner === null) return 'eviction may be what is behind it';
  return winner.name === 'history'
    ? 'the old snapshot may be what is behind it'
    : `it explains ${percent(score)} of the time, ${winner.name} ${percent(winner.score)}`;
}

/**
 * @param {Verdict['bottleneck']} bottleneck
 * @param {string} because
 * @param {Verdict['evidence']} evidence
 * @param {Verdict['runnerUp']} second
 * @returns {Verdict}
 */
const verdict = (bottleneck, because, evidence, second) => ({
  bottleneck,
  because,
  evidence,
  runnerUp: second,
});

module.exports = { findBottleneck };
