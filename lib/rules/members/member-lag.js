'use strict';

const { duration, secondsText, MS_PER_SECOND } = require('../../base/pure/units');
const { defineMemberRule } = require('../rule');
const { LAG_SECONDS, SEVERE_SECONDS } = require('../../signals/history');
const { sources, manual, parameter } = require('../sources');

module.exports = defineMemberRule({
  id: 'member-lag',
  title: 'Secondaries lagging',
  why:
    'A lagging secondary serves stale reads, needs time before it can become primary, and ' +
    'finally falls off the oplog.',
  needs: ['lagSeconds'],
  isOfSet: true,
  threshold:
    `Warning: lag of ${LAG_SECONDS} s or more beyond a configured delay. Critical: ` +
    `${secondsText(SEVERE_SECONDS)} or more.`,
  source: sources(
    parameter('flowControlTargetLagSeconds'),
    manual('Replica Set Data Synchronization', 'manual/core/replica-set-sync/'),
  ),
  advice:
    'Run tune.advise() on that member, and check its disk first. rs.printReplicationInfo() on ' +
    'the primary shows the length of the oplog.',
  whenNot:
    'Not while a member catches up after a restart or an initial sync, as long as the lag ' +
    'falls.',
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
    fine: () => 'No secondary lags.',
    behind: ({ host, role, lagSeconds, delaySeconds }) =>
      `${host} (${role}) lags by ${duration(lagSeconds * MS_PER_SECOND)}` +
      `${delaySeconds ? ` (configured delay ${duration(delaySeconds * MS_PER_SECOND)})` : ''}.`,
  },
});
