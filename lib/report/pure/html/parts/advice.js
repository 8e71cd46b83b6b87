'use strict';

const { duration, count } = require('../../../../base/pure/units');
const { STATUSES, severestFirst } = require('../../../../base/pure/finding');
const { showChange } = require('../../../../config/change');
const { html, badge, copyable, table, showValue, showTime } = require('../elements');

/**
 * @import { AdviceAnswer, FindingShown, Part, Shown, HostAnswer } from '../../../types'
 * @import { Markup } from '../elements'
 */

const CALM = new Set(['none', 'idle']);
const SOURCES = Object.freeze(
  /** @type {Record<string, string>} */ ({
    live: 'looked at live',
    ftdc: 'from diagnostic data',
    recording: 'from a recording',
  }),
);

/**
 * An advice: verdict and evidence, then the change; the rules come after the charts.
 * @param {AdviceAnswer} advice
 * @param {string} key
 * @returns {Shown}
 */
const showAdvice = (advice, key) => ({
  name: 'Advice',
  sub: subtitle(advice),
  lead: verdict(advice),
  before: [{ id: `change${key}`, title: 'Change', body: changeBody(advice, key) }],
  after: [
    ...worst(advice, key),
    ...compared(advice, key),
    ...(advice.findings.length > 0
      ? [
          {
            id: `rules${key}`,
            title: 'Rules',
            body: findingsTable('All rules, what needs a person first', advice.findings, key),
          },
        ]
      : []),
  ],
  notes: advice.notes,
});

/** @param {AdviceAnswer} advice */
function subtitle({ source, window }) {
  const ms = new Date(window.to).getTime() - new Date(window.from).getTime();
  const when =
    window.from === null
      ? 'nothing was seen'
      : `${showTime(window.from)} to ${showTime(window.to)} UTC (${duration(ms)}, ` +
        `${count(window.samples)} ${window.samples === 1 ? 'sample' : 'samples'})`;
  return [SOURCES[source] ?? source, when].filter(Boolean).join(', ');
}

/** @param {AdviceAnswer} advice @returns {Markup} */
function verdict({ bottleneck, because, evidence, runnerUp }) {
  return html`<div class="verdict ${toneOf(bottleneck)}"><p class="label">bottleneck</p><p class="answer">${bottleneck}</p><p class="because">${because}</p>${evidence.length > 0 && html`<ul>${evidence.map(({ say }) => html`<li>${say}</li>`)}</ul>`}${runnerUp && html`<p class="faint">Not ${runnerUp.bottleneck}: ${runnerUp.because}</p>`}</div>`;
}

/**
 * The class of a bottleneck, which gives it its colour.
 * @param {string} bottleneck
 */
function toneOf(bottleneck) {
  if (CALM.has(bottleneck)) return 'ok';
  return bottleneck === 'unknown' ? 'unknown' : 'critical';
}

/** @param {AdviceAnswer} advice @param {string} key @returns {Markup} */
function changeBody({ change, explain, conf }, key) {
  const why = explain.length > 0 && html`<ul>${explain.map((line) => html`<li>${line}</li>`)}</ul>`;
  if (change === null) return html`<p><strong class="good">Nothing to change.</strong></p>${why}`;
  const shown = showChange(change);
  return html`<p><code class="change">${shown}</code></p>${why}<div class="codes">${[
    copyable('look first', `tune.apply(${shown})`, `look${key}`),
    copyable('then', `tune.apply(${shown}, { confirm: true })`, `apply${key}`),
    copyable('and back', 'tune.undo({ confirm: true })', `undo${key}`),
    conf ? copyable('to keep it over a restart: mongod.conf', conf.trimEnd(), `conf${key}`) : null,
  ]}</div>`;
}

/** Of a recording. @param {AdviceAnswer} advice @param {string} key @returns {Part[]} */
function worst({ worst: judged, others = [] }, key) {
  if (!judged) return [];
  const row = (/** @type {NonNullable<AdviceAnswer['worst']>} */ spell) => [
    showTime(spell.from),
    duration(spell.seconds * 1000),
    spell.bottleneck,
    spell.heldUpThreads === null ? '' : count(spell.heldUpThreads),
    spell.because,
  ];
  return [
    {
      id: `spells${key}`,
      title: 'Windows judged',
      body: table(
        'Windows in which clients were held up most; the first is the verdict',
        [
          { head: 'from, UTC' },
          { head: 'long', align: 'right' },
          { head: 'bottleneck' },
          { head: 'threads held up', align: 'right' },
          { head: 'because' },
        ],
        [judged, ...others].map(row),
      ),
    },
  ];
}

