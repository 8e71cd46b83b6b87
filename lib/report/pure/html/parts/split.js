'use strict';

const { bytes, count, duration, roughly } = require('../../../../base/pure/units');
const { html, badge, bar, copyable, facts, table } = require('../elements');
const { right } = require('./samples');

/**
 * @import { Part, Shown, SplitAnswer } from '../../../types'
 */

const TONES = Object.freeze(
  /** @type {Record<string, string>} */ ({ yes: 'ok', no: 'warning', unknown: 'unknown' }),
);

/**
 * An estimated time: from ten seconds on in whole seconds.
 * @param {number | null} n
 */
function seconds(n) {
  if (n === null) return duration(null);
  return duration(n < 10 ? Math.round(n * 1000) : Math.round(n) * 1000);
}

/** A plan of a split. @param {SplitAnswer} plan @param {string} key @returns {Shown} */
function showSplit(plan, key) {
  const { from, into, mode, worthIt, because, moves, estimateSeconds, diskBytes, unknown } = plan;
  const lead = html`<div class="verdict ${TONES[worthIt] ?? 'unknown'}"><p class="label">worth it</p><p class="answer">${worthIt}</p><p class="because">${because}</p></div>${facts(
    [
      ['from', from],
      ['into', into.join(', ')],
      ['moves', `${count(moves.length)}, ${mode}`],
      ['takes about', seconds(estimateSeconds)],
      ['more on disk until it is finished', bytes(diskBytes)],
    ],
  )}`;
  return {
    name: 'Split plan',
    sub: `${plan.id}; nothing was changed`,
    lead,
    before: remarksPart(plan, key),
    after: [
      ...movesPart(plan, key),
      ...partsPart(plan, key),
      ...loadsPart(plan, key),
      ...staysPart(plan, key),
    ],
    notes: unknown,
  };
}

/** @param {SplitAnswer} plan @param {string} key @returns {Part[]} */
function remarksPart({ moves, blockers, warnings }, key) {
  const all = [{ ns: 'as a whole', blockers, warnings }, ...moves];
  const rows = all.flatMap((one) => [
    ...one.blockers.map(({ say }) => [one.ns, badge('critical'), say]),
    ...one.warnings.map(({ say }) => [one.ns, badge('warning'), say]),
  ]);
  const commands =
    moves.length > 0 &&
    all.every((one) => one.blockers.length === 0) &&
    html`<div class="codes">${copyable('to do it', 'tune.split.run(plan, { confirm: true })', `run${key}`)}${copyable('or by hand', 'tune.split.script(plan)', `script${key}`)}</div>`;
  return [
    {
      id: `way${key}`,
      title: 'In the way',
      body: html`${rows.length === 0 ? html`<p class="good">Nothing is in the way.</p>` : table('What is in the way (✗), and what to know (!)', [{ head: 'of' }, { head: 'kind' }, { head: 'what' }], rows)}${commands}`,
    },
  ];
}

/** @param {SplitAnswer} plan @param {string} key @returns {Part[]} */
const movesPart = ({ moves }, key) =>
  moves.length === 0
    ? []
    : [
        {
          id: `moves${key}`,
          title: 'Collections that move',
          body: table(
            'What becomes of each, with estimates',
            [
              { head: 'collection' },
              { head: 'becomes' },
              ...['documents', 'data', 'on disk', 'written/s', 'copy ~', 'indexes ~'].map(right),
            ],
            moves.map((m) => [
              m.ns,
              m.into,
              roughly(m.documents),
              bytes(m.bytes),
              bytes(m.diskBytes),
              bytes(m.writtenBytesPerSec),
              seconds(m.estimateSeconds.copy),
              seconds(m.estimateSeconds.indexes),
            ]),
          ),
        },
      ];

/** @param {SplitAnswer} plan @param {string} key @returns {Part[]} */
const partsPart = ({ parts, route }, key) =>
  parts.length === 0
    ? []
    : [
        {
          id: `parts${key}`,
          title: 'Parts',
          body: html`${table(
            'Parts, estimated from a sample',
            [
              { head: 'part' },
              { head: 'holds' },
              { head: 'of all' },
              right('documents ~'),
              right('data ~'),
            ],
            parts.map((p) => [p.ns, p.holds, bar(p.ratio), roughly(p.documents), bytes(p.bytes)]),
          )}${route && copyable('the application asks it where a document is', route, `route${key}`)}`,
        },
      ];

/** @param {SplitAnswer} plan @param {string} key @returns {Part[]} */
function loadsPart({ loads, balancedBy, moves }, key) {
  if (moves.length === 0) return [];
  const all = loads.reduce((sum, { before }) => sum + before, 0) || 1;
  const unit = balancedBy === 'written' ? '/s' : '';
  return [
    {
      id: `loads${key}`,
      title: 'Load of each database',
      body: table(
        balancedBy === 'written' ? 'Written to disk' : 'Data; nothing was written',
        [{ head: 'database' }, right('before'), { head: '' }, right('after'), { head: '' }],
        loads.map(({ database, before, after }) => [
          database,
          `${bytes(before)}${unit}`,
          bar(before / all, 'a'),
          `${bytes(after)}${unit}`,
          bar(after / all, 'b'),
        ]),
      ),
    },
  ];
}

/** @param {SplitAnswer} plan @param {string} key @returns {Part[]} */
const staysPart = ({ stays }, key) =>
  stays.length === 0
    ? []
    : [
        {
          id: `stays${key}`,
          title: 'What stays',
          body: table(
            'And why',
            [{ head: 'collection' }, { head: 'because' }],
            stays.map(({ ns, because }) => [ns, because]),
          ),
        },
      ];

module.exports = { showSplit };
