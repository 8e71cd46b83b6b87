'use strict';

const { adviceOf } = require('../../lib/diagnose/advice');
const { diagnose } = require('../../lib/diagnose/diagnose');
const { renderAdvice } = require('../../lib/diagnose/advice-text');
const { renderChange } = require('../../lib/change/pure/change-text');
const { renderCollections } = require('../../lib/commands/pure/collections-text');
const { renderFleet } = require('../../lib/cluster/pure/fleet-text');
const { renderHistory } = require('../../lib/change/pure/history-text');
const { renderLint } = require('../../lib/config/lint/lint-text');
const { renderMembers } = require('../../lib/cluster/pure/members-text');
const { renderPlugin } = require('../../lib/check/pure/check-text');
const { renderStatus } = require('../../lib/server/pure/status-text');
const { loadHostRules, loadMemberRules, loadRules } = require('../../lib/rules/registry');
const { statusOf } = require('../../lib/server/pure/status');
const { overview } = require('../../lib/shell/help');
const { listCommands } = require('../../lib/shell/registry');
const { report } = require('../../lib/text/report');
const { observationOf, readFixture } = require('./fixtures');

/**
 * @import { Finding } from '../../lib/base/pure/finding'
 * @import { Ink } from '../../lib/base/types'
 */

/**
 * The samples of the pages, by name. Each is the text that the program makes today of what a real
 * server answered once (scripts/samples/record.js).
 * @typedef {{
 *   type: string | null, fixture: string | null, text(kept: any): string,
 *   cut?: (lines: string[]) => string[]
 * }} Sample `type`: what is typed at the prompt; `cut`: the lines that the page shows, of all
 */

/** As many as tune.fleet() shows without an option. */
const FLEET_ROWS = 40;
const PROMPT = 'test> ';

/** @param {object} data @param {(ink: Ink) => string} render */
const printed = (data, render) => String(report(data, render));

/** @param {any} kept an observation */
function adviceText(kept) {
  const rules = { engine: loadRules(), host: loadHostRules(), members: loadMemberRules() };
  const advice = adviceOf(observationOf(kept), rules, 'live');
  return printed(advice, (ink) => renderAdvice(advice, ink));
}

/** @param {any} kept an observation */
function statusText(kept) {
  const { window, facts, notes = [] } = observationOf(kept);
  const data = { ...statusOf(window, facts), notes };
  return printed(data, (ink) => renderStatus(data, ink));
}

/**
 * @template D
 * @param {(data: D, ink: Ink) => string} render
 * @returns {(data: any) => string}
 */
const printedBy = (render) => (data) => printed(data, (ink) => render(data, ink));

/**
 * Findings with the sentences that their rules make today of what was found.
 * @param {readonly Finding[]} findings
 * @returns {Finding[]}
 * @throws {Error} where a rule does not find such a thing any more
 */
const remade = (findings) =>
  findings.map((finding) => {
    const { rule: id, code, values, status } = finding;
    const rule = /** @type {any} */ (
      [...loadRules(), ...loadMemberRules()].find((one) => one.id === id)
    );
    if (status === 'unknown') return finding;
    if (rule?.messages[code] === undefined)
      throw new Error(`${id} does not find "${code}" any more: npm run samples`);
    const advice = rule.adviceFor?.[code]?.(values) ?? rule.advice;
    return {
      ...finding,
      message: rule.messages[code](values),
      advice: finding.advice === null ? null : advice,
    };
  });

/** @param {any} data */
const withFindings = ({ findings, ...data }) => ({ ...data, findings: remade(findings) });

/** The verdict and the findings anew; figures for charts and state as they were. @param {any} kept */
function checkText({ observation, ...data }) {
  const { bottleneck, because, findings } = diagnose(observationOf(observation), {
    engine: loadRules(),
  });
  const was = data.findings.map((/** @type {Finding} */ { key }) => key);
  return renderPlugin({
    ...data,
    bottleneck,
    because,
    findings: was.flatMap(
      (/** @type {string} */ key) => findings.find((one) => one.key === key) ?? [],
    ),
  });
}

const changeText = printedBy(renderChange);
const membersText = printedBy(renderMembers);
const fleetText = printedBy((data, ink) => renderFleet(data, FLEET_ROWS, ink));

/** @param {number} count */
const first = (count) => (/** @type {string[]} */ lines) =>
  lines.length > count ? [...lines.slice(0, count), '…'] : lines;

