'use strict';

const { readWindow } = require('../model/readings');
const { gravestFirst } = require('../model/finding');
const { showChange } = require('../model/change');
const { judge } = require('./run');
const { findBottleneck } = require('./bottleneck');
const { findCure } = require('./cure');

/**
 * @typedef {import('../model/finding').Finding} Finding
 * @typedef {import('../model/finding').Verdict} Verdict
 * @typedef {import('./define-rule').Rule} Rule
 * @typedef {import('../model/knobs').Change} Change
 */

/**
 * The whole judgement of a window: what holds the server back, what each rule says, and the one
 * change that helps.
 * @param {{
 *   window: import('../model/window').Window, facts: import('../model/facts').Facts,
 *   rules: readonly Rule[]
 * }} what
 * @returns {Verdict & { findings: Finding[], change: Change | null, explain: string[] }} `change`:
 *   null unless a knob's mechanism
 *   is the bottleneck; `explain`: how the change was reckoned, or what to do instead
 */
function diagnose({ window, facts, rules }) {
  const readings = readWindow(window, facts);
  const verdict = findBottleneck(readings);
  const { change, explain } = findCure(verdict.bottleneck, readings);
  const findings = judge(rules, readings).map((finding) =>
    withCure(finding, change, speakers(rules, verdict.bottleneck)),
  );
  return { ...verdict, findings: gravestFirst(findings), change, explain };
}

/** @param {readonly Rule[]} rules @param {import('../model/finding').Bottleneck} bottleneck */
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
  const grave = finding.status === 'warning' || finding.status === 'critical';
  if (change === null || !grave || !about.has(finding.rule)) return finding;
  return {
    ...finding,
    change,
    advice: `${finding.advice} Type: tune.apply(${showChange(change)})`,
  };
}

module.exports = { diagnose };
