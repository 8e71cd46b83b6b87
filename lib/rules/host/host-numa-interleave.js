'use strict';

const { defineHostRule } = require('../rule');

module.exports = defineHostRule({
  id: 'host-numa-interleave',
  title: 'Memory of NUMA nodes used unevenly',
  why:
    'On a host with several memory nodes the kernel gives a thread memory that is near. The ' +
    'cache is filled by a few threads, so one node gets full, and the kernel reclaims or swaps ' +
    'there while another node has room.',
  needs: ['numa.nodes'],
  wants: ['numa.isInterleaved'],
  evidence: ['numa.nodes', 'numa.isInterleaved'],
  threshold:
    'Warning with more than one node when the memory of mongod is not interleaved; mongod ' +
    'itself warns of it at its start.',
  source: 'MongoDB production notes, MongoDB and NUMA hardware; numa(7)',
  advice:
    'Start mongod with "numactl --interleave=all" (in ExecStart of its systemd unit), and ' +
    'leave vm.zone_reclaim_mode at 0.',
  whenNot:
    'Where several mongod share a host and each is bound to one node on purpose, cache and all.',
  check({ 'numa.nodes': nodes, 'numa.isInterleaved': isInterleaved = null }) {
    const values = { nodes };
    if (nodes <= 1) return { status: 'ok', code: 'one-node', values };
    if (isInterleaved === null) return { status: 'info', code: 'not-shown', values };
    return isInterleaved
      ? { status: 'ok', code: 'interleaved', values }
      : { status: 'warning', code: 'not-interleaved', values };
  },
  messages: {
    'one-node': () => 'The host has one memory node.',
    interleaved: ({ nodes }) => `The memory of mongod is interleaved over ${nodes} nodes.`,
    'not-shown': ({ nodes }) =>
      `The host has ${nodes} memory nodes; whether mongod uses them alike is seen by its own ` +
      'user or root only.',
    'not-interleaved': ({ nodes }) =>
      `The host has ${nodes} memory nodes, and mongod does not interleave its memory over them.`,
  },
});
