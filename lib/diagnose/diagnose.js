'use strict';

const { metricsOf } = require('../server/pure/metrics');
const { severestFirst } = require('../base/pure/finding');
const { showChange } = require('../config/change');
const { judge } = require('../rules/runner');
const { findBottleneck } = require('./bottleneck');
const { findRemedy } = require('./remedy');

/**
 * @import { Bottleneck, Finding, Verdict } from '../base/pure/finding'
 * @import { Change } from '../config/setting-table'
 * @import { Rule } from '../rules/rule'
 * @import { Facts } from '../server/pure/facts'
 * @import { Window } from '../server/pure/window'
 */

/**
 * The whole judgement of a window: what holds the server back, what each rule says, and the one
 * change that helps.
 * @param {{
 *   window: Window, facts: Facts,
 *   rules: readonly Rule[]
 * }} what
 * @returns {Verdict & { findings: Finding[], change: Change | null, explain: string[] }} `change`:
 *   null unless a knob's mechanism
 *   is the bottleneck; `explain`: how the change was reckoned, or what to do instead
 */
function diagnose({ window, facts, rules }) {
  const metrics = metricsOf(window, facts);
  const verdict = findBottleneck(metrics);
  const { change, explain } = findRemedy(verdict.bottleneck, metrics);
  const findings = judge(rules, metrics).map((finding) =>
    withCure(finding, change, speakers(rules, verdict.bottleneck)),
  );
  return { ...verdict, findings: severestFirst(findings), change, explain };
}

/** @param {readonly Rule[]} rules @param {Bottleneck} bottleneck */
const speakers = (rules, bottleneck) =>
  new Set(rules.filter((rule) => rule.speaksFor.includes(bottleneck)).map((rule) => rule.id));

/**
 * Only a finding about the bottleneck carries the change: no two findings can ask for different
 * things.
 * @param {Finding} finding
 * @param {Change | null} change
 * @param {Set<string>} about
 * @returns {Finding}
 */
function withCure(finding, change, about) {
  const severe = finding.status === 'warning' || finding.status === 'critical';
  if (change === null || !severe || !about.has(finding.rule)) return finding;
  return {
    ...finding,
    change,
    advice: `${finding.advice} Type: tune.apply(${showChange(change)})`,
  };
}

module.exports = { diagnose };
