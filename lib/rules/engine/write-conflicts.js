'use strict';

const { count, percent, shortPercent } = require('../../base/pure/units');
const { defineRule } = require('../rule');
const { sources, statistic } = require('../sources');

// Share of the writes that have to be made again; heuristic.
const OFTEN_RATIO = 0.1;
// Fewer a second say nothing by their share; heuristic.
const MIN_PER_SEC = 1;

module.exports = defineRule({
  id: 'write-conflicts',
  area: 'concurrency',
  title: 'Writes conflict with each other',
  why:
    'Two operations that change one document at the same time conflict. The later one begins again, ' +
    'and a transaction fails. Each try costs CPU and cache, and brings nothing.',
  needs: ['transaction.conflictsPerSec'],
  wants: ['ops.writesPerSec'],
  evidence: ['transaction.conflictsPerSec', 'ops.writesPerSec'],
  thresholds: { oftenRatio: OFTEN_RATIO },
  threshold:
    `Not judged below ${MIN_PER_SEC}/s. Warning: at least ${shortPercent(OFTEN_RATIO)} as many conflicts ` +
    'as writes.',
  source: sources(statistic('update conflicts'), 'the thresholds are heuristics'),
  advice:
    'Find the documents that many clients change: a counter, a queue, a lock. Spread them over more ' +
    'documents, or let one client do it.',
  whenNot: 'No setting of the storage engine changes it.',
  check(
    { 'transaction.conflictsPerSec': conflictsPerSec, 'ops.writesPerSec': writesPerSec = null },
    { oftenRatio },
  ) {
    const ratio =
      writesPerSec === null || writesPerSec === 0 ? null : conflictsPerSec / writesPerSec;
    const values = { conflictsPerSec, ratio };
    if (conflictsPerSec < MIN_PER_SEC) return { status: 'ok', code: 'rare', values };
    return ratio === null || ratio < oftenRatio
      ? { status: 'ok', code: 'fine', values }
      : { status: 'warning', code: 'often', values };
  },
  messages: {
    rare: ({ conflictsPerSec }) => `${count(conflictsPerSec)} write conflicts/s: too few to judge.`,
    fine: (values) => number(values),
    often: (values) => number(values),
  },
});

/** @param {{ conflictsPerSec: number, ratio: number | null }} values */
const number = ({ conflictsPerSec, ratio }) =>
  `${count(conflictsPerSec)} write conflicts/s` +
  `${ratio === null ? '' : `, ${percent(ratio)} as many as writes`}.`;
