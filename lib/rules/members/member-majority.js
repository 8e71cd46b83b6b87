'use strict';

const { duration, MS_PER_SECOND } = require('../../base/pure/units');
const { defineMemberRule } = require('../rule');
const {
  majorityHolders,
  describe,
  MAJORITY_LAG_SECONDS,
  SEVERE_SECONDS,
} = require('../../signals/history');

module.exports = defineMemberRule({
  id: 'member-majority',
  title: 'Majority held back by a member',
  why:
    'What is written counts as safe once a majority of the voting members has it. Writes with ' +
    'w: "majority" wait for that point, every member keeps old versions back to it, and flow ' +
    'control holds the writers back when it lags. An arbiter has a vote and no data: one ' +
    'member that lags is then enough.',
  needs: ['role'],
  threshold:
    `Warning when the majority is ${MAJORITY_LAG_SECONDS} s or more behind the newest write, ` +
    `where flow control begins to throttle; critical from ${duration(SEVERE_SECONDS * 1000)} ` +
    'on, the window of versions that servers keep on purpose.',
  source:
    'MongoDB manual, replSetGetStatus (lastCommittedOpTime), flowControlTargetLagSeconds, ' +
    'minSnapshotHistoryWindowInSeconds',
  advice:
    'Look at the member named: its own disk, CPUs and network, a lock ' +
    '(db.fsyncUnlock() there), or that it is down. If it will be gone for long, take its ' +
    'vote away (votes: 0, priority: 0) with rs.reconfig(), so that the others are the ' +
    'majority.',
  whenNot:
    'Right after a bulk load or an initial sync, while the lag falls. A delayed member ' +
    'should have no vote: then it holds nothing back.',
  check(set) {
    const held = majorityHolders(set);
    if (held === null) return [];
    const { seconds, holders } = held;
    return [
      {
        status: seconds >= SEVERE_SECONDS ? 'critical' : 'warning',
        code: 'behind',
        subject: holders[0]?.host ?? set.name ?? undefined,
        values: { set: set.name, seconds, holders: holders.map(describe) },
        evidence: {
          majorityLagSeconds: seconds,
          members: holders.map(({ host }) => host).join(', ') || null,
        },
      },
    ];
  },
  messages: {
    fine: () => 'The majority of the set has the newest writes.',
    behind: ({ set, seconds, holders }) =>
      `The majority${set === null ? '' : ` of ${set}`} is ${duration(seconds * MS_PER_SECOND)} ` +
      'behind the newest write: ' +
      (holders.length === 0
        ? 'which member holds it back is not reported.'
        : `${holders.join(' and ')} ${holders.length === 1 ? 'holds' : 'hold'} it back.`),
  },
});
