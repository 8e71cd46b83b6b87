'use strict';

const { DEFAULT_JOURNAL_COMMIT_MS } = require('../../server/pure/facts');
const { duration } = require('../../base/pure/units');
const { defineRule } = require('../rule');

const DEFAULT_MS = DEFAULT_JOURNAL_COMMIT_MS;

module.exports = defineRule({
  id: 'journal-interval',
  area: 'settings',
  title: 'Journal commit interval changed without effect',
  why:
    'The journal is written every 100 ms whether or not somebody waits for it. Who does wait ' +
    '(j: true) makes the server write it at once, so that the interval hardly changes response ' +
    'times; it decides how much of the unacknowledged rest a crash can take.',
  needs: ['config.journalCommitMs'],
  wants: ['log.syncMs'],
  evidence: ['config.journalCommitMs', 'log.syncMs'],
  threshold: `Other than the default of ${DEFAULT_MS} ms: information.`,
  source:
    'IBM-Z (changing it did not help, read-mostly load, one machine); MongoDB manual, ' +
    'storage.journal.commitIntervalMs; docs/evidence/do-nothing.md',
  advice: 'Return to the default where no measurement of your own speaks for the other value.',
  whenNot:
    'Measured for a read-mostly load only. Where many small writes with j: true meet a slow ' +
    'disk it may answer differently: measure it.',
  check({ 'config.journalCommitMs': intervalMs }) {
    const values = { intervalMs };
    if (intervalMs === DEFAULT_MS) return { status: 'ok', code: 'default', values };
    const code = intervalMs < DEFAULT_MS ? 'shorter' : 'longer';
    return { status: 'info', code, values };
  },
  messages: {
    default: ({ intervalMs }) =>
      `The journal is written every ${duration(intervalMs)}, as by default.`,
    shorter: ({ intervalMs }) =>
      `The journal is written every ${duration(intervalMs)} instead of ${duration(DEFAULT_MS)}: ` +
      'more syncs for the disk, and no gain where it was measured.',
    longer: ({ intervalMs }) =>
      `The journal is written every ${duration(intervalMs)} instead of ${duration(DEFAULT_MS)}: ` +
      'more to lose in a crash, and no gain where it was measured.',
  },
  adviceFor: { shorter: () => RETURN, longer: () => RETURN },
});

const RETURN =
  'Return to the default: db.adminCommand({ setParameter: 1, journalCommitInterval: ' +
  `${DEFAULT_MS} }), and take storage.journal.commitIntervalMs out of the configuration file.`;
