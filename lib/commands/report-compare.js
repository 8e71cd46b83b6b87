'use strict';

const { TuneError } = require('../base/pure/errors');
const { checkOptions, flag, text } = require('../base/pure/options');
const { itemsOf } = require('../report/pure/html/kinds');
const { targetFor, writePage } = require('../base/write-page');
const { dataOf, readRecording, written } = require('./report');

/**
 * @import { Context } from '../base/context'
 * @import { Report } from '../text/report'
 */

const OPTIONS = { file: text(), force: flag() };

/**
 * One HTML file with two answers side by side, before and after a change: verdicts, figures with
 * their ratio, the same charts on the same scale.
 * @param {Context} ctx
 * @param {unknown} a before: what tune answered, or the path of a recording
 * @param {unknown} b after
 * @param {{ file?: string, force?: boolean }} [options] `file`: a name of the moment in this folder
 *   by default
 * @returns {Promise<ReturnType<typeof dataOf> & Report>}
 * @throws {TuneError} TUNE-1xxxx, TUNE-40005
 */
async function reportCompare(ctx, a, b, options) {
  for (const [name, value] of Object.entries({ a, b })) {
    if (value === undefined || value === null || value === '')
      throw new TuneError(
        'TUNE-10004',
        `tune.report.compare: give two answers of tune, or paths of recordings: "${name}" is ` +
          'missing.',
        { value, allowed: 'two answers of tune' },
      );
  }
  const at = new Date();
  const {
    file = `tune-compare-${at.toISOString().slice(0, 19).replace(/[:T-]/g, '')}.html`,
    force = false,
  } = checkOptions('tune.report.compare', OPTIONS, options);
  const target = targetFor(file, force);
  const items = await itemsOf('tune.report.compare', [a, b], (name) => readRecording(ctx, name));
  const { renderComparison } = require('../report/pure/html/pages');
  const { pageAssets } = require('../report/assets');
  const bytes = writePage(
    target,
    renderComparison([items[0], items[1]], { at, assets: pageAssets() }),
  );
  return written(dataOf(target.file, bytes, items));
}

module.exports = { reportCompare };
