'use strict';

/** What a server of 6.0 tells, second by second. */

const T0 = Date.UTC(2026, 0, 1);
const MIB = 2 ** 20;

/**
 * @typedef {{ readMicros?: number, ops?: number, busyMicros?: number, used?: number }} Second what
 *   one second is like
 */

/**
 * Server statuses of a mongod with a small cache.
 * @param {number} seconds @param {(i: number) => Second} like
 */
function statuses(seconds, like) {
  let [ops, micros, reads] = [0, 0, 0];
  return Array.from({ length: seconds }, (_, i) => {
    const { readMicros = 0, ops: done = 100, busyMicros = 1e5, used = 50 } = like(i);
    [ops, micros, reads] = [ops + done, micros + busyMicros, reads + readMicros];
    return {
      host: 'db1:27017',
      version: '6.0.5',
      process: 'mongod',
      localTime: new Date(T0 + i * 1000),
      uptimeMillis: 60_000 + i * 1000,
      storageEngine: { name: 'wiredTiger' },
      opcounters: { insert: 0, query: ops, update: 0, delete: 0, getmore: 0, command: 0 },
      opLatencies: { reads: { latency: micros, ops }, writes: { latency: 0, ops: 0 } },
      globalLock: { currentQueue: { readers: 0, writers: 0 }, activeClients: { total: 8 } },
      extra_info: { user_time_us: i * 1e5, system_time_us: i * 1e4 },
      mem: { resident: 500 },
      wiredTiger: {
        cache: {
          'maximum bytes configured': 256 * MIB,
          'bytes currently in the cache': Math.round(used * 2.56) * MIB,
          'tracked dirty bytes in the cache': 0,
          'bytes allocated for updates': 0,
          'application threads page read from disk to cache count': Math.round(reads / 1e4),
          'application threads page read from disk to cache time (usecs)': reads,
          'pages read into cache': Math.round(reads / 1e4),
          'pages requested from the cache': ops * 4,
          'bytes read into cache': reads,
          'application threads page write from cache to disk count': 0,
          'application threads page write from cache to disk time (usecs)': 0,
          'pages evicted by application threads': 0,
          'unmodified pages evicted': Math.round(reads / 1e4),
          'modified pages evicted': 0,
          'eviction worker thread active': 4,
          'eviction state': 64,
          'eviction worker thread evicting pages': Math.round(reads / 1e4),
          'eviction server evicting pages': 0,
        },
        'thread-yield': {
          'application thread time evicting (usecs)': 0,
          'application thread time waiting for cache (usecs)': 0,
        },
        transaction: {
          'transaction checkpoint currently running': 0,
          'transaction checkpoint most recent time (msecs)': 20,
          'transaction checkpoints': Math.floor(i / 60),
          'transaction checkpoint total time (msecs)': 20,
        },
      },
    };
  });
}

module.exports = { statuses, T0 };
