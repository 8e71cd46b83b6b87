'use strict';

const { duration } = require('../../base/pure/units');
const { defineRule } = require('../define-rule');
const { many } = require('../../signals/words');
const { MIN_THREADS } = require('../../signals/clients');

// A sync of the journal takes 1 to 3 ms on a disk with room (docs/evidence/stalls.md).
const SLOW_MS = 10;
// A mean of fewer syncs is decided by one; ours.
const MIN_SYNCS = 10;
// A write that waits for a sync takes at least half of one: it may come while the sync is on its
// way.
const WAITING_RATIO = 0.5;

module.exports = defineRule({
  id: 'log-sync',
  area: 'disk',
  title: 'How long the journal takes to reach the disk',
  why:
    'A write with j: true, and on most replica sets every write with w: "majority", is ' +
    'answered when the journal is on the disk. A slow sync is then part of every such write; ' +
    'without them it only says that the disk is busy.',
  needs: ['log.syncMs'],
  wants: ['log.syncs', 'ops.writeLatencyMs', 'clients.writing'],
  limits: { slowMs: SLOW_MS },
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
      'log.syncMs': ms,
      'log.syncs': syncs,
      'ops.writeLatencyMs': write,
      'clients.writing': writing,
    },
    { slowMs },
  ) {
    const evidence = {
      'log.syncMs': ms,
      'log.syncs': syncs ?? null,
      'ops.writeLatencyMs': write ?? null,
      'clients.writing': writing ?? null,
    };
    const say =
      'A sync of the journal takes ' +
      `${duration(ms)}${syncs === undefined ? '' : `, over ${many(syncs, 'sync')}`}`;
    if (ms <= slowMs || (syncs ?? MIN_SYNCS) < MIN_SYNCS)
      return { status: 'ok', say: `${say}.`, evidence };
    if (!doWritesWait(ms, write, writing))
      return { status: 'info', say: `${say}; writes do not wait for it.`, evidence };
    return { status: 'warning', say: `${say}, and a write ${duration(write)}.`, evidence };
  },
});

/** @param {number} ms @param {number} [write] ms @param {number} [writing] clients */
const doWritesWait = (ms, write = 0, writing = 0) =>
  write >= ms * WAITING_RATIO && writing >= MIN_THREADS;
