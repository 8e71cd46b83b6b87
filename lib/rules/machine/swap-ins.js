'use strict';

const { MiB, bytes } = require('../../base/pure/units');
const { defineMachineRule } = require('../define-machine-rule');
const { many } = require('../../signals/words');

// A page now and then is a program that woke up; an idle machine with little memory left had 21 a
// second. From the second on the reads alone are what an HDD can do (heuristics).
const NOTED_PER_SEC = 10;
const OFTEN_PER_SEC = 100;
// What the kernel moves out and never needs again (start-up code, idle agents) is a few MiB; more
// than this of mongod is cache or connections (heuristic).
const SWAPPED_BYTES = 64 * MiB;

module.exports = defineMachineRule({
  id: 'swap-ins',
  aliases: ['swap-use'],
  area: 'machine',
  title: 'Memory coming back from swap',
  why:
    "A page of WiredTiger's cache that was swapped out costs a disk read when it is needed, under " +
    'locks that other threads wait for. No counter of MongoDB shows it, and WiredTiger takes it ' +
    'for memory. A cache that is too large for its machine ends here.',
  needs: ['memory.swapInPagesPerSec'],
  wants: [
    'memory.availableBytes',
    'memory.majorFaultsPerSec',
    'memory.swapUsedBytes',
    'memory.serverSwappedBytes',
  ],
  limits: { notedPerSec: NOTED_PER_SEC, oftenPerSec: OFTEN_PER_SEC },
  threshold:
    `${NOTED_PER_SEC} pages a second or more on average: information. ${OFTEN_PER_SEC} or more: ` +
    `warning. ${bytes(SWAPPED_BYTES)} of mongod in swap (tune.host): warning. Both: critical.`,
  source:
    'MongoDB manual, production notes (swap: vm.swappiness 1); proc_pid_status(5), VmSwap; ' +
    'proc_vmstat(5), pswpin; the rates and the size are heuristics',
  advice:
    'Make the cache smaller, or give the machine more memory or fewer other processes; then set ' +
    'vm.swappiness to 1. Keep some swap: it is what saves mongod from the OOM killer.',
  whenNot:
    'Swap that is only used costs nothing: what is brought back again and again does. Counted is ' +
    'the whole machine: another program may be the one that is swapped.',
  check(
    {
      'memory.swapInPagesPerSec': perSec,
      'memory.availableBytes': available,
      'memory.majorFaultsPerSec': faults,
      'memory.swapUsedBytes': used,
      'memory.serverSwappedBytes': own,
    },
    { notedPerSec, oftenPerSec },
  ) {
    const isOften = perSec >= oftenPerSec;
    const isServerSwapped = (own ?? 0) >= SWAPPED_BYTES;
    return {
      status: statusOf(isOften, isServerSwapped, perSec >= notedPerSec),
      say: sentence(perSec, { available, used, own }),
      evidence: {
        'memory.swapInPagesPerSec': perSec,
        'memory.availableBytes': available ?? null,
        'memory.majorFaultsPerSec': faults ?? null,
        'memory.swapUsedBytes': used ?? null,
        'memory.serverSwappedBytes': own ?? null,
      },
    };
  },
});

/** @param {boolean} isOften @param {boolean} isServerSwapped @param {boolean} isNoted */
function statusOf(isOften, isServerSwapped, isNoted) {
  if (isOften && isServerSwapped) return 'critical';
  if (isOften || isServerSwapped) return 'warning';
  return isNoted ? 'info' : 'ok';
}

/**
 * How much is in swap and comes back, as far as it is known.
 * @param {number} perSec pages
 * @param {{ available?: number, used?: number, own?: number }} known bytes
 */
function sentence(perSec, { available, used, own }) {
  const back = `${many(perSec, 'page')} a second come back`;
  if (used === undefined)
    return `${back} from swap${available === undefined ? '' : `, with ${bytes(available)} of memory available`}.`;
  if (used <= 0 && perSec <= 0) return 'Nothing is in swap.';
  const ofServer = own === undefined ? '' : `, ${bytes(own)} of them mongod's`;
  return `${bytes(used)} are in swap${ofServer}, and ${back}.`;
}
