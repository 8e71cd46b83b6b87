'use strict';

const { duration, MS_PER_SECOND } = require('../../base/pure/units');
const { defineRule } = require('../rule');

// "Ideally within one minute" (WT-12798); five minutes are what support calls a problem.
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
    'A checkpoint writes everything that is dirty. While it runs, eviction leaves alone the ' +
    'files it is at, and a setting sent to the server waits for its end; after a crash, what ' +
    'came since the last one is replayed from the journal.',
  needs: ['checkpoint.windowMaxMs'],
  wants: ['checkpoint.seen', 'window.longestGapSeconds'],
  evidence: ['checkpoint.windowMaxMs', 'checkpoint.seen'],
  thresholds: { longMs: LONG_MS, veryLongMs: VERY_LONG_MS },
  threshold:
    `From ${duration(LONG_MS)} on: warning. From ${duration(VERY_LONG_MS)} on: critical. Not ` +
    'judged when half of it fell between two samples: the machine may have slept.',
  source:
    'WT-12798 (checkpoints ideally end within a minute); iiBench (writes stopped around ' +
    'checkpoints)',
  advice:
    "Have less dirty data, or a faster disk: look at dirty-ratio and at the disk's write " +
    'rate. With many gigabytes dirty, lower evictionDirtyTarget so that eviction threads ' +
    'write earlier.',
  whenNot:
    'A shorter interval between checkpoints did not shorten stalls where it was measured; do ' +
    'not start a second checkpoint thread with checkpoint=(wait=…).',
  speaksFor: ['checkpoint'],
  check(
    {
      'checkpoint.windowMaxMs': checkpointMs,
      'checkpoint.seen': seen = null,
      'window.longestGapSeconds': gapSeconds = 0,
    },
    { longMs, veryLongMs },
  ) {
    const values = { checkpointMs, gapMs: gapSeconds * MS_PER_SECOND, isInWindow: Boolean(seen) };
    if (checkpointMs >= longMs && values.gapMs >= checkpointMs * GAP_SHARE)
      return { status: 'info', code: 'not-sampled', values };
    if (checkpointMs >= veryLongMs) return { status: 'critical', code: 'long', values };
    if (checkpointMs >= longMs) return { status: 'warning', code: 'long', values };
    return { status: 'ok', code: 'fine', values };
  },
  messages: {
    fine: (values) => `${time(values)}.`,
    long: (values) => `${time(values)}.`,
    'not-sampled': (values) =>
      `${time(values)}, but there was no look at the server for ${duration(values.gapMs)} of it: ` +
      'the machine slept, or stalled.',
  },
  adviceFor: { 'not-sampled': () => 'Look again while the machine is awake.' },
});

/** What a checkpoint took. @param {{ checkpointMs: number, isInWindow: boolean }} values */
const time = ({ checkpointMs, isInWindow }) =>
  `The ${isInWindow ? 'longest' : 'last'} checkpoint took ${duration(checkpointMs)}`;
