'use strict';

const { UNKNOWN, bytes, count, duration, percent, many } = require('../../../base/pure/units');
const { joined, html, showThreshold } = require('./elements');

/**
 * @import { ChartData } from '../../../text/types'
 * @import { Markup } from './elements'
 * @import { Placed } from './types'
 */

/**
 * @typedef {'perSec' | 'ms' | 'ratio' | 'bytesPerSec' | 'bytes' | 'number'} Unit
 * @typedef {{
 *   id: string, title: string, say?: string, unit: Unit, series: Record<string, string>,
 *   levels?: Record<string, string>, min?: number
 * }} Chart
 *   `series`, `levels`: id and name of each; `min`: the axis reaches at least this value
 */

const CHARTS = Object.freeze(
  /** @type {Chart[]} */ ([
    {
      id: 'operations',
      title: 'Operations',
      say: 'per second',
      unit: 'perSec',
      series: { readsPerSec: 'reads', writesPerSec: 'writes', opsPerSec: 'operations' },
    },
    {
      id: 'latency',
      title: 'Latency',
      say: 'mean per operation',
      unit: 'ms',
      series: { readLatencyMs: 'reads', writeLatencyMs: 'writes', meanMs: 'mean', maxMs: 'max' },
    },
    {
      id: 'clients',
      title: 'Application threads blocked',
      say: 'mean number of threads',
      unit: 'number',
      series: {
        heldUpThreads: 'blocked',
        readingThreads: 'reading pages',
        evictingThreads: 'evicting',
        waitingThreads: 'waiting for cache space',
        queued: 'queued for tickets or locks',
      },
      min: 0.1,
    },
    {
      id: 'dirty',
      title: 'Dirty data and updates',
      say: '% of cache',
      unit: 'ratio',
      series: { dirtyRatio: 'dirty', updatesRatio: 'updates' },
      levels: {
        dirtyTargetRatio: 'dirty target',
        dirtyTriggerRatio: 'dirty trigger',
        updatesTriggerRatio: 'updates trigger',
      },
    },
    {
      id: 'fill',
      title: 'Cache used',
      say: '% of cache',
      unit: 'ratio',
      series: { usedRatio: 'used' },
      levels: { targetRatio: 'target', triggerRatio: 'trigger' },
      min: 1,
    },
    {
      id: 'eviction',
      title: 'Pages evicted',
      say: 'pages per second',
      unit: 'perSec',
      series: {
        workerPagesPerSec: 'by eviction threads',
        appPagesPerSec: 'by application threads',
      },
    },
    {
      id: 'traffic',
      title: 'Data read and written by the cache',
      say: 'bytes per second',
      unit: 'bytesPerSec',
      series: { readBytesPerSec: 'read into cache', writtenBytesPerSec: 'written from cache' },
    },
    {
      id: 'tickets',
      title: 'Tickets in use',
      say: 'operations in the storage engine',
      unit: 'number',
      series: { readTickets: 'read', writeTickets: 'write' },
      levels: { readTickets: 'read total', writeTickets: 'write total' },
    },
    {
      id: 'checkpoints',
      title: 'Duration of the last checkpoint',
      unit: 'ms',
      series: { checkpointMs: 'last checkpoint' },
    },
    {
      id: 'memory',
      title: 'Memory of mongod',
      unit: 'bytes',
      series: { residentBytes: 'resident', cacheBytes: 'used by the cache' },
      levels: { memoryBytes: 'memory of the machine' },
    },
    {
      id: 'cpus',
      title: 'CPU cores used by mongod',
      unit: 'number',
      series: { cpuCores: 'cores' },
      levels: { cores: 'cores of the machine' },
    },
  ]),
);

/** @type {Readonly<Record<Unit, (value: number) => string>>} */
const SHOWN = Object.freeze({
  perSec: (n) => `${count(n)}/s`,
  ms: duration,
  ratio: percent,
  bytesPerSec: (n) => `${bytes(n)}/s`,
  bytes,
  number: count,
});

/**
 * Chooses the charts for which any of the lines has a series.
 * @param {readonly ChartData[]} lines side by side
 * @returns {readonly Chart[]}
 */
const chartsOf = (lines) =>
  CHARTS.filter(({ series }) =>
    lines.some((line) => Object.keys(series).some((name) => line.series[name] !== undefined)),
  );

/**
 * Makes one chart: its figure on the page, with a legend that can be read without a picture.
 * @param {Chart} chart
 * @param {ChartData} drawn
 * @param {{ line: number, top: number | null, key: string }} place `line`: the number of its line;
 *   `top`: the top of the axis, where another chart shares it; `key`: makes its id unique
 * @returns {{ markup: Markup, placed: Placed | null }}
 */
