'use strict';

/**
 * What charts are drawn of, whatever it came from: a window, a recording of days, a benchmark,
 * blocks of a trial.
 *
 * @typedef {{ fromMs: number, toMs: number }} Span ms since 1970
 * @typedef {{ min: number, mean: number, max: number }} Summary over all that was seen, however
 *   it is thinned
 * @typedef {{
 *   at: number[], series: Record<string, (number | null)[]>, summary: Record<string, Summary>,
 *   levels: Record<string, number>, checkpoints: Span[] | null, stalls: Span[] | null,
 *   breaks: (Span & { kind: string })[],
 *   blocks: (Span & { setting: string, means?: Record<string, number> })[], sampleCount: number,
 *   downsampledTo: number | null
 * }} Drawn `at`: ms since 1970, rising, or since the beginning; a track without a known value is
 *   absent; `levels`: targets, triggers and
 *   totals; `checkpoints`, `stalls`: null where it is not known; `blocks`: of a
 *   trial, `means` of each track in it, where they are known; `sampleCount`: values that there were;
 *   `downsampledTo`: stretches of which the least
 *   and the most are kept, null where all are there
 */

/**
 * From plain lists, all of which are there.
 * @param {readonly number[]} at
 * @param {Record<string, readonly (number | null | undefined)[]>} series
 * @param {Partial<Drawn>} [more]
 * @returns {Drawn}
 */
function chartSeriesOf(at, series, more = {}) {
  const known = Object.entries(series)
    .map(
      ([name, values]) =>
        /** @type {[string, (number | null)[]]} */ ([name, at.map((_, i) => values[i] ?? null)]),
    )
    .filter(([, values]) => values.some((value) => value !== null));
  return {
    at: [...at],
    series: Object.fromEntries(known),
    summary: Object.fromEntries(known.map(([name, values]) => [name, summaryOf(values)])),
    levels: {},
    checkpoints: null,
    stalls: null,
    breaks: [],
    blocks: [],
    sampleCount: at.length,
    downsampledTo: null,
    ...more,
  };
}

/** @param {readonly (number | null)[]} values one of them known @returns {Summary} */
function summaryOf(values) {
  const known = values.filter((value) => value !== null);
  return {
    min: known.reduce((a, b) => Math.min(a, b)),
    mean: known.reduce((a, b) => a + b, 0) / known.length,
    max: known.reduce((a, b) => Math.max(a, b)),
  };
}

module.exports = { chartSeriesOf };
