'use strict';

const { count, duration, UNKNOWN } = require('../../base/pure/units');
const { visible } = require('../../base/pure/visible');
const { table } = require('../../text/table');
const { wrap } = require('../../text/wrap');

/**
 * @import { Ink } from '../../base/types'
 * @import { MeasuredStep, StepSequence } from './types'
 */

const NAME = 26;
const BAR = 40;
/** Drift between two measurements of the baseline from which it is reported: as much as a step gains. */
const DRIFT = 0.05;

/** @param {StepSequence} l @param {Ink} ink */
function renderSteps(l, ink) {
  const head = `${ink(visible(l.host ?? UNKNOWN), 'strong')}  MongoDB ${visible(l.version ?? UNKNOWN)}  `;
  const load =
    `${l.workload}, ${count(l.records)} records, ${duration(l.seconds * 1000)} a ` +
    `step${l.warmSeconds > 0 ? ` after ${duration(l.warmSeconds * 1000)} of warming up` : ''}`;
  if (l.dryRun)
    return [
      `${head}${ink('DRY RUN: nothing was changed', 'accent')}`,
      ...wrap(load, ''),
      '',
      ...stepLines(l.steps ?? []),
      '',
      ...wrap(
        'The same call with confirm: true measures them. The settings of the engine are as ' +
          'before at the end.',
        '',
      ),
      ...(l.warnings ?? []).flatMap(mark),
    ].join('\n');
  const measuredSteps = l.measuredSteps ?? [];
  return [
    `${head}${l.ended === 'complete' ? '' : ink(`${l.ended}`, 'warn')}`.trimEnd(),
    ...wrap(`${load}, threads ${l.threads}, processes ${l.processes}`, ''),
    '',
    figures(measuredSteps, ink),
    '',
    ...chart(measuredSteps, ink),
    '',
    ...remarks(l, measuredSteps, ink),
  ]
    .join('\n')
    .trimEnd();
}

/** @param {{ kind: string, name: string }[]} steps */
const stepLines = (steps) => [
  '  0  baseline',
  ...steps.flatMap(({ kind, name }, i) =>
    wrap(
      `${name}${kind === 'host' ? '  (yours to do)' : ''}`,
      '     ',
      `${String(i + 1).padStart(3)}  `,
    ),
  ),
];

/** @param {MeasuredStep[]} measuredSteps @param {Ink} ink */
const figures = (measuredSteps, ink) =>
  table(
    [
      { head: '' },
      { head: 'step', width: NAME },
      ...['ops/s', '÷ before', '÷ baseline', 'p95 ms', 'stalls'].map((head) => ({
        head,
        align: /** @type {const} */ ('right'),
      })),
    ],
    measuredSteps.map((measured) => [
      numberOf(measured),
      visible(measured.name),
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

/**
 * The number in front of a step; the baseline is number 0.
 * @param {MeasuredStep} measured
 */
function numberOf(measured) {
  if (measured.kind === 'step') return String(measured.number);
  return measured.name === 'baseline' ? '0' : '';
}

/** @param {number | null} value */
const times = (value) => (value === null ? '' : value.toFixed(2));

/** @param {MeasuredStep} measured */
const driftOf = ({ name, drift }) =>
  name === 'baseline' || drift === null
    ? ''
    : `drift ${drift >= 1 ? '+' : '−'}${Math.abs((drift - 1) * 100).toFixed(0)}%`;

/** @param {number | null} value */
const ms = (value) => (value === null ? UNKNOWN : count(Number(value.toPrecision(3))));

/** What was gained on the way up, without the drift. @param {MeasuredStep[]} measuredSteps @param {Ink} ink */
function chart(measuredSteps, ink) {
  const shown = measuredSteps.filter(
    ({ kind, name, took }) => took && (kind === 'step' || name === 'baseline'),
  );
  const max = Math.max(...shown.map(({ ratio }) => ratio ?? 0), 1);
  return shown.map(({ name, ratio }) => {
    const length = Math.round(((ratio ?? 0) / max) * BAR);
    const label = visible(name);
    return (
      `${(label.length > NAME ? `${label.slice(0, NAME - 1)}…` : label).padEnd(NAME)}  ` +
      `${ink('█'.repeat(length), (ratio ?? 0) >= 1 ? 'good' : 'bad')} ${times(ratio)}`
    );
  });
}

/** @param {StepSequence} l @param {MeasuredStep[]} measuredSteps @param {Ink} ink */
function remarks(l, measuredSteps, ink) {
  const drifted = measuredSteps.filter(
    ({ kind, drift }) => kind === 'baseline' && Math.abs((drift ?? 1) - 1) > DRIFT,
  );
  return [
    ...measuredSteps
      .filter(({ took }) => !took)
      .flatMap(({ name, why }) =>
        mark(`"${name}" did not take: ${why ?? 'it cannot be seen'}; it was not measured.`),
      ),
    ...(drifted.length > 0
      ? mark(
          'The same settings did not give the same throughput all the time; the ratios are ' +
            'corrected for it, but differences of that size mean little.',
        )
      : []),
    ...(l.warnings ?? []).flatMap(mark),
    ...(l.because ? mark(l.because) : []),
    ...(l.id && !isOpen(l)
      ? wrap(
          l.kept
            ? `The settings of all steps are in effect (${l.id}); tune.undo("${l.id}", { ` +
                'confirm: true }) takes them back.'
            : `The settings are as they were before (${l.id}${l.verified ? ', verified' : ''}).`,
          '',
        )
      : []),
  ].map((line) => ink(line, line.startsWith('!') ? 'warn' : 'faint'));
}

/** What is in effect then is in `because`. @param {StepSequence} l */
const isOpen = ({ ended }) => ended === 'disturbed' || ended === 'lost';

/** @param {string} text */
const mark = (text) => wrap(text, '  ', '! ');

module.exports = { renderSteps };
