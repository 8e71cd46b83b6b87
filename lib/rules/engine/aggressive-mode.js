'use strict';

const { count, percent } = require('../../base/pure/units');
const { defineRule } = require('../rule');

// The score runs from 0 to 100 (WiredTiger, WT_EVICT_SCORE_CUTOFF and _MAX): from the cutoff on
// eviction is aggressive, at the maximum it is stuck.
const CUTOFF = 10;
const MAX = 100;

module.exports = defineRule({
  id: 'aggressive-mode',
  area: 'eviction',
  title: 'Eviction under pressure',
  why:
    'Each round in which eviction makes no progress raises a score from 0 to 100. From 10 on ' +
    'it takes pages it would rather leave, at 100 it is stuck: something keeps the pages from ' +
    'being written or dropped.',
  needs: ['eviction.aggressiveScoreMax'],
  wants: ['eviction.aggressiveShare', 'eviction.emptyScore'],
  evidence: ['eviction.aggressiveScoreMax', 'eviction.aggressiveShare', 'eviction.emptyScore'],
  thresholds: { warningScore: CUTOFF },
  threshold:
    `From ${CUTOFF} on: warning. At ${MAX}: critical. Above ${MAX} the counter itself is ` +
    'wrong, a known defect of the server.',
  source:
    'WiredTiger, src/include/cache.h (WT_EVICT_SCORE_CUTOFF, WT_EVICT_SCORE_MAX); WT-13090, ' +
    'WT-13283 for scores above 100',
  advice:
    'Look for what pins pages: a long transaction or snapshot (db.currentOp()), or a disk ' +
    'too slow for the writes (dirty-ratio, cache-wait).',
  whenNot:
    "A score that touches 100 while a checkpoint runs on a slow disk is the disk's doing; " +
    'there is no knob for the score.',
  check(
    { 'eviction.aggressiveScoreMax': score, 'eviction.aggressiveShare': share = null },
    { warningScore },
  ) {
    const values = { score, aboveZeroShare: share };
    if (score > MAX) return { status: 'critical', code: 'above-maximum', values };
    if (score >= MAX) return { status: 'critical', code: 'stuck', values };
    if (score >= warningScore) return { status: 'warning', code: 'aggressive', values };
    return { status: 'ok', code: 'fine', values };
  },
  messages: {
    fine: ({ score }) => `The eviction score is at most ${count(score)} of ${MAX}.`,
    aggressive: ({ score, aboveZeroShare }) =>
      `Eviction was aggressive: its score reached ${count(score)} of ${MAX}${often(aboveZeroShare)}.`,
    stuck: ({ aboveZeroShare }) =>
      `Eviction was stuck: its score reached ${MAX}${often(aboveZeroShare)}.`,
    'above-maximum': ({ score }) =>
      `The eviction score is ${count(score)} of at most ${MAX}: a known defect (WT-13090).`,
  },
  adviceFor: {
    'above-maximum': () =>
      'Upgrade to 6.0.24, 7.0.20, 8.0.10 or later; until then a restart helps.',
  },
});

/** How often the score was above 0, for the end of a sentence. @param {number | null} share */
const often = (share) => (share === null ? '' : `, above 0 in ${percent(share)} of the samples`);
