'use strict';

const { count } = require('../../base/pure/units');
const { defineRule } = require('../rule');

// WT-12012 is in 7.0.21 and 8.0.0; what lies between (7.1 to 7.3) has it not.
const FIXED = 70_021;
const NEXT_SERIES = 70_100;
const FIXED_SERIES = 80_000;
// WiredTiger's WT_EVICT_SCORE_MAX: eviction is stuck.
const STUCK = 100;

module.exports = defineRule({
  id: 'engine-log-flood',
  area: 'version',
  title: 'Server log flooded by a stuck cache',
  why:
    'When eviction is stuck WiredTiger turns on messages to say why. Releases with a known ' +
    'defect (WT-12012) do not turn them off again: the log grows by them long after the stall, ' +
    'and costs time of its own.',
  needs: ['server.versionNumber', 'eviction.aggressiveScoreMax'],
  evidence: ['server.versionNumber', 'eviction.aggressiveScoreMax'],
  threshold:
    `Information when eviction was stuck (score ${STUCK}) in this window on a release before ` +
    '7.0.21, or before 8.0 in the series after it.',
  source: 'WT-12012 (fixed in 7.0.21 and 8.0.0)',
  advice: 'Upgrade to 7.0.21, 8.0 or later.',
  whenNot:
    'Not unless the log really is full of such messages (component WTEVICT or STORAGE): what ' +
    'is seen here is only that it can happen.',
  check({ 'server.versionNumber': version, 'eviction.aggressiveScoreMax': score }) {
    const values = { score };
    if (version >= FIXED_SERIES || (version >= FIXED && version < NEXT_SERIES))
      return { status: 'ok', code: 'mended-release', values };
    return score < STUCK
      ? { status: 'ok', code: 'not-stuck', values }
      : { status: 'info', code: 'stuck', values };
  },
  messages: {
    'mended-release': () => 'This release turns the messages of a stall off again.',
    'not-stuck': ({ score }) =>
      `Eviction was not stuck: its score is at most ${count(score)} of ${STUCK}.`,
    stuck: () =>
      'Eviction was stuck, and this release may go on writing messages about it to the log.',
  },
  adviceFor: {
    stuck: () =>
      "Look into the log. If WiredTiger's messages do not end, reset them: " +
      'db.adminCommand({ setParameter: 1, wiredTigerEngineRuntimeConfig: "verbose=[]" }); ' +
      'and upgrade to 7.0.21, 8.0 or later.',
  },
});
