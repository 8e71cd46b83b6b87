'use strict';

const { parseEngineConfig, lookUp } = require('../engine-config');
const { error, warning } = require('./problem');

/**
 * @import { Entry } from '../engine-config'
 * @import { Problem } from './problem'
 */

/**
 * Keys that the server accepts silently and that do harm; and one of which it is uncertain whether
 * it is accepted.
 * @typedef {{
 *   key: string, bad(entry: Entry): boolean, say: string, todo: string, running?: string
 * }} Danger `running`: why it is an error while the server runs
 */

const on = (/** @type {Entry} */ { number }) => number !== 0;
const lists =
  (/** @type {string[]} */ ...names) =>
  (/** @type {Entry} */ { entries }) =>
    (entries ?? []).some(({ key }) => names.includes(key.text));
const any = (/** @type {Entry} */ { entries, value }) =>
  (entries?.length ?? 0) > 0 || (entries === null && Boolean(value?.text));
const PROFILE = 'Leave it out, or use it on a test server.';

const DANGERS = Object.freeze(
  /** @type {Danger[]} */ ([
    {
      key: 'checkpoint.wait',
      bad: on,
      say: "starts a second checkpoint thread beside mongod's own",
      todo: 'Set storage.syncPeriodSecs in mongod.conf instead.',
    },
    {
      key: 'checkpoint.log_size',
      bad: on,
      say: "starts a second checkpoint thread beside mongod's own",
      todo: 'Leave it out; mongod makes a checkpoint after 2 GB of journal by itself.',
    },
    {
      key: 'statistics',
      bad: lists('all', 'cache_walk', 'tree_walk'),
      say: 'walks the cache or the trees at every serverStatus',
      todo: 'Keep statistics=(fast), which mongod uses.',
    },
    {
      key: 'statistics',
      bad: lists('clear'),
      say: 'sets the counters back at every reading, so that every monitor shows nonsense',
      todo: 'Leave clear out.',
    },
    {
      key: 'statistics',
      bad: lists('none'),
      say: 'takes the counters from serverStatus and from every monitor',
      todo: 'Keep statistics=(fast), which mongod uses.',
    },
    {
      key: 'statistics_log.wait',
      bad: on,
      say: 'writes files of statistics into the data folder',
      todo: 'Leave it out; mongod keeps diagnostic.data.',
    },
    {
      key: 'debug_mode',
      bad: ({ entries }) =>
        (entries ?? []).some(({ key, number }) => key.text !== 'corruption_abort' && number !== 0),
      say: 'is for debugging WiredTiger and slows it down or keeps files for ever',
      todo: PROFILE,
    },
    {
      key: 'timing_stress_for_test',
      bad: any,
      say: 'makes WiredTiger slow on purpose',
      todo: PROFILE,
    },
    {
      key: 'extra_diagnostics',
      bad: any,
      say: 'adds checks that cost time at every operation',
      todo: PROFILE,
    },
    {
      key: 'operation_tracking.enabled',
      bad: on,
      say: 'writes a file for every operation',
      todo: PROFILE,
    },
    {
      key: 'verbose',
      bad: any,
      say: 'can flood the log',
      todo: 'Set log levels with db.setLogLevel() instead.',
    },
    {
      key: 'history_store.file_max',
      bad: on,
      say: 'makes WiredTiger panic, and mongod exit, when the history store grows to it',
      todo: 'Leave it out, or give 0.',
    },
    {
      key: 'cache_max_wait_ms',
      bad: on,
      say: 'makes operations fail after that time when the cache is full',
      todo: 'Leave it out, or give 0.',
    },
    {
      key: 'operation_timeout_ms',
      bad: on,
      say: 'makes operations fail after that time',
      todo: 'Use maxTimeMS in the application.',
    },
    {
      key: 'block_cache.enabled',
      bad: on,
      say:
        'makes a second cache beside that of cache_size, which stays until the server is ' +
        'restarted',
      todo: 'Leave it out; mongod does not use it.',
    },
    {
      key: 'shared_cache.name',
      bad: ({ value }) => !['', 'none'].includes(value?.text ?? ''),
      say: 'takes the cache away from cache_size',
      todo: 'Leave it out.',
    },
    {
      // 6.0.5 takes some, refuses most, and dies of one that follows a refused one
      // (docs/evidence/hardening.md).
      key: 'compatibility.release',
      bad: ({ value }) => Boolean(value?.text),
      say: 'changes the format of files under mongod',
      todo: 'Use setFeatureCompatibilityVersion.',
      running: 'is refused by a server that runs, or ends it',
    },
    {
      key: 'error_prefix',
      bad: any,
      say: 'changes the messages that tools look for in the log',
      todo: 'Leave it out.',
    },
    { key: 'in_memory', bad: on, say: 'keeps nothing on disk', todo: 'Leave it out.' },
    { key: 'readonly', bad: on, say: 'opens the data read-only', todo: 'Leave it out.' },
    {
      key: 'salvage',
      bad: on,
      say: 'rewrites damaged files and may drop data',
      todo: 'Use mongod --repair on a copy.',
    },
    {
      key: 'log.enabled',
      bad: ({ number }) => number === 0,
      say: 'switches the journal off: a crash loses what was written since the last checkpoint',
      todo: 'Leave it out.',
    },
    { key: 'log.zero_fill', bad: on, say: 'writes each journal file twice', todo: 'Leave it out.' },
    {
      key: 'log.remove',
      bad: ({ number }) => number === 0,
      say: 'keeps every journal file for ever',
      todo: 'Leave it out.',
    },
    {
      key: 'log.archive',
      bad: ({ number }) => number === 0,
      say: 'keeps every journal file for ever',
      todo: 'Leave it out.',
    },
    {
      key: 'eviction.legacy_page_visit_strategy',
      bad: on,
      say: 'is highly discouraged by its makers',
      todo: 'Leave it out.',
    },
    { key: 'eviction.evict_use_softptr', bad: on, say: 'is experimental', todo: 'Leave it out.' },
  ]),
);

/** @param {string} text @param {'runtime' | 'start'} at @returns {Problem[]} */
function dangersIn(text, at) {
  const { entries } = parseEngineConfig(text);
  return DANGERS.flatMap(({ key, bad, say, todo, running }) => {
    const entry = lookUp(entries, key);
    if (!entry || !bad(entry)) return [];
    return at === 'runtime' && running
      ? [error(key, entry.key.position, `${key} ${running}`, todo, 'runtime')]
      : [warning(key, entry.key.position, `${key} ${say}`, todo)];
  });
}

module.exports = { dangersIn };
