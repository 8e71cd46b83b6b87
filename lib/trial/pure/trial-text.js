'use strict';

const { showChange } = require('../../config/change');
const { count, duration, many } = require('../../base/pure/units');
const { sendLines, withoutHint } = require('../../change/pure/change-text');
const { KEEP_IN_CONF } = require('../../change/pure/sentences');
const { renderChart, FINE } = require('../../text/chart');
const { expectedText, interval } = require('../../text/interval');
const { seriesName } = require('../../text/series-units');
const {
  callLines,
  dryRun,
  firstLine,
  fragment,
  headed,
  marked,
  noteLines,
  part,
  SCREEN_LINES,
} = require('../../text/layout');
const { verdictTone } = require('../../text/tones');
const { wrap } = require('../../text/wrap');
const { TRIAL_METRICS } = require('./figures');
const { longerTrial } = require('./longer-trial');
const { metricLines } = require('./trial-metrics-text');

/**
 * @import { Ink } from '../../base/types'
 * @import { ChartData, ChartSource } from '../../text/types'
 * @import { TrialMetric } from './figures'
 * @import { Shown } from './types'
 */

/**
 * @typedef {Record<string, any> & { number: number, setting: 'A' | 'B' }} ShownBlock
 * @typedef {{
 *   readLatencyMs?: number | null, writeLatencyMs?: number | null, appWaitRatio?: number | null,
 *   errors?: number | null
 * }} ShownLimits
 */

const RESULTS = Object.freeze(
  /** @type {Record<string, string>} */ ({
    better: 'B is better',
    worse: 'B is worse',
    same: 'B is the same',
    inconclusive: 'inconclusive',
  }),
);
/**
 * Chooses the series that show the effect of B on the metric; of two kinds of operations, a very
 * rare one is left out.
 * @param {string} metric
 * @param {ChartData} drawn
 * @returns {string[]}
 */
function seriesOf(metric, { summary }) {
  if (metric.startsWith('read')) return ['readLatencyMs'];
  if (metric.startsWith('write')) return ['writeLatencyMs'];
  const kinds = ['readsPerSec', 'writesPerSec'];
  const most = (/** @type {string} */ name) => summary[name]?.max ?? 0;
  return kinds.filter((name) => most(name) > RARE * Math.max(...kinds.map(most)));
}
/** Share of the larger rate, below which a kind is rare; project heuristic. */
const RARE = 0.01;

/**
 * @param {Shown} data
 * @param {Ink} ink
 * @param {ChartSource | null} [chartData] the series of its samples
 * @param {{ isWhole?: boolean }} [how] `isWhole`: the whole result, on as many lines as needed
 * @returns {string} one screen, unless `isWhole`
 */
const renderTrial = (data, ink, chartData = null, { isWhole = false } = {}) =>
  (data.dryRun ? planned(data, ink) : found(data, ink, { chartData, isWhole })).join('\n');

/** @param {Shown} data @param {Ink} ink */
function settings({ a, b, effective, dryRun: isDry }, ink) {
  const row = (/** @type {string} */ label, /** @type {'A' | 'B'} */ name) =>
    wrap(
      `${showChange(name === 'A' ? a : b)}${effective === name ? '  active now' : ''}`,
      ' '.repeat(LABEL),
      label.padEnd(LABEL),
    ).map((line) => line.replace(label, () => ink(label, 'strong')));
  return [
    ...row(isDry ? 'A (current)' : 'A (before)', 'A'),
    ...row(isDry ? 'B (candidate)' : 'B (tested)', 'B'),
  ];
}
const LABEL = 15;

/** @param {Shown} data @param {Ink} ink @returns {string[]} */
function planned(data, ink) {
  const { order, blockSeconds, seconds, longestSeconds, pairs, keep, confirm, undo } = data;
  const time =
    longestSeconds !== null && longestSeconds > seconds
      ? `${duration(seconds * 1000)} to ${duration(longestSeconds * 1000)}`
      : duration(seconds * 1000);
  return [
    firstLine(data, dryRun(ink), ink),
    ...settings(data, ink),
    ...part('TAKES', time, ink),
    ...part(
      '',
      `${order.length} blocks of ${blockSeconds} s in ${pairs} pairs, in random order such ` +
        `as ${order}. The first seconds after each switch are not counted.`,
      ink,
    ),
    ...part('GUARDRAIL', GUARDRAIL, ink),
    ...ownLimits(data.guardrail.given, ink),
    ...part(
      'AT THE END',
      `A is active again${keep === 'if-better' ? ', or B if it is better' : ''}. After Ctrl-C: A.`,
      ink,
    ),
    headed('WOULD SEND', ink).trimEnd(),
    ...data.commands.flatMap(({ wiredTigerEngineRuntimeConfig: config }) => sendLines(config)),
    ...remarks(data, ink),
    ...callLines(
      [
        ['Run', confirm],
        ['Undo later', confirm && undo],
      ],
      ink,
    ),
  ];
}

