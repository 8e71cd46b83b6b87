'use strict';

const { showChange } = require('../../config/change');
const { count, duration, percent } = require('../../base/pure/units');
const { visible } = require('../../base/pure/visible');
const { renderChart, FINE } = require('../../text/chart');
const { table } = require('../../text/table');
const { interval, showRatio } = require('../../text/interval');
const { wrap } = require('../../text/wrap');
const { SHOWN_BESIDE } = require('./figures');

/**
 * @import { Change, Ink, Tone } from '../../base/types'
 * @import { ChartSource } from '../../text/types'
 * @import { Shown } from './types'
 */

/**
 * @typedef {Record<string, any> & { number: number, setting: 'A' | 'B' }} Block
 * @typedef {{
 *   readLatencyMs?: number | null, writeLatencyMs?: number | null, appWaitRatio?: number | null,
 *   errors?: number | null
 * }} Limits
 */

const TONES = Object.freeze(
  /** @type {Record<string, Tone>} */ ({
    better: 'good',
    worse: 'bad',
    same: 'accent',
    inconclusive: 'warn',
  }),
);
const BAR_COLUMNS = 36;

/** The series that show what B did. */
const ROWS = Object.freeze([
  'readsPerSec',
  'writesPerSec',
  'readLatencyMs',
  'writeLatencyMs',
  'readingThreads',
  'evictingThreads',
  'waitingThreads',
  'usedRatio',
  'dirtyRatio',
]);

/**
 * @param {Shown} data
 * @param {Ink} ink
 * @param {ChartSource | null} [chartData] of its samples
 * @returns {string}
 */
const renderTrial = (data, ink, chartData = null) =>
  (data.dryRun ? planned(data, ink) : found(data, ink, chartData)).join('\n').trimEnd();

/** @param {Shown} data @param {Ink} ink */
function settings({ a, b }, ink) {
  return [
    `  A, as it is:     ${showChange(a)}`,
    `  B, as proposed:  ${ink(showChange(b), 'strong')}`,
  ];
}

/** @param {Shown} data @param {Ink} ink @returns {string[]} */
function planned(data, ink) {
  const { host, order, blockSeconds, seconds, longestSeconds, pairs, commands, keep, confirm } =
    data;
  const time =
    longestSeconds !== null && longestSeconds > seconds
      ? `${duration(seconds * 1000)} to ${duration(longestSeconds * 1000)}`
      : duration(seconds * 1000);
  return [
    `${ink(visible(host ?? ''), 'strong')}  ` + `${ink('DRY RUN: nothing was sent', 'accent')}`,
    '',
    ...settings(data, ink),
    '',
    ...wrap(
      `${order.length} blocks of ${blockSeconds} s in ${pairs} pairs, in random order, ` +
        `such as ${order}; ${time} in all. First A is looked at; the first seconds after each ` +
        'switch are not counted.',
      '  ',
    ),
    ...guardLines(data.guardrail.given),
    '',
    ...commands.map(
      ({ wiredTigerEngineRuntimeConfig: config }) =>
        '  to B:  db.adminCommand({ setParameter: 1, wiredTigerEngineRuntimeConfig: ' +
        `${visible(JSON.stringify(config))} })`,
    ),
    '  At the end A is in effect ' +
      `again${keep === 'if-better' ? ', or B if it is better' : ''}; after Ctrl-C, too.`,
    '',
    ...remarks(data, ink),
    `to do it:    ${ink(visible(confirm ?? ''), 'accent')}`,
  ];
}

/** @param {Limits} given */
function guardLines(given) {
  const own = Object.entries(given).map(
    ([name, limit]) => `${name} ${limit === null ? 'not guarded' : `at most ${count(limit)}`}`,
  );
  return [
    ...wrap(
      'Guard: A is back, in steps where it is the lower one, when operations take, or wait ' +
        'for the cache, more than twice as long as in the worst 3 s of A, errors double, or ' +
        'nothing ends any more.',
      '  ',
    ),
    ...(own.length > 0 ? wrap(`Yours: ${own.join(', ')}.`, '  ') : []),
  ];
}

/**
 * @param {Shown} data
 * @param {Ink} ink
 * @param {ChartSource | null} chartData
 * @returns {string[]}
 */
function found(data, ink, chartData) {
  const { host, verdict, because, moreBlocks, seconds, effective } = data;
  const what = `B is ${verdict === 'same' ? 'the same' : verdict}`;
  const head = verdict === 'inconclusive' ? 'inconclusive' : what;
  return [
    `${ink(visible(host ?? ''), 'strong')}  ${ink(head, TONES[verdict ?? 'inconclusive'])}   ` +
      `${ink(effective === null ? 'tune.settings() shows what is in effect' : `${effective} is in effect`, 'strong')}   ` +
      `after ${duration(seconds * 1000)}`,
    '',
    ...settings(data, ink),
    '',
    ...wrap(because ?? '', '  '),
    ...(moreBlocks === null
      ? []
      : wrap(`About ${moreBlocks} blocks more would decide, if it goes on like this.`, '  ')),
    '',
    ...chart(data, ink),
    ...also(data, ink),
    ...timeChart(data, ink, chartData),
    ...switches(data),
    ...remarks(data, ink),
    ...ending(data, ink),
  ];
}

