'use strict';

const { bytes, count, secondsText, many, percent } = require('../../base/pure/units');
const { visible } = require('../../base/pure/printable');
const { firstLine, noteLines, part, SCREEN_LINES } = require('../../text/layout');
const { titledTable } = require('../../text/table');
const { codeLines, wrap } = require('../../text/wrap');
const { MIN_LOST_THREADS } = require('../../who/pure/culprit');

/**
 * @import { WhoAnswer, WhoCulprit, WhoRow } from '../../who/pure/answer'
 * @import { Resource } from '../../who/types'
 * @import { Ink } from '../../base/types'
 */

/** Rows take two lines each, and the screen must also show the conclusion. */
const MIN_ROWS = 2;
const WAITED = Object.freeze(
  /** @type {Record<Resource, string>} */ ({
    reading: 'reading pages',
    eviction: 'waiting for cache space',
    throttled: 'flow control',
    majority: 'the majority',
    queued: 'tickets and locks',
    cpu: 'CPU',
  }),
);
const COLUMNS = Object.freeze([
  ...['   share', 'waits', 'run time', 'logged', 'examined'].map((head) => ({
    head,
    align: /** @type {const} */ ('right'),
  })),
  { head: 'waits for' },
]);

/**
 * Prints the answer of tune.who.
 * @param {WhoAnswer} answer
 * @param {Ink} ink
 * @returns {string}
 */
function renderWho(answer, ink) {
  const above = [
    firstLine(answer, ink(`${count(answer.window.seconds)} s`, 'faint'), ink),
    ...culpritLines(answer, ink),
  ];
  const below = [...unseenLines(answer, ink), ...noteLines(answer.notes, ink)];
  const room = Math.floor((SCREEN_LINES - above.length - below.length - 3) / 2);
  const rows = answer.rows.filter(({ share }) => share > 0).slice(0, Math.max(MIN_ROWS, room));
  const more = answer.rows.length + answer.hiddenRows - rows.length;
  return [
    ...above,
    ...(rows.length === 0
      ? []
      : titledTable(
          COLUMNS,
          rows.map((row) => ({ title: title(row, ink), cells: cells(row) })),
          ink,
        )),
    ...(more > 0 ? [ink(`  and ${many(more, 'row')} more: tune.last.rows`, 'faint')] : []),
    ...below,
  ].join('\n');
}

/** @param {WhoAnswer} answer @param {Ink} ink @returns {string[]} */
function culpritLines({ culprit, lostThreads, lost, lostSeconds }, ink) {
  const waits =
    (lostThreads ?? 0) < MIN_LOST_THREADS
      ? `Application threads hardly wait (${many(lostThreads, 'thread')} on average).`
      : `${many(lostThreads, 'application thread')} blocked on average: ${partsText(lost, lostSeconds)}.`;
  if (culprit === null)
    return [
      ...part(
        'CAUSE',
        (lostThreads ?? 0) < MIN_LOST_THREADS
          ? 'none: no query or task makes others wait'
          : 'no single query or task stands out',
        ink,
        'good',
      ),
      ...wrap(waits, '  '),
    ];
  return [
    ...part('CAUSE', culprit.say, ink, 'warn'),
    ...wrap(`${culprit.evidence.join('; ')}.`, '  '),
    ...wrap(waits, '  '),
    ...remedyLines(culprit, ink),
  ];
}

/** @param {WhoCulprit} culprit @param {Ink} ink @returns {string[]} */
function remedyLines({ remedy, explain, index }, ink) {
  return [
    ...part('DO FIRST', index === null ? remedy : checkText(explain), ink),
    ...[explain, index?.command].flatMap((code) =>
      code ? codeLines(code, '    ').map((line) => ink(line, 'strong')) : [],
    ),
    ...(index === null ? [] : wrap(costText(index), '  ')),
  ];
}

/** @param {string | null} explain */
const checkText = (explain) =>
  `Check the plan${explain?.includes(VALUE) ? ` with your values for ${VALUE}` : ''}, then try an index:`;
const VALUE = '<value>';

/** @param {NonNullable<WhoCulprit['index']>} index */
const costText = (index) =>
  `Its cost: ${index.bytes === null ? '' : `about ${bytes(index.bytes)} of disk and cache; `}` +
  `${index.cost}.`;

/** @param {WhoAnswer['lost']} lost @param {number} all */
const partsText = (lost, all) =>
  Object.entries(lost)
    .filter(([, seconds]) => seconds > 0)
    .sort(([, a], [, b]) => b - a)
    .slice(0, 3)
    .map(([name, seconds]) => `${percent(seconds / all)} ${WAITED[/** @type {Resource} */ (name)]}`)
    .join(', ');

/** @param {WhoRow} row @param {Ink} ink */
const title = ({ task, ns, app, shape }, ink) =>
  `  ${ink(visible(ns === '' ? String(task ?? 'unknown') : ns), 'strong')}  ` +
  `${task === null ? visible(shape) : ink(visible(task), 'accent')}` +
  `${app === null ? '' : `  ${ink(visible(app), 'faint')}`}`;

/** @param {WhoRow} row @returns {string[]} */
const cells = ({ share, lostSeconds, seconds, logged, examined, lost }) => [
  percent(share),
  secondsText(lostSeconds),
  secondsText(seconds),
  count(logged),
  count(examined ?? undefined),
  WAITED[
    /** @type {Resource} */ (
      Object.entries(lost).reduce((most, one) => (one[1] > most[1] ? one : most))[0]
    )
  ],
];

/** @param {WhoAnswer} answer @param {Ink} ink @returns {string[]} */
function unseenLines({ unseen, explainedRatio, sources, lostThreads }, ink) {
  const from = [
    sources.slowOperations === null ? null : many(sources.slowOperations, 'slow operation'),
    sources.operationSamples === null
      ? null
      : many(
          sources.operationSamples,
          'sample of running operations',
          'samples of running operations',
        ),
  ].filter(Boolean);
  return [
    ...(explainedRatio === null || (lostThreads ?? 0) < MIN_LOST_THREADS
      ? []
      : [
          `  not attributed to an operation: ${percent(unseen.share)} of the wait time (${secondsText(unseen.lostSeconds)})`,
        ]),
    ...(from.length === 0
      ? []
      : wrap(`From ${from.join(' and ')}.`, '  ').map((l) => ink(l, 'faint'))),
  ];
}

module.exports = { renderWho };
