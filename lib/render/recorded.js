'use strict';

const { bytes, count, duration, percent } = require('../model/units');
const { renderAdvice } = require('./advice');
const { spark } = require('./spark');

/**
 * @typedef {import('./report').Ink} Ink
 * @typedef {import('../model/plot').Plot} Plot
 */

const WIDTH = 64;
const NAME_WIDTH = 18;
/** Ratios are drawn from 0 to 1, everything else up to its greatest value. */
const RATIO = /Ratio$/;

/** @type {[RegExp, (value: number) => string][]} */
const UNITS = [[RATIO, percent], [/Bytes/, bytes], [/Ms$/, duration]];

/**
 * @param {any} data of the advice, with `worst` and `others` @param {Plot | null} plot @param {Ink} ink
 * @returns {string}
 */
function renderRecorded(data, plot, ink) {
  if (data.window.from === null) return [`bottleneck: ${ink('unknown', 'faint')}`, `  ${data.because}`, ...data.notes.map((/** @type {string} */ note) => ink(`note: ${note}`, 'faint'))].join('\n');
  return [renderPlot(plot, ink, data.worst), '', renderAdvice(data, ink)].join('\n');
}

/** @param {Plot | null} plot @param {Ink} ink @param {{ from: Date, to: Date } | null} [worst] marked below the lines @returns {string} */
function renderPlot(plot, ink, worst = null) {
  if (plot === null || plot.at.length === 0) return ink('nothing to draw', 'faint');
  const lines = Object.entries(plot.series).filter(([, values]) => values.some((value) => value !== null && value !== 0)).map(([name, values]) => line(name, values, ink));
  const head = `${' '.repeat(NAME_WIDTH)}  ${time(plot.from)}${time(plot.to).padStart(WIDTH - time(plot.from).length)}`;
  return [ink(head, 'faint'), ...lines, ...(worst === null ? [] : [mark(plot, worst, ink)])].join('\n');
}

/** @param {string} name @param {readonly (number | null)[]} values @param {Ink} ink */
function line(name, values, ink) {
  const cells = spread(values);
  const most = Math.max(...cells.map((value) => value ?? 0));
  const show = UNITS.find(([pattern]) => pattern.test(name))?.[1] ?? count;
  return `${name.padEnd(NAME_WIDTH)}  ${ink(spark(cells, { width: WIDTH, ...(RATIO.test(name) && { top: 1 }) }), 'accent')}  up to ${show(most)}`;
}

/** As many cells as fit, each the greatest of its values. @param {readonly (number | null)[]} values @returns {(number | undefined)[]} */
function spread(values) {
  return Array.from({ length: WIDTH }, (_, i) => {
    const from = Math.floor((i * values.length) / WIDTH);
    const some = values.slice(from, Math.max(from + 1, Math.floor(((i + 1) * values.length) / WIDTH))).filter((value) => value !== null);
    return some.length === 0 ? undefined : Math.max(...some);
  });
}

/** @param {Plot} plot @param {{ from: Date, to: Date }} worst @param {Ink} ink */
function mark(plot, { from, to }, ink) {
  const share = (/** @type {Date} */ date) => (date.getTime() - plot.from.getTime()) / Math.max(1, plot.to.getTime() - plot.from.getTime());
  // A clock that was set back may lead out of the line.
  const cell = (/** @type {Date} */ date) => Math.round(Math.min(1, Math.max(0, share(date))) * (WIDTH - 1));
  const length = Math.max(1, cell(to) - cell(from));
  return `${'judged'.padEnd(NAME_WIDTH)}  ${' '.repeat(Math.min(WIDTH - length, cell(from)))}${ink('^'.repeat(length), 'warn')}  ${time(from)} to ${time(to)}`;
}

/** @param {Date} date */
const time = (date) => date.toISOString().slice(0, 19).replace('T', ' ');

/** @param {{ file: string, bytes: number, host: string | null, samples: number, seconds: number, ended: string, notes: string[] }} data @param {Ink} ink @returns {string} */
function renderRecord({ file, bytes: size, host, samples, seconds, ended, notes }, ink) {
  return [
    `${ink(file, 'strong')}  ${count(samples)} looks at ${host ?? '?'} in ${duration(seconds * 1000)}, ${bytes(size)}${ended === 'complete' ? '' : ink(`  (${ended})`, 'warn')}`,
    `  ${ink(`tune.replay(${JSON.stringify(file)})`, 'strong')} gives the advice, here or anywhere.`,
    ...notes.map((note) => ink(`note: ${note}`, 'faint')),
  ].join('\n');
}

module.exports = { renderRecorded, renderPlot, renderRecord };