/** @param {Shown} data @param {Ink} ink @returns {string[]} */
function chart({ blocks, metric, ratio, low, high }, ink) {
  const top = Math.max(...blocks.map((block) => block[metric] ?? 0));
  const rows = blocks.map((block) => {
    const value = block[metric];
    const bar = '█'.repeat(
      top > 0 && typeof value === 'number'
        ? Math.max(1, Math.round((value / top) * BAR_COLUMNS))
        : 0,
    );
    return [
      `  ${block.number}`,
      ink(block.setting, block.setting === 'B' ? 'strong' : 'faint'),
      count(value),
      ink(bar, block.setting === 'B' ? 'accent' : 'faint'),
    ];
  });
  if (rows.length === 0) return [];
  const drawn = table(
    [
      { head: '  block', align: 'right' },
      { head: '' },
      { head: metric, align: 'right' },
      { head: '' },
    ],
    rows,
    ink,
  );
  return [
    ...drawn.split('\n'),
    '',
    ...(ratio !== null && low !== null && high !== null
      ? [...interval({ ratio, low, high }, ink), '']
      : []),
  ];
}

/** @param {Shown} data @param {Ink} ink @returns {string[]} */
function also({ effects, metric, blocks }, ink) {
  const rows = SHOWN_BESIDE.filter((name) => effects[name] && name !== metric).map((name) => {
    const { ratio, low, high } = /** @type {{ ratio: number, low: number, high: number }} */ (
      effects[name]
    );
    return [
      `  ${name}`,
      showMean(blocks, 'A', name),
      showMean(blocks, 'B', name),
      showRatio(ratio),
      `${showRatio(low)} to ${showRatio(high)}`,
    ];
  });
  const waits = ['evictingMsPerSec', 'waitingMsPerSec', 'checkpointRatio']
    .filter((name) => blocks.some((block) => block[name] > 0))
    .map((name) => [`  ${name}`, showMean(blocks, 'A', name), showMean(blocks, 'B', name), '', '']);
  if (rows.length + waits.length === 0) return [];
  const drawn = table(
    [
      { head: '  beside it' },
      { head: 'A', align: 'right' },
      { head: 'B', align: 'right' },
      { head: 'B ÷ A', align: 'right' },
      { head: '95%', align: 'right' },
    ],
    [...rows, ...waits],
    ink,
  );
  return [...drawn.split('\n'), ''];
}

/**
 * @param {Shown} data
 * @param {Ink} ink
 * @param {ChartSource | null} chartData
 * @returns {string[]}
 */
const timeChart = ({ blocks }, ink, chartData) =>
  chartData === null || blocks.length === 0
    ? []
    : [...renderChart(chartData(FINE), ink, { rows: ROWS, indent: '  ' }), ''];

/** @param {Shown} data @returns {string[]} what was outside of the blocks */
const switches = ({ switchCost }) => (switchCost?.say ? [...wrap(switchCost.say, '  '), ''] : []);

/** @param {readonly Block[]} blocks @param {'A' | 'B'} setting @param {string} name */
function showMean(blocks, setting, name) {
  const known = blocks
    .filter((block) => block.setting === setting)
    .flatMap((block) => block[name] ?? []);
  if (known.length === 0) return '?';
  const mean = known.reduce((sum, value) => sum + value, 0) / known.length;
  return name.endsWith('Ratio') ? percent(mean) : count(mean);
}

/** @param {Shown} data @param {Ink} ink @returns {string[]} */
function remarks({ warnings, notes }, ink) {
  const lines = [...notes, ...warnings].flatMap((say) =>
    wrap(say, '  ', '! ').map((line) => line.replace(/^!/, ink('!', 'warn'))),
  );
  return lines.length === 0 ? [] : [...lines, ''];
}

/** @param {Shown} data @param {Ink} ink @returns {string[]} */
const ending = ({ undo, conf }, ink) => [
  ...(undo ? [`to undo it:  ${ink(visible(undo), 'accent')}`] : []),
  ...(conf
    ? [
        'to keep it over a restart, in mongod.conf:',
        ...conf
          .trimEnd()
          .split('\n')
          .map((line) => `  ${visible(line)}`),
      ].map((line) => ink(line, 'faint'))
    : []),
];

module.exports = { renderTrial };
