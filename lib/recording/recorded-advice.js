'use strict';

const { whyNotExaminable } = require('../server/pure/examinable');
const { comparePlots } = require('../series/compare-series');
const { plotOf } = require('../series/plot');
const { attachSeries, levelsOf } = require('../series/chart-data');
const { report } = require('../text/report');
const { emptyBecause } = require('./pure/recorded-notes');
const { dataOf } = require('../observe/advice-data');

/**
 * @import { Advice } from '../observe/advice-data'
 * @import { Drawn } from '../series/chart-series'
 * @import { Examination } from '../series/recording-scan'
 * @import { Facts } from '../server/pure/facts'
 * @import { Sample } from '../server/pure/sample'
 * @import { Window } from '../server/pure/window'
 */

/**
 * The answer to a recording: the same as to a live server, over the window in which clients were
 * held up most.
 *
 * @typedef {{
 *   from: Date, to: Date, seconds: number, heldUpThreads: number | null,
 *   bottleneck: Advice['bottleneck'], because: string
 * }} Spell
 */

/**
 * @template C
 * @typedef {{
 *   source: 'ftdc' | 'recording', factsOf(context: C | null, sample: Sample | null): Facts,
 *   notesOn(facts: Facts): string[], covers: { fromMs: number, toMs: number }
 * }} About `covers`: what there is, whatever is wanted of it; Infinity for nothing
 */

/** Verdicts without a bottleneck. */
const CALM = new Set(['none', 'idle', 'unknown']);

/**
 * @template C
 * @typedef {{
 *   exam: Examination<C>, about: About<C>, files: string[]
 * }} Recorded
 */

/**
 * @template C
 * @param {Recorded<C>} recorded
 * @param {Recorded<C> | null} [before] another one, to be set beside it
 */
function recordedAdvice(recorded, before = null) {
  const { renderRecorded } = require('./pure/recorded-text');
  const { renderChart, FINE } = require('../text/chart');
  const drawn = () => (recorded.exam.span === null ? null : drawnIn(recorded, FINE));
  const data = {
    ...adviceIn(recorded),
    ...(before !== null && { compared: comparedWith(before, recorded) }),
  };
  const made = report(data, (ink) => renderRecorded(data, drawn(), ink));
  const timeline = () => {
    const plot = plotIn(recorded) ?? { from: null, to: null, everySeconds: 0, at: [], series: {} };
    return report(plot, (ink) => renderChart(drawn(), ink).join('\n'));
  };
  return attachSeries(Object.defineProperty(made, 'timeline', { value: timeline }), (max) =>
    drawnIn(recorded, max),
  );
}

/** @template C @param {Recorded<C>} recorded */
const adviceIn = ({ exam, about }) =>
  exam.span === null ? emptyAdvice(about) : fullAdvice(exam, about);

/** @template C @param {Recorded<C>} recorded */
const plotIn = ({ exam, about }) =>
  exam.span === null
    ? null
    : plotOf(
        exam.downsampled.points,
        about.factsOf(exam.lastContext, exam.downsampled.points[0].sample),
      );

/**
 * @template C
 * @param {Recorded<C>} recorded
 * @param {number} max
 * @returns {Drawn}
 */
function drawnIn({ exam, about }, max) {
  const last = exam.downsampled.points.at(-1)?.sample ?? null;
  const levels = last === null ? {} : levelsOf(last, about.factsOf(exam.lastContext, last));
  return exam.line.drawn(max, levels, exam.timeChart.breaks);
}

/** @template C @param {Recorded<C>} before @param {Recorded<C>} now */
function comparedWith(before, now) {
  const { bottleneck, because, change, host, version, window } = adviceIn(before);
  const [then, since] = [plotIn(before), plotIn(now)];
  const rows = then === null || since === null ? [] : comparePlots(then, since);
  return { files: before.files, host, version, ...window, bottleneck, because, change, rows };
}

/**
 * The window that shows trouble is the answer; where none does, the one in which clients had most
 * to wait or to do.
 * @template C
 * @param {Examination<C>} exam
 * @param {About<C>} about
 */
function fullAdvice(exam, { source, factsOf, notesOn }) {
  const span = /** @type {{ fromMs: number, toMs: number }} */ (exam.span);
  const judged = exam.windows().map(({ window, heldUpThreads, context }) => {
    const facts = factsOf(context, window.samples[window.samples.length - 1]);
    return {
      window,
      heldUpThreads,
      facts,
      data: blinded(dataOf({ facts, window, notes: notesOn(facts) }, source), facts),
    };
  });
  const chosen = judged.find(({ data }) => !CALM.has(data.bottleneck)) ?? judged[0];
  const spells = judged.map(spellOf);
  return {
    ...chosen.data,
    at: new Date(span.toMs),
    window: {
      from: new Date(span.fromMs),
      to: new Date(span.toMs),
      samples: exam.timeChart.samples,
    },
    worst: spellOf(chosen),
    others: spells.filter((_, i) => judged[i] !== chosen),
  };
}

/**
 * @param {{
 *   window: Window, heldUpThreads: number | null, data: Advice
 * }} judged
 * @returns {Spell}
 */
const spellOf = ({ window, heldUpThreads, data }) => ({
  from: window.from,
  to: window.to,
  seconds: window.seconds,
  heldUpThreads,
  bottleneck: data.bottleneck,
  because: data.because,
});

/** @param {Advice} data @param {Facts} facts @returns {Advice} */
function blinded(data, facts) {
  const because = whyNotExaminable(facts);
  return because === null ? data : { ...data, ...NOTHING, because };
}

const NOTHING = Object.freeze({
  bottleneck: /** @type {const} */ ('unknown'),
  evidence: [],
  runnerUp: null,
  change: null,
  explain: [],
  conf: null,
});

/** @template C @param {About<C>} about */
function emptyAdvice({ source, factsOf, notesOn, covers }) {
  const facts = factsOf(null, null);
  return {
    at: null,
    host: facts.host,
    version: facts.version,
    source,
    window: { from: null, to: null, samples: 0 },
    ...NOTHING,
    because: whyNotExaminable(facts) ?? emptyBecause(covers),
    findings: [],
    notes: notesOn(facts),
    worst: null,
    others: [],
  };
}

module.exports = { recordedAdvice };
