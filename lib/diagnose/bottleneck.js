'use strict';

const { percent } = require('../base/pure/units');
const { evidenceOf, stands, weight } = require('./candidate');
const { whyBlind, whyHalfBlind, whatIsUnexplained } = require('./mechanisms/unknown');
const { isIdle } = require('./mechanisms/idle');
const { readingLoss, evictionLoss, HEALTHY_THREADS } = require('../signals/losses');
const { PHRASES } = require('../signals/phrases');
const { many } = require('../signals/words');

/**
 * @typedef {import('../server/pure/readings').Readings} Readings
 * @typedef {import('../base/pure/finding').Verdict} Verdict
 * @typedef {import('./candidate').Case & { name: import('../base/pure/finding').Bottleneck }} Named
 */

/** @type {readonly import('./candidate').Candidate[]} */
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
 * What holds the server back. Each mechanism makes its case; the one that explains most of the
 * clients' time and that nothing contradicts is chosen. Where time is lost and no mechanism stands,
 * the answer is `unknown`, never a guess.
 * @param {Readings} readings
 * @returns {Verdict}
 */
function findBottleneck(readings) {
  const blind = whyBlind(readings);
  if (blind !== null)
    return verdict(
      'unknown',
      blind,
      evidenceOf(readings, [PHRASES.seconds, PHRASES.samples, PHRASES.fill]),
      null,
    );
  if (isIdle(readings)) {
    return verdict(
      'idle',
      `The server does next to nothing, ${many(readings['ops.perSec'], 'operation')} a ` +
        'second: look again under load.',
      evidenceOf(readings, [PHRASES.ops, PHRASES.busy, PHRASES.reading]),
      null,
    );
  }
  const cases = CANDIDATES.map(({ name, examine }) => ({ name, ...examine(readings) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => weight(b) - weight(a));
  const [winner, ...rest] = cases;
  const halfBlind = whyHalfBlind(readings);
  if (halfBlind !== null)
    return verdict(
      'unknown',
      halfBlind,
      evidenceOf(readings, [PHRASES.dirty, PHRASES.fill, PHRASES.reading, PHRASES.ops]),
      runnerUp(cases, null),
    );
  if (winner !== undefined && stands(winner))
    return verdict(winner.name, winner.because, winner.evidence, runnerUp(rest, winner));
  return noneOrUnknown(readings, cases);
}

/** @param {Readings} readings @param {Named[]} cases none of which stands @returns {Verdict} */
function noneOrUnknown(readings, cases) {
  const unexplained = whatIsUnexplained(readings);
  const evidence = evidenceOf(readings, [
    PHRASES.reading,
    PHRASES.waiting,
    PHRASES.evicting,
    PHRASES.ops,
  ]);
  if (unexplained !== null) return verdict('unknown', unexplained, evidence, runnerUp(cases, null));
  return verdict(
    'none',
    `${many(readings['ops.perSec'], 'operation')} a second, and the cache costs the clients ` +
      `${costOf(readings)}: nothing should be changed.`,
    evidence,
    runnerUp(cases, null),
  );
}

/** @param {Readings} readings whose losses are known and not grave */
function costOf(readings) {
  const [reading, eviction] = /** @type {import('../signals/losses').Loss[]} */ ([
    readingLoss(readings),
    evictionLoss(readings),
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
  const because = next.against[0] ?? standing(next, winner);
  return { bottleneck: next.name, because: `${because}.` };
}

/**
 * @param {Named} next that nothing contradicts
 * @param {Named | null} winner null: it may come from what is not known
 */
function standing({ score }, winner) {
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
