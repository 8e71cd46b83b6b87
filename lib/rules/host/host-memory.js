'use strict';

const { bytes, percent } = require('../../base/pure/units');
const { defineHostRule } = require('../define-host-rule');
const { whole } = require('../../signals/words');

// Share of memory that can still be given out without swapping. Below the first there is hardly any
// page cache left, on which reads that miss the engine's cache live; below the second the next
// larger allocation may wake the OOM killer. Ours.
const LOW_RATIO = 0.05;
const MIN_RATIO = 0.02;

module.exports = defineHostRule({
  id: 'host-memory',
  area: 'host',
  title: 'Memory that is left on the host',
  why:
    'mongod needs memory beside its cache: connections, sorts, index builds, and the page ' +
    "cache, which saves a read where the engine's cache misses. When nothing is left the " +
    'kernel swaps or kills, and mongod is the largest process to choose.',
  needs: ['memory.totalBytes', 'memory.availableBytes'],
  wants: ['memory.others'],
  threshold:
    `Warning below ${whole(LOW_RATIO)} of memory available, critical below ` +
    `${whole(MIN_RATIO)}.`,
  source:
    'Kernel documentation, filesystems/proc.rst (MemAvailable); MongoDB production notes, ' +
    'allocate sufficient RAM',
  advice: 'Lower the cache, or move what else runs here to another machine.',
  whenNot:
    'Where the rest of memory is a ZFS ARC or huge pages set aside on purpose: the kernel ' +
    'does not count them as available.',
  check({
    'memory.totalBytes': total,
    'memory.availableBytes': available,
    'memory.others': others = [],
  }) {
    const ratio = available / total;
    const [largest] = others;
    const alongside =
      largest === undefined
        ? ''
        : `; the largest process beside mongod is ${largest.name} with ` +
          `${bytes(largest.residentBytes)}`;
    const say =
      `${bytes(available)} of ${bytes(total)} of memory are available ` +
      `(${percent(ratio)})${alongside}.`;
    return {
      status: statusOf(ratio),
      say,
      evidence: { 'memory.totalBytes': total, 'memory.availableBytes': available },
    };
  },
});

/**
 * How grave it is that only this share of memory is available.
 * @param {number} ratio
 */
function statusOf(ratio) {
  if (ratio < MIN_RATIO) return 'critical';
  return ratio < LOW_RATIO ? 'warning' : 'ok';
}
