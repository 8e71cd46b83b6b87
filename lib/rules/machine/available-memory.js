'use strict';

const { bytes, percent } = require('../../base/pure/units');
const { defineMachineRule } = require('../define-machine-rule');
const { whole } = require('../../signals/words');

// Share of memory that the kernel can still give out without swapping. Below the first there is
// hardly any page cache left, on which reads that miss the engine's cache live; below the second the
// next larger allocation may wake the OOM killer (both heuristics).
const MIN_RATIO = 0.05;
const CRITICAL_RATIO = 0.02;

module.exports = defineMachineRule({
  id: 'available-memory',
  aliases: ['host-memory'],
  area: 'machine',
  title: 'Little memory available on the machine',
  why:
    'The cache is only a part of what mongod takes: connections, sorts and index builds come on ' +
    "top, and the page cache saves a read where the engine's cache misses. When nothing is " +
    'available the kernel swaps, or ends the largest process, and that is mongod.',
  needs: ['memory.totalBytes', 'memory.availableBytes'],
  wants: ['memory.others'],
  limits: { minRatio: MIN_RATIO },
  threshold:
    `Less than ${whole(MIN_RATIO)} of the machine's memory is available: warning; less than ` +
    `${whole(CRITICAL_RATIO)}: critical.`,
  source:
    'proc(5) and kernel documentation, filesystems/proc.rst (MemAvailable); MongoDB production ' +
    'notes, allocate sufficient RAM; the shares are heuristics',
  advice:
    'Make the cache smaller, or move what else takes memory to another machine. Do not make the ' +
    'cache larger.',
  whenNot:
    'It is the memory of the whole machine: a container may reach its own limit with plenty left ' +
    'here. Nor where the rest of memory is a ZFS ARC or huge pages set aside on purpose: the ' +
    'kernel does not count them as available.',
  check(
    { 'memory.totalBytes': all, 'memory.availableBytes': available, 'memory.others': others = [] },
    { minRatio },
  ) {
    const ratio = available / all;
    const [largest] = others;
    const beside =
      largest === undefined
        ? ''
        : `; the largest process beside mongod is ${largest.name} with ` +
          `${bytes(largest.residentBytes)}`;
    return {
      status: statusOf(ratio, minRatio),
      say:
        `${bytes(available)} of ${bytes(all)} of memory are available ` +
        `(${percent(ratio)})${beside}.`,
      evidence: { 'memory.availableBytes': available, 'memory.totalBytes': all },
    };
  },
});

/**
 * How severe it is that only this share of memory is available.
 * @param {number} ratio
 * @param {number} minRatio a user's own may be lower than what is critical by default
 */
function statusOf(ratio, minRatio) {
  if (ratio >= minRatio) return 'ok';
  return ratio < CRITICAL_RATIO ? 'critical' : 'warning';
}
