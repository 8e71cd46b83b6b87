'use strict';

const { callText } = require('../base/pure/printable');
const { many } = require('../base/pure/units');
const { metricsOf } = require('../server/pure/metrics');
const { whyNotExaminable } = require('../server/pure/facts');
const { isNotable, isTrouble, severestFirst } = require('../base/pure/finding');
const { judge, judgeMembers } = require('../rules/runner');
const { accountOf } = require('../signals/accounting');
const { expectedOf } = require('../sizing/expected');
const { findBottleneck, NO_CHANGE } = require('./bottleneck');
const { withCause, withMachineCause } = require('./cause');
const { aboutMachine, joinFindings, machineFindings } = require('./machine-summary');
const { explainFor, findingsFor } = require('./for-platform');
const { memberRow, memberSummary, withMembers } = require('./members');
const { proposalOf } = require('./proposal');
const { recommendationFor } = require('./recommendation');

/**
 * @import { Cause } from './cause'
 * @import { Finding, Verdict } from '../base/pure/finding'
 * @import { Change } from '../base/types'
 * @import { HostPart } from '../host/pure/host'
 * @import { BlockedMove, Judgeable, ObservedSet } from '../observe/types'
 * @import { HostRule, MemberRule, Rule } from '../rules/rule'
 * @import { Account } from '../signals/accounting'
 * @import { Expected } from '../sizing/expected'
 */

/**
 * Rules by what they are about; where a kind is missing, nothing of that kind is judged.
 * @typedef {{
 *   engine: readonly Rule[], host?: readonly HostRule[], members?: readonly MemberRule[]
 * }} RuleSet
 * @typedef {Verdict & {
 *   change: Change | null, explain: string[], accounting: Account | null, cause: Cause | null,
 *   remedy: string | null, expected: Expected | null
 * }} Conclusion `change`: null unless a setting's mechanism is the bottleneck, and no query is the
 *   cause; `explain`: how the change was computed, or what to do instead; `accounting`: what the
 *   threads in the server do and wait for, null where not known; `remedy`: what removes the cause;
 *   `expected`: what the change does to the throughput
 * @typedef {Conclusion & { before?: Change | null, reason?: string | null } & {
 *   findings: Finding[], members?: ReturnType<typeof memberSummary>[]
 * }} Diagnosis `before`, `reason`: where there is a change; `members`: where the members of the set were asked for
 */

/**
 * The whole judgement of what was observed: what limits the server, what each rule finds, and the one
 * change that helps. Later code only renders it.
 * @param {Judgeable} observation
 * @param {RuleSet} rules
 * @returns {Diagnosis}
 */
function diagnose({ window, facts, machine, members, blockedMoves = [] }, rules) {
  const metrics = metricsOf(window, facts);
  const own = conclude(metrics, whyNotExaminable(facts));
  const ofMachine = machine ? machinePart(own, machine, rules) : NO_PART;
  const ofMembers = members ? membersPart(own, members, rules) : NO_PART;
  const conclusion = ofMembers.conclusion ?? ofMachine.conclusion ?? own;
  const findings = severestFirst([
    ...blockedMoves.map(blockedFinding),
    ...joinFindings(
      findingsFor(withChange(judge(rules.engine, metrics), conclusion, rules.engine), facts),
      ofMachine.findings,
    ),
    ...ofMembers.findings,
  ]);
  const whole = withWarnings(conclusion, findings);
  const { change, bottleneck } = whole;
  return {
    ...whole,
    ...(change !== null && proposalOf(change, { bottleneck, metrics, config: facts.config })),
    explain: explainFor(whole.explain, facts),
    findings,
    ...ofMembers.more,
  };
}

/**
 * Adds what warnings ask for, where there is no bottleneck.
 * @param {Conclusion} conclusion
 * @param {readonly Finding[]} findings
 * @returns {Conclusion}
 */
function withWarnings(conclusion, findings) {
  const warnings = findings.filter(isTrouble);
  if (conclusion.bottleneck !== 'none' || warnings.length === 0) return conclusion;
  const [{ rule, advice }, ...others] = warnings;
  return {
    ...conclusion,
    because: conclusion.because.replace(
      NO_CHANGE,
      `no setting helps, but ${many(warnings.length, 'warning')} ` +
        `${warnings.length === 1 ? 'needs' : 'need'} attention`,
    ),
    explain: [
      ...conclusion.explain,
      ...(advice === null ? [] : [`${rule}: ${advice}`]),
      ...[...new Set(others.map((other) => other.rule))]
        .filter((other) => other !== rule && other !== SPLIT_BLOCKED)
        .map((other) => `${other}: ${callText('explain', other)}`),
    ],
  };
}

