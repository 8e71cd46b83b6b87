'use strict';

const { defineCommand } = require('../base/pure/command');
const { TuneError } = require('../base/pure/errors');
const { flag, text } = require('../base/pure/options');
const { itemsOf } = require('../report/pure/html/kinds');
const { targetFor } = require('../base/named-files');
const { isDiagnosticData, writeReport } = require('../report/write-report');

/**
 * @import { Context } from '../base/types'
 */

module.exports = defineCommand({
  name: 'report.compare',
  group: 'Record and report',
  order: 1,
  takes: ['text', 'text', 'options'],
  usage: 'tune.report.compare(a, b, { output, … })',
  summary: 'Writes two answers side by side: before and after',
  details: 'a, b: answers of tune, such as two advices, or paths of recordings',
  options: {
    output: {
      check: text(),
      defaultText: 'tune-compare-….html, in this folder',
      description: 'name of the file',
    },
    force: { check: flag(), default: false, description: 'overwrite an existing file' },
  },
  examples: [
    'tune.report.compare("monday.ndjson.gz", "tuesday.ndjson", { output: "both.html" })',
    'tune report compare monday.ndjson.gz tuesday.ndjson',
  ],
  changes: 'nothing',
  run: reportCompare,
});

/**
 * One HTML file with two answers side by side, before and after a change: verdicts, figures with
 * their ratio, the same charts on the same scale.
 * @param {Context} ctx
 * @param {unknown} a before: an answer of tune, or the path of a recording
 * @param {unknown} b after
 * @param {{ output?: string, force: boolean }} options
 * @returns {Promise<ReturnType<typeof writeReport>>}
 * @throws {TuneError} TUNE-1xxxx, TUNE-40005
 */
async function reportCompare(ctx, a, b, { output, force }) {
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
  const target = targetFor(
    output ?? `tune-compare-${at.toISOString().slice(0, 19).replace(/[:T-]/g, '')}.html`,
    force,
  );
  const items = await itemsOf('tune.report.compare', [a, b], (name) =>
    require(isDiagnosticData(name) ? './ftdc' : './replay').run(ctx, name),
  );
  const { renderComparison } = require('../report/pure/html/comparison');
  const { pageAssets } = require('../report/write-report');
  return writeReport(
    target,
    renderComparison([items[0], items[1]], { at, assets: pageAssets() }),
    items,
  );
}
