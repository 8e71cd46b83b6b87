'use strict';

const { defineHostRule } = require('../rule');
const { setSysctl } = require('../fixes');
const { sources, productionNotes, kernel } = require('../sources');

module.exports = defineHostRule({
  id: 'host-zone-reclaim',
  title: 'Memory reclaimed on one NUMA node while others have free memory',
  why:
    'With vm.zone_reclaim_mode set, an allocation on a full NUMA node first reclaims pages of ' +
    'that node, in the allocating thread, although others have free memory.',
  needs: ['numa.zoneReclaim'],
  evidence: ['numa.zoneReclaim'],
  threshold: 'Warning: vm.zone_reclaim_mode is not 0 (mongod warns at start-up as well).',
  source: sources(
    productionNotes('MongoDB and NUMA hardware'),
    kernel('vm.zone_reclaim_mode', 'admin-guide/sysctl/vm'),
  ),
  advice: 'Set vm.zone_reclaim_mode to 0.',
  whenNot: 'It has little effect on a host with one NUMA node; 0 is right there as well.',
  check({ 'numa.zoneReclaim': mode }) {
    const values = { mode };
    if (mode === 0) return { status: 'ok', code: 'off', values };
    const fixes = [setSysctl('vm.zone_reclaim_mode', 0, mode)];
    return { status: 'warning', code: 'on', values, fixes };
  },
  messages: {
    off: () =>
      'The kernel uses memory of another NUMA node before it reclaims (vm.zone_reclaim_mode is ' +
      '0).',
    on: ({ mode }) =>
      'The kernel reclaims memory of a full NUMA node although others have free memory: ' +
      `vm.zone_reclaim_mode is ${mode}.`,
  },
});
