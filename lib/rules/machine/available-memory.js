'use strict';

const { bytes, percent, shortPercent } = require('../../base/pure/units');
const { defineMachineRule } = require('../rule');
const { sources, productionNotes, kernel } = require('../sources');

// Share of memory that the kernel can still give out without swapping. Below the first there is
// hardly any page cache left, on which reads that miss the engine's cache live; below the second the
// next larger allocation may wake the OOM killer (both heuristics).
const MIN_RATIO = 0.05;
const CRITICAL_RATIO = 0.02;

module.exports = defineMachineRule({
  id: 'available-memory',
  aliases: ['host-memory'],
  area: 'machine',
  title: 'Little RAM available on the machine',
  why:
    'mongod also needs memory for connections, sorts and index builds, and the page cache ' +
    'saves disk reads. When no RAM is available, the kernel swaps, or kills the largest ' +
    'process: mongod.',
  needs: ['memory.totalBytes', 'memory.availableBytes'],
  wants: ['memory.others'],
  evidence: ['memory.availableBytes', 'memory.totalBytes'],
  thresholds: { minRatio: MIN_RATIO },
  threshold:
    `Warning: less than ${shortPercent(MIN_RATIO)} of RAM available. Critical: less than ` +
    `${shortPercent(CRITICAL_RATIO)}.`,
  source: sources(
    kernel('/proc (MemAvailable)', 'filesystems/proc'),
    productionNotes('allocate sufficient RAM and CPU'),
    'the shares are heuristics',
  ),
  advice:
    'Make the cache smaller, or move other programs to another machine. Do not enlarge the ' +
    'cache.',
  whenNot:
    'It is the RAM of the whole machine: a container can reach its own limit earlier. Memory ' +
    'reserved deliberately (ZFS ARC, huge pages) does not count as available.',
  check(
    {
      'memory.totalBytes': totalBytes,
      'memory.availableBytes': availableBytes,
      'memory.others': others = [],
    },
    { minRatio },
  ) {
    const ratio = availableBytes / totalBytes;
    const values = { availableBytes, totalBytes, ratio, largest: others[0] ?? null };
    // A user's own threshold may be lower than what is critical by default.
    if (ratio >= minRatio) return { status: 'ok', code: 'fine', values };
    return ratio < CRITICAL_RATIO
      ? { status: 'critical', code: 'nearly-none', values }
      : { status: 'warning', code: 'little', values };
  },
  messages: {
    fine: (values) => available(values),
    little: (values) => available(values),
    'nearly-none': (values) => available(values),
  },
});

/**
 * Says how much memory is available, and names the largest process that could run elsewhere.
 * @param {{
 *   availableBytes: number, totalBytes: number, ratio: number,
 *   largest: { name: string, residentBytes: number } | null
 * }} values
 */
const available = ({ availableBytes, totalBytes, ratio, largest }) =>
  `${bytes(availableBytes)} of ${bytes(totalBytes)} RAM available (${percent(ratio)})` +
  (largest === null
    ? '.'
    : `; the largest other process is ${largest.name} (${bytes(largest.residentBytes)}).`);