/** Performance data is as long as a page is wide several times. @param {string[]} lines */
const shortened = ([line, ...rest]) => [
  line.replace(/(\| (?:\S+ ){2}).*$/, '$1…'),
  ...rest.slice(0, 7),
];

/** The bottleneck and the recommended change, without commands and findings. @param {string[]} lines */
const conclusion = (lines) =>
  lines.slice(0, lines.findIndex((line) => line.startsWith('RECOMMENDED')) + 1);

/** @type {Readonly<Record<string, Sample>>} */
const SAMPLES = Object.freeze({
  overview: { type: 'tune', fixture: null, text: () => overview(listCommands()) },
  advise: { type: 'advice = tune.advise({ seconds: 10 })', fixture: 'sick', text: adviceText },
  'advise-short': {
    type: 'advice = tune.advise({ seconds: 10 })',
    fixture: 'sick',
    text: adviceText,
    cut: first(15),
  },
  'status-sick': { type: 'tune.status({ seconds: 5 })', fixture: 'sick-status', text: statusText },
  'status-better': {
    type: 'tune.status({ seconds: 5 })',
    fixture: 'better-status',
    text: statusText,
  },
  'apply-dry-run': { type: 'tune.apply(advice)', fixture: 'dry-run', text: changeText },
  apply: {
    type: 'tune.apply(advice, { confirm: true })',
    fixture: 'applied',
    text: changeText,
    cut: first(14),
  },
  undo: {
    type: 'tune.undo({ confirm: true })',
    fixture: 'undone',
    text: (data) => changeText({ ...data, action: 'undo' }),
    cut: first(9),
  },
  history: {
    type: 'tune.history()',
    fixture: 'history',
    text: printedBy((data, ink) =>
      renderHistory({ ...data, all: false, host: data.entries[0].host }, ink),
    ),
  },
  check: { type: null, fixture: 'check', text: checkText, cut: shortened },
  'reads-grew': {
    type: 'advice = tune.advise({ seconds: 12 })',
    fixture: 'reads-beyond-the-cache',
    text: adviceText,
    cut: conclusion,
  },
  'writes-stall': {
    type: 'advice = tune.advise({ seconds: 12 })',
    fixture: 'updates-of-most-of-the-cache',
    text: adviceText,
    cut: conclusion,
  },
  'low-trigger': {
    type: 'advice = tune.advise({ seconds: 12 })',
    fixture: 'low-dirty-trigger',
    text: adviceText,
    cut: conclusion,
  },
  'one-thread': {
    type: 'advice = tune.advise({ seconds: 12 })',
    fixture: 'one-eviction-thread',
    text: adviceText,
    cut: conclusion,
  },
  pinned: {
    type: 'tune.advise({ seconds: 10 })',
    fixture: 'pinned',
    text: adviceText,
    cut: first(12),
  },
  'full-cache': {
    type: 'tune.advise({ seconds: 12 })',
    fixture: 'reads-with-pauses',
    text: adviceText,
    cut: conclusion,
  },
  collections: {
    type: 'tune.collections({ seconds: 5, limit: 2 })',
    fixture: 'collections',
    text: printedBy(renderCollections),
  },
  lint: {
    type: 'tune.lint("eviction=(threads_min=8)")',
    fixture: 'lint',
    text: ({ content, ...data }) => printed(data, (ink) => renderLint(data, content, ink)),
  },
  members: {
    type: 'tune.members()',
    fixture: 'members',
    text: (data) => membersText({ ...data, sets: data.sets.map(withFindings) }),
  },
  fleet: {
    type: 'tune.fleet("servers.yaml", { seconds: 5 })',
    fixture: 'fleet',
    text: (data) => fleetText({ ...data, rows: data.rows.map(withFindings) }),
  },
});

/**
 * @param {string} name
 * @returns {string} what the page shows between the fences
 * @throws {Error} for a name that is no sample
 */
function renderSample(name) {
  if (!Object.hasOwn(SAMPLES, name)) throw new Error(`There is no sample "${name}".`);
  const { type, fixture, text, cut = (lines) => lines } = SAMPLES[name];
  const lines = text(fixture === null ? null : readFixture(fixture)).split('\n');
  return [...(type === null ? [] : [PROMPT + type]), ...cut(lines)]
    .map((line) => line.trimEnd())
    .join('\n');
}

module.exports = { SAMPLES, renderSample };