/** tune.replay(…, { compare }). @param {AdviceAnswer} advice @param {string} key @returns {Part[]} */
function compared({ compared: then, bottleneck }, key) {
  if (!then) return [];
  const show = (/** @type {string} */ series, /** @type {number | null} */ value) =>
    showValue(series, value);
  const rows = then.rows.map(({ series, usual, max }) => [
    series,
    show(series, usual.before),
    show(series, usual.now),
    usual.ratio === null ? '' : `×${count(Number(usual.ratio.toPrecision(2)))}`,
    show(series, max.before),
    show(series, max.now),
  ]);
  const right = (/** @type {string} */ head) => ({ head, align: /** @type {const} */ ('right') });
  return [
    {
      id: `compared${key}`,
      title: 'Compared',
      body: html`<p>Then ${then.bottleneck}, now ${bottleneck}. Then: ${then.files.join(', ')}.</p>${table('What is usual, and the most', [{ head: '' }, right('then'), right('now'), right('now ÷ then'), right('most then'), right('most now')], rows)}`,
    },
  ];
}

/** Findings that need no action are hidden at first, where there are others. */
const QUIET = new Set(['ok', 'unknown']);

/**
 * A table of findings, with filters by status and text.
 * @param {string} caption
 * @param {readonly FindingShown[]} findings
 * @param {string} key
 * @returns {Markup}
 */
function findingsTable(caption, findings, key) {
  const order = severestFirst(findings);
  const counts = STATUSES.map((status) => ({
    status,
    number: order.filter((finding) => finding.status === status).length,
  })).filter(({ number }) => number > 0);
  const id = `findings${key}`;
  const folded = counts.some(({ status }) => !QUIET.has(status));
  return html`<div class="filters" data-filters="${id}" role="group" aria-label="Filter the rules">${counts.map(({ status, number }) => html`<button type="button" aria-pressed="${String(!(folded && QUIET.has(status)))}" data-status="${status}">${badge(status)} ${number}</button>`)}<label>find <input type="search" autocomplete="off"></label><span class="count" role="status"></span></div><div class="findings" id="${id}">${table(
    caption,
    [{ head: 'rule' }, { head: 'status' }, { head: 'finding' }],
    order.map((finding) => [
      html`<span class="rule" data-row-status="${finding.status}">${finding.rule}</span>`,
      badge(finding.status),
      detailsOf(finding),
    ]),
  )}</div>`;
}

/** @param {FindingShown} finding @returns {Markup} */
function detailsOf({ message, advice, evidence = {}, source, script }) {
  const figures = Object.entries(evidence).filter(
    ([, value]) => value !== null && value !== undefined,
  );
  const texts = Object.entries(script ?? {}).flatMap(([what, text]) =>
    text === null ? [] : [{ what, text }],
  );
  return html`<p>${message}</p>${advice && html`<p class="advice">${advice}</p>`}${(figures.length > 0 || texts.length > 0) && html`<details><summary>${texts.length > 0 ? 'commands and evidence' : 'evidence'}</summary>${texts.map(({ what, text }) => html`<p class="faint">${what}</p><pre>${text.split('\n').map((line) => html`${line}<br>`)}</pre>`)}<ul>${figures.map(([name, value]) => html`<li>${name}: ${showValue(name, value)}</li>`)}</ul>${source && html`<p class="faint">${source}</p>`}</details>`}`;
}

/**
 * The machine below: what is advised, and what is known.
 * @param {HostAnswer} host
 * @param {string} key
 * @returns {Shown}
 */
function showHost({ at, place, facts, unknown, findings, notes }, key) {
  const known = Object.entries(facts).flatMap(([area, values]) =>
    Object.entries(values).map(([name, value]) => [`${area}.${name}`, showValue(name, value)]),
  );
  const body = html`<p>${place.say}</p>${findingsTable('The machine: all rules, what needs a person first', findings, `-host${key}`)}
<details><summary>What is known of it (${known.length})</summary>${table('Facts of the machine', [{ head: 'fact', mono: true }, { head: 'value' }], known)}</details>
${Object.keys(unknown).length > 0 && html`<details><summary>What is not known, and why (${Object.keys(unknown).length})</summary>${table('Not known', [{ head: 'fact', mono: true }, { head: 'because' }], Object.entries(unknown))}</details>`}`;
  return {
    name: 'Machine',
    sub: `${showTime(at)} UTC`,
    lead: null,
    before: [],
    after: [{ id: `host${key}`, title: 'Machine', body }],
    notes,
  };
}

module.exports = { showAdvice, showHost };
