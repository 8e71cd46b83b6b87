'use strict';

const { duration } = require('../../base/pure/units');
const { defineRule } = require('../define-rule');
const { doTimestampsStand, WINDOW_SECONDS, LONG_SECONDS } = require('../../signals/history');

module.exports = defineRule({
  id: 'pinned-timestamps',
  area: 'history',
  title: 'How far back old versions must be kept',
  why:
    'A replica set keeps every version younger than the oldest timestamp that somebody may ' +
    'still read at: the snapshot of an open transaction, a lagging majority. Where that ' +
    'timestamp stands still while time goes on, nothing older than it can be dropped, and the ' +
    'history store grows.',
  needs: ['transaction.pinnedSeconds'],
  wants: ['transaction.pinnedSecondsGrown', 'window.seconds', 'transaction.pinnedIdsMax'],
  limits: { longSeconds: LONG_SECONDS },
  threshold:
    `Up to ${duration(LONG_SECONDS * 1000)} (the window of ${duration(WINDOW_SECONDS * 1000)} ` +
    'that servers keep on purpose, twice): healthy. Longer: information; longer, and its old ' +
    'end stood still in this window: warning.',
  source:
    'Experience of MongoDB support; docs/evidence/pinned-snapshot.md; MongoDB manual, ' +
    'minSnapshotHistoryWindowInSeconds; WiredTiger, statistic "transaction range of ' +
    'timestamps currently pinned"',
  advice:
    'Find what is old: db.currentOp({ "transaction.timeOpenMicros": { $gt: 1e7 } }) (an idle ' +
    'cursor outside a transaction pins nothing). On a replica set also a member that lags, ' +
    'or a majority that is gone (an arbiter in its place): ' +
    'rs.printSecondaryReplicationInfo().',
  whenNot:
    'Not when minSnapshotHistoryWindowInSeconds was raised on purpose. Standalone servers ' +
    'have no timestamps: there it is 0.',
  speaksFor: ['history'],
  check(metrics, { longSeconds }) {
    const {
      'transaction.pinnedSeconds': pinned,
      'transaction.pinnedSecondsGrown': grown = 0,
      'transaction.pinnedIdsMax': ids,
    } = metrics;
    const evidence = {
      'transaction.pinnedSeconds': pinned,
      'transaction.pinnedSecondsGrown': metrics['transaction.pinnedSecondsGrown'] ?? null,
      'transaction.pinnedIdsMax': ids ?? null,
    };
    const say = `Versions of the last ${duration(pinned * 1000)} are kept`;
    if (pinned <= longSeconds) return { status: 'ok', say: `${say}.`, evidence };
    if (!doTimestampsStand(metrics)) return { status: 'info', say: `${say}.`, evidence };
    return {
      status: 'warning',
      say:
        `${say}, and ${duration(grown * 1000)} more than at the beginning of the window: the ` +
        'oldest does not move on.',
      evidence,
    };
  },
});
