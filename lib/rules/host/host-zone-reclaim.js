'use strict';

const { defineHostRule } = require('../rule');
const { setSysctl } = require('../fixes');

module.exports = defineHostRule({
  id: 'host-zone-reclaim',
  title: 'Memory reclaimed on one node while others have free memory',
  why:
    'With vm.zone_reclaim_mode set, an allocation on a full memory node first throws out pages ' +
    'of that node, on the spot and in the thread that asked, though another node has room.',
  needs: ['numa.zoneReclaim'],
  evidence: ['numa.zoneReclaim'],
  threshold: 'Warning unless it is 0; mongod itself warns of it at its start.',
  source:
    'MongoDB production notes, MongoDB and NUMA hardware; WiredTiger documentation, Linux ' +
    'zone reclamation; kernel documentation, admin-guide/sysctl/vm.rst',
  advice: 'Set vm.zone_reclaim_mode to 0.',
  whenNot: 'On a host with one memory node it has little effect; 0 is right there as well.',
  check({ 'numa.zoneReclaim': mode }) {
    const values = { mode };
    if (mode === 0) return { status: 'ok', code: 'off', values };
    const fixes = [setSysctl('vm.zone_reclaim_mode', 0, mode)];
    return { status: 'warning', code: 'on', values, fixes };
  },
  messages: {
    off: () =>
      'The kernel takes memory of another node before it reclaims (vm.zone_reclaim_mode is 0).',
    on: ({ mode }) =>
      'The kernel reclaims memory of a full node though others have room: ' +
      `vm.zone_reclaim_mode is ${mode}.`,
  },
});
