'use strict';

const { KiB, MiB, bytes } = require('../../base/pure/units');
const { defineHostRule } = require('../define-host-rule');

// What the kernel moves out and never needs again (start-up code, idle agents) is a few MiB; more
// than this of mongod is cache or connections. Ours.
const SWAPPED_BYTES = 64 * MiB;
// 100 pages of 4 KiB, what the reads of a spinning disk can do, as in the rule swap-ins; ours.
const SWAP_IN_BYTES_PER_SEC = 400 * KiB;

module.exports = defineHostRule({
  id: 'swap-use',
  area: 'host',
  title: 'Whether memory comes back from swap',
  why:
    'A page of mongod in swap costs a disk read when it is needed, under locks that other ' +
    'threads wait for. The cache gains nothing from memory that lies on disk.',
  needs: ['memory.swapUsedBytes', 'memory.serverSwappedBytes', 'memory.swapInPagesPerSec'],
  threshold:
    `Warning when ${bytes(SWAPPED_BYTES)} of mongod are in swap, or ` +
    `${bytes(SWAP_IN_BYTES_PER_SEC)} a second come back from it; critical when both.`,
  source: 'MongoDB production notes, swap; proc_pid_status(5), VmSwap; proc_vmstat(5), pswpin',
  advice:
    'Make room: a smaller cache, or fewer other processes; then lower vm.swappiness to 1. ' +
    'Keep some swap, it is what saves mongod from the OOM killer.',
  whenNot: 'Used swap alone is no trouble: it is what is brought back again and again that costs.',
  check({
    'memory.swapUsedBytes': used,
    'memory.serverSwappedBytes': own,
    'memory.swapInPagesPerSec': rate,
  }) {
    const evidence = {
      'memory.swapUsedBytes': used,
      'memory.serverSwappedBytes': own,
      'memory.swapInPagesPerSec': rate,
    };
    const say =
      used <= 0 && rate <= 0
        ? 'Nothing is in swap.'
        : `${bytes(used)} are in swap, ${bytes(own)} of them mongod's, and ${bytes(rate)} a ` +
          'second come back.';
    const signs = [rate >= SWAP_IN_BYTES_PER_SEC, own >= SWAPPED_BYTES].filter(Boolean).length;
    return { status: /** @type {const} */ (['ok', 'warning', 'critical'])[signs], say, evidence };
  },
});
