'use strict';

const { parseEngineConfig, lookUp } = require('../engine-config');
const { error, warning } = require('./problem');

/**
 * @import { Entry } from '../engine-config'
 * @import { Problem } from './problem'
 */

/**
 * Finds keys that the server accepts silently and that do harm, and one that it accepts only
 * sometimes.
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
const PROFILE = 'Remove it, or use it on a test server.';

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
      todo: 'Remove it; mongod makes a checkpoint after 2 GB of journal by itself.',
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
      say: 'resets the counters at every read, so every monitor shows wrong values',
      todo: 'Remove clear.',
    },
    {
      key: 'statistics',
      bad: lists('none'),
      say: 'removes the counters from serverStatus and every monitor',
      todo: 'Keep statistics=(fast), which mongod uses.',
    },
    {
      key: 'statistics_log.wait',
      bad: on,
      say: 'writes statistics files to the data folder',
      todo: 'Remove it; mongod writes diagnostic.data.',
    },
    {
      key: 'debug_mode',
      bad: ({ entries }) =>
        (entries ?? []).some(({ key, number }) => key.text !== 'corruption_abort' && number !== 0),
      say: 'is for debugging WiredTiger: it slows it down or keeps files forever',
      todo: PROFILE,
    },
    {
      key: 'timing_stress_for_test',
      bad: any,
      say: 'slows WiredTiger deliberately',
      todo: PROFILE,
    },
    { key: 'extra_diagnostics', bad: any, say: 'adds checks to every operation', todo: PROFILE },
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
      say: 'makes WiredTiger panic and mongod exit when the history store reaches it',
      todo: 'Remove it, or give 0.',
    },
    {
      key: 'cache_max_wait_ms',
      bad: on,
      say: 'makes operations fail after that time when the cache is full',
      todo: 'Remove it, or give 0.',
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
      say: 'creates a second cache besides cache_size, which stays until the server is restarted',
      todo: 'Remove it; mongod does not use it.',
    },
    {
      key: 'shared_cache.name',
      bad: ({ value }) => !['', 'none'].includes(value?.text ?? ''),
      say: 'overrides cache_size',
      todo: 'Remove it.',
    },
    {
      // 6.0.5 takes some, refuses most, and dies of one that follows a refused one
      // (docs/evidence/hardening.md).
      key: 'compatibility.release',
      bad: ({ value }) => Boolean(value?.text),
      say: 'changes file formats without the knowledge of mongod',
      todo: 'Use setFeatureCompatibilityVersion.',
      running: 'is rejected by a running server, or terminates it',
    },
    {
      key: 'error_prefix',
      bad: any,
      say: 'changes log messages that tools search for',
      todo: 'Remove it.',
    },
    { key: 'in_memory', bad: on, say: 'keeps nothing on disk', todo: 'Remove it.' },
    { key: 'readonly', bad: on, say: 'opens the data read-only', todo: 'Remove it.' },
    {
      key: 'salvage',
      bad: on,
      say: 'rewrites damaged files and may drop data',
      todo: 'Use mongod --repair on a copy.',
    },
    {
      key: 'log.enabled',
      bad: ({ number }) => number === 0,
      say: 'disables the journal: a crash loses all writes since the last checkpoint',
      todo: 'Remove it.',
    },
    { key: 'log.zero_fill', bad: on, say: 'writes each journal file twice', todo: 'Remove it.' },
    {
      key: 'log.remove',
      bad: ({ number }) => number === 0,
      say: 'keeps every journal file forever',
      todo: 'Remove it.',
    },
    {
      key: 'log.archive',
      bad: ({ number }) => number === 0,
      say: 'keeps every journal file forever',
      todo: 'Remove it.',
    },
    {
      key: 'eviction.legacy_page_visit_strategy',
      bad: on,
      say: 'is strongly discouraged by its developers',
      todo: 'Remove it.',
    },
    { key: 'eviction.evict_use_softptr', bad: on, say: 'is experimental', todo: 'Remove it.' },
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
