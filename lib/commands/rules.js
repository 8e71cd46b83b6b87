'use strict';

const { defineCommand } = require('../base/pure/command');
const { loadAllRules } = require('../rules/registry');
const { listReport } = require('../text/report');

/**
 * @import { TuneError } from '../base/pure/errors'
 * @import { Context } from '../base/types'
 */

module.exports = defineCommand({
  name: 'rules',
  group: 'Diagnose',
  order: 3,
  takes: [],
  usage: 'tune.rules()',
  summary: 'Lists the rules with what each finds',
  examples: ['tune.rules()', 'tune rules'],
  changes: 'nothing',
  run: rules,
});

/**
 * @typedef {{
 *   rule: string, area: string, title: string, needs: readonly string[], source: string
 * }} RuleRow
 */

/**
 * The table of rules by which tune judges; tune.explain(rule) describes one.
 * @param {Context} _ctx
 * @returns {RuleRow[]} an array that prints as a table
 * @throws {TuneError} TUNE-1xxxx for wrong options
 */
function rules(_ctx) {
  const { renderRules } = require('../rules/rule-text');
  const rows = loadAllRules().map(({ id, area, title, needs, source }) => ({
    rule: id,
    area,
    title,
    needs,
    source,
  }));
  return listReport(rows, (ink) => renderRules(rows, ink));
}
