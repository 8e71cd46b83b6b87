'use strict';

/** @import { Defect } from '../defects' */

const VALIDATE =
  'Run validate() on every collection of every member at a quiet hour: it blocks reads and writes ' +
  'of that collection. Resync a member that fails from one that does not.';
/** A shard counts these when it uses transactions over several shards. */
const COORDINATED = Object.freeze({ value: 'transactions.coordinated', min: 1 });
const SHARDED = Object.freeze({ value: 'server.isSharded', min: 1 });
const TIME_SERIES = Object.freeze({ value: 'timeseries.collections', min: 1 });

/** Defects that can lose or change data. @type {readonly Defect[]} */
const DATA = Object.freeze(
  /** @type {Defect[]} */ ([
    {
      ticket: 'WT-7995',
      title: 'Checkpoints may hold inconsistent data',
      effect: 'After an unclean shutdown, data and indexes may be inconsistent.',
      shows: 'use',
      certainty: 'sure',
      status: 'critical',
      ranges: [
        { from: '4.4.2', fixed: '4.4.9' },
        { from: '5.0.0', fixed: '5.0.3' },
      ],
      signature: [[{ log: 'unclean-start', min: 1 }]],
      workaround: VALIDATE,
      source: 'release notes of 4.4 and 5.0, past release limitations',
    },
    {
      ticket: 'WT-7984',
      title: 'A checkpoint may omit a page of data',
      effect: 'After an unclean shutdown, documents or index entries may be missing.',
      shows: 'use',
      certainty: 'sure',
      status: 'critical',
      ranges: [
        { from: '4.4.8', fixed: '4.4.9' },
        { from: '5.0.0', fixed: '5.0.3' },
      ],
      signature: [[{ log: 'unclean-start', min: 1 }]],
      workaround: VALIDATE,
      source: 'release notes of 4.4 and 5.0, past release limitations',
    },
    {
      ticket: 'WT-10461',
      title: 'Keys out of order on ARM64 and POWER',
      effect: 'A missing memory barrier can put keys into the wrong order.',
      shows: 'use',
      certainty: 'sure',
      status: 'critical',
      ranges: [
        { from: '4.4.0', fixed: '4.4.19' },
        { from: '5.0.0', fixed: '5.0.15' },
        { from: '6.0.0', fixed: '6.0.5' },
      ],
      signature: [
        [{ value: 'server.isWeaklyOrdered', min: 1 }],
        [{ log: 'weakly-ordered-build', min: 1 }],
      ],
      workaround: null,
      source: 'release notes of 4.4, 5.0 and 6.0, past release limitations',
    },
    {
      ticket: 'WT-10551',
      title: 'Incremental backup may omit modified blocks',
      effect: 'A backup that Ops Manager or Cloud Manager takes incrementally may not restore.',
      shows: 'use',
      certainty: 'likely',
      status: 'warning',
      ranges: [
        { from: '4.4.8', fixed: '4.4.22' },
        { from: '5.0.2', fixed: '5.0.18' },
        { from: '6.0.0', fixed: '6.0.6' },
      ],
      signature: [[{ value: 'backup.cursorOpen', min: 1 }]],
      workaround: 'Take full backups until the upgrade.',
      source: 'release notes of 4.4, 5.0 and 6.0, past release limitations',
    },
    {
      ticket: 'SERVER-131805',
      title: 'Interrupted rename to another database loses the collection',
      effect:
        'On a sharded cluster, a step-down during a cross-database rename can drop source and ' +
        'target, and the command reports success.',
      shows: 'use',
      certainty: 'sure',
      status: 'critical',
      ranges: [
        { from: '7.0.0', fixed: null },
        { from: '8.0.0', fixed: null },
        { from: '8.3.0', fixed: null },
        { from: '9.0.0', fixed: null },
      ],
      signature: [[{ log: 'cross-database-rename', min: 1 }, SHARDED]],
      workaround: 'Do not rename to another database on a sharded cluster.',
      source: 'the ticket, status of 15 October 2026; fixed releases are not known',
    },
    {
      ticket: 'SERVER-77506',
      title: 'Sharded transactions can mismatch data and shard version',
      effect: 'A transaction over several shards can read or write beside moved chunks.',
      shows: 'use',
      certainty: 'sure',
      status: 'warning',
      ranges: [
        { from: '4.4.0', fixed: '4.4.28' },
        { from: '5.0.0', fixed: '5.0.24' },
        { from: '6.0.0', fixed: '6.0.13' },
        { from: '7.0.0', fixed: '7.0.3' },
      ],
      signature: [[COORDINATED]],
      workaround: null,
      source: 'release notes of 5.0, 6.0 and 7.0, past release limitations',
    },
    {
      ticket: 'SERVER-82353',
      title: 'Transactions can miss documents while movePrimary runs',
      effect: 'A transaction that reads while a primary shard is moved can miss documents.',
      shows: 'use',
      certainty: 'likely',
      status: 'warning',
      ranges: [
        { from: '4.4.0', fixed: '4.4.29' },
        { from: '5.0.0', fixed: '5.0.25' },
        { from: '6.0.0', fixed: '6.0.14' },
        { from: '7.0.0', fixed: '7.0.6' },
      ],
      signature: [[{ value: 'transactions.started', min: 1 }, SHARDED]],
      workaround: 'Do not run movePrimary while transactions run.',
      source: 'release notes of 5.0, 6.0 and 7.0, past release limitations',
    },
    {
      ticket: 'SERVER-95067',
      title: 'Time-series inserts can write one bucket twice',
      effect: 'Inserts can make several batches for one bucket.',
      shows: 'use',
      certainty: 'sure',
      status: 'warning',
      ranges: [
        { from: '7.0.0', fixed: '7.0.16' },
        { from: '8.0.0', fixed: '8.0.4' },
      ],
      signature: [[TIME_SERIES]],
      workaround: null,
      source: 'release notes of 7.0 and 8.0, past release limitations',
    },
    {
      ticket: 'SERVER-94559',
      title: 'Deletes from time series change the time of a bucket',
      effect: 'A delete of measurements updates the minimum time of their bucket.',
      shows: 'use',
      certainty: 'likely',
      status: 'warning',
      ranges: [
        { from: '7.0.0', fixed: '7.0.16' },
        { from: '8.0.0', fixed: '8.0.4' },
      ],
      signature: [[TIME_SERIES, { value: 'ops.deletesTotal', min: 1 }]],
      workaround: 'Do not delete single measurements.',
      source: 'release notes of 7.0 and 8.0, past release limitations',
    },
    {
      ticket: 'SERVER-80203',
      title: 'Sharded time series with an embedded meta field',
      effect:
        'On collections sharded by embedded objects of the meta field, inserts can miss their shard.',
      shows: 'use',
      certainty: 'likely',
      status: 'warning',
      ranges: [
        { from: '5.0.6', fixed: '5.0.22' },
        { from: '6.0.0', fixed: '6.0.12' },
        { from: '7.0.0', fixed: '7.0.3' },
      ],
      signature: [[TIME_SERIES, SHARDED]],
      workaround: null,
      source: 'release notes of 5.0, 6.0 and 7.0, past release limitations',
    },
  ]),
);

module.exports = { DATA };
