'use strict';

const { duration, secondsText, MS_PER_SECOND } = require('../../base/pure/units');
const { defineMemberRule } = require('../rule');
const {
  majorityDelay,
  describe,
  MAJORITY_LAG_SECONDS,
  SEVERE_SECONDS,
  WAY_BACK_OF_VOTE,
} = require('../../signals/history');
const { sources, manual, parameter } = require('../sources');

const ADVICE =
  'Check the member named: disk, CPUs, network, a lock (db.fsyncUnlock() there, once no backup needs ' +
  'it), or whether it is down. If it stays down for long, remove its vote (votes: 0, priority: 0) with rs.reconfig().';

module.exports = defineMemberRule({
  id: 'member-majority',
  title: 'Majority lag caused by a member',
  why:
    'A write is safe once a majority of the voting members has it. Writes with w: "majority" ' +
    'wait for that, all members keep old versions until then, and flow control throttles ' +
    'writers. An arbiter votes without data: one lagging member is then enough.',
  needs: ['role'],
  threshold:
    `Warning: the majority lags by ${MAJORITY_LAG_SECONDS} s or more, where flow control ` +
    `starts. Critical: ${secondsText(SEVERE_SECONDS)} or more, the snapshot window that ` +
    'servers keep by default.',
  source: sources(
    manual('replSetGetStatus: lastCommittedOpTime', 'manual/reference/command/replSetGetStatus/'),
    parameter('flowControlTargetLagSeconds, minSnapshotHistoryWindowInSeconds'),
    manual(
      'Mitigate Performance Issues with a Self-Managed PSA Replica Set',
      'manual/tutorial/mitigate-psa-performance-issues/',
    ),
  ),
  advice: ADVICE,
  whenNot:
    'Not right after a bulk load or an initial sync, while the lag falls. A delayed member ' +
    'should have no vote.',
  check(set) {
    const delay = majorityDelay(set);
    if (delay === null) return [];
    const { seconds, members } = delay;
    return [
      {
        status: seconds >= SEVERE_SECONDS ? 'critical' : 'warning',
        code: 'behind',
        subject: members[0]?.host ?? set.name ?? undefined,
        values: {
          set: set.name,
          seconds,
          holders: members.map(describe),
          hasArbiter: set.rows.some(({ isArbiter }) => isArbiter),
        },
        evidence: {
          majorityLagSeconds: seconds,
          members: members.map(({ host }) => host).join(', ') || null,
        },
      },
    ];
  },
  adviceFor: {
    behind: ({ hasArbiter }) => (hasArbiter ? `${ADVICE} ${WAY_BACK_OF_VOTE}` : ADVICE),
  },
  messages: {
    fine: () => 'The majority of the set has the newest writes.',
    behind: ({ set, seconds, holders }) =>
      `The majority${set === null ? '' : ` of ${set}`} lags by ` +
      `${duration(seconds * MS_PER_SECOND)}: ` +
      (holders.length === 0 ? 'the member is not reported.' : `${holders.join(' and ')}.`),
  },
});