const GUARDRAIL =
  'Back to A when operations or cache waits take more than twice as long as in the worst 3 s of A, ' +
  'when errors double, or when no operation completes.';

/** @param {ShownLimits} given @param {Ink} ink */
function ownLimits(given, ink) {
  const own = Object.entries(given).map(
    ([name, limit]) => `${name} ${limit === null ? 'not guarded' : `max ${count(limit)}`}`,
  );
  return own.length > 0 ? part('', `Limits of this call: ${own.join(', ')}.`, ink) : [];
}

/**
 * Prints the result, the figures and the undo on every screen, and as much as fits of the rest.
 * @param {Shown} data
 * @param {Ink} ink
 * @param {{ chartData: ChartSource | null, isWhole: boolean }} how
 * @returns {string[]}
 */
function found(data, ink, { chartData, isWhole }) {
  const [above, below] = [resultLines(data, ink), [...remarks(data, ink), ...wayBack(data, ink)]];
  const details = [
    metricLines(data, ink),
    drawnInterval(data, ink),
    blockLines(data, ink),
    data.switchCost?.say ? wrap(data.switchCost.say, '  ') : [],
    timeChart(data, ink, chartData),
  ];
  if (isWhole) return [...above, ...details.flat(), ...below];
  let left = SCREEN_LINES - above.length - below.length - 1;
  const shown = details.filter((lines) => {
    const fits = lines.length <= left;
    if (fits) left -= lines.length;
    return fits;
  });
  const more = callLines(
    [['Details', shown.length < details.length ? 'tune.last.all()' : null]],
    ink,
  );
  return [...above, ...shown.flat(), ...below, ...more];
}

/** @param {Shown} data @param {Ink} ink @returns {string[]} */
function resultLines(data, ink) {
  const { because, moreBlocks, seconds, effective } = data;
  const verdict = data.verdict ?? 'inconclusive';
  return [
    firstLine(data, ink(`A/B test, ${duration(seconds * 1000)}`, 'faint'), ink),
    headed('RESULT', ink) + ink(RESULTS[verdict] ?? verdict, verdictTone(verdict)),
    ...(because ? wrap(because, '  ') : []),
    ...(moreBlocks === null
      ? []
      : wrap(`About ${many(moreBlocks, 'more block')} would decide.`, '  ')),
    ...settings(data, ink),
    ...expectedLines(data, ink),
    ...(effective === null
      ? part('ACTIVE', 'unknown: tune.settings() shows the active setting', ink, 'warn')
      : []),
  ];
}

/**
 * Prints the expected effect, which is computed from A alone before the trial.
 * @param {Shown} data @param {Ink} ink
 */
const expectedLines = ({ expected, metric }, ink) =>
  expected && metric === 'opsPerSec' ? part('EXPECTED', expectedText(expected), ink) : [];

/** @param {Shown} data @param {Ink} ink @returns {string[]} */
function wayBack(data, ink) {
  const longer = longerTrial(data);
  return [
    ...callLines(
      [
        ['Undo', data.undo],
        ['Longer', longer],
        ['Other', data.effective === 'A' && longer === null ? 'tune.advise()' : null],
      ],
      ink,
    ),
    ...(data.conf ? fragment(KEEP_IN_CONF, withoutHint(data.conf), ink) : []),
  ];
}

/**
 * Draws the confidence interval of the metric that decides.
 * @param {Shown} data @param {Ink} ink
 */
const drawnInterval = ({ metric, ratio, low, high }, ink) =>
  ratio !== null && low !== null && high !== null
    ? interval(seriesName(metric), { ratio, low, high }, ink)
    : [];

/**
 * Prints the figures of each block, in their order.
 * @param {Shown} data @param {Ink} ink @returns {string[]}
 */
function blockLines({ blocks, metric }, ink) {
  const { unit } = TRIAL_METRICS[/** @type {TrialMetric} */ (metric)];
  const row = (/** @type {'A' | 'B'} */ setting) => {
    const own = blocks.filter((block) => block.setting === setting);
    const figures = [...own.map((block) => count(block[metric])), unit];
    return [setting, ...(own.length === 0 ? ['none complete'] : figures)].join('  ');
  };
  return blocks.length === 0 ? [] : [...part('BLOCKS', row('A'), ink), ...part('', row('B'), ink)];
}

/**
 * @param {Shown} data
 * @param {Ink} ink
 * @param {ChartSource | null} chartData
 * @returns {string[]}
 */
function timeChart({ blocks, metric }, ink, chartData) {
  if (chartData === null || blocks.length === 0) return [];
  const drawn = chartData(FINE);
  return renderChart(drawn, ink, { rows: seriesOf(metric, drawn), indent: '  ' });
}

/** @param {Shown} data @param {Ink} ink @returns {string[]} */
const remarks = ({ warnings, notes }, ink) => [
  ...warnings.flatMap((say) => marked('warning', say, ink)),
  ...noteLines(notes, ink),
];

module.exports = { renderTrial };
