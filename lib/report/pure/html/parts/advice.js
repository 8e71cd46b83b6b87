'use strict';

const { isCalm } = require('../../../../base/pure/finding');
const { callText } = require('../../../../base/pure/printable');
const { capital, secondsText, count, many, sampledFor } = require('../../../../base/pure/units');
const { changeWords } = require('../../../../config/change');
const {
  joined,
  html,
  badge,
  commands,
  copyable,
  folded,
  prose,
  table,
  verdictOf,
  showSpan,
  showTime,
  showValue,
} = require('../elements');
const { findingsOf, severeCounts } = require('./findings');
const { right } = require('./samples');

/**
 * @import { AdviceAnswer, Part, Shown } from '../../../types'
 * @import { Markup } from '../elements'
 */

const SOURCES = Object.freeze(
  /** @type {Record<string, string | null>} */ ({
    live: null,
    ftdc: 'diagnostic data',
    recording: 'recording',
  }),
);

/**
 * Shows an advice: the verdict, the change with its commands, the charts, then what each rule
 * found.
 * @param {AdviceAnswer} advice
 * @param {string} key
 * @returns {Shown}
 */
const showAdvice = (advice, key) => ({
  name: 'Advice',
  sub: subtitle(advice),
  lead: verdict(advice),
  before: [{ id: `recommended${key}`, title: 'Recommended', body: recommended(advice, key) }],
  after: [
    ...findings(advice, key),
    ...members(advice, key),
    ...worst(advice, key),
    ...compared(advice, key),
  ],
  notes: advice.notes,
});

/** @param {AdviceAnswer} advice */
function subtitle({ source, window }) {
  const { from, to, samples } = window;
  const what = source in SOURCES ? SOURCES[source] : source;
  if (from === null) return [what, 'no samples'];
  const ms = new Date(to).getTime() - new Date(from).getTime();
  return [what, `${many(samples, 'sample')} in ${sampledFor(ms)}`, showSpan(from, to)];
}

/** @param {AdviceAnswer} advice @returns {Markup} */
function verdict({ bottleneck, because, evidence, runnerUp, findings: all }) {
  const counts = severeCounts(all);
  const counted = counts.map(
    ({ status, number }) => html`<span>${badge(status)} ${many(number, 'finding')}</span>`,
  );
  const said = evidence.map(({ say }) => html`<li>${prose(capital(say))}</li>`);
  const more = joined(
    runnerUp &&
      !isCalm(bottleneck) &&
      html`<p class="ruled-out"><strong>Less likely: ${runnerUp.bottleneck},</strong> since ${prose(runnerUp.because)}</p>`,
    counts.length > 0 && html`<p class="counts">${counted}</p>`,
    evidence.length > 0 && folded('Evidence', html`<ul>${said}</ul>`),
  );
  return verdictOf(toneOf(bottleneck), { label: 'Bottleneck', answer: bottleneck, because, more });
}

/**
 * Finds the class of a bottleneck, which sets its colour.
 * @param {string} bottleneck
 */
function toneOf(bottleneck) {
  if (isCalm(bottleneck)) return 'ok';
  return bottleneck === 'unknown' ? 'unknown' : 'critical';
}

/** @param {AdviceAnswer} advice @param {string} key @returns {Markup} */
function recommended({ change, before = null, reason = null, explain, conf }, key) {
  const why = html`<ul>${explain.map((line) => html`<li>${prose(line)}</li>`)}</ul>`;
  if (change === null)
    return html`<p class="change good">No setting change</p>${explain.length > 0 && why}`;
  return html`<p class="change"><code>${changeWords(change, before)}</code></p>${reason && html`<p>${prose(reason)}</p>`}${commands(
    [
      ['Dry run', callText('apply', change), `preview${key}`],
      ['A/B test', callText('trial', change, { confirm: true }), `trial${key}`],
      ['Apply', callText('apply', change, { confirm: true }), `apply${key}`],
      ['Undo later', callText('undo', { confirm: true }), `undo${key}`],
    ],
  )}${conf && copyable('To keep it over a restart, in mongod.conf', conf.trimEnd(), `conf${key}`)}${explain.length > 0 && folded('Why this value', why)}`;
}

/** @param {AdviceAnswer} advice @param {string} key @returns {Part[]} */
const findings = ({ findings: all, change }, key) =>
  all.length === 0
    ? []
    : [
        {
          id: `findings${key}`,
          title: 'Findings',
          body: findingsOf(all, { id: key, change: change === null ? null : `recommended${key}` }),
        },
      ];

/** @param {AdviceAnswer} advice @param {string} key @returns {Part[]} */
const members = ({ members: list = [] }, key) =>
  list.length === 0
    ? []
    : [
        {
          id: `members${key}`,
          title: 'Members',
          body: table(
            'Each member of the replica set',
            [{ head: 'member' }, { head: 'state' }, { head: 'lag' }, { head: 'bottleneck' }],
            list.map(({ host, role, lagSeconds, reached, bottleneck }) => [
              host,
              role,
              lagSeconds === null ? '' : secondsText(lagSeconds),
              memberBottleneck({ role, reached, bottleneck }),
            ]),
          ),
        },
      ];

/** @param {{ role: string, reached: boolean, bottleneck: string | null }} member */
function memberBottleneck({ role, reached, bottleneck }) {
  if (reached) return bottleneck;
  return role === 'arbiter' ? '' : 'not checked';
}

/**
 * Shows the worst windows of a recording.
 * @param {AdviceAnswer} advice
 * @param {string} key
 * @returns {Part[]}
 */
function worst({ worst: judged, others = [] }, key) {
  if (!judged) return [];
  const row = (/** @type {NonNullable<AdviceAnswer['worst']>} */ spell) => [
    showTime(spell.from),
    secondsText(spell.seconds),
    spell.bottleneck,
    spell.heldUpThreads === null ? '' : count(spell.heldUpThreads),
    spell.because,
  ];
  return [
    {
      id: `spells${key}`,
      title: 'Windows judged',
      body: table(
        'Windows with the most blocked application threads; the first one is the verdict',
        [
          { head: 'from, UTC' },
          { head: 'length', align: 'right' },
          { head: 'bottleneck' },
          { head: 'threads blocked', align: 'right' },
          { head: 'why' },
        ],
        [judged, ...others].map(row),
      ),
    },
  ];
}

/**
 * Shows the comparison of tune.replay(…, { compare }).
 * @param {AdviceAnswer} advice
 * @param {string} key
 * @returns {Part[]}
 */
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
  return [
    {
      id: `compared${key}`,
      title: 'Compared with earlier',
      body: joined(
        html`<p>Bottleneck then: ${then.bottleneck}. Now: ${bottleneck}. `,
        html`Compared with ${then.files.join(', ')}.</p>`,
        table(
          'Median and maximum, then and now',
          [
            { head: 'series' },
            right('median then'),
            right('median now'),
            right('now ÷ then'),
            right('max then'),
            right('max now'),
          ],
          rows,
        ),
      ),
    },
  ];
}

module.exports = { showAdvice };
