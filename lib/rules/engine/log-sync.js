'use strict';

const { duration } = require('../../base/pure/units');
const { defineRule } = require('../rule');
const { many } = require('../../signals/words');
const { MIN_THREADS } = require('../../signals/clients');

// A sync of the journal takes 1 to 3 ms on a disk with room (docs/evidence/stalls.md).
const SLOW_MS = 10;
// A mean of fewer syncs is decided by one; heuristic.
const MIN_SYNCS = 10;
// A write that waits for a sync takes at least half of one: it may come while the sync is on its
// way.
const WAITING_RATIO = 0.5;

module.exports = defineRule({
  id: 'log-sync',
  area: 'disk',
  title: 'Slow journal syncs',
  why:
    'A write with j: true, and on most replica sets every write with w: "majority", is ' +
    'answered when the journal is on the disk. A slow sync is then part of every such write; ' +
    'without them it only says that the disk is busy.',
  needs: ['log.syncMs'],
  wants: ['log.syncs', 'ops.writeLatencyMs', 'clients.writing'],
  evidence: ['log.syncMs', 'log.syncs', 'ops.writeLatencyMs', 'clients.writing'],
  thresholds: { slowMs: SLOW_MS },
  threshold:
    `More than ${duration(SLOW_MS)} on average, over at least ${MIN_SYNCS} syncs: ` +
    `information. When a write takes half of that or more, with ${MIN_THREADS} clients ` +
    'writing on average: warning.',
  source: 'Experience of MongoDB support (10 ms); docs/evidence/stalls.md',
  advice:
    'Look at the disk: what else writes there, its limit of IOPS, a write cache without ' +
    'battery. A journal on a disk of its own helps where checkpoints and page writes keep ' +
    'the other one busy.',
  whenNot:
    "Do not change the journal's commit interval: where it was measured it did not help " +
    '(journal-interval). Short stalls do not show in the mean.',
  speaksFor: ['disk'],
  check(
    {
      'log.syncMs': syncMs,
      'log.syncs': syncs = null,
      'ops.writeLatencyMs': writeMs = null,
      'clients.writing': writing = null,
    },
    { slowMs },
  ) {
    const values = { syncMs, syncs, writeMs };
    if (syncMs <= slowMs || (syncs ?? MIN_SYNCS) < MIN_SYNCS)
      return { status: 'ok', code: 'fine', values };
    return doWritesWait(syncMs, writeMs, writing)
      ? { status: 'warning', code: 'writes-wait', values }
      : { status: 'info', code: 'slow', values };
  },
  messages: {
    fine: (values) => `${time(values)}.`,
    slow: (values) => `${time(values)}; writes do not wait for it.`,
    'writes-wait': (values) => `${time(values)}, and a write ${duration(values.writeMs)}.`,
  },
});

/**
 * @param {number} syncMs
 * @param {number | null} writeMs
 * @param {number | null} writing clients
 */
const doWritesWait = (syncMs, writeMs, writing) =>
  (writeMs ?? 0) >= syncMs * WAITING_RATIO && (writing ?? 0) >= MIN_THREADS;

/** What one sync takes. @param {{ syncMs: number, syncs: number | null }} values */
const time = ({ syncMs, syncs }) =>
  'A sync of the journal takes ' +
  `${duration(syncMs)}${syncs === null ? '' : `, over ${many(syncs, 'sync')}`}`;
