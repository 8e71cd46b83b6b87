'use strict';

const { duration, MS_PER_SECOND } = require('../../base/pure/units');
const { defineRule } = require('../rule');
const { doTimestampsStand, WINDOW_SECONDS, LONG_SECONDS } = require('../../signals/history');

module.exports = defineRule({
  id: 'pinned-timestamps',
  area: 'history',
  title: 'Old versions kept by an old timestamp',
  why:
    'A replica set keeps every version younger than the oldest timestamp that somebody may ' +
    'still read at: the snapshot of an open transaction, a lagging majority. Where that ' +
    'timestamp stalls while time goes on, nothing older than it can be dropped, and the ' +
    'history store grows.',
  needs: ['transaction.pinnedSeconds'],
  wants: ['transaction.pinnedSecondsGrown', 'window.seconds', 'transaction.pinnedIdsMax'],
  evidence: [
    'transaction.pinnedSeconds',
    'transaction.pinnedSecondsGrown',
    'transaction.pinnedIdsMax',
  ],
  thresholds: { longSeconds: LONG_SECONDS },
  threshold:
    `Up to ${duration(LONG_SECONDS * 1000)} (the window of ${duration(WINDOW_SECONDS * 1000)} ` +
    'that servers keep on purpose, twice): healthy. Longer: information; longer, and its old ' +
    'end stalled in this window: warning.',
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
      'transaction.pinnedSeconds': pinnedSeconds,
      'transaction.pinnedSecondsGrown': grownSeconds = null,
    } = metrics;
    const values = { pinnedSeconds, grownSeconds: grownSeconds ?? 0 };
    if (pinnedSeconds <= longSeconds) return { status: 'ok', code: 'fine', values };
    return doTimestampsStand(metrics)
      ? { status: 'warning', code: 'stalled', values }
      : { status: 'info', code: 'long', values };
  },
  messages: {
    fine: (values) => `${kept(values)}.`,
    long: (values) => `${kept(values)}.`,
    stalled: (values) =>
      `${kept(values)}, and ${duration(values.grownSeconds * MS_PER_SECOND)} more than at the ` +
      'beginning of the window: the oldest does not move on.',
  },
});

/** How far back versions are kept. @param {{ pinnedSeconds: number }} values */
const kept = ({ pinnedSeconds }) =>
  `Versions of the last ${duration(pinnedSeconds * MS_PER_SECOND)} are kept`;
