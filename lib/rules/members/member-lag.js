'use strict';

const { duration, MS_PER_SECOND } = require('../../base/pure/units');
const { defineMemberRule } = require('../rule');
const { LAG_SECONDS, SEVERE_SECONDS } = require('../../signals/history');

module.exports = defineMemberRule({
  id: 'member-lag',
  title: 'Secondaries lagging',
  why:
    'A secondary that lags answers reads from the past, cannot take over without losing time, ' +
    'and falls out of the oplog in the end.',
  needs: ['lagSeconds'],
  threshold:
    `Warning from ${LAG_SECONDS} s on, beside a delay on purpose; critical from ` +
    `${duration(SEVERE_SECONDS * 1000)} on.`,
  source: 'MongoDB manual, flowControlTargetLagSeconds; Replica Set Data Synchronization',
  advice:
    'Look at that member: tune.advise() on it, its disk first. rs.printReplicationInfo() on ' +
    'the primary tells how far the oplog reaches back.',
  whenNot: 'While a member comes back from a restart or an initial sync, as long as the lag falls.',
  check: (_set, known) =>
    known.flatMap(({ host, role, lagSeconds, delaySeconds }) => {
      const seconds = Number(lagSeconds) - (delaySeconds ?? 0);
      if (seconds < LAG_SECONDS) return [];
      return [
        {
          status: seconds >= SEVERE_SECONDS ? 'critical' : 'warning',
          code: 'behind',
          subject: host,
          values: { host, role, lagSeconds: Number(lagSeconds), delaySeconds },
          evidence: { lagSeconds, delaySeconds },
        },
      ];
    }),
  messages: {
    fine: () => 'No secondary is far behind.',
    behind: ({ host, role, lagSeconds, delaySeconds }) =>
      `${host} (${role}) is ${duration(lagSeconds * MS_PER_SECOND)} behind` +
      `${delaySeconds ? `, of which ${duration(delaySeconds * MS_PER_SECOND)} on purpose` : ''}.`,
  },
});
