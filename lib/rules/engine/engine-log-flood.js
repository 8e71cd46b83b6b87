'use strict';

const { count } = require('../../base/pure/units');
const { defineRule } = require('../rule');
const { sources, ticket } = require('../sources');

// WT-12012 is in 7.0.21 and 8.0.0; 7.1 to 7.3 do not have it.
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
    'When eviction is stuck, WiredTiger turns on diagnostic messages. Releases with defect ' +
    'WT-12012 do not turn them off again. The log then grows long after the stall, and writing ' +
    'it takes time.',
  needs: ['server.versionNumber', 'eviction.aggressiveScoreMax'],
  evidence: ['server.versionNumber', 'eviction.aggressiveScoreMax'],
  threshold:
    `Information: eviction was stuck (score ${STUCK}) in this window on a release before ` +
    '7.0.21, or on 7.1 to 7.3.',
  source: sources(ticket('WT-12012', 'fixed in 7.0.21 and 8.0.0')),
  advice: 'Upgrade to 7.0.21, 8.0 or later.',
  whenNot:
    'Only relevant if the log really contains many such messages (component WTEVICT or ' +
    'STORAGE). This finding only shows that it can happen.',
  check({ 'server.versionNumber': version, 'eviction.aggressiveScoreMax': score }) {
    const values = { score };
    if (version >= FIXED_SERIES || (version >= FIXED && version < NEXT_SERIES))
      return { status: 'ok', code: 'mended-release', values };
    return score < STUCK
      ? { status: 'ok', code: 'not-stuck', values }
      : { status: 'info', code: 'stuck', values };
  },
  messages: {
    'mended-release': () => 'This release is not affected by WT-12012.',
    'not-stuck': ({ score }) =>
      `Eviction was not stuck: its maximum score is ${count(score)} of ${STUCK}.`,
    stuck: () =>
      'Eviction was stuck, and this release may continue to log messages about it (WT-12012).',
  },
  adviceFor: {
    stuck: () =>
      'Check the log. If WiredTiger messages continue, reset them: ' +
      'db.adminCommand({ setParameter: 1, wiredTigerEngineRuntimeConfig: "verbose=[]" }). ' +
      'Then upgrade to 7.0.21, 8.0 or later.',
  },
});
