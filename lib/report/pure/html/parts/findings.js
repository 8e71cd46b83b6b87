'use strict';

const { callText } = require('../../../../base/pure/printable');
const { SEVERE, STATUSES, severestFirst } = require('../../../../base/pure/finding');
const { joined, html, badge, folded, prose, table, showTime, showValue } = require('../elements');

/**
 * @import { FindingShown, HostAnswer, Shown } from '../../../types'
 * @import { Markup } from '../elements'
 */

/**
 * Shows findings: those that need a person as a list, all others folded.
 * @param {readonly FindingShown[]} findings
 * @param {{ id: string, change?: string | null, above?: ReadonlySet<string> }} about
 *   `id`: the end of all ids; `change`: the id of the section with the recommended change, whose
 *   command a finding need not repeat; `above`: rules with findings higher up on the page
 * @returns {Markup}
 */
function findingsOf(findings, { id, change = null, above = new Set() }) {
  const order = severestFirst(findings);
  const all = order.filter(({ status }) => SEVERE.includes(status));
  const severe = all.filter(({ rule }) => !above.has(rule));
  const rest = order.filter((finding) => !severe.includes(finding));
  const known = all.filter((finding) => rest.includes(finding));
  return joined(
    all.length === 0 && html`<p class="good">None critical, none warning.</p>`,
    severe.length > 0 &&
      html`<ul class="findings">${severe.map((finding) => itemOf(finding, change))}</ul>`,
    known.length > 0 &&
      html`<p class="faint">Also under Findings above: ${known.map(({ rule }) => rule).join(', ')}.</p>`,
    rest.length > 0 && others(rest, id),
  );
}

/**
 * Counts the findings of each status that needs a person.
 * @param {readonly FindingShown[]} findings
 * @returns {{ status: string, number: number }[]}
 */
const severeCounts = (findings) =>
  countsOf(findings).filter(({ status }) => SEVERE.includes(status));

/** @param {readonly FindingShown[]} findings */
const countsOf = (findings) =>
  STATUSES.map((status) => ({
    status,
    number: findings.filter((finding) => finding.status === status).length,
  })).filter(({ number }) => number > 0);

/** @param {FindingShown} finding @param {string | null} change */
const itemOf = (finding, change) =>
  html`<li class="finding ${finding.status}">${badge(finding.status)}<h3>${finding.rule}</h3><p class="message">${prose(finding.message)}</p>${adviceOf(finding, change)}${detailsOf(finding)}</li>`;

/**
 * Shows the advice; the command of the recommended change is in its own section.
 * @param {FindingShown} finding
 * @param {string | null} section
 */
function adviceOf({ advice, change }, section) {
  if (!advice) return null;
  const call = change && ` Type: ${callText('apply', change)}`;
  if (section === null || !call || !advice.endsWith(call))
    return html`<p class="advice">${prose(advice)}</p>`;
  return html`<p class="advice">${prose(advice.slice(0, -call.length))} <a href="#${section}">Recommended change</a></p>`;
}

/**
 * Makes a table of the other rules, with filters by status and text.
 * @param {readonly FindingShown[]} findings
 * @param {string} id
 */
function others(findings, id) {
  const counts = countsOf(findings);
  const rows = table(
    'Other rules',
    [{ head: 'status' }, { head: 'rule' }, { head: 'finding' }],
    findings.map((finding) => [
      html`<span data-row-status="${finding.status}">${badge(finding.status)}</span>`,
      html`<span class="rule">${finding.rule}</span>`,
      html`<p>${prose(finding.message)}</p>${adviceOf(finding, null)}${detailsOf(finding)}`,
    ]),
  );
  const body = joined(
    html`<div class="filters" data-filters="rules${id}" role="group" aria-label="Filter the rules">`,
    ...counts.map(({ status, number }) => statusButton(status, number)),
    html`<label>Find <input type="search" autocomplete="off"></label>`,
    html`<span class="count" role="status"></span></div>`,
    html`<div class="rules" id="rules${id}">${rows}</div>`,
  );
  return folded(
    `Other rules: ${counts.map(({ status, number }) => `${number} ${status}`).join(', ')}`,
    body,
  );
}

/** @param {string} status @param {number} number */
const statusButton = (status, number) =>
  joined(
    html`<button type="button" aria-pressed="true" data-status="${status}">`,
    html`${badge(status)} ${number}</button>`,
  );

/** Shows the evidence of a finding, and the commands that fix it. @param {FindingShown} finding */
function detailsOf({ evidence = {}, source, script, rule }) {
  const figures = Object.entries(evidence).filter(
    ([, value]) => value !== null && value !== undefined,
  );
  const texts = Object.entries(script ?? {}).flatMap(([what, text]) =>
    text === null ? [] : [{ what, text }],
  );
  if (figures.length === 0 && texts.length === 0) return null;
  return folded(texts.length > 0 ? 'Commands and evidence' : 'Evidence', [
    ...texts.map(
      ({ what, text }) =>
        html`<p class="what">${SCRIPTS[what] ?? what}</p><pre>${text.split('\n').map((line) => html`${line}<br>`)}</pre>`,
    ),
    figures.length > 0 &&
      html`<dl class="figures">${figures.map(([name, value]) => html`<div><dt>${name}</dt><dd>${showValue(name, value)}</dd></div>`)}</dl>`,
    source && html`<p class="faint">Source: ${source}</p>`,
    html`<p class="faint">About this rule: <code>${callText('explain', rule)}</code></p>`,
  ]);
}

/** @type {Readonly<Record<string, string>>} */
const SCRIPTS = Object.freeze({
  apply: 'Apply',
  persist: 'Keep over a restart of the machine',
  undo: 'Undo',
});

/**
 * Shows the machine of the server: findings, and the facts behind them.
 * @param {HostAnswer} host
 * @param {string} key
 * @param {ReadonlySet<string>} [above] rules with findings higher up on the page
 * @returns {Shown}
 */
function showHost({ at, place, facts, unknown, findings, notes }, key, above = new Set()) {
  const known = Object.entries(facts).flatMap(([area, values]) =>
    Object.entries(values).map(([name, value]) => [`${area}.${name}`, showValue(name, value)]),
  );
  const missing = Object.entries(unknown);
  const body = html`<p class="lede">${place.say}</p>${findingsOf(findings, { id: `-host${key}`, above })}
${folded(`Facts: ${known.length}`, table('Facts of the machine', [{ head: 'fact', mono: true }, { head: 'value' }], known))}
${missing.length > 0 && folded(`Unknown facts: ${missing.length}`, table('Unknown facts of the machine', [{ head: 'fact', mono: true }, { head: 'why' }], missing))}`;
  return {
    name: 'Machine',
    sub: [`${showTime(at)} UTC`],
    lead: null,
    before: [],
    after: [{ id: `host${key}`, title: 'Machine', body }],
    notes,
  };
}

module.exports = { findingsOf, severeCounts, showHost };
