'use strict';

const { duration, many } = require('../../base/pure/units');
const { defineRule } = require('../rule');
const { MIN_THREADS } = require('../../signals/clients');
const { sources, measured } = require('../sources');

// A sync of the journal takes 1 to 3 ms on a disk with headroom (docs/evidence/stalls.md).
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
    'A write with j: true, and on most replica sets with w: "majority", returns only after a ' +
    'journal sync. A slow sync delays every such write. Without such writes it only shows a ' +
    'busy disk.',
  needs: ['log.syncMs'],
  wants: ['log.syncs', 'ops.writeLatencyMs', 'clients.writing'],
  evidence: ['log.syncMs', 'log.syncs', 'ops.writeLatencyMs', 'clients.writing'],
  thresholds: { slowMs: SLOW_MS },
  threshold:
    `Information: more than ${duration(SLOW_MS)} on average, over at least ${MIN_SYNCS} syncs. ` +
    `Warning: a write takes half of that or more as well, with ${MIN_THREADS} clients writing ` +
    'on average.',
  source: sources(measured('stalls'), '10 ms is a heuristic'),
  advice:
    'Check the disk: other writers, its IOPS limit, a write cache without battery. A dedicated ' +
    'journal disk helps where checkpoints and page writes keep the data disk busy.',
  whenNot:
    'Do not change the journal commit interval: it did not help in tests (journal-interval). ' +
    'Short stalls do not show in the mean.',
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
    slow: (values) => `${time(values)}. Writes do not wait for it.`,
    'writes-wait': (values) =>
      `${time(values)}. Client writes take ${duration(values.writeMs)} and wait for it.`,
  },
});

/**
 * @param {number} syncMs
 * @param {number | null} writeMs
 * @param {number | null} writing clients
 */
const doWritesWait = (syncMs, writeMs, writing) =>
  (writeMs ?? 0) >= syncMs * WAITING_RATIO && (writing ?? 0) >= MIN_THREADS;

/** @param {{ syncMs: number, syncs: number | null }} values */
const time = ({ syncMs, syncs }) =>
  `A journal sync takes ${duration(syncMs)}` +
  `${syncs === null ? '' : ` (mean of ${many(syncs, 'sync')})`}`;
