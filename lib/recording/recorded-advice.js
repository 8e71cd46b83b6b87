'use strict';

const { many, timeText } = require('../base/pure/units');
const { whyNotExaminable } = require('../server/pure/facts');
const { comparePlots, plotOf } = require('../series/plot');
const { attachSeries, levelsOf } = require('../series/chart-data');
const { trendsOf } = require('../series/trends');
const { severestFirst } = require('../base/pure/finding');
const { report } = require('../text/report');
const { emptyBecause, machineNotes } = require('./pure/recorded-notes');
const { NOTHING } = require('../diagnose/diagnose');
const { adviceOf } = require('../diagnose/advice');
const { loadRecordingRules, loadRules } = require('../rules/registry');
const { judgeRecording } = require('../rules/runner');

/**
 * @import { Advice } from '../diagnose/advice'
 * @import { ChartData } from '../text/types'
 * @import { RecordingScan } from '../series/recording-scan'
 * @import { Sample } from '../server/pure/sample'
 * @import { Window } from '../server/pure/window'
 * @import { Facts } from '../server/pure/types'
 */

/**
 * The answer to a recording: the same as to a live server, over the window in which clients were
 * held up most.
 *
 * @typedef {{
 *   from: Date, to: Date, seconds: number, heldUpThreads: number | null,
 *   bottleneck: Advice['bottleneck'], because: string
 * }} Spell `heldUpThreads`: application threads that wait for the cache, on average
 * @typedef {Omit<Advice, 'at' | 'window'> & {
 *   at: Date | null, window: { from: Date | null, to: Date | null, samples: number },
 *   worst: Spell | null, others: Spell[]
 * }} RecordedAdvice `at`: the end of the recording; `window`: all that was recorded; `worst`: the
 *   window that was judged; `others`: the other windows, by how much clients were held up. A
 *   recording of nothing has null for each of the first three
 */

/**
 * @template C
 * @typedef {{
 *   source: 'ftdc' | 'recording', factsOf(context: C | null, sample: Sample | null): Facts,
 *   notesOn(facts: Facts): string[], covers: { fromMs: number, toMs: number }
 * }} About `covers`: what there is, whatever is wanted of it; Infinity for nothing
 */

/** Verdicts without a bottleneck, the one that says most first; any other comes before them. */
const WITHOUT_BOTTLENECK = Object.freeze(['unknown', 'none', 'idle']);

/**
 * @template C
 * @typedef {{
 *   scan: RecordingScan<C>, about: About<C>, files: string[]
 * }} Recorded
 */

/**
 * @template C
 * @param {Recorded<C>} recorded
 * @param {Recorded<C> | null} [before] another one, to be set beside it
 */
function recordedAdvice(recorded, before = null) {
  const { renderRecorded } = require('./pure/recorded-text');
  const { withAll } = require('../diagnose/advice-text');
  const { renderChart, FINE } = require('../text/chart');
  const drawn = () => (recorded.scan.span === null ? null : drawnIn(recorded, FINE));
  const data = {
    ...adviceIn(recorded),
    ...(before !== null && { compared: comparedWith(before, recorded) }),
  };
  const made = report(data, (ink) => renderRecorded(data, drawn(), ink));
  const timeline = () => {
    const plot = plotIn(recorded) ?? { from: null, to: null, everySeconds: 0, at: [], series: {} };
    return report(plot, (ink) => renderChart(drawn(), ink).join('\n'));
  };
  const answer = Object.defineProperty(made, 'timeline', { value: timeline });
  return attachSeries(withAll(answer, /** @type {any} */ (data)), (max) => drawnIn(recorded, max));
}

/** @template C @param {Recorded<C>} recorded @returns {RecordedAdvice} */
const adviceIn = ({ scan, about }) =>
  scan.span === null ? emptyAdvice(about) : fullAdvice(scan, about);

/** @template C @param {Recorded<C>} recorded */
const plotIn = ({ scan, about }) =>
  scan.span === null
    ? null
    : plotOf(
        scan.downsampled.points,
        about.factsOf(scan.lastContext, scan.downsampled.points[0].sample),
      );

