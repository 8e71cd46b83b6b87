'use strict';

const { COUNTERS } = require('../../lib/server/pure/counters');
const { DISK_COUNTERS, SYSTEM_COUNTERS } = require('../../lib/server/pure/system-counters');

/**
 * Server statuses with everything that the map of metrics knows, each counter growing at a pace of
 * its own: what is lost shows.
 */

const T0 = Date.UTC(2026, 0, 1);
const MIB = 2 ** 20;
/** What must be in proportion to say anything. @type {Record<string, number>} */
const LEVELS = {
  'cache.maxBytes': 256 * MIB,
  'cache.usedBytes': 200 * MIB,
  'cache.dirtyBytes': 30 * MIB,
  'cache.dirtyLeafBytes': 29 * MIB,
  'cache.updatesBytes': 9 * MIB,
  'cache.historyBytes': 3 * MIB,
  'eviction.state': 64,
  'memory.totalBytes': 16 * 2 ** 20,
  'memory.availableBytes': 9 * 2 ** 20,
  'cpu.logical': 4,
  'tickets.probing': 3,
  'checkpoint.running': 1,
};

/** @param {any} doc @param {readonly string[]} path @param {number} value */
function put(doc, path, value) {
  const last = path[path.length - 1];
  const node = path.slice(0, -1).reduce((at, key) => (at[key] ??= {}), doc);
  node[last] = value;
}

/**
 * @param {number} count a second apart
 * @param {{ spelling?: 'newest' | 'oldest' }} [options]
 * @returns {any[]}
 */
function fullStatuses(count, { spelling = 'newest' } = {}) {
  return Array.from({ length: count }, (_, i) => {
    const doc = {
      host: 'db1:27017',
      version: spelling === 'newest' ? '8.0.10' : '6.0.5',
      process: 'mongod',
      pid: 77,
      localTime: new Date(T0 + i * 1000),
      uptimeMillis: 600_000 + i * 1000,
      storageEngine: { name: 'wiredTiger' },
    };
    Object.entries(COUNTERS).forEach(([name, { kind, spellings }], n) => {
      const { path } = spelling === 'newest' ? spellings[0] : spellings[spellings.length - 1];
      put(
        doc,
        path,
        LEVELS[name] ??
          (kind === 'counter' ? 1000 * (n + 1) + ((n % 17) + 1) * 13 * i : 5 + (n % 7)),
      );
    });
    Object.entries(SYSTEM_COUNTERS).forEach(([name, { kind, terms }], n) => {
      for (const [{ path }] of terms)
        put(
          doc,
          path,
          kind === 'moment'
            ? /** @type {any} */ (new Date(T0 + i * 1000))
            : (LEVELS[name] ??
                (kind === 'counter' ? 5000 * (n + 1) + ((n % 5) + 1) * 100 * i : 3 + n)),
        );
    });
    for (const disk of ['sda', 'nvme0n1'])
      Object.values(DISK_COUNTERS).forEach(({ field }, n) =>
        put(doc, ['systemMetrics', 'disks', disk, field], 100 * (n + 1) + (n + 1) * 11 * i),
      );
    return doc;
  });
}

module.exports = { fullStatuses, T0 };