/**
 * What one part of an observation adds. `conclusion`: replaces the server's own.
 * @template {Finding} F
 * @typedef {{
 *   conclusion: Conclusion | null, findings: F[], more?: Pick<Diagnosis, 'members'>
 * }} Part
 */

/** @type {Readonly<Part<never>>} */
const NO_PART = Object.freeze({ conclusion: null, findings: [] });

/**
 * Concludes about one server by itself.
 * @param {ReturnType<typeof metricsOf>} metrics
 * @param {string | null} blind why nothing can be concluded about its cache
 * @returns {Conclusion}
 */
function conclude(metrics, blind) {
  if (blind !== null) return { ...NOTHING, because: blind };
  const verdict = findBottleneck(metrics);
  const whole = {
    ...verdict,
    ...recommendationFor(verdict.bottleneck, metrics),
    accounting: accountOf(metrics),
  };
  const conclusion = withCause(whole, metrics);
  return { ...conclusion, expected: expectedOf(conclusion.change, metrics) };
}

/** The conclusion about a server, or a recording, that shows nothing. */
const NOTHING = Object.freeze({
  bottleneck: /** @type {const} */ ('unknown'),
  evidence: [],
  runnerUp: null,
  change: null,
  before: null,
  reason: null,
  explain: [],
  accounting: null,
  cause: null,
  remedy: null,
  expected: null,
});

/**
 * Adds the part of the machine that the verdict is about.
 * @param {Conclusion} own
 * @param {HostPart} machine
 * @param {RuleSet} rules
 * @returns {Part<Finding>}
 */
function machinePart(own, machine, rules) {
  const sentence = aboutMachine(own.bottleneck, machine);
  const findings = machineFindings(own.bottleneck, machine, rules.host);
  const isScripted = findings.some(({ fixes }) => fixes.length > 0);
  return {
    conclusion: withMachineCause(
      {
        ...own,
        because: sentence === null ? own.because : `${own.because} ${sentence}`,
        explain: isScripted ? [...own.explain, SCRIPT_HINT] : own.explain,
      },
      findings,
    ),
    findings,
  };
}

const SCRIPT_HINT = 'Script with the host settings and how to revert them: tune.host().script()';

/**
 * The members of the set, each with a verdict from its own observation; `conclusion` where one of
 * them delays the majority.
 * @param {Conclusion} own
 * @param {ObservedSet} observed
 * @param {RuleSet} rules
 * @returns {Part<Finding>}
 */
function membersPart(own, { set, members, beganSeconds }, { engine, members: rules = [] }) {
  const rows = members.map((member) =>
    memberRow(member, member.observation && diagnose(member.observation, { engine }), true),
  );
  return {
    conclusion: withMembers(own, { ...set, rows }, beganSeconds),
    findings: judgeMembers(rules, { ...set, rows }).filter(isNotable),
    more: { members: rows.map(memberSummary) },
  };
}

/**
 * Puts the change into the finding about the bottleneck only: so no two findings can ask for
 * different things.
 * @param {readonly Finding[]} findings
 * @param {Conclusion} conclusion
 * @param {readonly Rule[]} rules
 * @returns {Finding[]}
 */
function withChange(findings, { bottleneck, change }, rules) {
  if (change === null) return [...findings];
  const about = new Set(
    rules.filter((rule) => rule.speaksFor.includes(bottleneck)).map((rule) => rule.id),
  );
  return findings.map((finding) =>
    about.has(finding.rule) && isTrouble(finding)
      ? { ...finding, change, advice: `${finding.advice} Type: ${callText('apply', change)}` }
      : finding,
  );
}

/** No rule: nothing explains it but the split. */
const SPLIT_BLOCKED = 'split-blocked';

/**
 * Applications are blocked until an unfinished move is resumed; no counter of the engine shows it.
 * @param {BlockedMove} move
 * @returns {Finding}
 */
const blockedFinding = ({ id, from, into, phase }) => ({
  rule: SPLIT_BLOCKED,
  key: `${SPLIT_BLOCKED}:${id}`,
  status: 'critical',
  area: 'concurrency',
  change: null,
  source: 'docs/split.md',
  code: 'unfinished-move',
  values: { id, from, into, phase },
  message: `All writes to ${from} and ${into} are blocked: their split is unfinished (${phase}).`,
  evidence: { phase },
  fixes: [],
  advice:
    `Run ${callText('split.status', id)} to see which shell runs the split. If none does, run ` +
    `${callText('split.resume', id, { confirm: true })}.`,
});

module.exports = { diagnose, NOTHING };
