'use strict';

const { count, percent } = require('../../base/pure/units');
const { defineRule } = require('../rule');
const { sources, ticket, wiredTigerSource } = require('../sources');

// The score runs from 0 to 100 (WiredTiger, WT_EVICT_SCORE_CUTOFF and _MAX): from the cutoff on
// eviction is aggressive, at the maximum it is stuck.
const CUTOFF = 10;
const MAX = 100;

module.exports = defineRule({
  id: 'aggressive-mode',
  area: 'eviction',
  title: 'Eviction under pressure',
  why:
    'Each eviction pass without progress raises the eviction score, from 0 to 100. From 10 on, ' +
    'eviction is aggressive: it also takes pages it would otherwise keep. At 100 it is stuck, ' +
    'because pages cannot be written or dropped.',
  needs: ['eviction.aggressiveScoreMax'],
  wants: ['eviction.aggressiveShare', 'eviction.emptyScore'],
  evidence: ['eviction.aggressiveScoreMax', 'eviction.aggressiveShare', 'eviction.emptyScore'],
  thresholds: { warningScore: CUTOFF },
  threshold:
    `Eviction score of 0 to ${MAX}. Warning: from ${CUTOFF}. Critical: at ${MAX}. A score above ${MAX} is a known defect ` +
    'of the server: critical.',
  source: sources(
    wiredTigerSource('WT_EVICT_SCORE_CUTOFF and WT_EVICT_SCORE_MAX', 'src/include/cache.h'),
    ticket('WT-13090', 'scores above 100'),
    ticket('WT-13283', 'scores above 100'),
  ),
  advice:
    'Find what pins pages: a long transaction or snapshot (db.currentOp()). Or check whether ' +
    'the disk is too slow for the writes (dirty-ratio, cache-wait).',
  whenNot:
    'A score that reaches 100 only during a checkpoint on a slow disk is caused by the disk. ' +
    'No setting changes the score.',
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
    fine: ({ score }) => `The maximum eviction score is ${count(score)} of ${MAX}.`,
    aggressive: ({ score, aboveZeroShare }) =>
      `Eviction was aggressive: its score reached ${count(score)} of ` +
      `${MAX}${often(aboveZeroShare)}.`,
    stuck: ({ aboveZeroShare }) =>
      `Eviction was stuck: its score reached ${MAX}${often(aboveZeroShare)}.`,
    'above-maximum': ({ score }) =>
      `The eviction score is ${count(score)}, above its maximum of ${MAX}: a known defect ` +
      '(WT-13090).',
  },
  adviceFor: {
    'above-maximum': () =>
      'Upgrade to 6.0.24, 7.0.20, 8.0.10 or later. Until then, restart mongod to reset the score.',
  },
});

/** Says how often the score was above 0, as the end of a sentence. @param {number | null} share */
const often = (share) => (share === null ? '' : `, above 0 in ${percent(share)} of the samples`);