function chartOf(chart, drawn, { line, top, key }) {
  const names = Object.keys(chart.series).filter((name) => drawn.series[name] !== undefined);
  const levels = Object.entries(chart.levels ?? {}).flatMap(([name, label]) =>
    drawn.levels[name] === undefined
      ? []
      : [
          /** @type {[string, number]} */ ([
            `${label}${noteOf(drawn.levelNotes?.[name])}`,
            drawn.levels[name],
          ]),
        ],
  );
  const id = `chart-${chart.id}${key}`;
  if (names.length === 0)
    return {
      placed: null,
      markup: html`<figure class="chart"><h3>${chart.title}</h3><p class="faint">Not reported here.</p></figure>`,
    };
  return {
    placed: {
      id,
      line,
      unit: chart.unit,
      title: chart.title,
      min: chart.min ?? 0,
      series: names,
      levels,
      top,
    },
    markup: html`<figure class="chart" aria-labelledby="${id}-title">${[
      html`<h3 id="${id}-title">${chart.title}${chart.say && html` <small>${chart.say}</small>`}</h3>`,
      html`<div class="plot" id="${id}" tabindex="0" role="img"`,
      html` aria-label="${spokenText(chart, drawn, names)}"></div>`,
      legend(chart, drawn, names, levels),
    ]}</figure>`,
  };
}

/** @param {string | undefined} note */
const noteOf = (note) => (note === undefined ? '' : ` (${note})`);

/** @param {Chart} chart @param {ChartData} drawn @param {readonly string[]} names @returns {string} */
const spokenText = ({ title, series, unit }, drawn, names) =>
  `${title}, a time series. ${names
    .map(
      (name) =>
        `${series[name]}: ${figuresOf(drawn, name)
          .map(([what, value]) => `${what} ${shown(unit, value)}`)
          .join(', ')}`,
    )
    .join('; ')}`;

/**
 * Computes minimum, mean and maximum of a series; for a trial, the means in the blocks of A and B.
 * @param {ChartData} drawn
 * @param {string} name
 * @returns {[string, number | null][]}
 */
function figuresOf({ blocks, summary }, name) {
  const { min, mean, max } = summary[name];
  const ofSetting = (/** @type {string} */ setting) => {
    const known = blocks.flatMap((block) =>
      block.setting === setting ? (block.means?.[name] ?? []) : [],
    );
    return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
  };
  if (blocks.some(({ means }) => means !== undefined))
    return [
      ['mean A', ofSetting('A')],
      ['mean B', ofSetting('B')],
      ['max', max],
    ];
  return [
    ['min', min],
    ['mean', mean],
    ['max', max],
  ];
}

/** @param {Unit} unit @param {number | null} value */
const shown = (unit, value) => (value === null ? UNKNOWN : SHOWN[unit](value));

/**
 * @param {Chart} chart
 * @param {ChartData} drawn
 * @param {readonly string[]} names
 * @param {readonly [string, number][]} levels
 * @returns {Markup}
 */
function legend({ title, series, unit }, drawn, names, levels) {
  const heads = figuresOf(drawn, names[0]).map(([head]) => html`<th scope="col">${head}</th>`);
  const row = (/** @type {string} */ name, /** @type {number} */ i) =>
    html`<tr>${[
      html`<th scope="row"><button type="button" class="series" aria-pressed="true" data-series="${name}"><span class="swatch s${i + 1}"></span>${series[name]}</button></th>`,
      html`<td class="now">–</td>`,
      ...figuresOf(drawn, name).map(([, value]) => html`<td>${shown(unit, value)}</td>`),
    ]}</tr>`;
  const showLevel = unit === 'ratio' ? showThreshold : SHOWN[unit];
  const levelTexts = levels.map(
    ([label, value], i) => html`${i > 0 && ' · '}${label} ${showLevel(value)}`,
  );
  return joined(
    html`<table class="legend"><caption class="hidden-text">${title}: figures</caption>`,
    html`<thead><tr><th scope="col"><span class="hidden-text">series</span></th>`,
    html`<th scope="col" class="now">at cursor</th>${heads}</tr></thead>`,
    html`<tbody>${names.map(row)}</tbody></table>`,
    levels.length > 0 && html`<p class="levels">${levelTexts}</p>`,
  );
}

/**
 * Computes the top of the axis that charts side by side share.
 * @param {Chart} chart
 * @param {readonly ChartData[]} lines
 * @returns {number}
 */
const topOf = ({ series, min = 0 }, lines) =>
  Math.max(
    min,
    ...lines.flatMap(({ summary }) => Object.keys(series).map((name) => summary[name]?.max ?? 0)),
  );

/**
 * Describes what the series contain and how they are drawn.
 * @param {ChartData} drawn
 * @returns {string}
 */
function aboutSeries({ sampleCount, downsampledTo, stalls, checkpoints, breaks, blocks }) {
  return (
    [
      ...(blocks.length > 0 ? [many(blocks.length, 'block')] : []),
      ...(blocks.length > 0 && sampleCount <= blocks.length ? [] : [many(sampleCount, 'sample')]),
      ...(downsampledTo === null
        ? []
        : [`downsampled to ${count(downsampledTo)} buckets that keep each minimum and maximum`]),
      ...(checkpoints === null ? [] : [many(checkpoints.length, 'checkpoint')]),
      ...(stalls === null ? [] : [many(stalls.length, 'stall')]),
      ...(breaks.length > 0 ? [many(breaks.length, 'gap or restart', 'gaps or restarts')] : []),
    ].join('; ') + '.'
  );
}

module.exports = { CHARTS, SHOWN, chartsOf, chartOf, topOf, aboutSeries };
