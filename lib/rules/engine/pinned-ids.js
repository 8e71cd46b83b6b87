'use strict';

const { count, duration, MS_PER_SECOND, many, shortPercent } = require('../../base/pure/units');
const { defineRule } = require('../rule');
const {
  isSnapshotOld,
  snapshotSeconds,
  PINNED_IDS,
  PINNED_SECONDS,
  SUSTAINED_RATIO,
} = require('../../signals/history');
const { sources, statistic, measured } = require('../sources');

module.exports = defineRule({
  id: 'pinned-ids',
  area: 'history',
  title: 'Old snapshot held open by a transaction',
  why:
    'Versions changed since the oldest snapshot began must be kept: eviction writes them to ' +
    'the history store, and readers step over them. A forgotten transaction costs little at ' +
    'first, and more with every write.',
  needs: ['transaction.pinnedIdsMax'],
  wants: ['transaction.pinnedIds', 'ops.writesPerSec', 'ops.replicatedPerSec'],
  threshold:
    `Warning: at least ${count(PINNED_IDS)} pinned transaction ids at maximum, at least ` +
    `${shortPercent(SUSTAINED_RATIO)} of that in half of the samples, and ${PINNED_SECONDS} s of ` +
    'writes.',
  source: sources(
    statistic('transaction range of IDs currently pinned'),
    measured('pinned-snapshot'),
  ),
  advice:
    'Find it: db.currentOp({ "transaction.timeOpenMicros": { $gt: 1e7 } }). An idle ' +
    'transaction has no opid: end its session by the lsid shown, db.adminCommand({ ' +
    'killSessions: [lsid] })',
  whenNot:
    'Not during a large import or index build: many writes in a short time give the same ' +
    'numbers for a moment. An idle cursor outside a transaction pins nothing.',
  speaksFor: ['history'],
  check(metrics) {
    const { 'transaction.pinnedIdsMax': ids } = metrics;
    const seconds = snapshotSeconds(metrics) ?? null;
    const evidence = {
      'transaction.pinnedIdsMax': ids,
      'transaction.pinnedIds': metrics['transaction.pinnedIds'] ?? null,
      seconds,
    };
    const values = { ids, seconds };
    return isSnapshotOld(metrics)
      ? { status: 'warning', code: 'old-snapshot', values, evidence }
      : { status: 'ok', code: 'fine', values, evidence };
  },
  messages: { fine: (values) => pinned(values), 'old-snapshot': (values) => pinned(values) },
});

/** Ids, and the time in which they were given out. @param {{ ids: number, seconds: number | null }} of */
const pinned = ({ ids, seconds }) =>
  `The oldest snapshot pins ${many(ids, 'transaction id')}` +
  (ids < PINNED_IDS || seconds === null
    ? '.'
    : ` (about ${duration(seconds * MS_PER_SECOND)} of writes).`);
