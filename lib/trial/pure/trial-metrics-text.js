'use strict';

const { duration, UNKNOWN } = require('../../base/pure/units');
const { showRatio } = require('../../text/interval');
const { headed } = require('../../text/layout');
const { seriesName, showSeries } = require('../../text/series-units');
const { table } = require('../../text/table');
const { SHOWN_BESIDE } = require('./figures');

/**
 * @import { Ink } from '../../base/types'
 * @import { Shown } from './types'
 */

/** These metrics are shown without a ratio: under A they are often 0. */
const WAITS = Object.freeze(['evictingMsPerSec', 'waitingMsPerSec', 'checkpointRatio']);

const NOTHING = new Set(['0', '0.0%', UNKNOWN]);

/** Prints the metric that decides, and the other ones. @param {Shown} data @param {Ink} ink */
function metricLines({ effects, metric, blocks }, ink) {
  const row = (/** @type {string} */ name, /** @type {string[]} */ more) => [
    `  ${seriesName(name)}`,
    showMean(blocks, 'A', name),
    showMean(blocks, 'B', name),
    ...more,
  ];
  const effectOf = (/** @type {string} */ name) =>
    /** @type {{ ratio: number, low: number, high: number } | undefined} */ (effects[name]);
  const measured = [metric, ...SHOWN_BESIDE.filter((name) => name !== metric)].flatMap((name) => {
    const effect = effectOf(name);
    return effect
      ? [
          row(name, [
            showRatio(effect.ratio),
            `${showRatio(effect.low)} to ${showRatio(effect.high)}`,
          ]),
        ]
      : [];
  });
  const waits = WAITS.map((name) => row(name, ['', ''])).filter(([, a, b]) =>
    [a, b].some((shown) => !NOTHING.has(shown)),
  );
  if (measured.length + waits.length === 0) return [];
  const right = /** @type {const} */ ('right');
  return table(
    [
      { head: headed('METRICS', ink).trimEnd() },
      { head: 'A', align: right },
      { head: 'B', align: right },
      { head: 'B ÷ A in pairs', align: right },
      { head: '95% confidence interval', align: right },
    ],
    [...measured, ...waits],
    ink,
  ).split('\n');
}

/** @param {Shown['blocks']} blocks @param {'A' | 'B'} setting @param {string} name */
function showMean(blocks, setting, name) {
  const known = blocks
    .filter((block) => block.setting === setting)
    .flatMap((block) => block[name] ?? []);
  if (known.length === 0) return UNKNOWN;
  const mean = known.reduce((sum, value) => sum + value, 0) / known.length;
  return name.endsWith('Ms') ? duration(mean) : showSeries(name, mean);
}

module.exports = { metricLines };
