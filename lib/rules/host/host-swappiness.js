'use strict';

const { MiB, bytes } = require('../../base/pure/units');
const { defineHostRule } = require('../rule');
const { setSysctl } = require('../fixes');

// The kernel's default. Above it the kernel would rather swap out processes than drop page cache.
const DEFAULT = 60;
// MongoDB production notes: 1, or 0 on kernels that still swap then before they kill.
const RECOMMENDED = 1;
// As much of mongod in swap as the rule swap-ins warns about.
const SWAPPED_BYTES = 64 * MiB;

module.exports = defineHostRule({
  id: 'host-swappiness',
  title: 'Kernel set to swap early',
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
    'memory.swapBytes': swapBytes,
    'memory.serverSwappedBytes': swappedBytes = 0,
  }) {
    const evidence = {
      'memory.swappiness': value,
      'memory.swapBytes': swapBytes,
      'memory.serverSwappedBytes': swappedBytes,
    };
    const values = { swappiness: value, swappedBytes };
    if (swapBytes <= 0) return { status: 'ok', code: 'no-swap', values, evidence };
    const isSwapped = swappedBytes >= SWAPPED_BYTES && value > RECOMMENDED;
    if (value <= DEFAULT && !isSwapped) return { status: 'ok', code: 'fine', values, evidence };
    const fixes = [setSysctl('vm.swappiness', RECOMMENDED, value)];
    return isSwapped
      ? { status: 'info', code: 'swapped', values, evidence, fixes }
      : { status: 'info', code: 'high', values, evidence, fixes };
  },
  messages: {
    'no-swap': ({ swappiness }) =>
      `There is no swap, so vm.swappiness (${swappiness}) has no effect.`,
    fine: ({ swappiness, swappedBytes }) =>
      `The value of vm.swappiness is ${swappiness}, and ${bytes(swappedBytes)} of mongod are in swap.`,
    swapped: ({ swappiness, swappedBytes }) =>
      `The value of vm.swappiness is ${swappiness}, and ${bytes(swappedBytes)} of mongod are in swap.`,
    high: ({ swappiness }) =>
      `The value of vm.swappiness is ${swappiness}: the kernel would rather swap out mongod than ` +
      'drop page cache.',
  },
  adviceFor: { swapped: () => LOWER, high: () => LOWER },
});

const LOWER = `Set vm.swappiness to ${RECOMMENDED}, so that the kernel swaps only when it must.`;
