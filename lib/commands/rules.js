'use strict';

const { checkOptions } = require('../base/pure/options');
const { loadAllRules } = require('../rules/registry');
const { listReport } = require('../text/report');

/**
 * @import { Context } from '../base/context'
 * @import { TuneError } from '../base/pure/errors'
 */

/**
 * @typedef {{
 *   rule: string, area: string, title: string, needs: readonly string[], source: string
 * }} RuleRow
 */

/**
 * The table of rules by which tune judges; tune.explain(rule) tells all about one.
 * @param {Context} _ctx
 * @param {{}} [options]
 * @returns {RuleRow[]} an array that prints as a table
 * @throws {TuneError} TUNE-1xxxx for wrong options
 */
function rules(_ctx, options) {
  checkOptions('tune.rules', {}, options);
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

module.exports = { rules };
