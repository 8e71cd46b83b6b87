'use strict';

const { bytes, percent } = require('../../base/pure/units');
const { defineMachineRule } = require('../rule');
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
  evidence: ['memory.availableBytes', 'memory.totalBytes'],
  thresholds: { minRatio: MIN_RATIO },
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
 * What is available, and the largest process that could go elsewhere.
 * @param {{
 *   availableBytes: number, totalBytes: number, ratio: number,
 *   largest: { name: string, residentBytes: number } | null
 * }} values
 */
const available = ({ availableBytes, totalBytes, ratio, largest }) =>
  `${bytes(availableBytes)} of ${bytes(totalBytes)} of memory are available (${percent(ratio)})` +
  (largest === null
    ? '.'
    : `; the largest process beside mongod is ${largest.name} with ` +
      `${bytes(largest.residentBytes)}.`);
