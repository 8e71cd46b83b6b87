'use strict';

const { duration, MS_PER_SECOND } = require('../../base/pure/units');
const { defineRule } = require('../rule');
const { sources, ticket, IIBENCH } = require('../sources');

// "Ideally within one minute" (WT-12798); five minutes are a heuristic.
const LONG_MS = 60_000;
const VERY_LONG_MS = 300_000;
// A machine that slept, or a server that stalled, leaves a gap between the samples; half the
// checkpoint inside it is not its own.
const GAP_SHARE = 0.5;

module.exports = defineRule({
  id: 'checkpoint-duration',
  area: 'checkpoint',
  title: 'Long checkpoints',
  why:
    'A checkpoint writes all dirty data. Meanwhile eviction skips the files it is writing, and ' +
    'a setting sent to the server waits for its end. After a crash, everything since the last ' +
    'checkpoint is replayed from the journal.',
  needs: ['checkpoint.windowMaxMs'],
  wants: ['checkpoint.seen', 'window.longestGapSeconds'],
  evidence: ['checkpoint.windowMaxMs', 'checkpoint.seen'],
  thresholds: { longMs: LONG_MS, veryLongMs: VERY_LONG_MS },
  threshold:
    `Warning: from ${duration(LONG_MS)}. Critical: from ${duration(VERY_LONG_MS)}. Information ` +
    'if half of it passed between two samples: the machine may have been suspended.',
  source: sources(
    ticket('WT-12798', 'checkpoints should end within a minute'),
    IIBENCH,
    '300 s is a heuristic',
  ),
  advice:
    'Reduce dirty data or use a faster disk: check dirty-ratio and the write rate of the disk. ' +
    'With many GiB dirty, lower evictionDirtyTarget: eviction threads then write earlier.',
  whenNot:
    'A shorter checkpoint interval did not shorten stalls in tests. Do not start a second ' +
    'checkpoint thread with checkpoint=(wait=…).',
  speaksFor: ['checkpoint'],
  check(
    {
      'checkpoint.windowMaxMs': checkpointMs,
      'checkpoint.seen': seen = null,
      'window.longestGapSeconds': gapSeconds = 0,
    },
    { longMs, veryLongMs },
  ) {
    if (checkpointMs === 0) return { status: 'unknown', code: 'none-yet', values: NONE };
    const values = { checkpointMs, gapMs: gapSeconds * MS_PER_SECOND, isInWindow: Boolean(seen) };
    if (checkpointMs >= longMs && values.gapMs >= checkpointMs * GAP_SHARE)
      return { status: 'info', code: 'not-sampled', values };
    if (checkpointMs >= veryLongMs) return { status: 'critical', code: 'long', values };
    if (checkpointMs >= longMs) return { status: 'warning', code: 'long', values };
    return { status: 'ok', code: 'fine', values };
  },
  messages: {
    'none-yet': () => 'Not known: no checkpoint has completed since mongod started.',
    fine: (values) => `${time(values)}.`,
    long: (values) => `${time(values)}.`,
    'not-sampled': (values) =>
      `${time(values)}, but ${duration(values.gapMs)} of it passed without a sample: the ` +
      'machine was suspended, or stalled.',
  },
  adviceFor: { 'not-sampled': () => 'Run tune.advise() again while the machine is running.' },
});

const NONE = Object.freeze({ checkpointMs: 0, gapMs: 0, isInWindow: false });

/** @param {{ checkpointMs: number, isInWindow: boolean }} values */
const time = ({ checkpointMs, isInWindow }) =>
  `The ${isInWindow ? 'longest' : 'last'} checkpoint took ${duration(checkpointMs)}`;
