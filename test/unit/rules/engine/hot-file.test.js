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
  'clients.waitingForCache': waiting,
  'clients.busy': 4,
});

testRule(__filename, [
  ['none', skipped(0), 'ok', /skipped 0 dirty pages/],
  ['fewer than 100 a second', skipped(99, 0, 2), 'ok'],
  [
    'as many as were written',
    skipped(100),
    'info',
    /ran 40\.0 % of the time, and wrote 100 pages, at no cost/,
  ],
  ['fewer than were written', skipped(100, 101), 'ok'],
  [
    'clients evict meanwhile',
    skipped(5000, 100, 1),
    'warning',
    /5,000 dirty pages.*clients evict meanwhile/,
    /more collections/,
  ],
  ['they lose less than a tenth of their time', skipped(5000, 100, 0.39), 'info'],
  [
    'the number of files says nothing',
    { ...skipped(5000, 100, 1), 'files.open': 10_000 },
    'warning',
    /./,
    /^Spread the writes/,
  ],
  [
    'too many to add more',
    { ...skipped(5000, 100, 1), 'files.open': 10_001 },
    'warning',
    /./,
    /^Make checkpoints shorter.*10,001 files open, too many/,
  ],
]);
