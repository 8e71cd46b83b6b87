'use strict';

const { callText, visible } = require('../../base/pure/printable');
const { count, secondsText, UNKNOWN } = require('../../base/pure/units');
const { callLines, dryRun, firstLine, headed, marked, part } = require('../../text/layout');
const { table } = require('../../text/table');
const { wrap } = require('../../text/wrap');

/**
 * @import { Ink } from '../../base/types'
 * @import { MeasuredStep, StepSequence } from './types'
 */

const NAME = 22;
const BAR = 8;
/** A drift of the baseline from this on is reported: it is as much as a step gains. */
const DRIFT = 0.05;

/** @param {StepSequence} l @param {Ink} ink */
function renderSteps(l, ink) {
  const measured = l.measuredSteps ?? [];
  const load =
    `${l.workload}, ${count(l.records)} records, ${secondsText(l.seconds)} a ` +
    `step${l.warmSeconds > 0 ? ` after a warm-up of ${secondsText(l.warmSeconds)}` : ''}`;
  if (l.dryRun)
    return [
      firstLine(l, dryRun(ink, 'nothing was changed'), ink),
      ...part('WORKLOAD', load, ink),
      headed('STEPS', ink).trimEnd(),
      ...stepLines(l.steps ?? []),
      ...(l.warnings ?? []).flatMap((text) => marked('warning', text, ink)),
      ...part(
        'AT THE END',
        `the engine settings ${l.keepSteps ? 'of all steps stay active (keepSteps)' : 'are as before'}`,
        ink,
      ),
      ...part('DATABASE', `${l.database}; no other database is touched`, ink),
      ...callLines([['Run', l.confirm ?? null]], ink),
    ].join('\n');
  return [
    firstLine(l, l.ended === 'complete' ? '' : ink(`ended early: ${l.ended}`, 'warn'), ink),
    ...result(measured, ink),
    ...part('WORKLOAD', `${load}, threads ${l.threads}, processes ${l.processes}`, ink),
    figures(measured, ink),
    ink('  ops/s: as measured; gain (to the step before), total and bars: drift removed', 'faint'),
    ...remarks(l, measured, ink),
  ].join('\n');
}

/**
 * Prints the whole gain of the steps that took.
 * @param {MeasuredStep[]} measured
 * @param {Ink} ink
 */
function result(measured, ink) {
  const last = measured.findLast(({ kind, took }) => kind === 'step' && took);
  if (last === undefined) return part('RESULT', 'no step was measured', ink, 'strong');
  const gain = `all steps together ${times(last.ratio)} of the baseline`;
  const drifted = measured.find((step) => isDrifted(step) && far(step.drift) >= far(last.ratio));
  return drifted === undefined
    ? part('RESULT', gain, ink, 'strong')
    : part(
        'RESULT',
        `inconclusive: ${gain}; the baseline alone drifted ${shareText(Number(drifted.drift))}`,
        ink,
        'warn',
      );
}

/** Measures how far a ratio is from 1, either way. @param {number | null} ratio */
const far = (ratio) => Math.abs(Math.log(ratio ?? 1));

/** @param {MeasuredStep} step @returns {boolean} whether it measures a baseline that has drifted */
const isDrifted = ({ kind, drift }) => kind === 'baseline' && Math.abs((drift ?? 1) - 1) > DRIFT;

/** @param {{ kind: string, name: string }[]} steps */
const stepLines = (steps) => [
  '  0  baseline',
  ...steps.flatMap(({ kind, name }, i) =>
    wrap(
      `${name}${kind === 'host' ? '  (you do this one)' : ''}`,
      '     ',
      `${String(i + 1).padStart(3)}  `,
    ),
  ),
];

/** @param {MeasuredStep[]} measuredSteps @param {Ink} ink */
function figures(measuredSteps, ink) {
  const top = Math.max(...measuredSteps.map(({ ratio }) => ratio ?? 0), 1);
  return table(
    [
      { head: '   ' },
      { head: 'step', width: NAME },
      { head: '' },
      ...['ops/s', 'gain', 'total', 'p95 ms', 'stalls'].map((head) => ({
        head,
        align: /** @type {const} */ ('right'),
      })),
    ],
    measuredSteps.map((measured) => [
      `  ${numberOf(measured)}`,
      visible(measured.name),
      barOf(measured, top, ink),
      measured.opsPerSec === null ? '' : count(Math.round(measured.opsPerSec)),
      ...(measured.took
        ? [
            measured.kind === 'step' ? times(measured.gain) : '',
            measured.kind === 'step' ? times(measured.ratio) : driftOf(measured),
            ms(measured.p95Ms),
            count(measured.stalls),
          ]
        : ['', ink('not taken', 'warn'), '', '']),
    ]),
    ink,
  );
}

/**
 * Numbers the steps; the baseline has number 0.
 * @param {MeasuredStep} measured
 */
function numberOf(measured) {
  if (measured.kind === 'step') return String(measured.number);
  return measured.name === 'baseline' ? '0' : '';
}

/** @param {number | null} value */
const times = (value) => (value === null ? '' : `×${value.toFixed(2)}`);

/** @param {MeasuredStep} measured */
const driftOf = ({ name, drift }) =>
  name === 'baseline' || drift === null ? '' : `drift ${shareText(drift)}`;

/** @param {number} ratio @returns {string} `+12%` */
const shareText = (ratio) => `${ratio >= 1 ? '+' : '−'}${Math.abs((ratio - 1) * 100).toFixed(0)}%`;

/** @param {number | null} value */
const ms = (value) => (value === null ? UNKNOWN : count(Number(value.toPrecision(3))));

/**
 * Draws the ratio as a bar; measurements of drift have none.
 * @param {MeasuredStep} measured
 * @param {number} top
 * @param {Ink} ink
 */
function barOf({ kind, name, took, ratio }, top, ink) {
  if (!took || (kind !== 'step' && name !== 'baseline')) return '';
  const length = Math.round(((ratio ?? 0) / top) * BAR);
  return ink('█'.repeat(length), (ratio ?? 0) >= 1 ? 'good' : 'bad');
}

/** @param {StepSequence} l @param {MeasuredStep[]} measuredSteps @param {Ink} ink */
function remarks(l, measuredSteps, ink) {
  const drifted = measuredSteps.filter(isDrifted);
  return [
    ...measuredSteps
      .filter(({ took }) => !took)
      .flatMap(({ name, why }) =>
        marked('warning', `"${name}" was not measured: ${why ?? 'its effect cannot be read'}`, ink),
      ),
    ...(drifted.length > 0
      ? marked(
          'warning',
          'The baseline drifted during the run. The ratios are corrected for it; differences of ' +
            'that size mean little.',
          ink,
        )
      : []),
    ...(l.warnings ?? []).flatMap((text) => marked('warning', text, ink)),
    ...(l.because ? marked('warning', l.because, ink) : []),
    ...(l.id && !isOpen(l)
      ? part(
          'SETTINGS',
          l.kept
            ? 'those of all steps stay active (keepSteps)'
            : `as before${l.verified ? ', verified' : ''}`,
          ink,
        )
      : []),
    ...callLines(
      [['Undo', l.id && l.kept ? callText('undo', l.id, { confirm: true }) : null]],
      ink,
    ),
  ];
}

/** `because` has the settings that are active then. @param {StepSequence} l */
const isOpen = ({ ended }) => ended === 'disturbed' || ended === 'lost';

module.exports = { renderSteps };
