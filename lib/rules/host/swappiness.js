'use strict';

const { MiB, bytes } = require('../../base/pure/units');
const { defineHostRule } = require('../define-host-rule');
const { setSysctl } = require('../fixes');

// The kernel's default. Above it the kernel would rather swap out processes than drop page cache.
const DEFAULT = 60;
// MongoDB production notes: 1, or 0 on kernels that still swap then before they kill.
const RECOMMENDED = 1;
// As much of mongod in swap as the rule swap-ins warns about.
const SWAPPED_BYTES = 64 * MiB;

module.exports = defineHostRule({
  id: 'swappiness',
  area: 'host',
  title: 'How willingly the kernel swaps',
  why:
    'With a high value the kernel swaps out memory of processes to keep page cache. It does ' +
    'nothing at all where there is no swap, or memory enough: changing it won nothing where ' +
    'that was measured (IBM-Z), so it is reported only where it does harm.',
  needs: ['memory.swappiness', 'memory.swapBytes'],
  wants: ['memory.serverSwappedBytes'],
  threshold:
    `Information above ${DEFAULT}, and above ${RECOMMENDED} when ${bytes(SWAPPED_BYTES)} of ` +
    'mongod are in swap; never without swap.',
  source:
    'MongoDB production notes, swap (0 or 1); IBM-Z (no effect where nothing swaps); kernel ' +
    'documentation, admin-guide/sysctl/vm.rst',
  advice: `Set vm.swappiness to ${RECOMMENDED}.`,
  whenNot:
    'Where mongod is not in swap, a value up to the default costs nothing. It cures no lack ' +
    'of memory.',
  check({
    'memory.swappiness': value,
    'memory.swapBytes': swap,
    'memory.serverSwappedBytes': own = 0,
  }) {
    const evidence = {
      'memory.swappiness': value,
      'memory.swapBytes': swap,
      'memory.serverSwappedBytes': own,
    };
    if (swap <= 0)
      return {
        status: 'ok',
        say: `There is no swap, so vm.swappiness (${value}) has no effect.`,
        evidence,
      };
    const isSwapped = own >= SWAPPED_BYTES && value > RECOMMENDED;
    if (value <= DEFAULT && !isSwapped)
      return {
        status: 'ok',
        say: `The value of vm.swappiness is ${value}, and ${bytes(own)} of mongod are in swap.`,
        evidence,
      };
    return {
      status: 'info',
      say:
        'The value of vm.swappiness is ' +
        `${value}${isSwapped ? `, and ${bytes(own)} of mongod are in swap` : ': the kernel would rather swap out mongod than drop page cache'}.`,
      evidence,
      advice: `Set vm.swappiness to ${RECOMMENDED}, so that the kernel swaps only when it must.`,
      fixes: [setSysctl('vm.swappiness', RECOMMENDED, value)],
    };
  },
});