/**
 * @template C
 * @param {Recorded<C>} recorded
 * @param {number} max
 * @returns {ChartData}
 */
function drawnIn({ scan, about }, max) {
  const last = scan.downsampled.points.at(-1)?.sample ?? null;
  const levels = last === null ? {} : levelsOf(last, about.factsOf(scan.lastContext, last));
  return scan.series.chartData(max, levels, scan.gaps.breaks);
}

/** @template C @param {Recorded<C>} before @param {Recorded<C>} now */
function comparedWith(before, now) {
  const { bottleneck, because, change, host, version, window } = adviceIn(before);
  const [then, since] = [plotIn(before), plotIn(now)];
  const rows = then === null || since === null ? [] : comparePlots(then, since);
  return { files: before.files, host, version, ...window, bottleneck, because, change, rows };
}

/** @param {{ data: Pick<Advice, 'bottleneck'> }} judged */
const calmness = ({ data }) => WITHOUT_BOTTLENECK.indexOf(data.bottleneck);

/**
 * The window that shows trouble is the answer; where none does, one that is not understood, then
 * the one in which clients had most to wait or to do. The busiest one is among them, so that only a
 * recording that is idle all along is called so.
 * @template C
 * @param {RecordingScan<C>} scan
 * @param {About<C>} about
 */
function fullAdvice(scan, { source, factsOf, notesOn }) {
  const span = /** @type {{ fromMs: number, toMs: number }} */ (scan.span);
  const judged = scan.windows().map(({ window, heldUpThreads, context }) => {
    const facts = factsOf(context, window.samples[window.samples.length - 1]);
    return {
      window,
      heldUpThreads,
      facts,
      data: adviceOf({ facts, window, notes: notesOn(facts) }, { engine: loadRules() }, source),
    };
  });
  const [chosen] = judged.toSorted((a, b) => calmness(a) - calmness(b));
  const spells = judged.map(spellOf);
  const trends = trendsOf(scan.downsampled.points, chosen.facts);
  return {
    ...chosen.data,
    findings: severestFirst([
      ...chosen.data.findings,
      ...(trends === null ? [] : judgeRecording(loadRecordingRules(), trends)),
    ]),
    notes: [
      ...chosen.data.notes,
      ...machineNotes(scan.worst.machine.worst, {
        fromMs: chosen.window.from.getTime(),
        toMs: chosen.window.to.getTime(),
      }),
    ],
    because: idleAllAlong(chosen, judged.length) ?? chosen.data.because,
    at: new Date(span.toMs),
    window: { from: new Date(span.fromMs), to: new Date(span.toMs), samples: scan.gaps.samples },
    worst: spellOf(chosen),
    others: spells.filter((_, i) => judged[i] !== chosen),
  };
}

/**
 * @param {{ window: Window, data: Pick<Advice, 'bottleneck' | 'evidence'> }} chosen
 * @param {number} windows that were judged
 * @returns {string | null} null where it is not so, or the recording is one window
 */
function idleAllAlong({ window, data: { bottleneck, evidence } }, windows) {
  const ops = evidence.find(({ metric }) => metric === 'ops.perSec')?.value;
  if (bottleneck !== 'idle' || windows < 2 || ops === undefined) return null;
  return (
    `The server is idle in all of the recording: at most ${many(ops, 'operation')}/s, in the ` +
    `minute up to ${timeText(window.to)} UTC. Use a recording under load.`
  );
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

/** @template C @param {About<C>} about */
function emptyAdvice({ source, factsOf, notesOn, covers }) {
  const facts = factsOf(null, null);
  return {
    at: null,
    host: facts.host,
    role: facts.role,
    version: facts.version,
    source,
    window: { from: null, to: null, samples: 0 },
    ...NOTHING,
    conf: null,
    because: whyNotExaminable(facts) ?? emptyBecause(covers),
    findings: [],
    notes: notesOn(facts),
    worst: null,
    others: [],
  };
}

module.exports = { recordedAdvice };
