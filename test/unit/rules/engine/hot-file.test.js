'use strict';

const { testRule } = require('../../../support/rule-tester');

const skipped = (
  /** @type {number} */ perSec,
  /** @type {number} */ written = 100,
  /** @type {number} */ waiting = 0,
) => ({
  'eviction.skippedInCheckpointPerSec': perSec,
  'eviction.modifiedPagesPerSec': written,
  'checkpoint.runningShare': 0.4,
  'files.open': 20,
  'clients.waitingThreads': waiting,
  'clients.busyThreads': 4,
});

testRule(__filename, [
  ['none', skipped(0), 'ok', 'fine', { skippedPerSec: 0 }],
  ['fewer than 100 a second', skipped(99, 0, 2), 'ok', 'fine'],
  [
    'as many as were written',
    skipped(100),
    'info',
    'skipped-at-no-cost',
    { skippedPerSec: 100, writtenPerSec: 100, runningShare: 0.4 },
  ],
  ['fewer than were written', skipped(100, 101), 'ok', 'fine'],
  [
    'application threads evict meanwhile',
    skipped(5000, 100, 1),
    'warning',
    'skipped',
    { skippedPerSec: 5000 },
  ],
  [
    'they lose less than a tenth of their time',
    skipped(5000, 100, 0.39),
    'info',
    'skipped-at-no-cost',
  ],
  [
    'the number of files says nothing',
    { ...skipped(5000, 100, 1), 'files.open': 10_000 },
    'warning',
    'skipped',
  ],
  [
    'too many to add more',
    { ...skipped(5000, 100, 1), 'files.open': 10_001 },
    'warning',
    'skipped-with-many-files',
  ],
]);
