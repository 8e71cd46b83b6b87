'use strict';

const { DEFAULT_JOURNAL_COMMIT_MS } = require('../../server/pure/facts');
const { duration } = require('../../base/pure/units');
const { defineRule } = require('../rule');
const { sources, option, measured, S390X } = require('../sources');

const DEFAULT_MS = DEFAULT_JOURNAL_COMMIT_MS;

module.exports = defineRule({
  id: 'journal-interval',
  area: 'settings',
  title: 'Journal commit interval changed without effect',
  why:
    'mongod writes the journal every 100 ms. A write with j: true triggers a sync at once, so ' +
    'the interval hardly changes its latency. The interval decides how many unacknowledged ' +
    'writes a crash can lose.',
  needs: ['config.journalCommitMs'],
  wants: ['log.syncMs'],
  evidence: ['config.journalCommitMs', 'log.syncMs'],
  threshold: `Information: not the default of ${DEFAULT_MS} ms.`,
  source: sources(
    option('storage.journal.commitIntervalMs'),
    S390X + ': no effect',
    measured('do-nothing'),
  ),
  advice: 'Return to the default, unless your own measurement supports this value.',
  whenNot:
    'Measured for a read-mostly load only. Many small writes with j: true on a slow disk may ' +
    'differ: measure it.',
  check({ 'config.journalCommitMs': intervalMs }) {
    const values = { intervalMs };
    if (intervalMs === DEFAULT_MS) return { status: 'ok', code: 'default', values };
    const code = intervalMs < DEFAULT_MS ? 'shorter' : 'longer';
    return { status: 'info', code, values };
  },
  messages: {
    default: ({ intervalMs }) =>
      `The journal is written every ${duration(intervalMs)} (the default).`,
    shorter: ({ intervalMs }) =>
      `The journal is written every ${duration(intervalMs)} (default ${duration(DEFAULT_MS)}): ` +
      'more syncs, and no gain in tests.',
    longer: ({ intervalMs }) =>
      `The journal is written every ${duration(intervalMs)} (default ${duration(DEFAULT_MS)}): ` +
      'a crash can lose more, and no gain in tests.',
  },
  adviceFor: { shorter: () => RETURN, longer: () => RETURN },
});

const RETURN =
  'Return to the default: db.adminCommand({ setParameter: 1, journalCommitInterval: ' +
  `${DEFAULT_MS} }). Remove storage.journal.commitIntervalMs from mongod.conf.`;
