'use strict';

const { MiB, bytes } = require('../../base/pure/units');
const { defineHostRule } = require('../rule');
const { setSysctl } = require('../fixes');
const { sources, productionNotes, kernel, S390X } = require('../sources');

// The kernel's default. Above it the kernel would rather swap out processes than drop page cache.
const DEFAULT = 60;
// MongoDB production notes: 1, or 0 on kernels that still swap then before they kill.
const RECOMMENDED = 1;
// The rule swap-ins warns about this much of mongod in swap.
const SWAPPED_BYTES = 64 * MiB;

module.exports = defineHostRule({
  id: 'host-swappiness',
  title: 'Kernel set to swap early',
  why:
    'A high value makes the kernel swap out process memory to keep page cache. Without swap or ' +
    'with enough RAM it has no effect, so it is reported only where it does harm.',
  needs: ['memory.swappiness', 'memory.swapBytes'],
  wants: ['memory.serverSwappedBytes'],
  threshold:
    `Information: above ${DEFAULT}, or above ${RECOMMENDED} with ${bytes(SWAPPED_BYTES)} of ` +
    'mongod in swap. Never without swap.',
  source: sources(
    productionNotes('swap (0 or 1)'),
    S390X + ': no effect without swapping',
    kernel('vm.swappiness', 'admin-guide/sysctl/vm'),
  ),
  advice: `Set vm.swappiness to ${RECOMMENDED}.`,
  whenNot:
    'Without mongod in swap, a value up to the default is harmless. It does not fix a lack of ' +
    'RAM.',
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
      `Not applicable: there is no swap, so vm.swappiness (${swappiness}) has no effect.`,
    fine: ({ swappiness, swappedBytes }) =>
      `vm.swappiness is ${swappiness}; ${bytes(swappedBytes)} of mongod in swap.`,
    swapped: ({ swappiness, swappedBytes }) =>
      `vm.swappiness is ${swappiness}; ${bytes(swappedBytes)} of mongod in swap.`,
    high: ({ swappiness }) =>
      `vm.swappiness is ${swappiness}: the kernel swaps out mongod rather than drop page cache.`,
  },
  adviceFor: { swapped: () => LOWER, high: () => LOWER },
});

const LOWER = `Set vm.swappiness to ${RECOMMENDED}: the kernel then swaps only when it must.`;
