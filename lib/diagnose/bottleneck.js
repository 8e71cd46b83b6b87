'use strict';

const { percent, many } = require('../base/pure/units');
const { PHRASES, evidenceOf, isActive, weight } = require('./evidence');
const { whyBlind, whyHalfBlind, whatIsUnexplained } = require('./mechanisms/unknown');
const { isIdle } = require('./mechanisms/idle');
const {
  readingPagesTime,
  evictionDoing,
  evictionLoss,
  HEALTHY_THREADS,
} = require('../signals/clients');

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
      evidenceOf(metrics, [PHRASES.seconds, PHRASES.samples, PHRASES.used]),
      null,
    );
  if (isIdle(metrics)) {
    return verdict(
      'idle',
      `mongod is idle (${many(metrics['ops.perSec'], 'operation')}/s). Under load: tune.advise({ seconds: 30 }).`,
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
      evidenceOf(metrics, [PHRASES.dirty, PHRASES.used, PHRASES.reading, PHRASES.ops]),
      runnerUp(cases, null),
    );
  if (winner !== undefined && isActive(winner))
    return verdict(winner.name, winner.because, winner.evidence, runnerUp(rest, winner));
  return noneOrUnknown(metrics, cases);
}

const NO_CHANGE = 'no setting change recommended';

/** @param {Metrics} metrics @param {Named[]} cases of which none holds @returns {Verdict} */
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
    `No storage-engine bottleneck found; ${NO_CHANGE}. ` +
      `${many(metrics['ops.perSec'], 'operation')}/s, ${costOf(metrics)}.`,
    evidence,
    runnerUp(cases, null),
  );
}

/** @param {Metrics} metrics whose losses are known and not severe */
function costOf(metrics) {
  const [reading, eviction] = /** @type {Loss[]} */ ([
    readingPagesTime(metrics),
    evictionLoss(metrics),
  ]);
  const larger = reading.threads >= eviction.threads ? reading : eviction;
  return larger.threads <= HEALTHY_THREADS
    ? 'no significant wait for the cache'
    : `little wait for the cache (${many(larger.threads, 'application thread')} on average ` +
        `${larger === reading ? 'reading pages' : evictionDoing(metrics)})`;
}

/**
 * @param {Named[]} rest the strongest first
 * @param {Named | null} winner
 * @returns {Verdict['runnerUp']}
 */
function runnerUp(rest, winner) {
  const next = rest.find(({ name }) => name !== winner?.limitedBy);
  if (next === undefined) return null;
  const because = next.against[0] ?? whyNotChosen(next, winner);
  return { bottleneck: next.name, because: `${because}.` };
}

/**
 * @param {Named} next that nothing contradicts
 * @param {Named | null} winner null: it may come from what is not known
 */
function whyNotChosen({ score }, winner) {
  if (winner === null) return 'eviction may be the cause';
  return winner.name === 'history'
    ? 'the old snapshot may be the cause'
    : `it explains ${percent(score)} of wait time, ${winner.name} ${percent(winner.score)}`;
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

module.exports = { findBottleneck, NO_CHANGE };
