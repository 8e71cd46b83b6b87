'use strict';

const { percent } = require('../../base/pure/units');
const { defineRule } = require('../rule');
const { whole } = require('../../signals/words');
const { BUSY_RATIO } = require('../../signals/cpus');

module.exports = defineRule({
  id: 'percpu-caches',
  area: 'memory',
  title: 'No per-CPU caches in the allocator',
  why:
    'Since 8.0 mongod brings an allocator that keeps free memory by processor instead of by ' +
    'thread, with less locking and less waste. It falls back without a word where something ' +
    'else, mostly the C library, has registered for restartable sequences first.',
  needs: ['tcmalloc.perCpuCaches'],
  wants: ['process.cpuRatio'],
  threshold:
    `Off: information; warning when mongod keeps ${whole(BUSY_RATIO)} of the CPUs busy. ` +
    'Servers before 8.0 do not report.',
  source: 'MongoDB manual, TCMalloc performance (usingPerCPUCaches)',
  advice:
    'Start mongod with GLIBC_TUNABLES=glibc.pthread.rseq=0 in its environment (the official ' +
    'container images have it; look into service files and scripts of your own), and leave ' +
    'transparent huge pages on from 8.0 on.',
  whenNot:
    'Not worth a restart of its own while CPUs are idle. Other settings of the ' +
    'allocator did not help where they were measured (IBM-Z).',
  check({ 'tcmalloc.perCpuCaches': caches, 'process.cpuRatio': cpuRatio = null }) {
    const evidence = { 'tcmalloc.perCpuCaches': caches > 0, 'process.cpuRatio': cpuRatio };
    const values = { cpuRatio };
    if (caches > 0) return { status: 'ok', code: 'on', values, evidence };
    return cpuRatio !== null && cpuRatio >= BUSY_RATIO
      ? { status: 'warning', code: 'off-on-busy-cpus', values, evidence }
      : { status: 'info', code: 'off', values, evidence };
  },
  messages: {
    on: () => 'The allocator keeps a cache for each processor.',
    off: () => 'The allocator keeps no cache for each processor.',
    'off-on-busy-cpus': ({ cpuRatio }) =>
      'The allocator keeps no cache for each processor, and mongod keeps ' +
      `${percent(cpuRatio)} of the CPUs busy.`,
  },
});
