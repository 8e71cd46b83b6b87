'use strict';

const { bytes } = require('../../base/pure/units');
const { defineRule } = require('../define-rule');
const { many } = require('../../signals/words');

// A page now and then is a program that woke up; an idle machine with little memory left had 21 a
// second. From here on the reads alone are what a spinning disk can do. Ours.
const NOTED_PER_SEC = 10;
const OFTEN_PER_SEC = 100;

module.exports = defineRule({
  id: 'swap-ins',
  area: 'machine',
  title: 'How much memory comes back from swap',
  why:
    "A page of WiredTiger's cache that was swapped out costs a disk read that no counter of " +
    'MongoDB shows, and WiredTiger takes it for memory. A cache that is too large for its ' +
    'machine ends here.',
  needs: ['memory.swapInPagesPerSec'],
  wants: ['memory.availableBytes', 'memory.majorFaultsPerSec'],
  limits: { notedPerSec: NOTED_PER_SEC, oftenPerSec: OFTEN_PER_SEC },
  threshold:
    `${NOTED_PER_SEC} pages a second or more on average: information. ${OFTEN_PER_SEC} or ` +
    'more: warning.',
  source: 'MongoDB manual, production notes (swap: vm.swappiness 1); the rate is ours',
  advice: 'Make the cache smaller, or give the machine more memory; then set vm.swappiness to 1.',
  whenNot: 'Counted is the whole machine: another program may be the one that is swapped.',
  check(
    {
      'memory.swapInPagesPerSec': perSec,
      'memory.availableBytes': available,
      'memory.majorFaultsPerSec': faults,
    },
    { notedPerSec, oftenPerSec },
  ) {
    const evidence = {
      'memory.swapInPagesPerSec': perSec,
      'memory.availableBytes': available ?? null,
      'memory.majorFaultsPerSec': faults ?? null,
    };
    const say =
      `${many(perSec, 'page')} a second come back from ` +
      `swap${available === undefined ? '' : `, with ${bytes(available)} of memory available`}.`;
    return { status: statusOf(perSec, { notedPerSec, oftenPerSec }), say, evidence };
  },
});

/**
 * How grave it is that so many pages come back from swap.
 * @param {number} perSec
 * @param {{ notedPerSec: number, oftenPerSec: number }} limits
 */
function statusOf(perSec, { notedPerSec, oftenPerSec }) {
  if (perSec >= oftenPerSec) return 'warning';
  return perSec >= notedPerSec ? 'info' : 'ok';
}
