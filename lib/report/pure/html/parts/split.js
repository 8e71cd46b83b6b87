'use strict';

const { bytes, count, duration, roughly, many } = require('../../../../base/pure/units');
const { html, badge, bar, commands, copyable, facts, table, verdictOf } = require('../elements');
const { right } = require('./samples');

/**
 * @import { Part, Shown, SplitAnswer } from '../../../types'
 */

const TONES = Object.freeze(
  /** @type {Record<string, string>} */ ({ yes: 'ok', no: 'warning', unknown: 'unknown' }),
);

/**
 * Formats an estimated time: from ten seconds on in whole seconds.
 * @param {number | null} n
 */
function seconds(n) {
  if (n === null) return duration(null);
  return duration(n < 10 ? Math.round(n * 1000) : Math.round(n) * 1000);
}

/** Shows the plan of a split. @param {SplitAnswer} plan @param {string} key @returns {Shown} */
function showSplit(plan, key) {
  const { from, into, mode, worthIt, because, moves, estimateSeconds, diskBytes, unknown } = plan;
  const lead = html`${verdictOf(TONES[worthIt] ?? 'unknown', { label: 'Benefit', answer: worthIt.toUpperCase(), because })}${facts(
    [
      ['From', from],
      ['To', into.join(', ')],
      ['Collections to move', `${count(moves.length)}, ${mode}`],
      ['Estimated time', seconds(estimateSeconds)],
      ['Additional disk space until finished', bytes(diskBytes)],
    ],
  )}`;
  return {
    name: 'Split plan',
    sub: [plan.id, 'PLAN ONLY, nothing was changed'],
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
function remarksPart({ moves, blockers, warnings, worthIt }, key) {
  const all = [{ ns: 'whole plan', blockers, warnings }, ...moves];
  const blocked = all.flatMap((move) =>
    move.blockers.map(({ say }) => [badge('critical', 'BLOCKER'), move.ns, say]),
  );
  const rows = [
    ...blocked,
    ...all.flatMap((move) => move.warnings.map(({ say }) => [badge('warning'), move.ns, say])),
  ];
  return [
    {
      id: `blockers${key}`,
      title: 'Blockers and warnings',
      body:
        rows.length === 0
          ? html`<p class="good">No blockers, no warnings.</p>`
          : html`<div class="rules">${table('Fix blockers before the move', [{ head: 'kind' }, { head: 'collection' }, { head: 'finding' }], rows)}</div>`,
    },
    { id: `next${key}`, title: 'Next', body: nextOf({ moves, worthIt }, blocked.length, key) },
  ];
}

/**
 * Shows the next calls; none that runs a plan without benefit, or one with blockers.
 * @param {Pick<SplitAnswer, 'moves' | 'worthIt'>} plan
 * @param {number} blockers
 * @param {string} key
 */
function nextOf({ moves, worthIt }, blockers, key) {
  if (blockers > 0) return html`<p>Fix ${many(blockers, 'blocker')}, then plan again.</p>`;
  if (worthIt === 'no' || moves.length === 0) return html`<p>No move is recommended.</p>`;
  return commands([
    ['Dry run', 'tune.split.run(plan)', `preview${key}`],
    ['Run', 'tune.split.run(plan, { confirm: true })', `run${key}`],
    ['Script', 'tune.split.script(plan)', `script${key}`],
  ]);
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
            'Sizes and estimated times',
            [
              { head: 'collection' },
              { head: 'moves to' },
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
            'Estimated from a sample',
            [
              { head: 'part' },
              { head: 'holds' },
              { head: 'share' },
              right('documents ~'),
              right('data ~'),
            ],
            parts.map((p) => [p.ns, p.holds, bar(p.ratio), roughly(p.documents), bytes(p.bytes)]),
          )}${route && copyable('Routing function for the application', route, `route${key}`)}`,
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
        balancedBy === 'written'
          ? 'Written to disk, before and after'
          : 'Data, before and after; nothing was written',
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
          title: 'Collections that stay',
          body: table(
            'With the reason',
            [{ head: 'collection' }, { head: 'reason' }],
            stays.map(({ ns, because }) => [ns, because]),
          ),
        },
      ];

module.exports = { showSplit };
