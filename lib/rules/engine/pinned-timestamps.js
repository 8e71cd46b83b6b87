'use strict';

const { duration, secondsText, MS_PER_SECOND } = require('../../base/pure/units');
const { defineRule } = require('../rule');
const { doTimestampsStand, WINDOW_SECONDS, LONG_SECONDS } = require('../../signals/history');
const { sources, parameter, statistic, measured } = require('../sources');

module.exports = defineRule({
  id: 'pinned-timestamps',
  area: 'history',
  title: 'Old versions kept by an old timestamp',
  why:
    'A replica set keeps every version newer than the oldest readable timestamp. An open ' +
    'transaction or a lagging majority holds that timestamp back. While it does not advance, ' +
    'no older version is dropped, and the history store grows.',
  needs: ['transaction.pinnedSeconds'],
  wants: ['transaction.pinnedSecondsGrown', 'window.seconds', 'transaction.pinnedIdsMax'],
  evidence: [
    'transaction.pinnedSeconds',
    'transaction.pinnedSecondsGrown',
    'transaction.pinnedIdsMax',
  ],
  thresholds: { longSeconds: LONG_SECONDS },
  threshold:
    `Healthy: up to ${secondsText(LONG_SECONDS)}, twice the window of ` +
    `${secondsText(WINDOW_SECONDS)} that servers keep by default. Information: longer. ` +
    'Warning: longer, and the oldest timestamp did not advance in this window.',
  source: sources(
    parameter('minSnapshotHistoryWindowInSeconds'),
    statistic('transaction range of timestamps currently pinned'),
    measured('pinned-snapshot'),
  ),
  advice:
    'Find old transactions: db.currentOp({ "transaction.timeOpenMicros": { $gt: 1e7 } }). On a ' +
    'replica set also check for a lagging member or a lost majority: ' +
    'rs.printSecondaryReplicationInfo().',
  whenNot:
    'Not if minSnapshotHistoryWindowInSeconds was raised deliberately. Not on standalone ' +
    'servers: they have no timestamps.',
  speaksFor: ['history'],
  check(metrics, { longSeconds }) {
    const {
      'transaction.pinnedSeconds': pinnedSeconds,
      'transaction.pinnedSecondsGrown': grownSeconds = null,
    } = metrics;
    const values = { pinnedSeconds, grownSeconds: grownSeconds ?? 0 };
    if (pinnedSeconds === 0) return { status: 'unknown', code: 'not-applicable', values };
    if (pinnedSeconds <= longSeconds) return { status: 'ok', code: 'fine', values };
    return doTimestampsStand(metrics)
      ? { status: 'warning', code: 'stalled', values }
      : { status: 'info', code: 'long', values };
  },
  messages: {
    'not-applicable': () =>
      'Not applicable: this server keeps no versions by timestamp, as on a standalone server.',
    fine: (values) => `${kept(values)}.`,
    long: (values) => `${kept(values)}.`,
    stalled: (values) =>
      `${kept(values)}, ${duration(values.grownSeconds * MS_PER_SECOND)} more than at the ` +
      'start of the window: the oldest timestamp does not advance.',
  },
});

/** @param {{ pinnedSeconds: number }} values */
const kept = ({ pinnedSeconds }) =>
  `Old versions are kept for ${duration(pinnedSeconds * MS_PER_SECOND)}`;
