'use strict';

const { MiB, bytes, many } = require('../../base/pure/units');
const { defineMachineRule } = require('../rule');
const { OFTEN_SWAPPED_PER_SEC } = require('../../signals/paging');
const { sources, productionNotes, man } = require('../sources');

// A page now and then is a program that woke up; an idle machine with little memory left had 21 a
// second (heuristic).
const NOTED_PER_SEC = 10;
// The kernel swaps a few MiB out that are never needed again (start-up code, idle agents); more of
// mongod than this is cache or connections (heuristic).
const SWAPPED_BYTES = 64 * MiB;

module.exports = defineMachineRule({
  id: 'swap-ins',
  aliases: ['swap-use'],
  area: 'machine',
  title: 'Memory read back from swap',
  why:
    'A swapped-out page of the WiredTiger cache costs a disk read when it is needed, while ' +
    'other threads wait for its locks. No MongoDB counter shows it: WiredTiger counts it as ' +
    'memory. A cache that is too large for its machine ends here.',
  needs: ['memory.swapInPagesPerSec'],
  wants: [
    'memory.availableBytes',
    'memory.majorFaultsPerSec',
    'memory.swapUsedBytes',
    'memory.serverSwappedBytes',
    'cache.usedBytes',
  ],
  evidence: [
    'memory.swapInPagesPerSec',
    'memory.availableBytes',
    'memory.majorFaultsPerSec',
    'memory.swapUsedBytes',
    'memory.serverSwappedBytes',
  ],
  thresholds: { notedPerSec: NOTED_PER_SEC, oftenPerSec: OFTEN_SWAPPED_PER_SEC },
  threshold:
    `Information: ${NOTED_PER_SEC} pages/s or more read from swap on average. Warning: ` +
    `${OFTEN_SWAPPED_PER_SEC} or more, or ${bytes(SWAPPED_BYTES)} of mongod in swap (tune.host). ` +
    'Critical: both.',
  source: sources(
    productionNotes('swap'),
    man('proc_pid_status', 5, 'VmSwap'),
    man('proc_vmstat', 5, 'pswpin'),
    'the thresholds are heuristics',
  ),
  advice:
    'Make the cache smaller, add RAM, or move other processes away. Then set vm.swappiness to ' +
    '1. Keep some swap: it protects mongod from the OOM killer.',
  whenNot:
    'Swap in use costs nothing; pages read from swap again and again do. The count is for the ' +
    'whole machine: another program may be the one that is swapped.',
  check(
    {
      'memory.swapInPagesPerSec': pagesPerSec,
      'memory.availableBytes': availableBytes = null,
      'memory.swapUsedBytes': usedBytes = null,
      'memory.serverSwappedBytes': serverBytes = null,
      'cache.usedBytes': cacheBytes = null,
    },
    { notedPerSec, oftenPerSec },
  ) {
    const values = { pagesPerSec, availableBytes, usedBytes, serverBytes, cacheBytes };
    const isOften = pagesPerSec >= oftenPerSec;
    if ((serverBytes ?? 0) >= SWAPPED_BYTES)
      return isOften
        ? { status: 'critical', code: 'swapped-and-often', values }
        : { status: 'warning', code: 'swapped', values };
    if (isOften) return { status: 'warning', code: whose(values), values };
    return pagesPerSec >= notedPerSec
      ? { status: 'info', code: 'noted', values }
      : { status: 'ok', code: 'fine', values };
  },
  messages: {
    fine: (values) => swap(values),
    noted: (values) => swap(values),
    often: (values) => swap(values),
    'often-of-others': (values) => swap(values),
    swapped: (values) => swap(values),
    'swapped-and-often': (values) => swap(values),
  },
  adviceFor: {
    'often-of-others': ({ cacheBytes }) =>
      `It is not the cache, which holds ${bytes(cacheBytes)}: move the processes away that are ` +
      'swapped, or add RAM. Keep some swap: it protects mongod from the OOM killer.',
  },
});

/**
 * A cache smaller than this is not what is swapped.
 * @param {{ cacheBytes: number | null }} values
 */
function whose({ cacheBytes }) {
  return cacheBytes !== null && cacheBytes < SWAPPED_BYTES ? 'often-of-others' : 'often';
}

/**
 * Says how much is in swap and how much is read back, as far as it is known.
 * @param {{ pagesPerSec: number } & Record<'availableBytes' | 'usedBytes' | 'serverBytes',
 *   number | null>} values
 */
function swap({ pagesPerSec, availableBytes, usedBytes, serverBytes }) {
  const back = `${many(pagesPerSec, 'page')}/s read from swap`;
  if (usedBytes === null)
    return `${back}${availableBytes === null ? '' : `; ${bytes(availableBytes)} of RAM available`}.`;
  if (usedBytes <= 0 && pagesPerSec <= 0) return 'Swap is not used.';
  const ofServer = serverBytes === null ? '' : ` (${bytes(serverBytes)} by mongod)`;
  return `${bytes(usedBytes)} of swap used${ofServer}, ${back}.`;
}
