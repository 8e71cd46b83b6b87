'use strict';

const { defineHostRule } = require('../rule');
const { sources, productionNotes, man } = require('../sources');

module.exports = defineHostRule({
  id: 'host-numa-interleave',
  title: 'Memory of NUMA nodes used unevenly',
  why:
    'On a host with several NUMA nodes, the kernel gives a thread memory of its own node. A ' +
    'few threads fill the cache, so one node fills up and the kernel reclaims or swaps there, ' +
    'while another node has free memory.',
  needs: ['numa.nodes'],
  wants: ['numa.isInterleaved'],
  evidence: ['numa.nodes', 'numa.isInterleaved'],
  threshold:
    'Warning: more than one node, and the memory of mongod is not interleaved (mongod warns at ' +
    'start-up as well).',
  source: sources(productionNotes('MongoDB and NUMA hardware'), man('numa', 7)),
  advice:
    'Start mongod with "numactl --interleave=all" (in ExecStart of its systemd unit), and keep ' +
    'vm.zone_reclaim_mode at 0.',
  whenNot:
    'Not if several mongod share a host and each is bound to one node deliberately, including ' +
    'its cache.',
  check({ 'numa.nodes': nodes, 'numa.isInterleaved': isInterleaved = null }) {
    const values = { nodes };
    if (nodes <= 1) return { status: 'ok', code: 'one-node', values };
    if (isInterleaved === null) return { status: 'info', code: 'not-shown', values };
    return isInterleaved
      ? { status: 'ok', code: 'interleaved', values }
      : { status: 'warning', code: 'not-interleaved', values };
  },
  messages: {
    'one-node': () => 'The host has one NUMA node.',
    interleaved: ({ nodes }) => `The memory of mongod is interleaved over ${nodes} NUMA nodes.`,
    'not-shown': ({ nodes }) =>
      `The host has ${nodes} NUMA nodes; the memory policy of mongod is visible only to root ` +
      'and its own user.',
    'not-interleaved': ({ nodes }) =>
      `The host has ${nodes} NUMA nodes, and mongod does not interleave its memory.`,
  },
});
