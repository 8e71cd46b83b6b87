'use strict';

const { UNKNOWN } = require('../../../base/pure/units');
const { html } = require('./markup');
const { timeChart } = require('./chart-group');
const { renderPage } = require('./page');

/**
 * @import { ChartData } from '../../../series/chart-data'
 * @import { Data } from './chart-group'
 * @import { Part } from './elements'
 * @import { Kind, Shown } from './kinds'
 * @import { Assets } from './page'
 */

/**
 * A page of one answer, or of several about the same server: the first one leads.
 * @typedef {{ value: any, kind: Kind, drawn: ChartData | null }} Item
 *   `drawn`: null where nothing of it can be drawn
 */

/**
 * @param {readonly Item[]} items at least one
 * @param {{ at: Date, assets: Assets, notes: readonly string[] }} about
 * @returns {string} HTML
 */
function renderReport(items, { at, assets, notes }) {
  /** @type {Data} */
  const data = { lines: [], charts: [], groups: [] };
  const shown = items.map((item, i) => ({ ...item, shown: item.kind.show(item.value, keyOf(i)) }));
  const [first] = shown;
  const host = items.map(({ value }) => value.host).find(Boolean) ?? UNKNOWN;
  const version = items.map(({ value }) => value.version).find(Boolean);
  return renderPage({
    title: host,
    at,
    assets,
    data,
    sub: html`${version && html`MongoDB ${version}, `}${first.shown.name.toLowerCase()} ${first.shown.sub}`,
    parts: shown.flatMap((one, i) => partsOf(one, i, data)),
    notes: [...new Set([...shown.flatMap((one) => one.shown.notes), ...notes])],
  });
}

/** @param {number} i */
const keyOf = (i) => (i === 0 ? '' : `-${i + 1}`);

/**
 * Verdict, change, course, and then what it stands on.
 * @param {Item & { shown: Shown }} one
 * @param {number} i
 * @param {Data} data
 * @returns {Part[]}
 */
function partsOf({ value, kind, drawn, shown }, i, data) {
  const lead =
    shown.lead === null
      ? []
      : [{ id: `verdict${keyOf(i)}`, title: i === 0 ? 'Verdict' : shown.name, body: shown.lead }];
  const wantsChart = drawn !== null || kind.draw !== undefined || kind.name === 'an advice';
  const drawing =
    wantsChart && !value.dryRun
      ? [
          timeChart(
            drawn === null ? [] : [drawn],
            { key: keyOf(i), elapsed: kind.elapsed === true },
            data,
          ),
        ]
      : [];
  return [...lead, ...shown.before, ...drawing, ...shown.after];
}

module.exports = { renderReport };
