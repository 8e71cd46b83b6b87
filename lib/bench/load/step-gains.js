'use strict';

/**
 * @typedef {{ kind: 'baseline' | 'step', hostSteps: number, opsPerSec: number }} Measured in the
 *   order of time; `hostSteps`: steps on the machine that were in place, which a baseline measured in between
 *   cannot undo
 * @typedef {{ ratio: number, gain: number, drift: number }} Gain `ratio`: to the
 *   baseline as it would have been then; `gain`: to the step before; `drift`: throughput of the
 *   baseline then, against the beginning
 */

/**
 * What each step gained, corrected for the drift of the machine.
 * @param {readonly Measured[]} measured the first of them the baseline
 * @returns {Gain[]} one for each
 */
function gainsOf(measured) {
  const drift = driftsOf(measured);
  const base = measured[0].opsPerSec;
  let before = 1;
  return measured.map(({ kind, opsPerSec }, i) => {
    const ratio = opsPerSec / (base * drift[i]);
    const gain = kind === 'step' ? ratio / before : 1;
    if (kind === 'step') before = ratio;
    return { ratio, gain, drift: drift[i] };
  });
}

/**
 * The drift at each measurement: known where the baseline was measured, linear in between.
 * @param {readonly Measured[]} measured
 * @returns {number[]}
 */
function driftsOf(measured) {
  /** @type {{ at: number, factor: number, last: Measured }[]} */
  const known = [];
  measured.forEach((one, at) => {
    const before = known[known.length - 1];
    if (one.kind !== 'baseline') return;
    // With other steps on the machine it is another baseline, from which drift is counted anew.
    const factor =
      before === undefined || before.last.hostSteps !== one.hostSteps
        ? 1
        : one.opsPerSec / before.last.opsPerSec;
    known.push({ at, factor: (before?.factor ?? 1) * factor, last: one });
  });
  return measured.map((_, at) => {
    const left = /** @type {typeof known[0]} */ (known.findLast((point) => point.at <= at));
    const right = known.find((point) => point.at >= at) ?? left;
    return right.at === left.at
      ? left.factor
      : left.factor + ((right.factor - left.factor) * (at - left.at)) / (right.at - left.at);
  });
}

module.exports = { gainsOf };
