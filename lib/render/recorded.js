'use strict';

const { UNKNOWN, bytes, count, duration } = require('../model/units');
const { renderAdvice } = require('./advice');
const { renderCompared } = require('./compared');
const { showSeries, topOf } = require('./series');
const { spark } = require('./spark');
const { wrap } = require('./wrap');

/**
 * @typedef {import('./report').Ink} Ink
 * @typedef {import('../model/plot').Plot} Plot
 */

/** Cells of a line, so that the name before it and the greatest value behind it find room in 80 columns. */
const CELLS = 44;
const NAME_WIDTH = 18;
/**
 * @param {any} data of the advice, with `worst` and `others` @param {Plot | null} plot @param {Ink} ink
 * @returns {string}
 */
function renderRecorded(data, plot, ink) {
  if (data.window.from === null) return [`bottleneck: ${ink('unknown', 'faint')}`, ...wrap(data.because, '  '), ...notes(data.notes, ink)].join('\n');
  return [renderPlot(plot, ink, data.worst), '', renderAdvice(data, ink), ...(data.compared ? ['', renderCompared(data.compared, data.bottleneck, ink)] : [])].join('\n');
}

/** @param {Plot | null} plot @param {Ink} ink @param {{ from: Date, to: Date } | null} [worst] marked below the lines @returns {string} */
function renderPlot(plot, ink, worst = null) {
  if (plot === null || plot.at.length === 0) return ink('nothing to draw', 'faint');
  const lines = Object.entries(plot.series).filter(([name, values]) => isAnything(name, values)).map(([name, values]) => line(name, values, ink));
  const head = `${' '.repeat(NAME_WIDTH)}  ${time(plot.from)}${time(plot.to).padStart(CELLS - time(plot.from).length)}  UTC`;
  return [ink(head, 'faint'), ...lines, ...(worst === null ? [] : [mark(plot, worst, ink)])].join('\n');
}

/** @param {string} name @param {readonly (number | null)[]} values @returns {boolean} whether there is more of it than would be shown as 0 */
const isAnything = (name, values) => values.some((value) => value !== null && value !== 0 && showSeries(name, value) !== '0');

/** @param {string} name @param {readonly (number | null)[]} values @param {Ink} ink */
function line(name, values, ink) {
  const cells = spread(values);
  const most = Math.max(...cells.map((value) => value ?? 0));
  return `${name.padEnd(NAME_WIDTH)}  ${ink(spark(cells, { width: CELLS, top: topOf(name) }), 'accent')}  up to ${showSeries(name, most)}`;
}

/** As many cells as fit, each the greatest of its values. @param {readonly (number | null)[]} values @returns {(number | undefined)[]} */
function spread(values) {
  return Array.from({ length: CELLS }, (_, i) => {
    const from = Math.floor((i * values.length) / CELLS);
    const some = values.slice(from, Math.max(from + 1, Math.floor(((i + 1) * values.length) / CELLS))).filter((value) => value !== null);
    return some.length === 0 ? undefined : Math.max(...some);
  });
}

/** @param {Plot} plot @param {{ from: Date, to: Date }} worst @param {Ink} ink */
function mark(plot, { from, to }, ink) {
  const share = (/** @type {Date} */ date) => (date.getTime() - plot.from.getTime()) / Math.max(1, plot.to.getTime() - plot.from.getTime());
  // A clock that was set back may lead out of the line.
  const cell = (/** @type {Date} */ date) => Math.round(Math.min(1, Math.max(0, share(date))) * (CELLS - 1));
  const length = Math.max(1, cell(to) - cell(from));
  return [
    `${'judged'.padEnd(NAME_WIDTH)}  ${' '.repeat(Math.min(CELLS - length, cell(from)))}${ink('^'.repeat(length), 'warn')}`,
    `${' '.repeat(NAME_WIDTH)}  ${time(from)} to ${time(to)}`,
  ].join('\n');
}

/** @param {Date} date */
const time = (date) => date.toISOString().slice(0, 19).replace('T', ' ');

/** @param {readonly string[]} list @param {Ink} ink */
const notes = (list, ink) => list.flatMap((note) => wrap(note, '      ', 'note: ')).map((row) => ink(row, 'faint'));

/** @param {{ file: string, bytes: number, host: string | null, samples: number, seconds: number, ended: string, notes: string[] }} data @param {Ink} ink @returns {string} */
function renderRecord({ file, bytes: size, host, samples, seconds, ended, notes: list }, ink) {
  return [
    ...wrap(file, '').map((row) => ink(row, 'strong')),
    ...wrap(`${count(samples)} ${samples === 1 ? 'look' : 'looks'} at ${host ?? UNKNOWN} in ${duration(seconds * 1000)}, ${bytes(size)}${ended === 'complete' ? '' : ` (${ended})`}`, '  '),
    `  ${ink(`tune.replay(${JSON.stringify(file)})`, 'strong')} gives the advice, here or anywhere.`,
    ...notes(list, ink),
  ].join('\n');
}

module.exports = { renderRecorded, renderPlot, renderRecord };
