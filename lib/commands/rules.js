'use strict';

const { checkOptions } = require('../options');
const { loadAllRules } = require('../load-rules');
const { listReport } = require('../render/report');

/**
 * @typedef {{
 *   rule: string, area: string, title: string, needs: readonly string[], source: string
 * }} RuleRow
 */

/**
 * The table of rules by which tune judges; tune.explain(rule) tells all about one.
 * @param {import('../context').Context} _ctx
 * @param {{}} [options]
 * @returns {RuleRow[]} an array that prints as a table
 * @throws {import('../errors').TuneError} TUNE-1xxxx for wrong options
 */
function rules(_ctx, options) {
  checkOptions('tune.rules', {}, options);
  const { renderRules } = require('../render/explain');
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
