'use strict';

/**
 * What each step of a ladder gained, once it is taken out how the machine drifted meanwhile.
 *
 * @typedef {{ kind: 'baseline' | 'step', hostSteps: number, opsPerSec: number }} Measured in the
 *   order of time; `hostSteps`: how many
 *   steps outside the engine were in place, which a look at the baseline in between can not take
 *   back
 * @typedef {{ ratio: number, gain: number, drift: number }} Rung `ratio`: to the baseline as it
 *   would have been then; `gain`: to the step
 *   before; `drift`: what the same settings did at that time, against the beginning
 */

/**
 * @param {readonly Measured[]} measured the first of them the baseline
 * @returns {Rung[]} one for each
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
 * Known where the baseline was measured, in between by a straight line.
 * @param {readonly Measured[]} measured
 * @returns {number[]}
 */
function driftsOf(measured) {
  /** @type {{ at: number, factor: number, last: Measured }[]} */
  const known = [];
  measured.forEach((one, at) => {
    const before = known[known.length - 1];
    if (one.kind !== 'baseline') return;
    // With other steps in place than before it is another baseline: it tells nothing of drift, but
    // the next one will.
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
