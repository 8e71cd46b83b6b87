'use strict';

const { GiB } = require('../../../base/pure/units');

/** @import { Defect } from '../defects' */

// Thresholds of marks (heuristic, docs/defects.md): they lie far beyond the values of a healthy
// server, so that a mark shows only with its trouble.
/** One application thread is busy all the time. */
const ONE_THREAD = 1;
const HALF_THREAD = 0.5;
/** With this many handles sweeps and the cleanup have much to walk. */
const MANY_HANDLES = 5000;
/** The maximum of WiredTiger's eviction score, and of the share of empty queues in percent. */
const SCORE_MAX = 100;
const MOSTLY_EMPTY = 90;
/** Seconds without a sample, where one sample a second is taken. */
const GAP_SECONDS = 5;

/** Defects of WiredTiger that slow a server down. @type {readonly Defect[]} */
const ENGINE = Object.freeze([
  {
    ticket: 'WT-13283',
    title: 'Aggressive score above its maximum',
    effect: 'The eviction score reads above 100, so eviction seems to be stuck.',
    shows: 'trouble',
    certainty: 'sure',
    status: 'warning',
    rule: 'aggressive-mode',
    ranges: [
      { from: '6.0.0', fixed: '6.0.24' },
      { from: '7.0.0', fixed: '7.0.20' },
      { from: '8.0.0', fixed: '8.0.10' },
    ],
    signature: [[{ value: 'eviction.aggressiveScoreMax', min: SCORE_MAX + 1 }]],
    workaround: 'Restart mongod: the score begins at 0 again.',
    source: 'release notes of 6.0.24; history of WiredTiger between release tags',
  },
  {
    ticket: 'WT-12012',
    title: 'Diagnostic messages stay on after eviction was stuck',
    effect: 'WiredTiger goes on to log diagnostic messages long after the stall.',
    shows: 'use',
    certainty: 'likely',
    status: 'info',
    rule: 'engine-log-flood',
    ranges: [
      { from: '6.0.0', fixed: null },
      { from: '7.0.0', fixed: '7.0.21' },
      { from: '7.1.0', fixed: '8.0.0' },
    ],
    signature: [[{ value: 'eviction.aggressiveScoreMax', min: SCORE_MAX }]],
    workaround: 'Set verbose=[] in wiredTigerEngineRuntimeConfig.',
    source: 'release notes of 7.0.21; history of WiredTiger between release tags',
  },
  {
    ticket: 'WT-12560',
    title: 'Application threads stuck in forced eviction',
    effect:
      'Application threads try again and again to evict pages whose updates were all rolled back.',
    shows: 'trouble',
    certainty: 'likely',
    status: 'warning',
    ranges: [{ from: '7.0.0', fixed: '7.0.14' }],
    signature: [
      [
        { value: 'eviction.forcedUnableRatio', min: 0.9 },
        { value: 'eviction.forcedPerSec', min: 10 },
        { value: 'clients.evictingThreads', min: ONE_THREAD },
      ],
    ],
    workaround: null,
    source: 'https://github.com/wiredtiger/wiredtiger/pull/10805',
  },
  {
    ticket: 'WT-12643',
    title: 'Eviction walk cannot reach all pages',
    effect: 'The eviction server passes over pages it should evict, and misses its goal.',
    shows: 'trouble',
    certainty: 'likely',
    status: 'warning',
    ranges: [{ from: '7.0.0', fixed: '7.0.14' }],
    signature: [
      [
        { value: 'eviction.goalMissedPerSec', min: 1 },
        { value: 'clients.waitingThreads', min: ONE_THREAD },
      ],
    ],
    workaround: null,
    source: 'release notes of 7.0.14',
  },
  {
    ticket: 'WT-12708',
    title: 'Random eviction walk finds no page',
    effect: 'Eviction queues stay empty while application threads wait for cache.',
    shows: 'trouble',
    certainty: 'likely',
    status: 'warning',
    ranges: [
      { from: '6.0.0', fixed: '6.0.17' },
      { from: '7.0.0', fixed: '7.0.12' },
    ],
    signature: [
      [
        { value: 'eviction.emptyScore', min: MOSTLY_EMPTY },
        { value: 'clients.waitingThreads', min: ONE_THREAD },
      ],
    ],
    workaround: null,
    source: 'release notes of 6.0.17; history of WiredTiger between release tags',
  },
  {
    ticket: 'WT-9575',
    title: 'Pages with recent updates are not queued for eviction',
    effect: 'The cache stays above the updates trigger, and application threads wait.',
    shows: 'trouble',
    certainty: 'likely',
    status: 'warning',
    ranges: [
      { from: '7.0.0', fixed: '7.0.26' },
      { from: '8.0.0', fixed: '8.0.16' },
    ],
    signature: [
      [
        { value: 'cache.updatesHardShare', min: 0.5 },
        { value: 'eviction.goalMissedPerSec', min: 0.1 },
        { value: 'clients.waitingThreads', min: ONE_THREAD },
      ],
    ],
    workaround: null,
    source: 'release notes of 7.0.26 and 8.0.16',
  },
  {
    ticket: 'WT-10759',
    title: 'Forced eviction of history store pages is retried during reconciliation',
    effect: 'Application threads spend their time evicting while much history is in the cache.',
    shows: 'trouble',
    certainty: 'likely',
    status: 'warning',
    ranges: [
      { from: '5.0.0', fixed: '5.0.21' },
      { from: '6.0.0', fixed: '6.0.9' },
    ],
    signature: [
      [
        { value: 'cache.historyRatio', min: 0.2 },
        { value: 'eviction.forcedUnableRatio', min: 0.5 },
        { value: 'clients.evictingThreads', min: ONE_THREAD },
      ],
    ],
    workaround: 'End long transactions and snapshots: they make the history.',
    source: 'release notes of 5.0.21 and 6.0.9',
  },
  {
    ticket: 'WT-14140',
    title: 'Schema lock taken for handles that are not swept',
    effect: 'Operations wait for the schema lock while the sweep walks many open files.',
    shows: 'trouble',
    certainty: 'likely',
    status: 'warning',
    ranges: [{ from: '8.0.0', fixed: '8.0.14' }],
    signature: [
      [
        { value: 'handles.active', min: MANY_HANDLES },
        { value: 'clients.handleWaitThreads', min: HALF_THREAD },
      ],
    ],
    workaround: null,
    source: 'release notes of 8.0.14',
  },
  {
    ticket: 'WT-10253',
    title: 'Sessions sweep handles and cursors too rarely',
    effect: 'Sessions keep handles and cursors of many files, and operations wait for handles.',
    shows: 'trouble',
    certainty: 'likely',
    status: 'warning',
    ranges: [
      { from: '5.0.0', fixed: '5.0.19' },
      { from: '6.0.0', fixed: '6.0.6' },
    ],
    signature: [
      [
        { value: 'handles.active', min: MANY_HANDLES },
        { value: 'clients.handleWaitThreads', min: HALF_THREAD },
      ],
    ],
    workaround: null,
    source: 'release notes of 5.0.19; history of WiredTiger between release tags',
  },
  {
    ticket: 'WT-14968',
    title: 'Checkpoint cleanup waits after each file',
    effect: 'With many files the cleanup takes long, and obsolete history stays on disk.',
    shows: 'use',
    certainty: 'likely',
    status: 'info',
    ranges: [{ from: '8.0.0', fixed: '8.0.14' }],
    signature: [
      [
        { value: 'handles.active', min: MANY_HANDLES },
        { value: 'history.diskBytes', min: 10 * GiB },
      ],
    ],
    workaround: null,
    source: 'changelog of 8.0.14',
  },
  {
    ticket: 'WT-13216',
    title: 'Compact ignores the size of the cache',
    effect: 'A running compact pushes the cache over its eviction trigger.',
    shows: 'trouble',
    certainty: 'likely',
    status: 'warning',
    ranges: [
      { from: '7.0.0', fixed: '7.0.21' },
      { from: '8.0.0', fixed: '8.0.10' },
    ],
    signature: [
      [
        { log: 'compact-begun', min: 1 },
        { value: 'cache.usedRatioMax', min: 0.95 },
      ],
    ],
    workaround: 'Run compact when the server is quiet.',
    source: 'release notes of 7.0.21 and 8.0.10',
  },
  {
    ticket: 'WT-15225',
    title: 'Dropped tables stay in use',
    effect: 'Drops are retried again and again, and files of dropped collections stay on disk.',
    shows: 'trouble',
    certainty: 'likely',
    status: 'info',
    ranges: [
      { from: '8.0.0', fixed: '8.0.16' },
      { from: '8.2.0', fixed: '8.2.1' },
    ],
    signature: [[{ log: 'drop-pending-busy', min: 10 }]],
    workaround: 'Restart mongod: it removes the files at its start.',
    source: 'changelogs of 8.0.16 and 8.2.1',
  },
  {
    ticket: 'WT-7929',
    title: 'Diagnostic data stalls during a checkpoint',
    effect: 'serverStatus and the diagnostic data have gaps while a checkpoint runs.',
    shows: 'trouble',
    certainty: 'likely',
    status: 'info',
    ranges: [
      { from: '4.4.0', fixed: '4.4.28' },
      { from: '5.0.0', fixed: '5.0.24' },
      { from: '6.0.0', fixed: '6.0.12' },
      { from: '7.0.0', fixed: '7.0.5' },
    ],
    signature: [
      [
        { value: 'window.longestGapSeconds', min: GAP_SECONDS },
        { value: 'checkpoint.windowMaxMs', min: GAP_SECONDS * 1000 },
      ],
    ],
    workaround: null,
    source: 'release notes of 5.0.24 and 6.0.12; history of WiredTiger between release tags',
  },
]);

module.exports = { ENGINE };
